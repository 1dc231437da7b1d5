// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs say of the memory that is copied for their launches.

#include "runtime_process_harness.h"

using namespace rttest;

namespace {

/// An image's target: every actor costs 1, a launch 70, a line 5 cycles.
TargetFields copyingFields() {
  TargetFields fields;
  for (unsigned kind = 0; kind <= unsigned(ActorKind::Compute); ++kind)
    fields.row(ActorKind(kind), Op::None, Type::None, 1);
  fields.ports = 0;
  fields.memoryBytes = 0;
  fields.localPorts = 0;
  fields.localBytes = 0;
  fields.localCapacity = 128;
  return fields;
}

/// Launches of prefixSum over 16 and 33 numbers of 4 bytes at the begin of a
/// line: one line in and out, then three. `shift` numbers further from the
/// second launch on.
Result prefixSums(const TargetFields &fields, const char *device,
                  const std::vector<size_t> &sizes, size_t shift = 0) {
  return child({{"LOOM_DEVICE", device}, {"LOOM_INFO", "all"}}, [&] {
    RegionBuilder b = prefixSum();
    Bytes bytes = seal({&b}, &fields);
    loom_rt_region guard = guardOf(bytes);
    alignas(64) static uint32_t p[64];
    uint32_t *first = p;
    for (size_t n : sizes) {
      uint64_t in[2] = {n, reinterpret_cast<uint64_t>(first)}, out[2] = {0, 0};
      (void)loom_rt_launch(&guard, in, out);
      first = p + shift;
    }
    return 0;
  });
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

uint64_t field(const std::string &text, const std::string &key) {
  size_t at = text.find("\"" + key + "\":");
  return at == std::string::npos
             ? ~uint64_t(0)
             : strtoull(text.c_str() + at + key.size() + 3, nullptr, 10);
}

// Two lines of 5 cycles for the first launch, six for the second, which needs
// 192 bytes of the 128 that there are.
TEST(Transfers, StatisticsSayThem) {
  TargetFields fields = copyingFields(), direct = fields;
  direct.transferCycles = 0;
  Result one = prefixSums(fields, "sim", {16});
  Result both = prefixSums(fields, "sim", {16, 33});
  Result without = prefixSums(direct, "sim", {16, 33});
  EXPECT_TRUE(has(one.stats, "\"transfers\":10},\"transfers\":{\"in\":1,"
                             "\"out\":1,\"cycles\":10,\"exceeded\":0}}"))
      << one.stats;
  EXPECT_TRUE(has(one.stats, "\"unmodelled\":null")) << one.stats;
  EXPECT_TRUE(has(one.err, ", transfers 10 cycles (1 lines in, 1 out)\n"))
      << one.err;
  EXPECT_TRUE(has(both.stats, "\"transfers\":40},\"transfers\":{\"in\":4,"
                              "\"out\":4,\"cycles\":40,\"exceeded\":1}}"))
      << both.stats;
  EXPECT_TRUE(has(both.stats, "\"unmodelled\":\"a launch exceeds the local "
                              "memory\""))
      << both.stats;
  EXPECT_TRUE(has(both.err, "(3 lines in, 3 out), local memory exceeded\n"))
      << both.err;
  EXPECT_EQ(field(both.stats, "cycles"), field(without.stats, "cycles") + 40);
  EXPECT_EQ(field(both.stats, "bound"), field(without.stats, "bound") + 40);
  EXPECT_FALSE(has(without.stats, "transfers")) << without.stats;
  EXPECT_FALSE(has(without.err, "transfers")) << without.err;
}

// With 1000 cycles for each of six lines they are most of what it takes.
TEST(Transfers, TheyMayBeTheLimit) {
  TargetFields fields = copyingFields();
  EXPECT_FALSE(
      has(prefixSums(fields, "sim", {33}).stats, "\"limit\":\"transfers\""));
  fields.transferCycles = 1000;
  EXPECT_TRUE(
      has(prefixSums(fields, "sim", {33}).stats, "\"limit\":\"transfers\""));
}

// What the model learns has the transfers in it: the launches that are not
// simulated cost as much.
TEST(Transfers, TheModelKnowsThem) {
  TargetFields fields = copyingFields();
  std::vector<size_t> sizes(9, 16);
  Result sim = prefixSums(fields, "sim", sizes);
  Result model = prefixSums(fields, "model", sizes);
  EXPECT_EQ(field(model.stats, "cycles"), field(sim.stats, "cycles"));
  EXPECT_TRUE(has(sim.stats, "\"error\":0.000,\"worst\":0.000,")) << sim.stats;
  EXPECT_TRUE(has(model.stats, "\"transfers\":{\"in\":3,")) << model.stats;
}

// Where an array begins is no part of a class: one number further, 16 of them
// are in two lines, in and out, and the launch takes 10 cycles more than said.
TEST(Transfers, WhereLinesBeginIsTheModelsError) {
  TargetFields fields = copyingFields();
  uint64_t one = field(prefixSums(fields, "sim", {16}).stats, "cycles");
  Result two = prefixSums(fields, "sim", {16, 16}, 1);
  EXPECT_EQ(field(two.stats, "cycles"), 2 * one + 10);
  char worst[32];
  snprintf(worst, sizeof(worst), "\"worst\":0.%03u,",
           unsigned(10 * 1000 / (one + 10)));
  EXPECT_TRUE(has(two.stats, worst)) << worst << two.stats;
  EXPECT_EQ(field(two.stats, "checked"), 1u);
}

} // namespace
