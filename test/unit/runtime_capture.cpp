// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures: what is recorded, what is read back, what a replay notices.

#include "runtime_capture_harness.h"
#include <cmath>

using namespace rttest;
using namespace loom::rt;

namespace {

uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// Five words in the middle of a line.
struct Cells {
  alignas(64) uint32_t words[32] = {};
  Cells() {
    for (uint32_t i = 0; i < 32; ++i)
      words[i] = i;
  }
  uint32_t *begin() { return words + 4; }
};

TEST(Capture, RecordsExactlyWhatWasTouched) {
  Machine machine(prefixSum());
  Cells cells;
  ReadBack read(captureOf(machine, {5, addressOf(cells.begin())}));
  ASSERT_EQ(read.errorName(), "none");
  const Capture &capture = read.capture;
  EXPECT_STREQ(capture.name, "prefix.0");
  EXPECT_STREQ(capture.function, "prefix");
  EXPECT_STREQ(capture.program, "/tmp/program");
  EXPECT_EQ(capture.head.line, 7u);
  ASSERT_EQ(capture.slots.size, 2u);
  EXPECT_EQ(capture.slots[0].bits, 5u);
  ASSERT_EQ(capture.outputs.size, 2u);
  EXPECT_EQ(capture.outputs[1].bits, 4u + 5 + 6 + 7 + 8);
  // p[0..4] is read and p[1..4] written, at bytes 16 to 35.
  ASSERT_EQ(capture.lines.size, 1u);
  const RecordedLine &line = capture.lines[0];
  EXPECT_EQ(line.address, addressOf(cells.words));
  EXPECT_EQ(line.known, ((uint64_t(1) << 20) - 1) << 16);
  EXPECT_EQ(line.written, ((uint64_t(1) << 16) - 1) << 20);
  uint32_t before[5], after[4];
  memcpy(before, line.before + 16, sizeof(before));
  memcpy(after, line.after + 20, sizeof(after));
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(before[i], 4 + i);
  EXPECT_EQ(after[0], 9u);
  EXPECT_EQ(after[3], 30u);
}

/// A byte that is read after it was written has its value of the start.
TEST(Capture, ReadsAfterWritesKnowTheStart) {
  Machine machine(collatz());
  uint64_t log[2] = {77, 1000};
  ReadBack read(captureOf(machine, {7, addressOf(log)}));
  ASSERT_EQ(read.errorName(), "none");
  RerunResult result = rerunCapture(read.capture, machine.loaded.region,
                                    {false, rerunBudget(read.capture)});
  EXPECT_TRUE(result.equal()) << result.outcome.detail;
  uint64_t reference[2] = {77, 1000};
  collatzReference(7, reference);
  EXPECT_EQ(log[0], reference[0]);
  EXPECT_EQ(log[1], reference[1]);
}

TEST(Capture, AccessesAcrossALineAndManyLines) {
  Machine machine(saxpy());
  std::vector<uint8_t> bytes(8192);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(i % 63);
  // Odd addresses: every sixteenth float lies across two lines.
  uint64_t x = addressOf(bytes.data()) + 1;
  uint64_t y = addressOf(bytes.data()) + 4099;
  ReadBack read(captureOf(machine, {1000, 0x40000000, x, y}));
  ASSERT_EQ(read.errorName(), "none");
  EXPECT_GT(read.capture.lines.size, 120u);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    RandomOrder order(seed);
    RerunResult result = rerunCapture(read.capture, machine.loaded.region,
                                      {false, rerunBudget(read.capture)});
    EXPECT_TRUE(result.equal()) << result.outcome.detail;
    EXPECT_EQ(result.writtenBytes, 4000u);
  }
}

/// The program's memory may be gone, or be something else by now.
TEST(Capture, ReplaysWithoutTheMemory) {
  Machine machine(prefixSum());
  Bytes bytes;
  {
    auto cells = std::make_unique<Cells>();
    bytes = captureOf(machine, {9, addressOf(cells->begin())});
    memset(cells->words, 0xAA, sizeof(cells->words));
  }
  ReadBack read(bytes);
  ASSERT_EQ(read.errorName(), "none");
  EXPECT_TRUE(
      rerunCapture(read.capture, machine.loaded.region, {false, 1u << 20})
          .equal());
}

TEST(Capture, ADifferenceIsNamed) {
  Machine machine(prefixSum());
  Cells cells;
  ReadBack read(captureOf(machine, {5, addressOf(cells.begin())}));
  ASSERT_EQ(read.errorName(), "none");
  Capture &capture = read.capture;
  capture.lines[0].after[24] ^= 1;
  RerunResult result =
      rerunCapture(capture, machine.loaded.region, {false, 1u << 20});
  EXPECT_FALSE(result.equal());
  EXPECT_EQ(result.difference.output, -1);
  EXPECT_EQ(result.difference.address, addressOf(cells.words) + 24);
  EXPECT_EQ(rootOfAddress(capture, result.difference.address), 0);
  capture.outputs[1].bits += 3;
  result = rerunCapture(capture, machine.loaded.region, {false, 1u << 20});
  EXPECT_EQ(result.difference.output, 1);
  EXPECT_EQ(result.difference.recorded, result.difference.replayed + 3);
}

/// A byte that was left alone in the record must be left alone now.
TEST(Capture, AWriteTooManyIsADifference) {
  Machine machine(prefixSum());
  Cells cells;
  ReadBack read(captureOf(machine, {5, addressOf(cells.begin())}));
  ASSERT_EQ(read.errorName(), "none");
  read.capture.lines[0].written &= ~(uint64_t(0xf) << 20);
  RerunResult result =
      rerunCapture(read.capture, machine.loaded.region, {false, 1u << 20});
  EXPECT_EQ(result.difference.address, addressOf(cells.words) + 20);
}

TEST(Capture, AccessesStayInsideTheRecord) {
  Machine machine(prefixSum());
  Cells cells;
  ReadBack read(captureOf(machine, {5, addressOf(cells.begin())}));
  ASSERT_EQ(read.errorName(), "none");
  read.capture.slots[0].bits = 6;
  RerunResult result =
      rerunCapture(read.capture, machine.loaded.region, {false, 1u << 20});
  EXPECT_STREQ(reasonName(result.outcome.reason), "internal");
  EXPECT_STREQ(result.outcome.detail, "a load outside the recorded bytes");
  // The memory itself wasn't touched by any of this.
  read.capture.slots[1].bits = addressOf(cells.begin() + 1);
  uint32_t before = cells.begin()[1];
  rerunCapture(read.capture, machine.loaded.region, {false, 1u << 20});
  EXPECT_EQ(cells.begin()[1], before);
}

TEST(Capture, OtherRegionsAreRefused) {
  Machine machine(prefixSum());
  Machine other(collatz());
  Machine third(triangle());
  Cells cells;
  ReadBack read(captureOf(machine, {5, addressOf(cells.begin())}));
  auto refusal = [&](Machine &of, bool apart) {
    return rerunCapture(read.capture, of.loaded.region, {apart, 1000}).refusal;
  };
  EXPECT_EQ(refusal(machine, false), RerunRefusal::None);
  EXPECT_EQ(refusal(machine, true), RerunRefusal::Graph);
  EXPECT_EQ(refusal(other, false), RerunRefusal::Outputs); // i64 for i32
  EXPECT_EQ(refusal(third, false), RerunRefusal::Slots);
}

/// One NaN is as good as another, in outputs and in stored floats.
TEST(Capture, NansAreEqual) {
  Machine machine(saxpy());
  alignas(64) float x[4] = {NAN, 1, 2, 3};
  alignas(64) float y[4] = {1, 2, 3, 4};
  ReadBack read(
      captureOf(machine, {4, 0x3f800000, addressOf(x), addressOf(y)}));
  ASSERT_EQ(read.errorName(), "none");
  for (RecordedLine &line : read.capture.lines)
    if (line.address == addressOf(y)) {
      EXPECT_EQ(line.after[2] & 0xc0, 0xc0);
      line.after[0] ^= 1; // still a NaN
    }
  EXPECT_TRUE(
      rerunCapture(read.capture, machine.loaded.region, {false, 1u << 20})
          .equal());
}

TEST(Capture, IdentityIsThatOfTheGraph) {
  auto identityOf = [](const RegionBuilder &builder) {
    Loaded loaded(builder);
    EXPECT_TRUE(loaded.verdict.ok());
    RegionIdentity identity;
    EXPECT_TRUE(regionIdentity(loaded.region, identity));
    return identity;
  };
  RegionIdentity plain = identityOf(prefixSum());
  RegionBuilder named = prefixSum();
  named.name = "other.3";
  named.line = 99;
  EXPECT_TRUE(identityOf(named) == plain);
  EXPECT_FALSE(identityOf(saxpy()) == plain);
  RegionBuilder known = prefixSum();
  known.memories[0].known = true;
  known.memories[0].hi = 1 << 20;
  EXPECT_FALSE(identityOf(known) == plain);
  EXPECT_FALSE(identityOf(saxpy()) == identityOf(guardedSaxpy()));
}

/// The encoding is a function of the launch.
TEST(Capture, Deterministic) {
  Cells cells;
  Machine a(prefixSum());
  Bytes first = captureOf(a, {9, addressOf(cells.begin())});
  RandomOrder order(5);
  Cells fresh;
  cells = fresh;
  Machine b(prefixSum());
  Bytes second = captureOf(b, {9, addressOf(cells.begin())});
  EXPECT_EQ(first, second);
}

TEST(Capture, AFullReadLogIsNoCapture) {
  ReadLog reads;
  UndoLog undo;
  reads.limitLines = 2;
  alignas(64) static uint8_t bytes[64 * 4];
  for (unsigned i = 0; i < 4; ++i)
    reads.read(addressOf(bytes + 64 * i), 8);
  EXPECT_TRUE(reads.full);
  Recording recording;
  EXPECT_FALSE(recording.addTouched(undo, reads));
  reads.forget();
  EXPECT_FALSE(reads.full);
  reads.read(addressOf(bytes), 8);
  EXPECT_TRUE(recording.addTouched(undo, reads));
  recording.release();
  reads.release();
  undo.release();
}

/// Overlapping footprints become lines once.
TEST(Capture, Ranges) {
  alignas(64) uint8_t bytes[256];
  for (unsigned i = 0; i < 256; ++i)
    bytes[i] = uint8_t(i);
  Recording recording;
  uint64_t base = addressOf(bytes);
  EXPECT_TRUE(recording.addRange(base + 70, 100));
  EXPECT_TRUE(recording.addRange(base + 3, 64));
  EXPECT_TRUE(recording.addRange(base + 9, 0));
  recording.joinRanges();
  ASSERT_EQ(recording.lines.size, 3u);
  EXPECT_EQ(recording.lines[0].known, ~uint64_t(7));
  EXPECT_EQ(recording.lines[1].known, ~(uint64_t(7) << 3));
  EXPECT_EQ(recording.lines[2].known, (uint64_t(1) << 42) - 1);
  bytes[128] = 1;
  EXPECT_TRUE(recording.finishRange(base + 70, 100));
  EXPECT_EQ(recording.lines[0].written, 0u);
  EXPECT_EQ(recording.lines[1].written, ~uint64_t(63));
  EXPECT_EQ(recording.lines[2].after[0], 1);
  EXPECT_EQ(recording.lines[2].before[0], 128);
  EXPECT_FALSE(recording.addRange(8, 16)); // not mapped
  recording.release();
}

} // namespace
