// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C ABI as a program sees it. The environment is read once per process, so
// every scenario runs in a child of its own; the parent never launches.

#include "runtime_process_harness.h"
#include <thread>

using namespace rttest;

namespace {

TEST(Process, SimRunsAndCounts) {
  Result r = child({}, [] {
    Program program;
    if (program.run(5) != LOOM_RT_DONE || program.last != 10)
      return 1;
    return program.run(3) == LOOM_RT_DONE && program.hostRuns == 0 ? 0 : 2;
  });
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(linesOf(r.stats), 1u);
  EXPECT_EQ(r.stats.rfind("{\"region\":\"prefix.0\",\"function\":\"prefix\","
                          "\"file\":\"prefix.c\",\"line\":7,\"device\":\"sim\","
                          "\"launches\":2,\"firings\":",
                          0),
            0u)
      << r.stats;
  // Two launches at 100 cycles each, and what the graph takes.
  size_t cycles = r.stats.find(",\"cycles\":");
  ASSERT_NE(cycles, std::string::npos) << r.stats;
  EXPECT_GT(atoi(r.stats.c_str() + cycles + 10), 200 + 2 * 10);
  EXPECT_NE(r.stats.find(",\"fallbacks\":{},\"mismatches\":0,"
                         "\"guard\":null,\"usage\":{"),
            std::string::npos)
      << r.stats;
}

/// The guard picks the graph, whatever else happens to the launch; the two
/// graphs leave with different exits.
TEST(Process, GuardPicksTheGraph) {
  auto body = [](bool isVerified) {
    RegionBuilder b = guardedSaxpy();
    for (image::Actor &a : b.guard->graph->actors)
      if (a.kind() == ActorKind::Constant && a.type() == Type::I32)
        a = image::Actor(7, a.first_operand(), a.first_result(), a.mem(), 0, 1,
                         1, a.kind(), a.op(), 0, a.type(), a.from(), a.width(),
                         0, 0);
    Bytes bytes = seal({&b});
    loom_rt_region guard = guardOf(bytes);
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {};
    uint64_t out[1];
    auto exitOf = [&](const float *from, float *to, uint64_t n) -> int {
      uint64_t in[4] = {n, 0x3f800000, reinterpret_cast<uint64_t>(from),
                        reinterpret_cast<uint64_t>(to)};
      int ticket = loom_rt_launch(&guard, in, out);
      if (isVerified && ticket == LOOM_RT_CHECK) {
        for (int64_t i = 0; i < int64_t(n); ++i)
          to[i] += from[i];
        out[0] = 0;
        loom_rt_check(&guard, out);
        return 0;
      }
      return ticket == LOOM_RT_DONE ? int(out[0]) : -1;
    };
    int apart = isVerified ? 0 : 7;
    bool good = exitOf(x, y, 8) == apart && exitOf(x, x, 8) == 0 &&
                // The test's graph is no more careful than its guarded one.
                (isVerified || exitOf(x, x + 1, 4) == 0) &&
                exitOf(x, x + 4, 4) == apart &&
                // A count that makes no sense touches nothing.
                exitOf(x, x, uint64_t(INT64_MIN)) == apart && y[7] == 8 &&
                x[0] == 2;
    return good ? 0 : 1;
  };
  for (const char *order : {"fixed", "random:3"}) {
    Result r = child({{"LOOM_INFO", "all"}, {"LOOM_SIM_ORDER", order}},
                     [&] { return body(false); });
    EXPECT_EQ(r.status, 0);
    EXPECT_NE(
        r.stats.find("\"guard\":{\"noalias\":3,\"alias\":2,\"unknown\":0}"),
        std::string::npos)
        << r.stats;
    EXPECT_NE(r.err.find(", guard: alias\n"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find(", guard 3 noalias 2 alias\n"), std::string::npos)
        << r.err;
  }
  // Under LOOM_VERIFY, too: the wrong exit of the guarded graph is found.
  Result r = child({{"LOOM_VERIFY", "1"}}, [&] { return body(true); });
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.stats.find("\"mismatches\":3,\"guard\":{\"noalias\":3,"),
            std::string::npos)
      << r.stats;
  // The host device asks no guard.
  r = child({{"LOOM_DEVICE", "host"}}, [&] { return body(false) ? 0 : 1; });
  EXPECT_NE(r.stats.find("\"guard\":null"), std::string::npos) << r.stats;
}

TEST(Process, HostCountsOnlyForWhoAsks) {
  Result r = child({{"LOOM_DEVICE", "host"}}, [] {
    Program program;
    program.run(5);
    program.run(5);
    return program.guard.state == LOOM_RT_STATE_ASK && program.hostRuns == 2
               ? 0
               : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"device\":\"host\",\"launches\":2,\"firings\":0"),
            std::string::npos)
      << r.stats;
  r = child(
      {{"LOOM_DEVICE", "host"}},
      [] {
        Program program;
        program.run(5);
        return program.guard.state == LOOM_RT_STATE_HOST ? 0 : 1;
      },
      false);
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.stats, "");
}

TEST(Process, OffloadOff) {
  Result r = child({{"LOOM_OFFLOAD", "off"}}, [] {
    Program program;
    return program.run(5) == LOOM_RT_HOST ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"device\":\"host\""), std::string::npos);
}

TEST(Process, JsonIsEscaped) {
  Result r = child({}, [] {
    RegionBuilder b = prefixSum();
    b.name = "a\"b\\c\n\x01";
    b.function = "op\xC3\xA9rator\xFF";
    b.file = "dir\t/x.c";
    Program program(b);
    program.run(2);
    return 0;
  });
  EXPECT_EQ(r.stats.rfind("{\"region\":\"a\\\"b\\\\c\\u000a\\u0001\","
                          "\"function\":\"op\xC3\xA9rator\xEF\xBF\xBD\","
                          "\"file\":\"dir\\u0009/x.c\"",
                          0),
            0u)
      << r.stats;
}

TEST(Process, BudgetEndsOnTheHost) {
  Result r = child({{"LOOM_SIM_BUDGET", "2k"}, {"LOOM_INFO", "fallback"}}, [] {
    Program program(prefixSum(), 1000);
    std::vector<uint32_t> expected = program.p;
    for (int round = 0; round < 3; ++round) {
      uint32_t last = 0;
      for (size_t i = 1; i < 1000; ++i)
        last = expected[i] += expected[i - 1];
      int32_t ticket = program.run(1000);
      if (ticket != LOOM_RT_HOST || program.last != last ||
          program.p != expected)
        return 1;
    }
    return program.hostRuns == 3 ? 0 : 2;
  });
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.stats.find("\"launches\":0"), std::string::npos) << r.stats;
  EXPECT_NE(r.stats.find("\"fallbacks\":{\"budget\":3}"), std::string::npos);
  EXPECT_EQ(linesOf(r.err), 3u) << r.err;
  EXPECT_NE(r.err.find("prefix.0 (prefix, prefix.c:7): budget"),
            std::string::npos);
  // Nobody counts: the guard stops asking.
  r = child(
      {{"LOOM_SIM_BUDGET", "10"}},
      [] {
        Program program;
        program.run(50);
        return program.guard.state == LOOM_RT_STATE_HOST ? 0 : 1;
      },
      false);
  EXPECT_EQ(r.status, 0);
}

TEST(Process, MandatoryGivesUp) {
  Result r =
      child({{"LOOM_SIM_BUDGET", "10"}, {"LOOM_OFFLOAD", "mandatory"}}, [] {
        Program program;
        program.run(50);
        return 0;
      });
  EXPECT_EQ(r.status, 86);
  EXPECT_EQ(linesOf(r.err), 1u) << r.err;
  EXPECT_NE(r.stats.find("\"budget\":1"), std::string::npos);
  r = child({{"LOOM_OFFLOAD", "mandatory"}}, [] {
    Program program;
    return program.run(50) == LOOM_RT_DONE ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
}

TEST(Process, BadImage) {
  Result r = child({{"LOOM_INFO", "fallback"}}, [] {
    Program program;
    program.bytes[200] ^= 4;
    return program.run(5) == LOOM_RT_HOST && program.hostRuns == 1 ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"fallbacks\":{\"bad-image\":1}"), std::string::npos);
  EXPECT_NE(r.err.find("bad-image, hash"), std::string::npos) << r.err;
}

TEST(Process, ForeignAbi) {
  Result r = child({}, [] {
    Program program;
    program.guard.abi = LOOM_RT_ABI + 1;
    return program.run(5) == LOOM_RT_HOST ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
}

TEST(Process, VerifyAgrees) {
  for (const char *order : {"static", "random:3"}) {
    Result r = child({{"LOOM_VERIFY", "1"}, {"LOOM_SIM_ORDER", order}}, [] {
      Program program;
      for (int i = 0; i < 20; ++i)
        if (program.run(size_t(i) * 5) != LOOM_RT_CHECK)
          return 1;
      return program.hostRuns == 20 ? 0 : 2;
    });
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(r.err, "");
    EXPECT_NE(r.stats.find("\"launches\":20"), std::string::npos) << r.stats;
    EXPECT_NE(r.stats.find("\"mismatches\":0"), std::string::npos) << r.stats;
  }
}

TEST(Process, VerifyFindsAWrongLiveOut) {
  Result r = child({{"LOOM_VERIFY", "1"}}, [] {
    Program program;
    program.hostError = 1;
    program.run(5);
    program.run(5);
    return program.last == 40 + 1 - 0 ? 0 : 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"mismatches\":2"), std::string::npos) << r.stats;
  EXPECT_EQ(linesOf(r.err), 1u) << r.err;
  EXPECT_NE(r.err.find("mismatch in region prefix.0 (prefix, prefix.c:7): "
                       "live-out 1 (i32): host 0xb, sim 0xa"),
            std::string::npos)
      << r.err;
}

TEST(Process, VerifyFindsWrongMemory) {
  // The image subtracts where the program adds.
  RegionBuilder wrong = prefixSum();
  for (image::Actor &a : wrong.actors)
    if (a.op() == Op::AddI && a.type() == Type::I32)
      a = image::Actor(a.imm(), a.first_operand(), a.first_result(), a.mem(),
                       a.line(), a.num_operands(), a.num_results(), a.kind(),
                       Op::SubI, a.pred(), a.type(), a.from(), a.width(),
                       a.from_width(), 0);
  wrong.outs.pop_back(); // memory only
  // The last carry then has no use; its exit lane is dropped.
  Result r = child({{"LOOM_VERIFY", "1"}}, [&] {
    Program program(wrong);
    program.run(3);
    return program.p[2] == 6 ? 0 : 1; // the host's result stays
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("memory p+4 at 0x"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("host 0x04, sim 0x00"), std::string::npos) << r.err;
  EXPECT_NE(r.stats.find("\"mismatches\":1"), std::string::npos);
}

TEST(Process, VerifyFindsWhatTheGraphForgot) {
  // Only the host writes p[n + 2]; the line was touched, or the footprint says
  // that it belongs to the region.
  Result r = child({{"LOOM_VERIFY", "1"}}, [] {
    RegionBuilder b = prefixSum();
    b.memories[0].known = true;
    b.memories[0].hi = 400;
    Program program(b, 100);
    program.hostSpill = true;
    program.run(3); // same line, or a line away
    program.run(60);
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("memory p+20 at 0x"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("sim leaves 0x02"), std::string::npos) << r.err;
  EXPECT_NE(r.stats.find("\"mismatches\":2"), std::string::npos) << r.stats;
}

TEST(Process, VerifySurvivesAWideFootprint) {
  // A footprint is an upper bound (an index of 16 bits, say): behind the object
  // there may be no memory, or the heap of the runtime.
  Result r = child({{"LOOM_VERIFY", "1"}}, [] {
    RegionBuilder b = prefixSum();
    b.memories[0].known = true;
    b.memories[0].hi = 8 << 20;
    Program program(b, 100); // on the heap, like what the runtime allocates
    program.run(3);
    program.run(60);
    b.memories[0].hi = int64_t(1) << 40;
    Program far(b, 100);
    far.run(60);
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"mismatches\":0"), std::string::npos) << r.stats;
  EXPECT_EQ(r.stats.find("\"mismatches\":1"), std::string::npos) << r.err;
}

TEST(Process, VerifyIgnoresOtherExits) {
  Result r = child({{"LOOM_VERIFY", "1"}}, [] {
    RegionBuilder b = prefixSum();
    b.outs[1].exit = 3; // meaningful at another exit only
    Program program(b);
    program.hostError = 5;
    program.run(5);
    return 0;
  });
  EXPECT_NE(r.stats.find("\"mismatches\":0"), std::string::npos) << r.stats;
}

TEST(Process, VerifyNaNs) {
  // A NaN is a NaN: live-out copysign(x, y) against another payload.
  Result r = child({{"LOOM_VERIFY", "1"}}, [] {
    RegionBuilder b;
    Value x = b.input(Type::F32), y = b.input(Type::F32);
    b.exitZero();
    b.output(b.compute(Op::CopySign, {x, y}, Type::F32), Type::F32);
    b.complete(RegionBuilder::start);
    Bytes bytes = seal({&b});
    loom_rt_region guard = guardOf(bytes);
    uint64_t in[2] = {0x7FC00000, 0}, out[2] = {};
    if (loom_rt_launch(&guard, in, out) != LOOM_RT_CHECK)
      return 1;
    out[0] = 0;
    out[1] = 0xFFC12345;
    loom_rt_check(&guard, out);
    in[0] = 0;
    if (loom_rt_launch(&guard, in, out) != LOOM_RT_CHECK)
      return 2;
    out[1] = 0x80000000; // but -0 is not +0
    loom_rt_check(&guard, out);
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"mismatches\":1"), std::string::npos) << r.stats;
}

TEST(Process, ForkedChildrenCountForThemselves) {
  Result r = child({}, [] {
    Program program;
    program.run(5);
    for (int i = 0; i < 4; ++i)
      if (fork() == 0) {
        program.run(4);
        program.run(4);
        exit(0);
      }
    while (wait(nullptr) > 0) {
    }
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(linesOf(r.stats), 5u) << r.stats;
  unsigned twos = 0, ones = 0;
  for (size_t at = 0;
       (at = r.stats.find("\"launches\":", at)) != std::string::npos;
       at += 11) {
    twos += r.stats[at + 11] == '2';
    ones += r.stats[at + 11] == '1';
  }
  EXPECT_EQ(twos, 4u);
  EXPECT_EQ(ones, 1u);
}

TEST(Process, QuickExitWritesNothing) {
  Result r = child({}, [] {
    Program program;
    program.run(5);
    _exit(0);
    return 0;
  });
  EXPECT_EQ(r.stats, "");
}

TEST(Process, ThreadsLaunchTogether) {
  for (const char *verify : {"0", "1"}) {
    Result r = child({{"LOOM_VERIFY", verify}}, [] {
      RegionBuilder b = prefixSum();
      Bytes bytes = seal({&b});
      loom_rt_region guard = guardOf(bytes);
      std::vector<int> bad(8);
      std::vector<std::thread> threads;
      for (size_t t = 0; t < bad.size(); ++t)
        threads.emplace_back([&, t] {
          for (uint64_t i = 0; i < 200; ++i) {
            std::vector<uint32_t> p(64, uint32_t(t + 1));
            uint64_t n = 2 + i % 60;
            uint64_t in[2] = {n, reinterpret_cast<uint64_t>(p.data())};
            uint64_t out[2] = {};
            int32_t ticket = loom_rt_launch(&guard, in, out);
            if (ticket == LOOM_RT_DONE) {
              bad[t] |= out[1] != n * (t + 1) || p[n - 1] != n * (t + 1);
              continue;
            }
            bad[t] |= ticket != LOOM_RT_CHECK;
            for (uint64_t k = 1; k < n; ++k)
              p[k] += p[k - 1];
            out[0] = 0;
            out[1] = p[n - 1];
            loom_rt_check(&guard, out);
          }
        });
      for (std::thread &thread : threads)
        thread.join();
      for (int one : bad)
        if (one)
          return 1;
      return 0;
    });
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_NE(r.stats.find("\"launches\":1600"), std::string::npos) << r.stats;
    EXPECT_NE(r.stats.find("\"mismatches\":0"), std::string::npos) << r.err;
  }
}

TEST(Process, NotesAboutTheEnvironment) {
  Result r =
      child({{"LOOM_DEVICE", "fastest"},
             {"LOOM_SIM_BUDGET", "lots"},
             {"LOOM_VERIFY", "yes"},
             {"LOOM_INFO", "everything"},
             {"LOOM_OFFLOAD", "maybe"},
             {"LOOM_SIM_ORDER", "random:x"},
             {"LOOM_NOSUCH", "1"}},
            [] {
              Program program;
              int32_t first = program.run(3);
              // The defaults: auto, which checks the first launches of a class.
              return first == LOOM_RT_CHECK && program.run(3) == LOOM_RT_CHECK
                         ? 0
                         : 1;
            });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(linesOf(r.err), 7u) << r.err;
  EXPECT_NE(r.err.find("LOOM_DEVICE=fastest is not understood"),
            std::string::npos);
  EXPECT_NE(r.err.find("unknown variable LOOM_NOSUCH"), std::string::npos);
}

TEST(Process, Information) {
  Result r = child({{"LOOM_INFO", "summary,launch"}}, [] {
    Program program;
    program.run(3);
    return 0;
  });
  EXPECT_EQ(linesOf(r.err), 2u) << r.err;
  EXPECT_NE(r.err.find("launch of region prefix.0 (prefix, prefix.c:7) on sim"),
            std::string::npos);
  EXPECT_NE(r.err.find("on sim: 1 launches"), std::string::npos);
}

TEST(Process, LaunchInAnExitHandlerIsCounted) {
  Result r = child({}, [] {
    static Program program;
    atexit([] { program.run(4); });
    program.run(5);
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.stats.find("\"launches\":2"), std::string::npos) << r.stats;
}

} // namespace
