// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any actor as a whole graph: each operand gets its tokens from a loop over an
// array, each result is written to an array by a loop of its own. So the same
// table runs on the token engine, in several orders, and on the event queue,
// under several costs.

#ifndef LOOM_TEST_UNIT_RUNTIME_TOKEN_BENCH_H
#define LOOM_TEST_UNIT_RUNTIME_TOKEN_BENCH_H

#include "runtime_timed.h"

namespace rttest {

struct TokenBench {
  std::vector<T> operandTypes;
  std::vector<T> resultTypes;
  std::vector<bool> dead; // results that nobody uses
  RegionBuilder b;
  uint64_t actor = 0; // number

  TokenBench(ActorKind kind, const std::vector<T> &operandTypes,
             const std::vector<T> &resultTypes, T type, Op op = Op::None,
             unsigned pred = 0, uint64_t imm = 0,
             std::vector<bool> deadResults = {})
      : operandTypes(operandTypes), resultTypes(resultTypes),
        dead(std::move(deadResults)) {
    dead.resize(resultTypes.size());
    // Slots: base and end of each operand's array, then of each result's.
    std::vector<uint32_t> memories;
    std::vector<Value> ends;
    for (size_t i = 0; i < operandTypes.size() + resultTypes.size(); ++i) {
      memories.push_back(b.memory({b.slot(Type::Ptr), uint32_t(i)}));
      ends.push_back(b.input(Type::I64));
    }
    const Value start = RegionBuilder::start;
    Value zero = b.constant(start, Type::I64, 0);
    Value eight = b.constant(start, Type::I64, 8);
    std::vector<Value> operands;
    for (size_t i = 0; i < operandTypes.size(); ++i) {
      Value iv = b.stream(zero, ends[i], eight);
      Value ctrl = capture(b, iv + 1, start, ctlType);
      Value data = b.load(memories[i], iv, ctrl, Type::I64);
      T to = operandTypes[i];
      operands.push_back(to.type == Type::None ? data + 1
                         : to.type == Type::I64
                             ? data
                             : b.compute(Op::TruncI, {data}, to, Type::I64));
    }
    actor = b.actors.size();
    Value result = b.actor(kind, operands, unsigned(resultTypes.size()), type,
                           op, pred, imm);
    for (size_t r = 0; r < resultTypes.size(); ++r) {
      if (!dead[r])
        sink(result + Value(r), resultTypes[r],
             memories[operandTypes.size() + r], ends[operandTypes.size() + r],
             zero, eight);
    }
    b.exitZero();
    b.complete(start);
  }

  /// Feeds `in`; `expected` must come out, and the launch end for `reason`.
  void check(const std::vector<Tokens> &in, const std::vector<Tokens> &expected,
             loom::rt::Reason reason = loom::rt::Reason::None) {
    Machine machine(b);
    std::vector<uint64_t> out;
    auto onTokens = [&](const std::vector<uint64_t> &slots) {
      return machine.run(slots, out).reason;
    };
    for (int twice = 0; twice < 2; ++twice)
      once(in, expected, reason, onTokens, "token engine");
    for (uint64_t seed = 0; seed < 3; ++seed) {
      RandomOrder order(seed);
      once(in, expected, reason, onTokens, "random order");
    }
    for (unsigned table = 0; table < 4; ++table) {
      Timed timed(b, 1 + table % 3);
      uint64_t random = table * 77 + 1;
      for (auto &cost : timed.timing.costs) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (table)
          cost = {uint16_t(random >> 60), uint16_t(1 + (random >> 40) % 3)};
      }
      once(
          in, expected, reason,
          [&](const std::vector<uint64_t> &slots) {
            return timed.launch(slots).reason;
          },
          "event queue");
    }
  }

private:
  void sink(Value value, T type, uint32_t memory, Value end, Value zero,
            Value eight) {
    Value iv = b.stream(zero, end, eight);
    Value next = b.later();
    Value ring = b.carry(iv + 1, RegionBuilder::start, next, ctlType);
    Value lanes = b.demux(iv + 1, ring, ctlType);
    Value ctrl = lanes + 1;
    Value data = value;
    if (type.type == Type::None) {
      ctrl = b.sync({ctrl, value});
      data = iv;
    } else if (type.type != Type::I64) {
      data = b.compute(Op::ExtUI, {value}, Type::I64, type);
    }
    b.bind(next, b.store(memory, iv, data, ctrl, Type::I64));
    b.complete(lanes);
  }

  template <typename F>
  void once(const std::vector<Tokens> &in, const std::vector<Tokens> &expected,
            loom::rt::Reason reason, F &&launch, const char *engine) {
    std::vector<Tokens> arrays = in;
    for (const Tokens &tokens : expected)
      arrays.push_back(Tokens(tokens.size(), 0xABABABABu));
    std::vector<uint64_t> slots;
    for (Tokens &array : arrays) {
      slots.push_back(reinterpret_cast<uint64_t>(array.data()));
      slots.push_back(8 * array.size());
    }
    loom::rt::Reason got = launch(slots);
    EXPECT_STREQ(loom::rt::reasonName(got), loom::rt::reasonName(reason))
        << engine;
    if (got != loom::rt::Reason::None)
      return; // rolled back
    for (size_t r = 0; r < expected.size(); ++r) {
      Tokens want = expected[r];
      if (resultTypes[r].type == Type::None)
        for (size_t i = 0; i < want.size(); ++i)
          want[i] = 8 * i;
      if (dead[r])
        want.assign(want.size(), 0xABABABABu);
      EXPECT_EQ(arrays[in.size() + r], want) << engine << ", result " << r;
    }
  }
};

} // namespace rttest

#endif
