// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image reader: each rule refused by its name, damaged images, and damaged
// images with a correct hash.

#include "Image/Target.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"
#include <functional>
#include <random>
#include <set>

using namespace rttest;
using loom::rt::ImageError;
using loom::rt::ImageVerdict;
using loom::rt::LoadedRegion;

namespace {

ImageVerdict verdictOf(const Bytes &bytes) {
  // An exact copy, so that a sanitizer sees a read past the end.
  auto *copy = static_cast<uint8_t *>(
      aligned_alloc(16, (bytes.size() + 31) & ~size_t(15)));
  memcpy(copy, bytes.data(), bytes.size());
  ImageVerdict verdict = loom::rt::checkSeal(copy, bytes.size());
  if (verdict.ok()) {
    loom::rt::TargetInfo target;
    verdict = loom::rt::loadTarget(copy, target);
    target.release();
    uint32_t count = loom::rt::imageRegionCount(copy);
    for (uint32_t i = 0; i < count && verdict.ok(); ++i) {
      LoadedRegion region;
      verdict = loom::rt::loadRegion(copy, i, region);
      if (verdict.ok()) {
        // What was accepted must be buildable, too.
        loom::rt::Engine engine;
        engine.build(region);
        engine.release();
      }
      region.release();
    }
  }
  free(copy);
  return verdict;
}

Bytes sample() {
  static const RegionBuilder a = saxpy(4096), b = prefixSum(), c = triangle(),
                             d = collatz();
  TargetFields target;
  target.row(ActorKind::Load, Op::None, Type::None, 4)
      .row(ActorKind::Compute, Op::AddI, Type::None, 1)
      .row(ActorKind::Compute, Op::MulF, Type::F32, 3);
  return seal({&a, &b, &c, &d}, &target);
}

TEST(Image, SampleIsGood) {
  EXPECT_STREQ(imageErrorName(verdictOf(sample()).error), "none");
  LoadedRegion region;
  Bytes bytes = sample();
  EXPECT_EQ(loom::rt::loadRegion(bytes.data(), 4, region).error,
            ImageError::RegionIndex);
}

TEST(Image, SealErrors) {
  auto with = [](size_t at, uint8_t value) {
    Bytes bytes = sample();
    bytes[at] ^= value;
    return verdictOf(bytes).error;
  };
  EXPECT_EQ(with(0, 1), ImageError::Magic);
  EXPECT_EQ(with(8, 3), ImageError::Version); // 1 -> 2
  EXPECT_EQ(with(12, 1), ImageError::HeaderSize);
  EXPECT_EQ(with(23, 0x80), ImageError::Truncated);
  EXPECT_EQ(with(24, 1), ImageError::Hash);
  EXPECT_EQ(with(40, 1), ImageError::Reserved);
  EXPECT_EQ(with(60, 1), ImageError::Hash);
  Bytes bytes = sample();
  bytes.resize(20);
  EXPECT_EQ(verdictOf(bytes).error, ImageError::Truncated);
  EXPECT_EQ(loom::rt::checkSeal(nullptr, 100).error, ImageError::Truncated);
  bytes = sample();
  EXPECT_EQ(loom::rt::checkSeal(bytes.data() + 1, bytes.size() - 1).error,
            ImageError::Magic);
}

/// Mutations that keep the old hash: always refused.
TEST(Image, ThousandDamagedImages) {
  const Bytes good = sample();
  std::mt19937_64 random(1);
  std::set<ImageError> seen;
  for (int i = 0; i < 1000; ++i) {
    Bytes bytes = good;
    switch (i % 3) {
    case 0:
      bytes.resize(random() % bytes.size());
      break;
    case 1:
      for (unsigned flips = 1 + random() % 8; flips; --flips) {
        uint64_t bit = random() % (bytes.size() * 8);
        bytes[bit / 8] ^= uint8_t(1u << bit % 8);
      }
      break;
    default: { // version shift
      uint32_t version = uint32_t(2 + random() % 1000);
      memcpy(bytes.data() + 8, &version, sizeof(version));
      if (random() & 1)
        reseal(bytes);
      break;
    }
    }
    ImageVerdict verdict = verdictOf(bytes);
    seen.insert(verdict.error);
    EXPECT_TRUE(!verdict.ok() || bytes == good) << i;
  }
  EXPECT_GE(seen.size(), 3u);
}

/// Mutations with a right hash: the reader decides, and never crashes.
TEST(Image, ResealedMutations) {
  const Bytes good = sample();
  std::mt19937_64 random(2);
  std::map<std::string, unsigned> verdicts;
  for (int i = 0; i < 5000; ++i) {
    Bytes bytes = good;
    size_t payload = bytes.size() - LOOM_IMAGE_HEADER_SIZE;
    if (i % 10 == 0)
      bytes.resize(LOOM_IMAGE_HEADER_SIZE + random() % payload);
    if (bytes.size() > LOOM_IMAGE_HEADER_SIZE)
      for (unsigned changes = 1 + random() % 4; changes; --changes) {
        size_t at = LOOM_IMAGE_HEADER_SIZE +
                    random() % (bytes.size() - LOOM_IMAGE_HEADER_SIZE);
        switch (random() % 4) {
        case 0:
          bytes[at] ^= uint8_t(1u << random() % 8);
          break;
        case 1:
          bytes[at] = uint8_t(random());
          break;
        case 2:
          bytes[at] = uint8_t(bytes[at] + 1);
          break;
        default:
          bytes[at] = random() & 1 ? 0xFF : 0;
          break;
        }
      }
    reseal(bytes);
    ++verdicts[imageErrorName(verdictOf(bytes).error)];
  }
  // The mutations reach beyond the FlatBuffers verifier.
  EXPECT_GT(verdicts["none"], 0u);
  EXPECT_GT(verdicts["flatbuffer"], 0u);
  EXPECT_GT(verdicts.size(), 12u);
}

using Change = std::function<void(RegionBuilder &)>;

ImageError after(const Change &change) {
  RegionBuilder b = saxpy(4096);
  change(b);
  return verdictOf(seal({&b})).error;
}

/// The first actor of a kind in a builder.
size_t find(const RegionBuilder &b, ActorKind kind) {
  for (size_t i = 0; i < b.actors.size(); ++i)
    if (b.actors[i].kind() == kind)
      return i;
  return 0;
}

struct Fields {
  uint64_t imm = 0;
  uint32_t firstOperand, firstResult, mem, line;
  uint16_t operands, results;
  ActorKind kind;
  Op op;
  uint8_t pred;
  Type type, from;
  uint8_t width, fromWidth;
};

void edit(RegionBuilder &b, ActorKind kind,
          const std::function<void(Fields &)> &change) {
  image::Actor &a = b.actors[find(b, kind)];
  Fields f = {a.imm(),   a.first_operand(), a.first_result(), a.mem(),
              a.line(),  a.num_operands(),  a.num_results(),  a.kind(),
              a.op(),    a.pred(),          a.type(),         a.from(),
              a.width(), a.from_width()};
  change(f);
  a = image::Actor(f.imm, f.firstOperand, f.firstResult, f.mem, f.line,
                   f.operands, f.results, f.kind, f.op, f.pred, f.type, f.from,
                   f.width, f.fromWidth, 0);
}

TEST(Image, EachRuleByName) {
  using B = RegionBuilder;
  const ActorKind constant = ActorKind::Constant;
  EXPECT_EQ(after([](B &) {}), ImageError::None);
  EXPECT_EQ(after([](B &b) { b.name = ""; }), ImageError::RegionName);
  EXPECT_EQ(after([](B &b) { b.slots[0].type = Type::None; }),
            ImageError::RegionSlots);
  EXPECT_EQ(after([](B &b) { b.inputs[0].slot = 99; }),
            ImageError::RegionInputs);
  EXPECT_EQ(after([](B &b) { b.inputs[0].type = Type::I32; }),
            ImageError::RegionInputs); // the slot says i64
  EXPECT_EQ(after([](B &b) { b.memories[0].slot = 0; }),
            ImageError::RegionMemories); // not a pointer
  EXPECT_EQ(after([](B &b) { b.memories[0].lo = 5000; }),
            ImageError::RegionMemories); // lo > hi
  EXPECT_EQ(after([](B &b) { b.outs.clear(); }), ImageError::RegionOutputs);
  EXPECT_EQ(after([](B &b) { b.outs[0].type = Type::I64; }),
            ImageError::RegionOutputs);
  EXPECT_EQ(after([](B &b) { b.outs[0].exit = 0; }), ImageError::RegionOutputs);
  EXPECT_EQ(after([](B &b) { b.outs[0].value = 0; }),
            ImageError::GraphOutputs); // a control token
  EXPECT_EQ(after([](B &b) { b.outs[0].value = 100000; }),
            ImageError::GraphOutputs);
  EXPECT_EQ(after([](B &b) { b.completes.clear(); }),
            ImageError::GraphCompletes);
  EXPECT_EQ(after([](B &b) { b.complete(1); }), ImageError::GraphCompletes);
  EXPECT_EQ(after([](B &b) { b.values += 1; }), ImageError::ValueNumbering);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) { f.firstResult += 1; });
            }),
            ImageError::ValueNumbering);
  EXPECT_EQ(after([](B &b) { b.operands[5] = 100000; }),
            ImageError::OperandRange);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) { f.firstOperand = 1000000; });
            }),
            ImageError::OperandRange);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) { f.kind = ActorKind(11); });
            }),
            ImageError::ActorKind);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) { f.operands = 2; });
            }),
            ImageError::ActorArity);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) { f.type = Type(9); });
            }),
            ImageError::ActorType);
  EXPECT_EQ(
      after([=](B &b) { edit(b, constant, [](Fields &f) { f.width = 32; }); }),
      ImageError::ActorWidth);
  EXPECT_EQ(after([=](B &b) {
              edit(b, constant, [](Fields &f) {
                f.type = Type::I8;
                f.width = 5;
                f.imm = 32; // does not fit
              });
            }),
            ImageError::ActorConstant);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Stream, [](Fields &f) { f.pred = 10; });
            }),
            ImageError::ActorPredicate);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Stream, [](Fields &f) { f.op = Op::AndI; });
            }),
            ImageError::ActorOp);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Compute, [](Fields &f) { f.op = Op(66); });
            }),
            ImageError::ActorOp);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Compute, [](Fields &f) { f.op = Op::MulF; });
            }),
            ImageError::ActorType);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Load, [](Fields &f) { f.mem = 7; });
            }),
            ImageError::ActorMemory);
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Store, [](Fields &f) { f.mem = 0; });
            }),
            ImageError::ActorMemory); // x is not written
  EXPECT_EQ(after([](B &b) {
              edit(b, ActorKind::Load, [](Fields &f) { f.mem = noMemory; });
            }),
            ImageError::OperandType); // an offset is no pointer
  EXPECT_EQ(after([](B &b) {
              size_t carry = find(b, ActorKind::Carry);
              b.operands[b.actors[carry].first_operand() + 1] = 1;
            }),
            ImageError::OperandType); // n as a control token
}

TEST(Image, SyncRing) {
  RegionBuilder b;
  Value ring = b.later();
  Value sync = b.sync({ring, RegionBuilder::start});
  b.bind(ring, sync);
  b.exitZero();
  b.complete(sync);
  EXPECT_EQ(verdictOf(seal({&b})).error, ImageError::SyncCycle);
}

TEST(Image, LongSyncChains) {
  // Backwards, so that every type comes from the far end.
  RegionBuilder b;
  std::vector<Value> laters;
  Value last = b.later();
  Value first = last;
  std::vector<Value> results;
  for (int i = 0; i < 20000; ++i) {
    results.push_back(b.sync({last}));
    laters.push_back(last);
    last = b.later();
  }
  (void)first;
  for (int i = 0; i < 20000; ++i)
    b.bind(laters[size_t(i)],
           i + 1 < 20000 ? results[size_t(i) + 1] : RegionBuilder::start);
  b.exitZero();
  b.complete(results[0]);
  Machine machine(b);
  std::vector<uint64_t> out;
  EXPECT_EQ(machine.run({}, out).reason, loom::rt::Reason::None);
}

/// An operand type that equals the result's may be left out.
TEST(Image, ImpliedOperandType) {
  RegionBuilder b;
  Value x = b.input(Type::I1), y = b.input(Type::I1);
  Value equal = b.compute(Op::CmpI, {x, y}, Type::I1, T(Type::None), 0);
  b.exitZero();
  b.output(equal, Type::I1);
  b.complete(RegionBuilder::start);
  Machine machine(b);
  std::vector<uint64_t> out;
  EXPECT_EQ(machine.run({1, 1}, out).reason, loom::rt::Reason::None);
  EXPECT_EQ(out[1], 1u);
}

} // namespace
