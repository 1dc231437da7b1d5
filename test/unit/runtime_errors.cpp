// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed errors: recognised, rolled back to the byte, and the machine is as good
// as new afterwards.

#include "runtime_harness.h"
#include "runtime_kernels.h"
#include <random>

using namespace rttest;
using loom::rt::Outcome;
using loom::rt::Reason;
using loom::rt::UndoLog;

namespace {

const Value start = RegionBuilder::start;

uint64_t address(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

TEST(Errors, BudgetRollsBack) {
  Machine machine(prefixSum());
  std::vector<uint32_t> p(1000, 1), before = p;
  std::vector<uint64_t> out;
  Outcome outcome = machine.run({1000, address(p.data())}, out, 5000);
  EXPECT_EQ(outcome.reason, Reason::Budget);
  EXPECT_GT(outcome.firings, 5000u);
  EXPECT_LT(outcome.firings, 10000u);
  EXPECT_EQ(p, before);
  // The same machine again, with enough.
  EXPECT_EQ(machine.run({1000, address(p.data())}, out).reason, Reason::None);
  EXPECT_EQ(p[999], 1000u);
}

TEST(Errors, Deadlock) {
  // The completion waits for both lanes of a selection; a store came before.
  RegionBuilder b;
  Value c = b.input(Type::I1);
  uint32_t slot = b.slot(Type::Ptr);
  uint32_t mem = b.memory({slot});
  Value zero = b.constant(start, Type::I64, 0);
  Value done = b.store(mem, zero, zero, start, Type::I64);
  Value lanes = b.demux(c, done, ctlType);
  b.exitZero();
  b.complete(b.sync({lanes, lanes + 1}));
  Machine machine(b);
  uint64_t cell = 77;
  std::vector<uint64_t> out;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(machine.run({seed & 1, address(&cell)}, out).reason,
              Reason::Deadlock);
    EXPECT_EQ(cell, 77u);
  }
  RandomOrder order(5);
  EXPECT_EQ(machine.run({1, address(&cell)}, out).reason, Reason::Deadlock);
  EXPECT_EQ(cell, 77u);
}

TEST(Errors, ResidueOfTokens) {
  // Lane 1 of a mux gets a token that nobody selects.
  RegionBuilder b;
  Value c = b.input(Type::I1);
  Value one = b.constant(start, Type::I64, 1);
  Value two = b.constant(start, Type::I64, 2);
  b.output(b.constant(start, Type::I32, 0), Type::I32);
  b.output(b.mux(c, {one, two}, Type::I64), Type::I64);
  b.complete(start);
  Machine machine(b);
  std::vector<uint64_t> out;
  Outcome outcome = machine.run({0}, out);
  EXPECT_EQ(outcome.reason, Reason::Residue);
  // Nothing of it survives into the next launch.
  outcome = machine.run({1}, out);
  EXPECT_EQ(outcome.reason, Reason::Residue);
}

TEST(Errors, ResidueOfState) {
  // A carry that never sees its closing phase.
  RegionBuilder b;
  Value c = b.input(Type::I1);
  Value next = b.later();
  Value ring = b.carry(c, start, next, ctlType);
  b.bind(next, b.sync({ring})); // fed back, but there is no phase for it
  b.exitZero();
  b.complete(ring);
  Machine machine(b);
  std::vector<uint64_t> out;
  // Phase T: next is consumed and emitted, and then the state stays open.
  EXPECT_EQ(machine.run({1}, out).reason, Reason::Residue);
  // Phase F: closed, but the fed back token is left.
  EXPECT_EQ(machine.run({0}, out).reason, Reason::Residue);
}

TEST(Errors, TrapRollsBack) {
  // store, then divide
  RegionBuilder b;
  Value x = b.input(Type::I32), y = b.input(Type::I32);
  uint32_t slot = b.slot(Type::Ptr);
  uint32_t mem = b.memory({slot});
  Value zero = b.constant(start, Type::I64, 0);
  Value done = b.store(mem, zero, x, start, Type::I32);
  Value quotient = b.compute(Op::DivSI, {x, y}, Type::I32);
  b.exitZero();
  b.output(quotient, Type::I32);
  b.complete(done);
  Machine machine(b);
  uint32_t cell = 9;
  std::vector<uint64_t> out;
  EXPECT_EQ(machine.run({6, 0, address(&cell)}, out).reason, Reason::Trap);
  EXPECT_EQ(cell, 9u);
  EXPECT_EQ(machine.run({0x80000000u, 0xFFFFFFFFu, address(&cell)}, out).reason,
            Reason::Trap);
  EXPECT_EQ(cell, 9u);
  EXPECT_EQ(machine.run({6, 3, address(&cell)}, out).reason, Reason::None);
  EXPECT_EQ(out[1], 2u);
  EXPECT_EQ(cell, 6u);
}

TEST(Errors, FootprintIsEnforced) {
  Machine machine(saxpy(16)); // four floats
  float x[8] = {1, 1, 1, 1, 1, 1, 1, 1}, y[8] = {};
  std::vector<uint64_t> out;
  uint64_t one = 0x3F800000;
  Outcome outcome = machine.run({5, one, address(x), address(y)}, out);
  EXPECT_EQ(outcome.reason, Reason::Internal);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_EQ(machine.run({4, one, address(x), address(y)}, out).reason,
            Reason::None);
  EXPECT_EQ(y[3], 1.0f);
}

TEST(Errors, UndoLimit) {
  Machine machine(prefixSum());
  machine.undo.limitLines = 4;
  std::vector<uint32_t> p(1000, 1), before = p;
  std::vector<uint64_t> out;
  EXPECT_EQ(machine.run({1000, address(p.data())}, out).reason, Reason::Memory);
  EXPECT_EQ(p, before);
}

/// Random stores, with overlaps and across lines, come back exactly.
TEST(Undo, RandomStores) {
  std::mt19937_64 random(3);
  UndoLog undo;
  for (int round = 0; round < 50; ++round) {
    std::vector<uint8_t> memory(1 + random() % 5000);
    for (uint8_t &byte : memory)
      byte = uint8_t(random());
    std::vector<uint8_t> before = memory;
    std::vector<bool> touched(memory.size());
    for (int i = 0; i < 500; ++i) {
      unsigned bytes = 1u << random() % 4;
      if (memory.size() < bytes)
        continue;
      size_t at = random() % (memory.size() - bytes + 1);
      ASSERT_TRUE(undo.note(address(memory.data() + at), bytes));
      for (unsigned b = 0; b < bytes; ++b) {
        memory[at + b] = uint8_t(random());
        touched[at + b] = true;
      }
    }
    size_t marked = 0, expected = 0;
    for (const auto &line : undo.lines)
      marked += size_t(__builtin_popcountll(line.mask));
    for (bool t : touched)
      expected += t;
    EXPECT_EQ(marked, expected);
    undo.rollBack();
    EXPECT_EQ(memory, before);
    undo.clear();
    EXPECT_EQ(undo.lines.size, 0u);
  }
  undo.release();
}

} // namespace
