// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that come back to lines which other stores left: the undo log of the
// translated code has every byte once, with its value before the launch.

#include "runtime_kernels.h"
#include "runtime_planes.h"
#include <random>

using namespace rttest;

namespace {

/// for i in 0..n: y[offsets[i]] = i, offsets in bytes; slots n, offsets, y.
RegionBuilder scatter(T type) {
  RegionBuilder b;
  Value n = b.input(Type::I64, "n");
  uint32_t os = b.slot(Type::Ptr, "offsets"), ys = b.slot(Type::Ptr, "y");
  uint32_t offsets =
      b.memory({os, 0, Type::None, true, false, false, 0, 0, "offsets"});
  uint32_t y = b.memory({ys, 1, Type::None, false, true, false, 0, 0, "y"});
  Value start = RegionBuilder::start;
  Value iv = b.stream(b.constant(start, Type::I64, 0), n,
                      b.constant(start, Type::I64, 1));
  Value phase = iv + 1;
  Ring e = identityRing(b, phase, start);
  Value eight = b.constant(e.body, Type::I64, 8);
  Value where = b.load(offsets, b.compute(Op::MulI, {iv, eight}, Type::I64),
                       e.body, Type::I64);
  Value data = type.type == Type::I64
                   ? iv
                   : b.compute(Op::TruncI, {iv}, type, Type::I64);
  Value next = b.later();
  Value lanes = b.demux(phase, b.carry(phase, start, next, ctlType), ctlType);
  Value done = b.store(y, where, data, b.sync({lanes + 1, where + 1}), type);
  b.bind(next, done);
  b.exitZero();
  b.complete(b.sync({e.exit, lanes}));
  return b;
}

TEST(PlanesScatter, StoresComeBackToLines) {
  std::mt19937_64 random(11);
  for (T type : {T(Type::I8), T(Type::I16), T(Type::I32), T(Type::I64)}) {
    unsigned bytes = type.type == Type::I8    ? 1
                     : type.type == Type::I16 ? 2
                     : type.type == Type::I32 ? 4
                                              : 8;
    Machine machine(scatter(type));
    // Launches share what the code remembers of lines; more lines than it has
    // places for, and few.
    for (size_t size :
         {size_t(100), size_t(5000), size_t(200000), size_t(700)}) {
      std::vector<uint8_t> memory(size);
      for (uint8_t &byte : memory)
        byte = uint8_t(random());
      std::vector<uint64_t> offsets(20000);
      for (uint64_t &offset : offsets)
        offset = random() % (size - bytes + 1);
      std::vector<uint8_t> before = memory, expected = memory;
      std::vector<bool> touched(size);
      for (size_t i = 0; i < offsets.size(); ++i)
        for (unsigned k = 0; k < bytes; ++k) {
          expected[offsets[i] + k] = uint8_t(i >> (8 * k));
          touched[offsets[i] + k] = true;
        }
      std::vector<uint64_t> in = {offsets.size(),
                                  reinterpret_cast<uint64_t>(offsets.data()),
                                  reinterpret_cast<uint64_t>(memory.data())};
      std::vector<uint64_t> out(machine.loaded.region.outputInfos.size);
      loom::rt::LaunchContext context = {in.data(), out.data(), 1u << 30,
                                         &machine.undo};
      ASSERT_EQ(machine.engine.run(machine.loaded.region, context).reason,
                loom::rt::Reason::None);
      ASSERT_TRUE(hasPlan(machine));
      EXPECT_EQ(memory, expected);
      size_t marked = 0, wanted = 0;
      for (const loom::rt::UndoLine &line : machine.undo.lines)
        marked += size_t(__builtin_popcountll(line.mask));
      for (bool byte : touched)
        wanted += byte;
      EXPECT_EQ(marked, wanted);
      machine.undo.rollBack();
      EXPECT_EQ(memory, before);
      machine.undo.clear();
    }
  }
}

} // namespace
