// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue against the recurrence that it must obey, actor by actor: on
// the kernels, and on graphs that are wired at random. Most of the latter don't
// complete; when every actor fired stays comparable all the same.

#include "runtime_recurrence.h"

using namespace rttest;
using loom::rt::Outcome;
using loom::rt::Reason;

namespace {

struct Random {
  uint64_t state;
  uint64_t below(uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  }
};

void randomCosts(Timed &timed, Random &random) {
  uint64_t latency = random.below(3) == 0 ? 1 : 1 + random.below(12);
  uint64_t interval = 1 + random.below(4);
  for (auto &cost : timed.timing.costs)
    cost = {uint16_t(random.below(latency + 1)),
            uint16_t(1 + random.below(interval))};
  timed.timing.queueCapacity = uint32_t(1 + random.below(5));
}

void expectSameTimes(Timed &timed, const Recurrence &model) {
  EXPECT_EQ(timed.result.cycles, model.cycles);
  EXPECT_EQ(timed.result.firings, model.firings);
  for (size_t a = 0; a < model.actors.size(); ++a) {
    const loom::rt::ActorTimes &got = timed.result.actors[a];
    EXPECT_EQ(got.count, model.actors[a].count) << "actor " << a;
    if (got.count && model.actors[a].count) {
      EXPECT_EQ(got.first, model.actors[a].first) << "actor " << a;
      EXPECT_EQ(got.last, model.actors[a].last) << "actor " << a;
    }
  }
}

/// No schedule has its accesses in fewer cycles than the bandwidth needs.
void expectBound(const Timed &timed) {
  loom::rt::MemoryLoad load;
  uint64_t first = ~uint64_t(0), last = 0;
  for (size_t a = 0; a < timed.result.actors.size; ++a) {
    const loom::rt::ActorInfo &info = timed.loaded.region.actors[a];
    const loom::rt::ActorTimes &times = timed.result.actors[a];
    if ((info.kind != loom::rt::Kind::Load &&
         info.kind != loom::rt::Kind::Store) ||
        times.count == 0)
      continue;
    load.add(typeBytes(info.type), times.count, timed.timing.bandwidth);
    first = std::min(first, times.first);
    last = std::max(last, times.last);
  }
  if (first <= last)
    EXPECT_LE(load.bound(timed.timing.bandwidth), last - first + 1);
}

/// A kernel under many costs; `cells` of memory for each of its roots.
void checkKernel(const RegionBuilder &b, const std::vector<uint64_t> &scalars,
                 size_t roots) {
  Random random = {scalars[0] * 31 + b.actors.size()};
  for (unsigned round = 0; round < 40; ++round) {
    Timed timed(b);
    randomCosts(timed, random);
    std::vector<Tokens> memory(roots, Tokens(64, 3)), again = memory;
    auto slots = [&](std::vector<Tokens> &arrays) {
      std::vector<uint64_t> in = scalars;
      for (Tokens &array : arrays)
        in.push_back(reinterpret_cast<uint64_t>(array.data()));
      return in;
    };
    EXPECT_EQ(timed.launch(slots(memory)).reason, Reason::None);
    Recurrence model(timed.loaded.region, timed.timing);
    model.run(slots(again), uint64_t(1) << 40, round);
    expectSameTimes(timed, model);
    EXPECT_EQ(memory, again);
    struct Limits {
      uint32_t ports, bandwidth;
    };
    for (Limits limits : {Limits{1, 0},
                          {2, 0},
                          {0, 1},
                          {0, 3},
                          {0, 8},
                          {0, 11},
                          {2, 12},
                          {1, 3},
                          {64, 64},
                          {0, 64},
                          {64, 0}}) {
      SCOPED_TRACE(limits.ports);
      SCOPED_TRACE(limits.bandwidth);
      timed.timing.ports = limits.ports;
      timed.timing.bandwidth = limits.bandwidth;
      std::vector<Tokens> shared(roots, Tokens(64, 3));
      EXPECT_EQ(timed.launch(slots(shared)).reason, Reason::None);
      expectBound(timed);
      if (limits.ports == 64 || limits.bandwidth == 64) { // enough for all
        expectSameTimes(timed, model);
        continue;
      }
      again.assign(roots, Tokens(64, 3));
      Recurrence portModel(timed.loaded.region, timed.timing);
      portModel.runShared(slots(again));
      expectSameTimes(timed, portModel);
      EXPECT_EQ(shared, again);
    }
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(EventRecurrence, Kernels) {
  for (uint64_t n : {0, 1, 5, 60}) {
    checkKernel(saxpy(), {n, 0x40000000}, 2);
    checkKernel(prefixSum(), {n}, 1);
    checkKernel(collatz(), {n + 1}, 1);
    checkKernel(triangle(), {n / 4, 5}, 0);
  }
}

/// Actors of every kind but memory, operands of the right type from anywhere.
class RandomGraph {
public:
  RegionBuilder b;
  std::vector<uint64_t> in;

  explicit RandomGraph(Random &random) : random(random) {
    for (unsigned i = 0; i < 6; ++i) {
      T type = i < 2 ? Type::I1 : Type::I64;
      b.input(type);
      types.push_back(type);
      in.push_back(i < 2 ? random.below(2) : random.below(9));
    }
    plan(4 + random.below(24));
    wire();
    b.exitZero();
    b.complete(RegionBuilder::start);
    for (unsigned i = 0; i < 3; ++i) {
      Value value = Value(random.below(types.size()));
      if (types[value].type == Type::None)
        b.complete(value);
      else
        b.output(value, types[value]);
    }
  }

private:
  struct Plan {
    ActorKind kind;
    T type;
    Op op;
    std::vector<T> operands;
    std::vector<Value> fixed; // of a sync: earlier values, no rings of them
    unsigned results;
    T from = Type::None;
    unsigned pred = 0;
  };
  Random &random;
  std::vector<T> types = {Type::None}; // by value
  std::vector<Plan> plans;

  T anyType() {
    const T all[] = {Type::None, Type::I1, Type::I64, Type::I64};
    return all[random.below(4)];
  }

  void plan(uint64_t count) {
    const T i1 = Type::I1, i64 = Type::I64, none = Type::None;
    while (plans.size() < count) {
      T t = anyType();
      Plan p = {ActorKind::Compute, t, Op::None, {}, {}, 1};
      std::vector<T> results = {t};
      switch (random.below(12)) {
      case 0:
        p = {ActorKind::Constant, i64, Op::None, {none}, {}, 1};
        results = {i64};
        break;
      case 1:
        p.kind = ActorKind::Sync;
        p.type = none;
        results.clear();
        for (uint64_t n = 1 + random.below(3); n; --n) {
          p.fixed.push_back(Value(random.below(types.size())));
          results.push_back(types[p.fixed.back()]);
        }
        break;
      case 2:
        p.kind = ActorKind::Mux;
        p.operands = {i1, t, t};
        break;
      case 3:
      case 4:
        p.kind = ActorKind::Demux;
        p.operands = {i1, t};
        results = {t, t};
        break;
      case 5:
      case 6:
        p = {ActorKind::Stream, i64, Op::AddI, {i64, i64, i64}, {}, 2};
        p.pred = unsigned(random.below(10));
        results = {i64, i1};
        break;
      case 7:
      case 8:
        p.kind = ActorKind::Carry;
        p.operands = {i1, t, t};
        break;
      case 9:
        p.kind = ActorKind::Invariant;
        p.operands = {i1, t};
        break;
      case 10:
        p.kind = ActorKind::Gate;
        p.operands = {i1, t};
        results = {i1, t};
        break;
      default:
        if (random.below(2)) {
          p = {ActorKind::Compute, i64, Op::SubI, {i64, i64}, {}, 1};
          results = {i64};
        } else {
          p = {ActorKind::Compute, i1, Op::CmpI, {i64, i64}, {}, 1};
          p.from = i64;
          p.pred = unsigned(random.below(10));
          results = {i1};
        }
        break;
      }
      p.results = unsigned(results.size());
      plans.push_back(p);
      types.insert(types.end(), results.begin(), results.end());
    }
  }

  Value pick(T type, size_t before) {
    for (;;) {
      Value value =
          Value(random.below(random.below(4) ? before : types.size()));
      if (types[value].type == type.type)
        return value;
    }
  }

  void wire() {
    for (const Plan &p : plans) {
      std::vector<Value> operands = p.fixed;
      for (const T &type : p.operands)
        operands.push_back(pick(type, b.values));
      uint64_t imm = p.kind == ActorKind::Constant ? random.below(5) : 0;
      b.actor(p.kind, operands, p.results, p.type, p.op, p.pred, imm, noMemory,
              p.from);
    }
  }
};

TEST(EventRecurrence, RandomGraphs) {
  Random random = {12345};
  unsigned ends[unsigned(Reason::Count)] = {};
  uint64_t firings = 0;
  for (unsigned round = 0; round < 6000; ++round) {
    SCOPED_TRACE(round);
    RandomGraph graph(random);
    Timed timed(graph.b);
    randomCosts(timed, random);
    const uint64_t budget = 3000;
    Outcome outcome = timed.launch(graph.in, budget);
    ++ends[unsigned(outcome.reason)];
    if (outcome.reason == Reason::Budget)
      continue; // which firings are missing is a question of the order
    Recurrence model(timed.loaded.region, timed.timing);
    model.run(graph.in, budget, round);
    expectSameTimes(timed, model);
    firings += model.firings;
    if (outcome.reason != Reason::Deadlock) {
      Machine machine(graph.b);
      std::vector<uint64_t> out;
      Outcome onTokens = machine.run(graph.in, out);
      EXPECT_EQ(onTokens.reason, outcome.reason);
      EXPECT_EQ(onTokens.firings, outcome.firings);
      if (outcome.reason == Reason::None)
        EXPECT_EQ(timed.out, out);
    }
    if (testing::Test::HasFailure())
      return;
  }
  // All kinds of ends are there, and not just graphs that do nothing.
  EXPECT_GT(ends[unsigned(Reason::None)], 10u);
  EXPECT_GT(ends[unsigned(Reason::Residue)], 100u);
  EXPECT_GT(ends[unsigned(Reason::Deadlock)], 100u);
  EXPECT_GT(firings, 50000u);
}

} // namespace
