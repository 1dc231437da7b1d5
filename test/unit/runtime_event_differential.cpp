// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event queue against the token engine: the same outputs, the same memory
// and the same number of firings, whatever the costs are. Time must not change
// a value.

#include "runtime_timed.h"

using namespace rttest;
using loom::rt::Outcome;
using loom::rt::Reason;

namespace {

struct Costs {
  const char *name;
  unsigned seed; // 0: 1 and 1
  unsigned maxLatency, maxInterval;
  uint32_t capacity, ports;
};

const Costs tables[] = {
    {"all one", 0, 1, 1, 4, 0},       {"no latency", 1, 0, 1, 4, 0},
    {"small", 2, 4, 2, 4, 0},         {"large", 3, 60, 5, 4, 0},
    {"capacity 1", 4, 9, 3, 1, 0},    {"capacity 2", 5, 9, 1, 2, 0},
    {"capacity 64", 6, 9, 3, 64, 0},  {"one port", 7, 9, 2, 4, 1},
    {"two ports", 8, 9, 1, 4, 2},     {"one port, one place", 9, 3, 1, 1, 1},
    {"slow", 10, 65535, 65535, 4, 0},
};

void setCosts(Timed &timed, const Costs &costs) {
  uint64_t random = costs.seed;
  for (auto &cost : timed.timing.costs) {
    auto below = [&random](unsigned bound) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      return (random >> 33) % bound;
    };
    if (costs.seed)
      cost = {uint16_t(below(costs.maxLatency + 1)),
              uint16_t(1 + below(costs.maxInterval))};
  }
  timed.timing.queueCapacity = costs.capacity;
  timed.timing.ports = costs.ports;
}

/// Launches `b` on both; `arrays` are its memory, `slots` makes the launch
/// slots from their addresses.
template <typename Slots>
void compare(const RegionBuilder &b, const std::vector<Tokens> &arrays,
             const Slots &slots) {
  auto addresses = [](std::vector<Tokens> &memory) {
    std::vector<uint64_t> bases;
    for (Tokens &array : memory)
      bases.push_back(reinterpret_cast<uint64_t>(array.data()));
    return bases;
  };
  Machine machine(b);
  std::vector<Tokens> expected = arrays;
  std::vector<uint64_t> out;
  loom::rt::SimEngine before = loom::rt::simEngine;
  loom::rt::simEngine = loom::rt::SimEngine::Tokens;
  Outcome onTokens = machine.run(slots(addresses(expected)), out);
  loom::rt::simEngine = before;
  ASSERT_EQ(onTokens.reason, Reason::None) << onTokens.detail;
  for (const Costs &costs : tables) {
    SCOPED_TRACE(costs.name);
    Timed timed(b);
    setCosts(timed, costs);
    std::vector<Tokens> memory = arrays;
    Outcome outcome = timed.launch(slots(addresses(memory)));
    ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
    EXPECT_EQ(timed.out, out);
    EXPECT_EQ(memory, expected);
    EXPECT_EQ(outcome.firings, onTokens.firings);
    uint64_t counted = 0;
    for (const loom::rt::ActorTimes &times : timed.result.actors) {
      counted += times.count;
      EXPECT_LE(times.first, times.last);
    }
    EXPECT_EQ(counted, onTokens.firings);
    // Once more from the same state, cycle by cycle the same.
    uint64_t cycles = timed.result.cycles;
    memory = arrays;
    EXPECT_EQ(timed.launch(slots(addresses(memory))).reason, Reason::None);
    EXPECT_EQ(timed.result.cycles, cycles);
  }
}

Tokens noise(size_t count, uint64_t seed) {
  Tokens tokens(count);
  for (uint64_t &token : tokens) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    token = seed ^ seed >> 29;
  }
  return tokens;
}

/// Two floats to a token, less than 2.
Tokens finite(size_t count, uint64_t seed) {
  Tokens tokens = noise(count, seed);
  for (uint64_t &token : tokens)
    token &= ~uint64_t(0x4000000040000000ull);
  return tokens;
}

TEST(EventDifferential, Saxpy) {
  // Bits are compared. x is of every kind, NaNs included; y is finite, because
  // of two NaNs either may be handed on.
  for (uint64_t n : {0, 1, 2, 7, 100})
    compare(saxpy(), {noise(64, n), finite(64, n + 1)},
            [n](const std::vector<uint64_t> &bases) {
              return std::vector<uint64_t>{n, 0x3FC00000, bases[0], bases[1]};
            });
}

TEST(EventDifferential, SaxpyInPlaceAndGuarded) {
  compare(saxpy(400), {finite(64, 5)}, [](const std::vector<uint64_t> &bases) {
    return std::vector<uint64_t>{100, 0x3FC00000, bases[0], bases[0]};
  });
  compare(guardedSaxpy(), {noise(64, 5), finite(64, 6)},
          [](const std::vector<uint64_t> &bases) {
            return std::vector<uint64_t>{50, 0x3FC00000, bases[0], bases[1]};
          });
}

TEST(EventDifferential, PrefixSum) {
  for (uint64_t n : {0, 1, 2, 3, 60})
    compare(prefixSum(), {noise(32, n)},
            [n](const std::vector<uint64_t> &bases) {
              return std::vector<uint64_t>{n, bases[0]};
            });
}

TEST(EventDifferential, Triangle) {
  for (uint64_t n : {0, 1, 2, 5, 20})
    compare(triangle(), {}, [n](const std::vector<uint64_t> &) {
      return std::vector<uint64_t>{n, 5};
    });
}

TEST(EventDifferential, Collatz) {
  for (uint64_t n : {1, 2, 3, 6, 27})
    compare(collatz(), {{99, 1000}}, [n](const std::vector<uint64_t> &bases) {
      return std::vector<uint64_t>{n, bases[0]};
    });
}

} // namespace
