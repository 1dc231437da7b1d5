// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures are outside bytes: every rule of the format by name, and mutated
// files, which are refused or replayed but never more.

#include "runtime_capture_harness.h"
#include <cstddef>
#include <random>

using namespace rttest;
using namespace loom::rt;

namespace {

struct Sample {
  Machine machine{prefixSum()};
  std::vector<uint32_t> cells = std::vector<uint32_t>(64, 3);
  Bytes bytes;
  Sample() {
    bytes = captureOf(machine, {40, reinterpret_cast<uint64_t>(cells.data())});
  }
};

constexpr size_t headAt = sizeof(CaptureHeader);

/// The error of a capture with some bytes replaced and sealed again.
template <typename V>
std::string with(const Sample &sample, size_t at, V value, bool seal = true) {
  Bytes bytes = sample.bytes;
  std::memcpy(bytes.data() + at, &value, sizeof(value));
  if (seal)
    resealCapture(bytes);
  return ReadBack(bytes).errorName();
}

TEST(HostileCapture, EveryRuleHasAName) {
  Sample sample;
  ReadBack good(sample.bytes);
  ASSERT_EQ(good.errorName(), "none");
  const CaptureHead &head = good.capture.head;
  auto field = [](size_t offset) { return headAt + offset; };
  size_t textAt = headAt + sizeof(CaptureHead);
  size_t slotsAt = textAt + head.textBytes;
  size_t outputsAt = slotsAt + 2 * sizeof(CaptureValue);
  size_t memoriesAt = outputsAt + 2 * sizeof(CaptureValue);
  size_t linesAt = memoriesAt + sizeof(CaptureMemory);

  EXPECT_EQ(with(sample, 0, 'X'), "magic");
  EXPECT_EQ(with(sample, offsetof(CaptureHeader, version), 2u), "version");
  EXPECT_EQ(with(sample, offsetof(CaptureHeader, headerSize), 64u),
            "header-size");
  EXPECT_EQ(with(sample, offsetof(CaptureHeader, reserved), 1u), "reserved");
  EXPECT_EQ(
      with(sample, offsetof(CaptureHeader, payloadSize), ~uint64_t(0), false),
      "truncated");
  EXPECT_EQ(
      with(sample, offsetof(CaptureHeader, payloadSize), uint64_t(80), false),
      "size");
  EXPECT_EQ(with(sample, sample.bytes.size() - 1, uint8_t(77), false), "hash");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, slots)), 3u), "counts");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, lines)), ~0u), "counts");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, packedBytes)),
                 head.packedBytes + 1),
            "counts");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, launch)), uint64_t(0)),
            "counts");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, flags)), 3u), "flags");
  EXPECT_EQ(with(sample, field(offsetof(CaptureHead, flags)), 0x101u), "flags");
  EXPECT_EQ(with(sample, textAt, '\0'), "text");
  EXPECT_EQ(with(sample, slotsAt - 1, 'x'), "text");
  // Slot 1 is the pointer: no type 0, no width, no exit.
  size_t slot = slotsAt + sizeof(CaptureValue);
  EXPECT_EQ(with(sample, slot + offsetof(CaptureValue, type), uint8_t(9)),
            "slot-value");
  EXPECT_EQ(with(sample, slot + offsetof(CaptureValue, width), uint8_t(9)),
            "slot-value");
  EXPECT_EQ(with(sample, slot + offsetof(CaptureValue, exit), 0), "slot-value");
  EXPECT_EQ(with(sample, slot + offsetof(CaptureValue, reserved), uint16_t(1)),
            "slot-value");
  // A bit above an i32.
  EXPECT_EQ(with(sample, outputsAt + 4, 1u), "output-value");
  EXPECT_EQ(with(sample, memoriesAt + offsetof(CaptureMemory, slot), 0u),
            "memory");
  EXPECT_EQ(with(sample, memoriesAt + offsetof(CaptureMemory, slot), 2u),
            "memory");
  EXPECT_EQ(with(sample, memoriesAt + offsetof(CaptureMemory, flags), 8u),
            "memory");
  ASSERT_GE(head.lines, 2u);
  uint64_t first = good.capture.lines[0].address;
  EXPECT_EQ(with(sample, linesAt, first + 1), "line-address");
  EXPECT_EQ(with(sample, linesAt, uint64_t(0)), "line-address");
  EXPECT_EQ(with(sample, linesAt, first + 64), "line-address");
  EXPECT_EQ(with(sample, linesAt, ~uint64_t(63)), "line-address");
  size_t known = linesAt + offsetof(CaptureLine, known);
  size_t written = linesAt + offsetof(CaptureLine, written);
  EXPECT_EQ(with(sample, known, uint64_t(0)), "line-mask");
  uint64_t mask = good.capture.lines[0].known;
  if (~mask)
    EXPECT_EQ(with(sample, written, ~uint64_t(0)), "line-mask");
  EXPECT_EQ(with(sample, written, uint64_t(0)), "line-bytes");

  Bytes longer = sample.bytes;
  longer.push_back(0);
  EXPECT_EQ(ReadBack(longer).errorName(), "size");
  resealCapture(longer);
  EXPECT_EQ(ReadBack(longer).errorName(), "counts");
  for (size_t size : {size_t(0), size_t(47), size_t(100)}) {
    Bytes cut(sample.bytes.begin(), sample.bytes.begin() + ptrdiff_t(size));
    EXPECT_EQ(ReadBack(cut).errorName(), "truncated") << size;
    resealCapture(cut);
    EXPECT_EQ(ReadBack(cut).errorName(), "truncated") << size;
  }
}

void mutate(std::mt19937_64 &random, Bytes &bytes) {
  static const uint64_t extremes[] = {0,
                                      1,
                                      ~uint64_t(0),
                                      uint64_t(1) << 63,
                                      uint64_t(1) << 32,
                                      0x7fffffffffffffffull,
                                      64,
                                      4096};
  for (unsigned changes = 1 + random() % 3; changes && !bytes.empty();
       --changes) {
    size_t at = random() % bytes.size();
    switch (random() % 6) {
    case 0:
      bytes[at] ^= uint8_t(1u << random() % 8);
      break;
    case 1:
      bytes[at] = uint8_t(random());
      break;
    case 2: { // a word
      at &= ~size_t(7);
      uint64_t word = extremes[random() % 8] + random() % 3 - 1;
      std::memcpy(bytes.data() + at, &word,
                  std::min(sizeof(word), bytes.size() - at));
      break;
    }
    case 3:
      bytes.resize(at);
      break;
    case 4:
      bytes.insert(bytes.begin() + ptrdiff_t(at), uint8_t(random()));
      break;
    default: { // a word of the head or of the values
      at = headAt + (random() % 25) * 8;
      uint64_t word = extremes[random() % 8];
      if (at + 8 <= bytes.size())
        std::memcpy(bytes.data() + at, &word, 8);
      break;
    }
    }
  }
}

/// Whatever is accepted runs, on its own bytes and within a budget.
TEST(HostileCapture, Mutations) {
  Sample sample;
  std::vector<uint32_t> before = sample.cells;
  std::mt19937_64 random(4);
  std::map<std::string, unsigned> seen;
  unsigned ran = 0, equal = 0, outside = 0;
  for (unsigned round = 0; round < 6000; ++round) {
    Bytes bytes = sample.bytes;
    mutate(random, bytes);
    if (round % 4)
      resealCapture(bytes);
    ReadBack read(bytes);
    ++seen[read.errorName()];
    if (read.error != CaptureError::None)
      continue;
    RerunResult result = rerunCapture(
        read.capture, sample.machine.loaded.region, {false, 20000});
    ++ran;
    equal += result.equal();
    outside += result.outcome.reason == Reason::Internal;
  }
  EXPECT_EQ(sample.cells, before);
  // Damage that nobody can notice, damage that a rule notices, and damage that
  // only the run notices.
  EXPECT_GT(ran, 200u);
  EXPECT_GT(equal, 0u);
  EXPECT_GT(outside, 0u);
  EXPECT_GT(seen["hash"], 300u);
  EXPECT_GE(seen.size(), 10u);
}

} // namespace
