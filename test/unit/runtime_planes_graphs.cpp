// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random structured graphs, and graphs that are broken at random, on all three
// engines. LOOM_PLANES_SEEDS=first:count chooses a larger range.

#include "runtime_graph_generator.h"

using namespace rttest;

namespace {

const Seeds::Range given("LOOM_PLANES_SEEDS");

struct Memory {
  alignas(64) uint8_t bytes[GraphGenerator::memoryBytes];
  void fill(Dice &dice) {
    for (uint8_t &byte : bytes)
      byte = dice.once(3) ? uint8_t(dice.below(9)) : uint8_t(dice.next());
  }
};

TEST(PlaneGraphs, StructuredGraphsAgree) {
  Seeds seeds(given, 1500);
  uint64_t planned = 0, good = 0, faults = 0, budgets = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    GraphGenerator graph(seed, seed % 4 == 0);
    Machine machine(graph.b);
    ASSERT_TRUE(machine.loaded.verdict.ok()) << "seed " << seed;
    Dice dice(~seed);
    Memory memory;
    for (int launch = 0; launch < 3; ++launch) {
      memory.fill(dice);
      std::vector<uint64_t> in =
          graph.inputs(reinterpret_cast<uint64_t>(memory.bytes), dice);
      // Some launches end in the middle.
      uint64_t budget = launch == 2 ? 1 + dice.below(400) : 300000;
      Reason reason;
      std::string text = disagreement(machine, in, memory.bytes,
                                      sizeof(memory.bytes), &reason, budget);
      ASSERT_EQ(text, "") << "seed " << seed << " launch " << launch;
      good += reason == Reason::None;
      budgets += reason == Reason::Budget;
      faults += reason == Reason::Trap || reason == Reason::Internal;
    }
    planned += hasPlan(machine);
  }
  EXPECT_EQ(planned, seeds.count);
  EXPECT_GT(good * 3, seeds.count * 3);
  EXPECT_GT(faults, seeds.count / 50);
  EXPECT_GT(budgets, seeds.count / 50);
}

/// Whether no token decides the order of accesses differently, and no access is
/// outside of what is known.
bool isData(const RegionBuilder &b, const loom::rt::LoadedRegion &region,
            size_t operand) {
  return region.types[b.resolve(b.operands[operand])].type !=
         loom::rt::Ty::None;
}

/// Changes one field of one actor or one operand; false when the change may
/// touch the order of accesses.
bool mutate(RegionBuilder &b, const loom::rt::LoadedRegion &region,
            Dice &dice) {
  bool ordered = true;
  size_t at = dice.below(unsigned(b.actors.size()));
  image::Actor &a = b.actors[at];
  auto set = [&](ActorKind kind, Op op, unsigned pred, Type type, Type from,
                 unsigned width, unsigned fromWidth, uint64_t imm) {
    a = image::Actor(imm, a.first_operand(), a.first_result(), a.mem(), 0,
                     a.num_operands(), a.num_results(), kind, op, uint8_t(pred),
                     type, from, uint8_t(width), uint8_t(fromWidth),
                     uint8_t(0));
  };
  switch (dice.below(7)) {
  case 0:
    set(a.kind(), Op(dice.below(unsigned(Op::MAX) + 1)), a.pred(), a.type(),
        a.from(), a.width(), a.from_width(), a.imm());
    break;
  case 1:
    set(a.kind(), a.op(), dice.below(16), a.type(), a.from(), a.width(),
        a.from_width(), a.imm());
    break;
  case 2:
    set(a.kind(), a.op(), a.pred(), a.type(), a.from(), dice.below(66),
        a.from_width(), a.imm());
    break;
  case 3:
    set(a.kind(), a.op(), a.pred(), a.type(), a.from(), a.width(),
        a.from_width(), dice.once(2) ? dice.next() : dice.below(300));
    break;
  case 4: // another kind with the same numbers
    set(ActorKind(dice.below(11)), a.op(), a.pred(), a.type(), a.from(),
        a.width(), a.from_width(), a.imm());
    ordered = false;
    break;
  default: {
    if (b.operands.empty())
      return false;
    size_t k = dice.below(unsigned(b.operands.size()));
    loom::rt::ValueType wanted = region.types[b.resolve(b.operands[k])];
    ordered = isData(b, region, k);
    // Any value of the same type.
    uint32_t from = dice.below(b.values);
    for (uint32_t i = 0; i < b.values; ++i) {
      uint32_t v = (from + i) % b.values;
      if (region.types[v] == wanted) {
        b.operands[k] = v;
        break;
      }
    }
  }
  }
  return ordered;
}

TEST(PlaneGraphs, BrokenGraphsAgreeOrFail) {
  Seeds seeds(given, 3000);
  uint64_t ran = 0, planned = 0, without = 0, good = 0;
  for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    GraphGenerator graph(seed % 400 + 1, false);
    Dice dice(seed * 77);
    bool ordered = true;
    {
      Loaded whole(graph.b);
      ASSERT_TRUE(whole.verdict.ok());
      for (unsigned n = 1 + dice.below(3); n-- > 0;)
        ordered &= mutate(graph.b, whole.region, dice);
    }
    {
      Loaded broken(graph.b);
      if (!broken.verdict.ok())
        continue;
      // Pointers from nowhere are not what this is about.
      bool roots = true;
      for (const image::Actor &a : graph.b.actors)
        roots &=
            (a.kind() != ActorKind::Load && a.kind() != ActorKind::Store) ||
            a.mem() != noMemory;
      if (!roots)
        continue;
    }
    Machine machine(graph.b);
    ++ran;
    Memory memory;
    for (int launch = 0; launch < 2; ++launch) {
      memory.fill(dice);
      Bytes before(memory.bytes, memory.bytes + sizeof(memory.bytes));
      std::vector<uint64_t> in =
          graph.inputs(reinterpret_cast<uint64_t>(memory.bytes), dice);
      Reason reason;
      std::string text = disagreement(machine, in, memory.bytes,
                                      sizeof(memory.bytes), &reason, 50000);
      if (ordered)
        ASSERT_EQ(text, "") << "seed " << seed << " launch " << launch;
      good += reason == Reason::None;
    }
    (machine.engine.fast ? planned : without) += 1;
  }
  EXPECT_GT(planned, ran / 4);
  EXPECT_GT(without, 0u);
  EXPECT_GT(good, ran / 2);
}

} // namespace
