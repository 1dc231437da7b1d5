// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The token table of every actor: no, one and two activations, zero trips,
// tokens that must wait.

#include "runtime_harness.h"

using namespace rttest;
using loom::rt::Reason;

namespace {

const T control = Type::None;
const T boolean = Type::I1;

TEST(Actors, Constant) {
  OneActor a(ActorKind::Constant, {control}, {Type::I32}, Type::I32, Op::None,
             0, control, 41);
  EXPECT_EQ(a.fire(), 0u);
  a.feed(0, {0, 0});
  EXPECT_EQ(a.fire(), 2u);
  EXPECT_EQ(a.take(0), (Tokens{41, 41}));
  EXPECT_EQ(a.waiting(0), 0u);
}

TEST(Actors, SyncWaitsForAll) {
  OneActor a(ActorKind::Sync, {control, Type::I64}, {control, Type::I64},
             control);
  a.feed(1, {5, 6});
  EXPECT_EQ(a.fire(), 0u);
  a.feed(0, {0});
  EXPECT_EQ(a.fire(), 1u);
  EXPECT_EQ(a.take(0), Tokens{0});
  EXPECT_EQ(a.take(1), Tokens{5});
  EXPECT_EQ(a.waiting(1), 1u);
}

TEST(Actors, MuxTakesTheSelectedLaneOnly) {
  OneActor a(ActorKind::Mux, {boolean, Type::I8, Type::I8}, {Type::I8},
             Type::I8);
  a.feed(0, {1, 0, 0});
  a.feed(1, {10, 11});
  EXPECT_EQ(a.fire(), 0u); // lane 1 is selected and empty
  a.feed(2, {20, 21});
  EXPECT_EQ(a.fire(), 3u);
  EXPECT_EQ(a.take(0), (Tokens{20, 10, 11}));
  EXPECT_EQ(a.waiting(2), 1u); // the other lane keeps its token
}

TEST(Actors, MuxOfFourLanes) {
  OneActor a(ActorKind::Mux,
             {Type::I32, Type::I64, Type::I64, Type::I64, Type::I64},
             {Type::I64}, Type::I64);
  a.feed(0, {3, 0, 2, 4});
  for (unsigned lane = 0; lane < 4; ++lane)
    a.feed(1 + lane, {100 + lane});
  EXPECT_EQ(a.fire(), 3u);
  EXPECT_EQ(a.take(0), (Tokens{103, 100, 102}));
  EXPECT_EQ(a.fault(), Reason::Internal); // 4 names no lane
}

TEST(Actors, MuxOfControl) {
  OneActor a(ActorKind::Mux, {boolean, control, control}, {control}, control);
  a.feed(0, {0, 1});
  a.feed(1, {0});
  EXPECT_EQ(a.fire(), 1u);
  EXPECT_EQ(a.take(0).size(), 1u);
  a.feed(2, {0});
  EXPECT_EQ(a.fire(), 1u);
  EXPECT_EQ(a.waiting(0), 0u);
}

TEST(Actors, DemuxEmitsOnOneLane) {
  OneActor a(ActorKind::Demux, {boolean, Type::I64}, {Type::I64, Type::I64},
             Type::I64);
  a.feed(0, {1, 0, 1});
  a.feed(1, {7, 8});
  EXPECT_EQ(a.fire(), 2u);
  EXPECT_EQ(a.take(0), Tokens{8});
  EXPECT_EQ(a.take(1), Tokens{7});
  EXPECT_EQ(a.waiting(0), 1u);
}

TEST(Actors, DemuxOfThreeLanesAndControl) {
  OneActor a(ActorKind::Demux, {Type::I64, control},
             {control, control, control}, control);
  a.feed(0, {2, 1, 1, 9});
  a.feed(1, {0, 0, 0, 0});
  EXPECT_EQ(a.fire(), 3u);
  EXPECT_EQ(a.take(0).size(), 0u);
  EXPECT_EQ(a.take(1).size(), 2u);
  EXPECT_EQ(a.take(2).size(), 1u);
  EXPECT_EQ(a.fault(), Reason::Internal);
}

OneActor streamOf(T type, Op kind, unsigned pred) {
  return OneActor(ActorKind::Stream, {type, type, type}, {type, boolean}, type,
                  kind, pred);
}

void feedStream(OneActor &a, uint64_t init, uint64_t limit, uint64_t step) {
  a.feed(0, {init});
  a.feed(1, {limit});
  a.feed(2, {step});
}

TEST(Actors, StreamCounts) {
  OneActor a = streamOf(Type::I64, Op::AddI, 2);
  EXPECT_EQ(a.fire(), 0u);
  EXPECT_EQ(a.state(), 0u);
  feedStream(a, 0, 3, 1); // three trips
  feedStream(a, 5, 5, 1); // none
  feedStream(a, 1, 4, 2); // two
  a.fire();
  EXPECT_EQ(a.take(0), (Tokens{0, 1, 2, 1, 3}));
  EXPECT_EQ(a.take(1), (Tokens{1, 1, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(a.state(), 0u);
}

TEST(Actors, StreamNeedsAllThree) {
  OneActor a = streamOf(Type::I64, Op::AddI, 2);
  a.feed(0, {0});
  a.feed(2, {1});
  EXPECT_EQ(a.fire(), 0u);
  a.feed(1, {1});
  a.fire();
  EXPECT_EQ(a.take(1), (Tokens{1, 0}));
}

TEST(Actors, StreamStepKinds) {
  struct Case {
    Op kind;
    unsigned pred;
    uint64_t init, limit, step;
    Tokens iv;
  };
  const Case cases[] = {
      {Op::SubI, 4, 3, 0, 1, {3, 2, 1}},                    // sgt
      {Op::MulI, 2, 1, 100, 5, {1, 5, 25}},                 // slt
      {Op::DivUI, 1, 40, 0, 3, {40, 13, 4, 1}},             // ne
      {Op::DivSI, 1, 0xF8, 0, 2, {0xF8, 0xFC, 0xFE, 0xFF}}, // -8 -4 -2 -1
      {Op::ShlI, 1, 1, 0, 3, {1, 8, 64}},                // falls out of 8 bits
      {Op::ShrUI, 8, 0x80, 0x10, 1, {0x80, 0x40, 0x20}}, // ugt
      {Op::ShrSI, 1, 0x80, 0xFF, 2, {0x80, 0xE0, 0xF8, 0xFE}},
      {Op::AddI, 3, 0x7E, 0x7F, 1, {0x7E, 0x7F}}, // sle, see below
      {Op::AddI, 7, 0xFE, 0xFE, 4, {0xFE, 0x02}}, // ule, see below
  };
  for (const Case &c : cases) {
    OneActor a = streamOf(Type::I8, c.kind, c.pred);
    feedStream(a, c.init, c.limit, c.step);
    a.fire(uint32_t(c.iv.size()) + 1);
    Tokens iv = a.take(0);
    // The last two wrap around and go on: look at their beginning.
    iv.resize(c.iv.size());
    EXPECT_EQ(iv, c.iv) << int(c.kind);
  }
}

TEST(Actors, StreamTrapsInItsStep) {
  OneActor a = streamOf(Type::I32, Op::DivSI, 1);
  feedStream(a, 8, 0, 0);
  a.fire();
  EXPECT_EQ(a.fault(), Reason::Trap);
}

TEST(Actors, Carry) {
  OneActor a(ActorKind::Carry, {boolean, Type::I64, Type::I64}, {Type::I64},
             Type::I64);
  a.feed(0, {1, 1, 0, 0, 1, 0}); // K = 2, K = 0, K = 1
  EXPECT_EQ(a.fire(), 0u);       // the phase alone does nothing
  a.feed(1, {100, 200, 300});
  EXPECT_EQ(a.fire(), 1u);
  a.feed(2, {101, 102, 301});
  a.fire();
  EXPECT_EQ(a.take(0), (Tokens{100, 101, 102, 200, 300, 301}));
  EXPECT_EQ(a.state(), 0u);
  EXPECT_EQ(a.waiting(0) + a.waiting(1) + a.waiting(2), 0u);
}

TEST(Actors, CarryOfControl) {
  OneActor a(ActorKind::Carry, {boolean, control, control}, {control}, control);
  a.feed(0, {1, 0, 0});
  a.feed(1, {0, 0});
  EXPECT_EQ(a.fire(), 1u);
  a.feed(2, {0});
  a.fire();
  EXPECT_EQ(a.take(0).size(), 3u); // K+1 twice: 2 + 1
  EXPECT_EQ(a.state(), 0u);
}

TEST(Actors, Invariant) {
  OneActor a(ActorKind::Invariant, {boolean, Type::I64}, {Type::I64},
             Type::I64);
  a.feed(0, {1, 1, 0, 0, 1, 0});
  EXPECT_EQ(a.fire(), 0u);
  a.feed(1, {7, 8, 9});
  a.fire();
  EXPECT_EQ(a.take(0), (Tokens{7, 7, 7, 8, 9, 9}));
  EXPECT_EQ(a.state(), 0u);
}

TEST(Actors, InvariantOfControl) {
  OneActor a(ActorKind::Invariant, {boolean, control}, {control}, control);
  a.feed(0, {1, 0});
  a.feed(1, {0});
  a.fire();
  EXPECT_EQ(a.take(0).size(), 2u);
  EXPECT_EQ(a.state(), 0u);
}

TEST(Actors, Gate) {
  OneActor a(ActorKind::Gate, {boolean, Type::I64}, {boolean, Type::I64},
             Type::I64);
  a.feed(0, {1, 1, 1, 0, 0, 1, 0}); // K = 3, 0, 1
  EXPECT_EQ(a.fire(), 0u);
  a.feed(1, {10, 11, 12, 13, 20, 30, 31});
  EXPECT_EQ(a.fire(), 7u);
  EXPECT_EQ(a.take(0), (Tokens{1, 1, 0, 0})); // T T F, nothing, F
  EXPECT_EQ(a.take(1), (Tokens{10, 11, 12, 30}));
  EXPECT_EQ(a.state(), 0u);
}

TEST(Actors, GateOfControl) {
  OneActor a(ActorKind::Gate, {boolean, control}, {boolean, control}, control);
  a.feed(0, {1, 0});
  a.feed(1, {0, 0});
  a.fire();
  EXPECT_EQ(a.take(0), Tokens{0});
  EXPECT_EQ(a.take(1).size(), 1u);
}

TEST(Actors, ComputeIsStrict) {
  OneActor a(ActorKind::Compute, {boolean, Type::I64, Type::I64}, {Type::I64},
             Type::I64, Op::Select);
  a.feed(0, {1, 0});
  a.feed(1, {5, 6});
  EXPECT_EQ(a.fire(), 0u); // the unselected side is needed too
  a.feed(2, {50, 60});
  EXPECT_EQ(a.fire(), 2u);
  EXPECT_EQ(a.take(0), (Tokens{5, 60}));
}

TEST(Actors, MemoryMovesEveryWidth) {
  const struct {
    Type type;
    unsigned bytes;
  } cases[] = {{Type::I8, 1},  {Type::I16, 2}, {Type::I32, 4}, {Type::I64, 8},
               {Type::F32, 4}, {Type::F64, 8}, {Type::Ptr, 8}};
  for (const auto &c : cases) {
    // out = load [3] after store [3] = v, at an odd address.
    RegionBuilder b;
    uint32_t base = b.slot(Type::Ptr, "p");
    Value v = b.input(T(c.type));
    uint32_t mem = b.memory({base});
    Value offset = b.constant(RegionBuilder::start, Type::I64, 3);
    Value done = b.store(mem, offset, v, RegionBuilder::start, c.type);
    Value data = b.load(mem, offset, done, c.type);
    b.exitZero();
    b.output(data, c.type);
    b.complete(data + 1);
    Machine machine(b);
    uint8_t memory[16];
    memset(memory, 0xEE, sizeof(memory));
    uint64_t bits = 0x8877665544332211ull;
    if (c.bytes < 8)
      bits &= (uint64_t(1) << 8 * c.bytes) - 1;
    std::vector<uint64_t> out;
    auto outcome = machine.run({reinterpret_cast<uint64_t>(memory), bits}, out);
    EXPECT_EQ(outcome.reason, Reason::None);
    EXPECT_EQ(out[1], bits);
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(memory[i], i >= 3 && i < 3 + c.bytes ? 0x11 * (i - 2) : 0xEEu);
  }
}

TEST(Actors, MemoryByPointer) {
  RegionBuilder b;
  Value p = b.input(Type::Ptr);
  Value data = b.load(noMemory, p, RegionBuilder::start, Type::I32);
  b.exitZero();
  b.output(data, Type::I32);
  b.complete(data + 1);
  Machine machine(b);
  uint32_t cell = 0x80000001u;
  std::vector<uint64_t> out;
  EXPECT_EQ(machine.run({reinterpret_cast<uint64_t>(&cell)}, out).reason,
            Reason::None);
  EXPECT_EQ(out[1], 0x80000001u);
}

} // namespace
