// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch on the token engine, the interpreter and the machine code, and
// whether they agree in everything that can be seen.

#ifndef LOOM_TEST_UNIT_RUNTIME_PLANES_H
#define LOOM_TEST_UNIT_RUNTIME_PLANES_H

#include "Devices/Sim/Fast.h"
#include "runtime_harness.h"

namespace rttest {

using loom::rt::Outcome;
using loom::rt::Reason;
using loom::rt::SimEngine;

/// Chooses the engine for a scope, without the timing plane.
struct OnEngine {
  SimEngine before = loom::rt::simEngine;
  bool timing = loom::rt::simTiming;
  explicit OnEngine(SimEngine engine) { loom::rt::simEngine = engine; }
  ~OnEngine() {
    loom::rt::simEngine = before;
    loom::rt::simTiming = timing;
  }
};

/// What a launch leaves behind.
struct Shot {
  Outcome outcome;
  std::vector<uint64_t> out;
  Bytes memory;
};

inline Shot shoot(Machine &machine, SimEngine engine,
                  const std::vector<uint64_t> &in, uint8_t *memory,
                  const Bytes &initial, uint64_t budget) {
  OnEngine on(engine);
  if (!initial.empty())
    memcpy(memory, initial.data(), initial.size());
  Shot shot;
  shot.outcome = machine.run(in, shot.out, budget);
  shot.memory.assign(memory, memory + initial.size());
  return shot;
}

/// Empty, or how two launches differ.
inline std::string difference(const Shot &a, const Shot &b,
                              const Bytes &initial) {
  bool faultA = a.outcome.reason != Reason::None;
  bool faultB = b.outcome.reason != Reason::None;
  if (faultA != faultB)
    return std::string("reason ") + loom::rt::reasonName(a.outcome.reason) +
           " (" + a.outcome.detail + ") against " +
           loom::rt::reasonName(b.outcome.reason) + " (" + b.outcome.detail +
           ")";
  if (faultA)
    return a.memory != initial || b.memory != initial ? "not rolled back" : "";
  if (a.outcome.firings != b.outcome.firings)
    return "firings " + std::to_string(a.outcome.firings) + " against " +
           std::to_string(b.outcome.firings);
  for (size_t i = 0; i < a.out.size(); ++i)
    if (a.out[i] != b.out[i])
      return "output " + std::to_string(i) + ": " + std::to_string(a.out[i]) +
             " against " + std::to_string(b.out[i]);
  for (size_t i = 0; i < a.memory.size(); ++i)
    if (a.memory[i] != b.memory[i])
      return "byte " + std::to_string(i) + ": " + std::to_string(a.memory[i]) +
             " against " + std::to_string(b.memory[i]);
  return "";
}

/// Runs on all three engines; empty when they agree. `memory` holds what the
/// tokens left.
inline std::string disagreement(Machine &machine,
                                const std::vector<uint64_t> &in,
                                uint8_t *memory, size_t bytes,
                                Reason *reason = nullptr,
                                uint64_t budget = uint64_t(1) << 40) {
  Bytes initial(memory, memory + bytes);
  auto on = [&](SimEngine engine) {
    return shoot(machine, engine, in, memory, initial, budget);
  };
  Shot plan = on(SimEngine::Plan);
  Shot interpreted = on(SimEngine::Interpreter);
  Shot tokens = on(SimEngine::Tokens);
  if (reason)
    *reason = tokens.outcome.reason;
  std::string text = difference(tokens, interpreted, initial);
  if (!text.empty())
    return "interpreter: " + text;
  text = difference(tokens, plan, initial);
  return text.empty() ? "" : "plan: " + text;
}

/// After a launch: whether the graph has a plan. Where there is a translator, a
/// plan has code.
inline bool hasPlan(const Machine &machine) {
  if (!machine.engine.fast)
    return false;
#if defined(__x86_64__) && defined(__ELF__)
  EXPECT_NE(machine.engine.fast->machine.entry, nullptr);
#endif
  return true;
}

/// A small generator of numbers that is the same everywhere.
struct Dice {
  uint64_t state;
  explicit Dice(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 1) {
    for (int i = 0; i < 4; ++i)
      next();
  }
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Dull;
  }
  unsigned below(unsigned n) { return unsigned((next() >> 32) % n); }
  bool once(unsigned in) { return below(in) == 0; }
};

/// Numbers of random tests: what the variable says as first:count, or so many
/// from 1 on.
struct Seeds {
  /// Read before the first test, and then out of the environment: the runtime
  /// in processes that tests start would complain of it.
  struct Range {
    uint64_t first = 0, count = 0;
    explicit Range(const char *variable) {
      const char *text = getenv(variable);
      if (!text)
        return;
      char *end = nullptr;
      first = strtoull(text, &end, 10);
      if (*end == ':')
        count = strtoull(end + 1, nullptr, 10);
      unsetenv(variable);
    }
  };
  uint64_t first, count;
  Seeds(const Range &given, uint64_t standard)
      : first(given.first ? given.first : 1),
        count(given.count ? given.count : standard) {}
};

} // namespace rttest

#endif
