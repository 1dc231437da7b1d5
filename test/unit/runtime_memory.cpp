// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores in all their forms, on both engines.

#include "runtime_timed.h"

using namespace rttest;
using loom::rt::Reason;

namespace {

const Value start = RegionBuilder::start;

uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// Runs a graph on the token engine, then on the event queue; `check` looks at
/// the outputs and the memory after each.
template <typename Prepare, typename Check>
void onBoth(const RegionBuilder &b, const Prepare &prepare,
            const Check &check) {
  Machine machine(b);
  std::vector<uint64_t> out;
  std::vector<uint64_t> in = prepare();
  EXPECT_EQ(machine.run(in, out).reason, Reason::None);
  check(out);
  for (unsigned capacity : {1, 4}) {
    Timed timed(b, capacity, capacity == 4 ? 1 : 0);
    in = prepare();
    EXPECT_EQ(timed.launch(in).reason, Reason::None);
    check(timed.out);
  }
}

struct Width {
  Type type;
  unsigned bytes;
};
const Width widths[] = {{Type::I8, 1},  {Type::I16, 2}, {Type::I32, 4},
                        {Type::I64, 8}, {Type::F32, 4}, {Type::F64, 8},
                        {Type::Ptr, 8}};

// *(p + offset) = v; out = the same bytes, by a pointer or by a memory and an
// offset, at any alignment and on either side of the base.
TEST(Memory, EveryFormAndWidth) {
  uint8_t bytes[64];
  for (const Width &width : widths)
    for (bool byPointer : {false, true})
      for (int64_t offset : {0, 1, 3, 13, -1, -8, -11}) {
        RegionBuilder b;
        uint32_t base = b.slot(Type::Ptr);
        uint32_t mem = noMemory;
        Value at = 0;
        if (!byPointer)
          mem = b.memory({base});
        Value pointer = byPointer ? b.input(base, Type::Ptr) : 0;
        Value v = b.input(T(width.type));
        at = b.constant(start, Type::I64, uint64_t(offset));
        if (byPointer)
          at = b.compute(Op::PtrAdd, {pointer, at}, Type::Ptr, Type::Ptr);
        Value done = b.store(mem, at, v, start, width.type);
        Value data = b.load(mem, at, done, width.type);
        b.exitZero();
        b.output(data, width.type);
        b.complete(data + 1);
        uint64_t value = 0x8877665544332211ull;
        if (width.bytes < 8)
          value &= (uint64_t(1) << 8 * width.bytes) - 1;
        onBoth(
            b,
            [&] {
              memset(bytes, 0xEE, sizeof(bytes));
              return std::vector<uint64_t>{addressOf(bytes + 24), value};
            },
            [&](const std::vector<uint64_t> &out) {
              EXPECT_EQ(out[1], value);
              for (int64_t i = 0; i < 64; ++i) {
                int64_t in = i - 24 - offset;
                bool inside = in >= 0 && in < int64_t(width.bytes);
                EXPECT_EQ(bytes[i], inside ? 0x11 * (in + 1) : 0xEE);
              }
            });
      }
}

// A narrow load does not extend the sign: the bits above the type are zero.
TEST(Memory, LoadsFillWithZero) {
  uint64_t cell = ~uint64_t(0);
  for (const Width &width : widths) {
    RegionBuilder b;
    Value pointer = b.input(Type::Ptr);
    Value data = b.load(noMemory, pointer, start, width.type);
    b.exitZero();
    b.output(data, width.type);
    b.complete(data + 1);
    onBoth(
        b, [&] { return std::vector<uint64_t>{addressOf(&cell)}; },
        [&](const std::vector<uint64_t> &out) {
          EXPECT_EQ(out[1], ~uint64_t(0) >> (64 - 8 * width.bytes));
        });
  }
}

// Of a load either result may have no use; data and done come together.
TEST(Memory, DeadResultsOfALoad) {
  uint64_t cell = 42;
  for (unsigned used = 0; used < 3; ++used) {
    RegionBuilder b;
    Value pointer = b.input(Type::Ptr);
    Value data = b.load(noMemory, pointer, start, Type::I64);
    b.exitZero();
    if (used == 1)
      b.output(data, Type::I64);
    b.complete(used == 2 ? data + 1 : start);
    onBoth(
        b, [&] { return std::vector<uint64_t>{addressOf(&cell)}; },
        [&](const std::vector<uint64_t> &out) {
          if (used == 1)
            EXPECT_EQ(out[1], 42u);
        });
  }
}

// Neither fires without its control token, and both wait for the others.
TEST(Memory, AccessesWaitForAllOperands) {
  uint64_t cell = 1;
  for (unsigned missing = 0; missing < 3; ++missing) {
    RegionBuilder b;
    Value never = b.input(Type::I1); // selects lane 0: lane 1 has nothing
    Value pointer = b.input(Type::Ptr);
    Value v = b.input(Type::I64);
    auto held = [&](unsigned number, Value value, T type) {
      return number == missing ? b.demux(never, value, type) + 1 : value;
    };
    Value done =
        b.store(noMemory, held(0, pointer, Type::Ptr), held(1, v, Type::I64),
                held(2, start, ctlType), Type::I64);
    b.exitZero();
    b.complete(done);
    Machine machine(b);
    std::vector<uint64_t> out;
    EXPECT_EQ(machine.run({0, addressOf(&cell), 9}, out).reason,
              Reason::Deadlock);
    Timed timed(b);
    EXPECT_EQ(timed.launch({0, addressOf(&cell), 9}).reason, Reason::Deadlock);
    EXPECT_EQ(timed.count(done), 0u);
    EXPECT_EQ(cell, 1u);
    EXPECT_EQ(timed.launch({1, addressOf(&cell), 9}).reason, Reason::None);
    EXPECT_EQ(cell, 9u);
    cell = 1;
  }
}

// p[iv] = iv: loops of 0, 1 and many accesses.
TEST(Memory, AsManyAccessesAsTokens) {
  RegionBuilder b;
  Counter loop = counter(b);
  uint32_t p = b.memory({b.slot(Type::Ptr)});
  Value next = b.later();
  Value w = b.carry(loop.phase, start, next, ctlType);
  Value lanes = b.demux(loop.phase, w, ctlType);
  Value byte = b.compute(Op::TruncI, {loop.iv}, Type::I8, Type::I64);
  Value done = b.store(p, loop.iv, byte, lanes + 1, Type::I8);
  b.bind(next, done);
  b.exitZero();
  b.complete(lanes);
  uint8_t bytes[64];
  for (uint64_t n : {0, 1, 2, 40, 0, 3})
    onBoth(
        b,
        [&] {
          memset(bytes, 0xEE, sizeof(bytes));
          return std::vector<uint64_t>{0, n, 1, addressOf(bytes)};
        },
        [&](const std::vector<uint64_t> &) {
          for (uint64_t i = 0; i < 64; ++i)
            EXPECT_EQ(bytes[i], i < n ? i : 0xEE);
        });
}

} // namespace
