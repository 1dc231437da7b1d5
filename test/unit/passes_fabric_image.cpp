// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rows of a target become in an image.

#include "Image/Reader.h"
#include "Image/Target.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Dataflow/Image/TargetRows.h"
#include "passes_fabric.h"

using namespace fabrictest;

namespace {

/// The runtime reads the target that the writer wrote, and knows `default`.
TEST(Fabric, ImagesSayTheTarget) {
  for (const BuiltinTarget &builtin : builtinTargets()) {
    Target target = parse(builtin.text.str());
    loom::ImageContents contents;
    contents.target = &target;
    llvm::SmallVector<loom::Refused> refusals;
    mlir::FailureOr<std::vector<uint8_t>> bytes =
        loom::writeImage(contents, refusals);
    ASSERT_TRUE(succeeded(bytes));
    void *image = aligned_alloc(16, (bytes->size() + 15) & ~size_t(15));
    memcpy(image, bytes->data(), bytes->size());
    ASSERT_TRUE(loom::rt::checkSeal(image, bytes->size()).ok());
    loom::rt::TargetInfo info;
    ASSERT_TRUE(loom::rt::loadTarget(image, info).ok()) << target.name;
    free(image);
    EXPECT_EQ(info.name, target.name);
    EXPECT_EQ(info.identity, target.identity.hex());
    EXPECT_EQ(info.queueCapacity, target.system.queue);
    EXPECT_EQ(info.ports, target.systemMemory.ports);
    EXPECT_EQ(info.memoryBytes, target.systemMemory.bytes);
    EXPECT_EQ(info.launchCycles, target.system.launch);
    EXPECT_EQ(info.transferCycles, target.system.transfer);
    EXPECT_EQ(info.clockKHz, target.system.clockKHz);
    EXPECT_EQ(info.cores, target.system.cores);
    uint64_t capacity = 0, ports = 0, moved = 0;
    for (const loom::fabric::LocalMemory &memory : target.localMemories) {
      capacity += memory.count * memory.capacity;
      ports += memory.count * memory.ports;
      moved += uint64_t(memory.count) * memory.ports * memory.bytes;
    }
    EXPECT_EQ(info.localCapacity, capacity);
    EXPECT_EQ(info.localPorts, ports);
    EXPECT_EQ(info.localBytes, moved);
    const loom::rt::TargetInfo &known = loom::rt::defaultTarget();
    if (target.name == "default") {
      EXPECT_EQ(info.queueCapacity, known.queueCapacity);
      EXPECT_EQ(info.ports, known.ports);
      EXPECT_EQ(info.memoryBytes, known.memoryBytes);
      EXPECT_EQ(info.launchCycles, known.launchCycles);
      EXPECT_EQ(info.transferCycles, known.transferCycles);
      EXPECT_EQ(info.clockKHz, known.clockKHz);
      EXPECT_EQ(info.cores, known.cores);
      ASSERT_EQ(info.rows.size, known.rows.size);
      for (size_t i = 0; i < known.rows.size; ++i) {
        EXPECT_EQ(info.rows[i].kind, known.rows[i].kind) << i;
        EXPECT_EQ(info.rows[i].op, known.rows[i].op) << i;
        EXPECT_EQ(info.rows[i].type, known.rows[i].type) << i;
        EXPECT_EQ(info.rows[i].latency, known.rows[i].latency) << i;
        EXPECT_EQ(info.rows[i].interval, known.rows[i].interval) << i;
      }
    }
    info.release();
  }
}

// An image says no more than its reader takes: 16 x 2^20 memories of 2^48 bytes
// are 2^72 bytes and 2^34 ports.
TEST(Fabric, LocalMemoriesOfAnImage) {
  Target target = parse(tiny);
  target.localMemories.assign(
      16, {1u << 20, uint64_t(1) << 48, 1, 1024, 1, 1u << 20});
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(loom::writeTarget(builder, target));
  const auto *written =
      flatbuffers::GetRoot<loom::image::Target>(builder.GetBufferPointer());
  EXPECT_EQ(written->local_capacity(), uint64_t(1) << 60);
  EXPECT_EQ(written->local_ports(), 1u << 22);
  EXPECT_EQ(written->local_bytes(), uint64_t(1) << 40);
}

TEST(Fabric, RowsOfAnImage) {
  using loom::image::ActorKind;
  using loom::image::Op;
  using loom::image::Type;
  Target target = parse(tiny);
  std::vector<loom::image::TimingRow> rows = loom::timingRows(target);
  // Sync, stream, load, and two operations on two of five types each.
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].kind(), ActorKind::Sync);
  EXPECT_EQ(rows[0].type(), Type::None);
  EXPECT_EQ(rows[1].op(), Op::AddI);
  EXPECT_EQ(rows[1].type(), Type::I64);
  EXPECT_EQ(rows[2].type(), Type::F32);
  EXPECT_EQ(rows[3].op(), Op::AddI);
  EXPECT_EQ(rows[3].type(), Type::I32);
  EXPECT_EQ(rows[6].op(), Op::SubI);
  EXPECT_EQ(rows[6].type(), Type::I64);
  // The faster unit counts, but not one that needs flags while another doesn't.
  ComputeRow row = target.compute[0];
  row.costs.latency = 0;
  row.needs = *fastMathBit("nnan");
  target.compute.push_back(row);
  EXPECT_EQ(loom::timingRows(target)[3].latency(), 1);
  target.compute.back().needs = 0;
  EXPECT_EQ(loom::timingRows(target)[3].latency(), 0);
  // Without units, or for vectors only: no row.
  target.compute.pop_back();
  target.compute[0].costs.count = 0;
  EXPECT_EQ(loom::timingRows(target).size(), 3u);
  target.compute[0].costs.count = 1;
  target.compute[0].lanes = {4};
  EXPECT_EQ(loom::timingRows(target).size(), 3u);
}

} // namespace
