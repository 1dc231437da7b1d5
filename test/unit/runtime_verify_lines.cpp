// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small allocations share lines: what the runtime writes of its own between the
// device and the host is no difference.

#include "Verify/Verify.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"
#include "runtime_process_harness.h"

using namespace rttest;

namespace {

/// A launch of prefixSum that stores into two lines on the device, with room
/// for an array of the runtime beside the cell in the first one.
struct Beside {
  RegionBuilder builder = prefixSum();
  Loaded loaded{builder};
  loom::rt::RegionState state = {};
  loom::rt::Bench bench = {};
  loom::rt::Pending pending = {};
  alignas(64) uint8_t bytes[320] = {};
  uint8_t *line = bytes + 128, *other = bytes + 256;
  uint32_t &cell = *reinterpret_cast<uint32_t *>(line + 40);

  Beside() {
    state.region = loaded.region; // borrowed
    bench.region = &state.region;
    pending.state = &state;
    pending.bench = &bench;
    pending.out.assignZero(2);
    pending.in.assignZero(state.region.slots.size);
  }
  ~Beside() {
    bench.undo.release();
    pending.out.release();
    pending.in.release();
    pending.now.release();
  }
  /// The device stores, everything is taken back, the lines are kept, the host
  /// stores. True: no difference.
  bool verify(uint32_t device, uint32_t host) {
    uint64_t address = reinterpret_cast<uint64_t>(&cell);
    EXPECT_TRUE(bench.undo.note(address, 4));
    cell = device;
    EXPECT_TRUE(bench.undo.note(reinterpret_cast<uint64_t>(other), 1));
    *other = 1;
    EXPECT_TRUE(keepAndRollBack(pending));
    EXPECT_EQ(cell, 0u);
    keepLines(pending);
    cell = host;
    *other = 1;
    uint64_t out[2] = {0, 0};
    return compareWithHost(pending, out);
  }
};

/// Whatever is on the stack is compared by written bytes anyhow.
std::unique_ptr<Beside> onHeap() { return std::make_unique<Beside>(); }

TEST(VerifyLines, FlagsBesideTheProgram) {
  auto beside = onHeap();
  // One flag a line, in the first bytes of that of the cell.
  beside->pending.whole.data = beside->line;
  beside->pending.whole.capacity = 8;
  EXPECT_TRUE(beside->verify(7, 7));
  beside->pending.whole = {};
  beside->pending.before.release();
}

TEST(VerifyLines, KeptBytesBesideTheProgram) {
  auto beside = onHeap();
  // What surrounds the second line's cell is kept when the first line has been,
  // and its second half in there.
  beside->other[63] = 9;
  beside->pending.before.data = beside->line - 96;
  beside->pending.before.capacity = 128;
  EXPECT_TRUE(beside->verify(7, 7));
  EXPECT_EQ(beside->line[31], 9) << "nothing shared";
  beside->pending.before = {};
  beside->pending.whole.release();
}

// The written bytes of such a line are compared as ever, and a line without
// neighbours as a whole.
TEST(VerifyLines, StoresAreStillCompared) {
  auto beside = onHeap();
  beside->pending.whole.data = beside->line;
  beside->pending.whole.capacity = 8;
  EXPECT_FALSE(beside->verify(7, 8));
  beside->pending.whole = {};
  beside->pending.before.release();
}

/// Two blocks of the heap in one line.
struct Neighbours {
  std::vector<void *> blocks;
  void *first = nullptr;
  uint32_t *second = nullptr;
  Neighbours() {
    for (int i = 0; i < 64 && !second; ++i) {
      blocks.push_back(malloc(24));
      if (i == 0)
        continue;
      auto a = reinterpret_cast<uint64_t>(blocks[size_t(i) - 1]);
      auto b = reinterpret_cast<uint64_t>(blocks[size_t(i)]);
      if (a < b && a / 64 == b / 64) {
        first = blocks[size_t(i) - 1];
        second = static_cast<uint32_t *>(blocks[size_t(i)]);
      }
    }
  }
};

// A capture of the second launch allocates; the block that was freed beside the
// program's memory comes back and is written.
TEST(VerifyLines, ACaptureBesideTheProgram) {
  std::string dir = tempDir();
  Result r =
      child({{"LOOM_VERIFY", "1"},
             {"LOOM_CAPTURE", dir},
             {"LOOM_CAPTURE_LAUNCHES", "9"}},
            [] {
              Program program;
              program.run(3); // everything that is kept is there
              Neighbours blocks;
              if (!blocks.second)
                return 2;
              auto *p = blocks.second;
              for (int i = 0; i < 6; ++i)
                p[i] = 2;
              uint64_t in[2] = {3, reinterpret_cast<uint64_t>(p)};
              uint64_t out[2] = {0, 0};
              free(blocks.first);
              if (loom_rt_launch(&program.guard, in, out) != LOOM_RT_CHECK)
                return 3;
              p[1] += p[0];
              p[2] += p[1];
              out[0] = 0;
              out[1] = p[2];
              loom_rt_check(&program.guard, out);
              return 0;
            });
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.err, "");
  std::string remove = "rm -rf " + dir;
  EXPECT_EQ(system(remove.c_str()), 0);
}

} // namespace
