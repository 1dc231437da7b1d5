// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LOOM_DEVICE=auto and model: which launches are simulated, what the others
// cost, and that a wrong graph is found.

#include "runtime_process_harness.h"

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
