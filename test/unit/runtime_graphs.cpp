// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole nests: against the loop in C++, in the static and in random orders.

#include "runtime_harness.h"
#include "runtime_kernels.h"

using namespace rttest;
using loom::rt::Outcome;
using loom::rt::Reason;

namespace {

uint64_t bits(float value) {
  uint32_t raw;
  memcpy(&raw, &value, sizeof(raw));
  return raw;
}
uint64_t address(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

void runSaxpy(Machine &machine, size_t n) {
  std::vector<float> x(n + 1), y(n + 1), expected;
  for (size_t i = 0; i <= n; ++i) {
    x[i] = float(i) * 0.37f - 11;
    y[i] = float(i % 13) * 1.7f;
  }
  expected = y;
  float a = 1.3f;
  for (size_t i = 0; i < n; ++i) {
    float product = a * x[i];
    expected[i] = product + y[i];
  }
  std::vector<uint64_t> out;
  Outcome outcome =
      machine.run({n, bits(a), address(x.data()), address(y.data())}, out);
  ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(memcmp(y.data(), expected.data(), (n + 1) * sizeof(float)), 0);
}

TEST(Graphs, Saxpy) {
  Machine machine(saxpy());
  for (size_t n : {0, 1, 2, 3, 63, 64, 65, 1000, 0, 7})
    runSaxpy(machine, n);
}

void runPrefix(Machine &machine, size_t n) {
  std::vector<uint32_t> p(n + 1), expected;
  for (size_t i = 0; i <= n; ++i)
    p[i] = uint32_t(i * 2654435761u);
  expected = p;
  uint32_t last = 0;
  for (size_t i = 1; i < n; ++i)
    last = expected[i] += expected[i - 1];
  std::vector<uint64_t> out;
  Outcome outcome = machine.run({n, address(p.data())}, out);
  ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
  EXPECT_EQ(out[1], last);
  EXPECT_EQ(p, expected);
}

TEST(Graphs, PrefixSumInPlace) {
  Machine machine(prefixSum());
  for (size_t n : {0, 1, 2, 3, 100, 1000})
    runPrefix(machine, n);
}

void runTriangle(Machine &machine, uint64_t n) {
  std::vector<uint64_t> out;
  Outcome outcome = machine.run({n, 5}, out);
  ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
  EXPECT_EQ(out[1], triangleReference(n, 5));
}

TEST(Graphs, Triangle) {
  Machine machine(triangle());
  for (uint64_t n : {0, 1, 2, 5, 70, 200})
    runTriangle(machine, n);
}

void runCollatz(Machine &machine, uint64_t n) {
  uint64_t log[2] = {99, 1000}, expected[2] = {99, 1000};
  uint64_t steps = collatzReference(n, expected);
  std::vector<uint64_t> out;
  Outcome outcome = machine.run({n, address(log)}, out);
  ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
  EXPECT_EQ(out[1], steps);
  EXPECT_EQ(log[0], expected[0]);
  EXPECT_EQ(log[1], expected[1]);
}

TEST(Graphs, Collatz) {
  Machine machine(collatz());
  for (uint64_t n : {1, 2, 3, 6, 7, 27, 97})
    runCollatz(machine, n);
}

TEST(Graphs, RandomOrders) {
  Machine saxpyMachine(saxpy()), prefixMachine(prefixSum());
  Machine triangleMachine(triangle()), collatzMachine(collatz());
  for (uint64_t seed = 0; seed < 25; ++seed) {
    RandomOrder order(seed);
    runSaxpy(saxpyMachine, 3 * seed + (seed & 1) * 90);
    runPrefix(prefixMachine, seed * 5);
    runTriangle(triangleMachine, seed);
    runCollatz(collatzMachine, seed + 1);
  }
}

/// The same machine after both kinds of order counts the same firings.
TEST(Graphs, FiringsDoNotDependOnTheOrder) {
  Machine machine(triangle());
  std::vector<uint64_t> out;
  uint64_t inOrder = machine.run({40, 0}, out).firings;
  EXPECT_GT(inOrder, 40u * 39 / 2 * 5);
  for (uint64_t seed = 0; seed < 25; ++seed) {
    RandomOrder order(seed);
    EXPECT_EQ(machine.run({40, 0}, out).firings, inOrder);
  }
}

/// A producer far ahead of its consumer: queues grow beyond their first size.
TEST(Graphs, QueuesGrowWhenTheyMust) {
  // Sum of i over a loop whose values all wait for the loop to end: the exit
  // lane of a ring gates the second loop.
  RegionBuilder b;
  Value n = b.input(Type::I64);
  Value start = RegionBuilder::start;
  Value zero = b.constant(start, Type::I64, 0);
  Value one = b.constant(start, Type::I64, 1);
  Value iv = b.stream(zero, n, one);
  Ring e = identityRing(b, iv + 1, start);
  // Second loop starts when the first is over, and eats its ivs.
  Value zero2 = b.constant(e.exit, Type::I64, 0);
  Value one2 = b.constant(e.exit, Type::I64, 1);
  Value iv2 = b.stream(zero2, n, one2);
  Value phase2 = iv2 + 1;
  Value sNext = b.later();
  Value s = b.carry(phase2, zero2, sNext, Type::I64);
  Value lanes = b.demux(phase2, s, Type::I64);
  Value sum = b.compute(Op::AddI, {iv, iv2}, Type::I64);
  b.bind(sNext, b.compute(Op::AddI, {lanes + 1, sum}, Type::I64));
  b.exitZero();
  b.output(lanes, Type::I64);
  b.complete(e.exit);
  Machine machine(b);
  std::vector<uint64_t> out;
  for (uint64_t count : {0, 10, 5000, 3}) {
    Outcome outcome = machine.run({count, 0}, out);
    ASSERT_EQ(outcome.reason, Reason::None) << outcome.detail;
    EXPECT_EQ(out[1], count ? count * (count - 1) : 0);
  }
  Outcome outcome = machine.run({uint64_t(1) << 40}, out);
  EXPECT_EQ(outcome.reason, Reason::Memory);
  outcome = machine.run({100}, out);
  EXPECT_EQ(outcome.reason, Reason::None);
  EXPECT_EQ(out[1], 9900u);
}

} // namespace
