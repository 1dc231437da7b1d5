// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_DEVICE=auto and model: which launches are simulated, what the others
// cost, and that a wrong graph is found.

#include "Devices/Model/Model.h"
#include "runtime_process_harness.h"
#include <memory>

using namespace rttest;

namespace {

bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// The number behind "key": in the first row.
uint64_t field(const std::string &text, const std::string &key) {
  size_t at = text.find("\"" + key + "\":");
  return at == std::string::npos
             ? ~uint64_t(0)
             : strtoull(text.c_str() + at + key.size() + 3, nullptr, 10);
}

TEST(Model, AutoSimulatesSomeLaunchesAndChecksThem) {
  Result r = child({{"LOOM_DEVICE", "auto"}}, [] {
    Program program;
    // Of one class the launches 1, 2, 4 and 16 are simulated.
    for (int i = 1; i <= 20; ++i) {
      int32_t ticket = program.run(30);
      bool sampled = i == 1 || i == 2 || i == 4 || i == 16;
      if (ticket != (sampled ? LOOM_RT_CHECK : LOOM_RT_HOST))
        return i;
    }
    return program.hostRuns == 20 ? 0 : 100;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_TRUE(has(r.stats, "\"device\":\"auto\",\"launches\":20,")) << r.stats;
  EXPECT_EQ(field(r.stats, "sampled"), 4u) << r.stats;
  EXPECT_EQ(field(r.stats, "estimated"), 0u) << r.stats;
  EXPECT_EQ(field(r.stats, "untimed"), 0u) << r.stats;
  EXPECT_EQ(field(r.stats, "mismatches"), 0u) << r.stats;
}

TEST(Model, ControlByLiveInsIsExact) {
  // Twenty launches on the simulator and twenty by the model: the same cycles.
  auto body = [] {
    Program program;
    for (size_t n : {3, 40, 3, 7, 40, 3, 7, 3, 40, 40, 7, 3})
      program.run(n);
    return 0;
  };
  Result sim = child({{"LOOM_DEVICE", "sim"}}, body);
  Result model = child({{"LOOM_DEVICE", "model"}}, body);
  EXPECT_NE(field(sim.stats, "cycles"), ~uint64_t(0));
  EXPECT_GT(field(sim.stats, "cycles"), 12u);
  EXPECT_EQ(field(model.stats, "cycles"), field(sim.stats, "cycles"));
  EXPECT_TRUE(has(model.stats, "\"device\":\"model\"")) << model.stats;
}

TEST(Model, AutoFindsAWrongLiveOut) {
  Result r = child({{"LOOM_DEVICE", "auto"}}, [] {
    Program program;
    program.hostError = 1;
    program.run(5);
    return 0;
  });
  EXPECT_EQ(field(r.stats, "mismatches"), 1u) << r.stats;
  EXPECT_EQ(linesOf(r.err), 1u) << r.err;
}

TEST(Model, ModelNeverAnswersWithACheck) {
  Result r = child({{"LOOM_DEVICE", "model"}}, [] {
    Program program;
    program.hostError = 1; // nobody looks
    return program.run(5) == LOOM_RT_HOST ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
}

TEST(Model, WithoutABudgetLaunchesAreUntimed) {
  Result r = child({{"LOOM_DEVICE", "auto"}, {"LOOM_SIM_BUDGET", "0"}}, [] {
    Program program;
    return program.run(5) == LOOM_RT_HOST ? 0 : 1;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(field(r.stats, "untimed"), 1u) << r.stats;
  EXPECT_TRUE(has(r.stats, "\"cycles\":null")) << r.stats;
}

TEST(Model, TooLongToSimulateIsGivenUp) {
  Result r = child({{"LOOM_DEVICE", "auto"}, {"LOOM_SIM_BUDGET", "400"}}, [] {
    Program program;
    for (int i = 0; i < 8; ++i)
      if (program.run(size_t(100 + i)) != LOOM_RT_HOST)
        return 1;
    return program.guard.checks == 0 || program.hostRuns == 8 ? 0 : 2;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(field(r.stats, "budget"), 4u) << r.stats;
  EXPECT_EQ(field(r.stats, "untimed"), 8u) << r.stats;
}

// Two loads and a store for each of n - 1 iterations: 87 accesses with n = 30.
// Of a class the launches 1 and 2 of three are simulated.
TEST(Model, SimulatedLaunchesSayWhatLimitsThem) {
  auto body = [] {
    Program program;
    for (int i = 0; i < 3; ++i)
      program.run(30);
    return 0;
  };
  Result sim = child({{"LOOM_DEVICE", "sim"}, {"LOOM_INFO", "all"}}, body);
  EXPECT_EQ(field(sim.stats, "accesses"), 261u) << sim.stats;
  uint64_t cycles = field(sim.stats, "cycles");
  std::string whole =
      "\"usage\":{\"timed\":3,\"cycles\":" + std::to_string(cycles) + ",";
  EXPECT_TRUE(has(sim.stats, whole.c_str())) << sim.stats;
  // The default target's launch takes 100 cycles.
  EXPECT_EQ(field(sim.stats, "launch"), 300u) << sim.stats;
  EXPECT_GT(field(sim.stats, "bound"), 300u) << sim.stats;
  EXPECT_LE(field(sim.stats, "bound"), cycles) << sim.stats;
  EXPECT_TRUE(has(sim.err, " cycles, 87 accesses, memory ")) << sim.err;
  EXPECT_TRUE(has(sim.err, "261 accesses, memory ")) << sim.err;
  Result model = child({{"LOOM_DEVICE", "model"}}, body);
  EXPECT_TRUE(has(model.stats, "\"usage\":{\"timed\":2,")) << model.stats;
  EXPECT_EQ(field(model.stats, "accesses"), 174u) << model.stats;
  Result off = child({{"LOOM_SIM_TIMING", "off"}}, body);
  EXPECT_TRUE(has(off.stats, "\"usage\":null")) << off.stats;
}

/// for i in 0..*p: nothing. What it costs is not in its launch slots.
RegionBuilder loadedLimit() {
  RegionBuilder b;
  Value start = RegionBuilder::start;
  uint32_t memory = b.memory({b.slot(Type::Ptr, "p")});
  Value zero = b.constant(start, Type::I64, 0);
  Value one = b.constant(start, Type::I64, 1);
  Value limit = b.load(memory, zero, start, Type::I64);
  Value iv = b.stream(zero, limit, one);
  Ring e = identityRing(b, iv + 1, start);
  b.exitZero();
  b.complete(b.sync({e.exit, limit + 1}));
  return b;
}

/// Launches of loadedLimit with these trips.
Result loadedTrips(const std::vector<uint64_t> &trips, const char *device) {
  return child({{"LOOM_DEVICE", device}, {"LOOM_INFO", "summary"}}, [&] {
    RegionBuilder b = loadedLimit();
    Bytes bytes = seal({&b});
    loom_rt_region guard = guardOf(bytes);
    for (uint64_t n : trips) {
      uint64_t cell = n;
      uint64_t in[1] = {reinterpret_cast<uint64_t>(&cell)}, out[1] = {0};
      if (loom_rt_launch(&guard, in, out) == LOOM_RT_CHECK) {
        out[0] = 0;
        loom_rt_check(&guard, out);
      }
    }
    return 0;
  });
}

// The second launch was said to take what the first one took.
TEST(Model, AClassThatDiffersIsUnmodelled) {
  Result r = loadedTrips({10, 500, 10}, "model");
  EXPECT_EQ(field(r.stats, "checked"), 1u) << r.stats;
  EXPECT_TRUE(has(r.stats, "\"unmodelled\":\"launches of a class differ\""))
      << r.stats;
  EXPECT_TRUE(has(r.err, ", unmodelled (launches of a class differ)")) << r.err;
  // Half the cycles of the two, three times.
  Result two = loadedTrips({10, 500}, "sim");
  EXPECT_EQ(field(r.stats, "cycles"), field(two.stats, "cycles") * 3 / 2);
}

TEST(Model, AClassThatDoesNotIsModelled) {
  Result r = loadedTrips({10, 10, 500}, "model");
  EXPECT_TRUE(has(r.stats, "\"model\":{\"checked\":1,\"error\":0.000,"
                           "\"worst\":0.000,\"others\":{\"checked\":0,"))
      << r.stats;
  EXPECT_TRUE(has(r.stats, "},\"unmodelled\":null,")) << r.stats;
  EXPECT_FALSE(has(r.err, "unmodelled")) << r.err;
}

// Where every launch is simulated the model is compared with each; it learns
// from the launches 1, 2 and 4 only. The cycles stay those of the simulator.
TEST(Model, SimComparesEveryLaunch) {
  Result r = loadedTrips({500, 500, 10, 500, 500}, "sim");
  EXPECT_EQ(field(r.stats, "checked"), 4u) << r.stats;
  EXPECT_TRUE(has(r.stats, "},\"unmodelled\":null,")) << r.stats;
  Result same = loadedTrips({500, 500, 500, 500, 500}, "sim");
  EXPECT_TRUE(has(same.stats, "\"checked\":4,\"error\":0.000,"
                              "\"worst\":0.000,"))
      << same.stats;
  Result one = loadedTrips({500}, "sim"), ten = loadedTrips({10}, "sim");
  uint64_t said = field(one.stats, "cycles"), took = field(ten.stats, "cycles");
  EXPECT_EQ(field(r.stats, "cycles"), 4 * said + took);
  char worst[32];
  snprintf(worst, sizeof(worst), "\"worst\":%.3f,",
           double((said - took) * 1000 / took) / 1000);
  EXPECT_TRUE(has(r.stats, worst)) << worst << r.stats;
}

// Means are 100, 110 and 140 when 120, 200 and 140 come.
TEST(Model, ErrorsByHand) {
  auto model = std::make_unique<loom::rt::RegionModel>();
  memset(static_cast<void *>(model.get()), 0, sizeof(*model));
  uint64_t in[1] = {0};
  loom::rt::LaunchClass *of = model->classOf(in);
  for (uint64_t cycles : {100, 120}) {
    loom::rt::countUp(of->seen);
    model->learn(of, cycles);
  }
  EXPECT_EQ(model->within.worst, 166u);
  EXPECT_EQ(model->unmodelled(), nullptr);
  for (uint64_t cycles : {200, 140}) {
    loom::rt::countUp(of->seen);
    model->learn(of, cycles);
  }
  EXPECT_EQ(model->within.checked, 3u);
  EXPECT_EQ(model->within.off, 110u);
  EXPECT_EQ(model->within.of, 460u);
  EXPECT_EQ(model->within.worst, 450u);
  EXPECT_STREQ(model->unmodelled(), "launches of a class differ");
  loom::rt::countUp(of->seen);
  EXPECT_EQ(model->totals().launches, 5u);
  EXPECT_EQ(model->totals().cycles, 700u);
  // A report takes what there is; what comes later costs what is known.
  model->forget();
  EXPECT_EQ(model->totals().launches, 0u);
  loom::rt::countUp(of->seen);
  EXPECT_EQ(model->totals().cycles, 140u);
  EXPECT_STREQ(model->unmodelled(), "launches of a class differ");
}

// A class that nothing is known of costs what the others do.
TEST(Model, ClassesWithoutASample) {
  auto model = std::make_unique<loom::rt::RegionModel>();
  memset(static_cast<void *>(model.get()), 0, sizeof(*model));
  model->scalarCount = 1;
  model->scalars[0] = {~uint64_t(0), 0};
  auto launch = [&](uint64_t scalar) {
    loom::rt::LaunchClass *of = model->classOf(&scalar);
    loom::rt::countUp(of->seen);
    return of;
  };
  launch(3);
  EXPECT_EQ(model->totals().untimed, 1u);
  model->learn(launch(1), 100);
  EXPECT_EQ(model->totals().estimated, 1u);
  EXPECT_EQ(model->totals().cycles, 200u);
  EXPECT_EQ(model->unmodelled(), nullptr);
  model->learn(launch(2), 150);
  EXPECT_EQ(model->across.worst, 333u);
  EXPECT_EQ(model->totals().cycles, 100u + 150 + 125);
  EXPECT_STREQ(model->unmodelled(),
               "classes differ, and some were never simulated");
}

// The guard asks whether to check after the launches that are checked only.
TEST(Model, ChecksComeAndGo) {
  Result r = child({{"LOOM_DEVICE", "auto"}}, [] {
    Program program;
    for (int i = 1; i <= 5; ++i)
      if (program.run(30); program.guard.checks != 0)
        return i;
    return 0;
  });
  EXPECT_EQ(r.status, 0);
  Result model = child({{"LOOM_DEVICE", "model"}}, [] {
    Program program;
    program.run(30);
    return program.guard.checks == 0 ? 0 : 1;
  });
  EXPECT_EQ(model.status, 0);
}

// What a launch without its check left behind is not that of the next one.
TEST(Model, AForgottenCheckIsNotTheNextOnes) {
  Result r = child({{"LOOM_DEVICE", "auto"}}, [] {
    Program program;
    for (int i = 1; i <= 3; ++i)
      program.run(30);
    program.jumpsOut = true;
    if (program.run(30) != LOOM_RT_CHECK)
      return 1;
    program.jumpsOut = false;
    return program.run(30) == LOOM_RT_HOST ? 0 : 2;
  });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(field(r.stats, "mismatches"), 0u) << r.stats;
}

TEST(Model, VerifyAndMandatoryWantEveryLaunch) {
  Result r =
      child({{"LOOM_DEVICE", "auto"}, {"LOOM_OFFLOAD", "mandatory"}}, [] {
        Program program;
        return program.run(5) == LOOM_RT_DONE && program.run(5) == LOOM_RT_DONE
                   ? 0
                   : 1;
      });
  EXPECT_EQ(r.status, 0);
}

} // namespace
