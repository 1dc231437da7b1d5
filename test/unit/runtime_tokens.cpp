// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The token tables of docs/dataflow.md once more, on both engines: activations
// of 0, 1 and 2 iterations in every order, every state that is left and entered
// again, lanes that are not selected, results that nobody uses.

#include "runtime_token_bench.h"

using namespace rttest;
using loom::rt::Reason;

namespace {

const T control = Type::None;
const T boolean = Type::I1;
const T word = Type::I64;

/// The activations of a loop: how many iterations each.
const std::vector<std::vector<unsigned>> activations = {
    {},     {0},    {1},       {2},       {0, 0},    {0, 1},
    {0, 2}, {1, 0}, {1, 1},    {1, 2},    {2, 0},    {2, 1},
    {2, 2}, {5, 0}, {3, 0, 7}, {0, 1, 2}, {2, 1, 0}, {9}};

Tokens phaseOf(const std::vector<unsigned> &trips) {
  Tokens phase;
  for (unsigned k : trips) {
    phase.insert(phase.end(), k, 1);
    phase.push_back(0);
  }
  return phase;
}

/// `count` tokens from `from` on; those of a control type have no value.
Tokens numbered(T type, uint64_t from, size_t count) {
  Tokens tokens(count, 0);
  for (size_t i = 0; i < count; ++i)
    tokens[i] = type.type == Type::None ? 0
                : type.type == Type::I1 ? (from + i) % 2
                                        : from + i;
  return tokens;
}

const T tokenTypes[] = {word, control, boolean, T(Type::I16)};

TEST(Tokens, Constant) {
  TokenBench bench(ActorKind::Constant, {control}, {T(Type::I32)}, Type::I32,
                   Op::None, 0, 0xFFFFFFF0u);
  for (size_t n : {0, 1, 2, 9})
    bench.check({Tokens(n)}, {Tokens(n, 0xFFFFFFF0u)});
}

TEST(Tokens, Sync) {
  TokenBench bench(ActorKind::Sync, {control, word, boolean},
                   {control, word, boolean}, control);
  for (size_t n : {0, 1, 2, 9}) {
    std::vector<Tokens> in = {Tokens(n), numbered(word, 7, n),
                              numbered(boolean, 1, n)};
    bench.check(in, in);
  }
  // One lane is short: nothing of the last row comes out on any lane.
  bench.check({Tokens(2), {7, 8, 9}, {1, 0, 1}}, {Tokens(2), {7, 8}, {1, 0}},
              Reason::Residue);
  bench.check({Tokens(2), {7, 8, 9}, {1, 0, 1}}, {Tokens(2), {7, 8, 9}, {1, 0}},
              Reason::Deadlock);
}

TEST(Tokens, Mux) {
  for (T type : tokenTypes) {
    TokenBench bench(ActorKind::Mux, {boolean, type, type}, {type}, type);
    for (const Tokens &selectors :
         {Tokens{}, {0}, {1}, {1, 1, 1}, {0, 0, 1, 0, 1, 1}}) {
      Tokens lanes[2], expected;
      for (uint64_t lane : selectors) {
        uint64_t value = numbered(type, 10 * lane + lanes[lane].size(), 1)[0];
        lanes[lane].push_back(value);
        expected.push_back(value);
      }
      bench.check({selectors, lanes[0], lanes[1]}, {expected});
      // What is not selected stays where it is.
      lanes[1].push_back(1);
      bench.check({selectors, lanes[0], lanes[1]}, {expected}, Reason::Residue);
      // What is selected and not there is waited for.
      Tokens more = selectors, longer = expected;
      more.push_back(0);
      longer.push_back(0);
      bench.check({more, lanes[0], lanes[1]}, {longer}, Reason::Deadlock);
    }
  }
}

TEST(Tokens, MuxAndDemuxOfFiveLanes) {
  const T number = Type::I32;
  TokenBench mux(ActorKind::Mux, {number, word, word, word, word, word}, {word},
                 word);
  mux.check({{4, 0, 2, 2, 3, 1}, {1}, {2}, {3, 4}, {5}, {6}},
            {{6, 1, 3, 4, 5, 2}});
  TokenBench demux(ActorKind::Demux, {number, word},
                   {word, word, word, word, word}, word);
  demux.check({{4, 0, 2, 2, 3, 1}, {6, 1, 3, 4, 5, 2}},
              {{1}, {2}, {3, 4}, {5}, {6}});
  for (uint64_t lane : {uint64_t(5), uint64_t(0xFFFFFFFF)}) {
    mux.check({{lane}, {}, {}, {}, {}, {}}, {{0}}, Reason::Internal);
    demux.check({{lane}, {1}}, {{}, {}, {}, {}, {}}, Reason::Internal);
  }
}

TEST(Tokens, Demux) {
  for (T type : tokenTypes) {
    TokenBench bench(ActorKind::Demux, {boolean, type}, {type, type}, type);
    for (const Tokens &selectors :
         {Tokens{}, {0}, {1}, {1, 1, 1}, {0, 0, 1, 0, 1, 1}}) {
      Tokens in = numbered(type, 5, selectors.size());
      Tokens lanes[2];
      for (size_t i = 0; i < in.size(); ++i)
        lanes[selectors[i]].push_back(in[i]);
      bench.check({selectors, in}, {lanes[0], lanes[1]});
      in.push_back(1); // a value without a selector
      bench.check({selectors, in}, {lanes[0], lanes[1]}, Reason::Residue);
    }
  }
}

TEST(Tokens, DemuxWithADeadLane) {
  for (unsigned lane : {0, 1}) {
    std::vector<bool> dead(2);
    dead[lane] = true;
    TokenBench bench(ActorKind::Demux, {boolean, word}, {word, word}, word,
                     Op::None, 0, 0, dead);
    // The dead lane takes more than any queue holds.
    Tokens selectors(40, lane), in = numbered(word, 0, 40);
    selectors[39] = 1 - lane;
    std::vector<Tokens> expected(2);
    expected[1 - lane] = {39};
    bench.check({selectors, in}, expected);
  }
}

TEST(Tokens, Carry) {
  for (T type : tokenTypes) {
    TokenBench bench(ActorKind::Carry, {boolean, type, type}, {type}, type);
    for (const auto &trips : activations) {
      Tokens init, next, expected;
      for (unsigned k : trips) {
        init.push_back(numbered(type, 100 * init.size(), 1)[0]);
        expected.push_back(init.back());
        for (unsigned i = 0; i < k; ++i) {
          next.push_back(numbered(type, 7 + 3 * next.size(), 1)[0]);
          expected.push_back(next.back());
        }
      }
      bench.check({phaseOf(trips), init, next}, {expected});
      // The false takes no next.
      Tokens longer = next;
      longer.push_back(1);
      bench.check({phaseOf(trips), init, longer}, {expected}, Reason::Residue);
      // The next init is not looked at before the false.
      if (!trips.empty()) {
        Tokens open = phaseOf(trips);
        open.pop_back();
        init.push_back(0);
        bench.check({open, init, next}, {expected}, Reason::Residue);
      }
    }
  }
}

TEST(Tokens, Invariant) {
  for (T type : tokenTypes) {
    TokenBench bench(ActorKind::Invariant, {boolean, type}, {type}, type);
    for (const auto &trips : activations) {
      Tokens init, expected;
      for (unsigned k : trips) {
        init.push_back(numbered(type, 3 * init.size() + 1, 1)[0]);
        expected.insert(expected.end(), k + 1, init.back());
      }
      bench.check({phaseOf(trips), init}, {expected});
      if (!trips.empty()) { // stays open
        Tokens open = phaseOf(trips);
        open.pop_back();
        bench.check({open, init}, {expected}, Reason::Residue);
      }
    }
  }
}

TEST(Tokens, Gate) {
  for (T type : tokenTypes)
    for (int deadResult : {-1, 0, 1}) {
      std::vector<bool> dead(2);
      if (deadResult >= 0)
        dead[size_t(deadResult)] = true;
      TokenBench bench(ActorKind::Gate, {boolean, type}, {boolean, type}, type,
                       Op::None, 0, 0, dead);
      for (const auto &trips : activations) {
        Tokens values = numbered(type, 20, phaseOf(trips).size());
        Tokens conds, bodies;
        size_t at = 0;
        for (unsigned k : trips) {
          for (unsigned i = 0; i < k; ++i) {
            bodies.push_back(values[at + i]);
            conds.push_back(i + 1 < k); // false for the last body
          }
          at += k + 1;
        }
        bench.check({phaseOf(trips), values}, {conds, bodies});
      }
    }
}

/// One activation in a way of its own: arithmetic on __int128, reduced by hand.
bool holds(unsigned pred, uint64_t a, uint64_t b, unsigned width) {
  auto asSigned = [width](uint64_t v) {
    return __int128(v) - ((v >> (width - 1) & 1) ? __int128(1) << width : 0);
  };
  const __int128 x = pred >= 2 && pred <= 5 ? asSigned(a) : __int128(a);
  const __int128 y = pred >= 2 && pred <= 5 ? asSigned(b) : __int128(b);
  switch (pred) {
  case 0:
    return x == y;
  case 1:
    return x != y;
  case 2:
  case 6:
    return x < y;
  case 3:
  case 7:
    return x <= y;
  case 4:
  case 8:
    return x > y;
  default:
    return x >= y;
  }
}

TEST(Tokens, StreamByEveryPredicate) {
  struct Loop {
    uint64_t init, limit, step;
  };
  for (T type : {T(Type::I8, 7), T(Type::I8), word})
    for (unsigned pred = 0; pred < 10; ++pred) {
      TokenBench bench(ActorKind::Stream, {type, type, type}, {type, boolean},
                       type, Op::AddI, pred);
      const uint64_t mask =
          type.width == 64 ? ~uint64_t(0) : (uint64_t(1) << type.width) - 1;
      // Several activations in a row, each with its own limit and step; those
      // that don't end soon are left out.
      std::vector<Tokens> in(3), out(2);
      for (const Loop &loop : {Loop{0, 3, 1},
                               {5, 5, 1},
                               {5, 4, uint64_t(-1)},
                               {uint64_t(-3), 2, 2},
                               {3, 0, uint64_t(-1)},
                               {0, 0, 0},
                               {1, 0, 5},
                               {2, 8, 3},
                               {uint64_t(-1), 1, 1}}) {
        Tokens ivs;
        uint64_t value = loop.init & mask;
        while (ivs.size() < 20 &&
               holds(pred, value, loop.limit & mask, type.width)) {
          ivs.push_back(value);
          value = (value + loop.step) & mask;
        }
        if (ivs.size() == 20)
          continue;
        in[0].push_back(loop.init & mask);
        in[1].push_back(loop.limit & mask);
        in[2].push_back(loop.step & mask);
        out[0].insert(out[0].end(), ivs.begin(), ivs.end());
        out[1].insert(out[1].end(), ivs.size(), 1);
        out[1].push_back(0);
      }
      EXPECT_GE(in[0].size(), 3u) << "pred " << pred;
      bench.check(in, out);
    }
}

TEST(Tokens, StreamSteps) {
  struct Case {
    Op kind;
    unsigned pred;
    Tokens init, limit, step, iv, phase;
  };
  const Case cases[] = {
      {Op::SubI, 4, {3, 1}, {0, 1}, {2, 1}, {3, 1}, {1, 1, 0, 0}},
      {Op::MulI, 6, {1}, {100}, {5}, {1, 5, 25}, {1, 1, 1, 0}},
      {Op::DivUI, 1, {40}, {0}, {3}, {40, 13, 4, 1}, {1, 1, 1, 1, 0}},
      {Op::DivSI, 1, {0xF8}, {0}, {4}, {0xF8, 0xFE}, {1, 1, 0}},
      {Op::ShlI, 1, {1}, {0}, {3}, {1, 8, 64}, {1, 1, 1, 0}},
      {Op::ShrUI, 8, {0x80}, {0x10}, {1}, {0x80, 0x40, 0x20}, {1, 1, 1, 0}},
      {Op::ShrSI, 1, {0x80}, {0xF8}, {2}, {0x80, 0xE0}, {1, 1, 0}},
      {Op::ShlI, 1, {1}, {0}, {8}, {1}, {1, 0}}, // poison, gives 0
  };
  const T byte = Type::I8;
  for (const Case &c : cases) {
    TokenBench bench(ActorKind::Stream, {byte, byte, byte}, {byte, boolean},
                     byte, c.kind, c.pred);
    bench.check({c.init, c.limit, c.step}, {c.iv, c.phase});
  }
  for (uint64_t step : {0, 0xFF}) { // 0x80 / -1 traps like a division by 0
    TokenBench bench(ActorKind::Stream, {byte, byte, byte}, {byte, boolean},
                     byte, Op::DivSI, 1);
    bench.check({{0x80}, {0}, {step}}, {{0x80}, {1}}, Reason::Trap);
  }
}

TEST(Tokens, StreamWithDeadResults) {
  for (unsigned which = 1; which < 4; ++which) {
    TokenBench bench(ActorKind::Stream, {word, word, word}, {word, boolean},
                     word, Op::AddI, 2, 0,
                     {(which & 1) != 0, (which & 2) != 0});
    bench.check({{0, 3, 8}, {2, 3, 9}, {1, 1, 1}},
                {{0, 1, 8}, {1, 1, 0, 0, 1, 0}});
  }
}

TEST(Tokens, ComputeIsStrict) {
  TokenBench bench(ActorKind::Compute, {boolean, word, word}, {word}, word,
                   Op::Select);
  bench.check({{1, 0, 1}, {5, 6, 7}, {50, 60, 70}}, {{5, 60, 7}});
  bench.check({{1, 0, 1}, {5, 6, 7}, {50, 60}}, {{5, 60}}, Reason::Residue);
  bench.check({{1, 0, 1}, {5, 6, 7}, {50, 60}}, {{5, 60, 7}}, Reason::Deadlock);
}

TEST(Tokens, DeadComputationsTrapAllTheSame) {
  TokenBench bench(ActorKind::Compute, {word, word}, {word}, word, Op::DivSI, 0,
                   0, {true});
  bench.check({{8, 9}, {2, 3}}, {{}});
  bench.check({{8, 9}, {2, 0}}, {{}}, Reason::Trap);
  bench.check({{8, uint64_t(1) << 63}, {2, uint64_t(-1)}}, {{}}, Reason::Trap);
}

} // namespace
