// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs graphs on the engine directly, without the environment and the C ABI.

#ifndef LOOM_TEST_UNIT_RUNTIME_HARNESS_H
#define LOOM_TEST_UNIT_RUNTIME_HARNESS_H

#include "Devices/Sim/Engine.h"
#include "runtime_image_builder.h"
#include <gtest/gtest.h>

namespace rttest {

/// A region of a built image, decoded and checked.
struct Loaded {
  Bytes bytes;
  loom::rt::LoadedRegion region;
  loom::rt::ImageVerdict verdict;

  explicit Loaded(const RegionBuilder &builder) : bytes(seal({&builder})) {
    verdict = loom::rt::checkSeal(bytes.data(), bytes.size());
    if (verdict.ok())
      verdict = loom::rt::loadRegion(bytes.data(), 0, region);
  }
  ~Loaded() { region.release(); }
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
};

/// A loaded region and an engine for it.
struct Machine {
  Loaded loaded;
  loom::rt::Engine engine;
  loom::rt::UndoLog undo;

  explicit Machine(const RegionBuilder &builder) : loaded(builder) {
    EXPECT_STREQ(loom::rt::imageErrorName(loaded.verdict.error), "none")
        << "at " << loaded.verdict.where;
    EXPECT_TRUE(loaded.verdict.ok() && engine.build(loaded.region));
  }
  ~Machine() {
    engine.release();
    undo.release();
  }

  /// One launch; rolled back on an error, like the runtime does.
  loom::rt::Outcome run(const std::vector<uint64_t> &in,
                        std::vector<uint64_t> &out,
                        uint64_t budget = uint64_t(1) << 40) {
    out.assign(loaded.region.outputInfos.size, 0xdeadull);
    loom::rt::LaunchContext context = {in.data(), out.data(), budget, &undo};
    loom::rt::Outcome outcome = engine.run(loaded.region, context);
    if (outcome.reason != loom::rt::Reason::None)
      undo.rollBack();
    undo.clear();
    return outcome;
  }
};

/// Sets LOOM_SIM_ORDER=random:seed for a scope.
struct RandomOrder {
  explicit RandomOrder(uint64_t seed) { loom::rt::simOrder = {true, seed}; }
  ~RandomOrder() { loom::rt::simOrder = {}; }
};

using Tokens = std::vector<uint64_t>;

/// One actor with its operand queues open: feed tokens, look at what comes out.
class OneActor {
public:
  /// `operandTypes`: Type::None operands are control tokens.
  OneActor(ActorKind kind, const std::vector<T> &operandTypes,
           const std::vector<T> &resultTypes, T type, Op op = Op::None,
           unsigned pred = 0, T from = T(Type::None), uint64_t imm = 0) {
    RegionBuilder builder;
    std::vector<Value> operands;
    for (const T &operand : operandTypes)
      operands.push_back(operand.type == Type::None ? RegionBuilder::start
                                                    : builder.input(operand));
    Value first = builder.actor(kind, operands, unsigned(resultTypes.size()),
                                type, op, pred, imm, noMemory, from);
    builder.exitZero();
    builder.complete(RegionBuilder::start);
    for (size_t r = 0; r < resultTypes.size(); ++r) {
      if (resultTypes[r].type == Type::None) {
        sinkOf.push_back(-1 - int(builder.completes.size()));
        builder.complete(first + Value(r));
      } else {
        sinkOf.push_back(int(builder.outs.size()));
        builder.output(first + Value(r), resultTypes[r]);
      }
    }
    machine = std::make_unique<Machine>(builder);
    inputs = operandTypes.size();
    varies = kind == ActorKind::Sync || kind == ActorKind::Mux;
  }

  void feed(size_t operand, const Tokens &tokens) {
    loom::rt::Engine &engine = machine->engine;
    const loom::rt::Actor &actor = engine.actors[0];
    auto &queue = engine.queues[varies ? engine.lists[actor.in[0] + operand]
                                       : actor.in[operand]];
    for (uint64_t token : tokens) {
      if (queue.data)
        queue.data[queue.tail & queue.mask] = token;
      ++queue.tail;
    }
  }

  uint32_t fire(uint32_t most = 1000) { return machine->engine.visit(0, most); }

  /// Tokens on a result so far; control tokens read as 0.
  Tokens take(size_t result) {
    loom::rt::Engine &engine = machine->engine;
    int sink = sinkOf[result];
    auto &queue =
        engine.queues[sink >= 0 ? engine.outputs[size_t(sink)]
                                : engine.completes[size_t(-1 - sink)]];
    Tokens tokens;
    while (queue.size()) {
      tokens.push_back(queue.data ? queue.front() : 0);
      ++queue.head;
    }
    return tokens;
  }

  /// Tokens that wait on an operand.
  uint32_t waiting(size_t operand) {
    loom::rt::Engine &engine = machine->engine;
    const loom::rt::Actor &actor = engine.actors[0];
    return engine
        .queues[varies ? engine.lists[actor.in[0] + operand]
                       : actor.in[operand]]
        .size();
  }
  const loom::rt::ActorInfo &info() { return machine->loaded.region.actors[0]; }
  unsigned state() { return machine->engine.actors[0].state; }
  loom::rt::Reason fault() { return machine->engine.fault; }
  void clearFault() { machine->engine.fault = loom::rt::Reason::None; }

private:
  std::unique_ptr<Machine> machine;
  std::vector<int> sinkOf;
  size_t inputs = 0;
  bool varies = false;
};

} // namespace rttest

#endif
