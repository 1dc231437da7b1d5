// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural checks of a launch guard. After them its evaluation may index
// without looking, and no hazard between memories of different partitions is
// without a pair.

#include "Image/Reader.h"

namespace loom::rt {

/// Bits: which fields an operation uses.
enum : unsigned { UsesA = 1, UsesB = 2, UsesImm = 4, UsesWidth = 8, Slot = 16 };

static unsigned usesOf(GuardOp op) {
  switch (op) {
  case GuardOp::Constant:
    return UsesImm;
  case GuardOp::SlotS:
  case GuardOp::SlotU:
    return Slot | UsesWidth;
  case GuardOp::Add:
  case GuardOp::Mul:
  case GuardOp::Min:
  case GuardOp::Max:
    return UsesA | UsesB;
  case GuardOp::AddC:
  case GuardOp::MulC:
  case GuardOp::FloorDiv:
    return UsesA | UsesImm;
  case GuardOp::WrapS:
  case GuardOp::WrapU:
  case GuardOp::FitsS:
    return UsesA | UsesWidth;
  case GuardOp::NotNegative:
    return UsesA;
  }
  return 0; // no such operation
}

static bool validNode(const LoadedRegion &region, uint32_t number) {
  const GuardNode &node = region.guard.nodes[number];
  unsigned uses = usesOf(node.op);
  if (uses == 0)
    return false;
  if (uses & Slot) {
    if (node.a >= region.slots.size)
      return false;
    Ty type = region.slots[node.a];
    if (type == Ty::Ptr ? node.width != 64
                        : !isInteger(type) || !validType({type, node.width}))
      return false;
  } else if (uses & UsesA ? node.a >= number : node.a != 0) {
    return false;
  }
  if (uses & UsesB ? node.b >= number : node.b != 0)
    return false;
  if (uses & UsesWidth ? node.width < 1 || node.width > 64 : node.width != 0)
    return false;
  if (!(uses & UsesImm) && node.imm != 0)
    return false;
  return node.op != GuardOp::FloorDiv || node.imm > 0;
}

/// How a memory is declared: 1 loads, 2 stores.
static uint32_t kindsOf(const MemoryInfo &memory) {
  return (memory.reads ? 1u : 0u) | (memory.writes ? 2u : 0u);
}

/// Whether a pair covers these kinds of accesses of two memories.
static bool isCovered(const GuardInfo &guard, uint32_t a, uint32_t kindA,
                      uint32_t b, uint32_t kindB) {
  for (const GuardPair &pair : guard.pairs) {
    const GuardRange &x = guard.ranges[pair.a];
    const GuardRange &y = guard.ranges[pair.b];
    if ((x.memory == a && y.memory == b && (x.kinds & kindA) &&
         (y.kinds & kindB)) ||
        (x.memory == b && y.memory == a && (x.kinds & kindB) &&
         (y.kinds & kindA)))
      return true;
  }
  return false;
}

static ImageVerdict checkPartitions(const LoadedRegion &region) {
  const GuardInfo &guard = region.guard;
  if (guard.partitions.size != region.memories.size)
    return {ImageError::GuardPartitions};
  // Every two memories are looked at.
  if (region.memories.size > maxGuardMemories)
    return {ImageError::GuardPartitions};
  for (size_t a = 0; a < region.memories.size; ++a)
    for (size_t b = a + 1; b < region.memories.size; ++b) {
      const MemoryInfo &x = region.memories[a];
      const MemoryInfo &y = region.memories[b];
      bool together = guard.partitions[a] == guard.partitions[b];
      if (x.partition != y.partition) {
        if (together)
          return {ImageError::GuardPartitions, int64_t(b)};
        continue;
      }
      if (together)
        continue;
      for (uint32_t kinds = 1; kinds < 4; ++kinds) {
        // Loads against stores, stores against loads, stores against stores.
        uint32_t kindA = kinds == 1 ? 1 : 2;
        uint32_t kindB = kinds == 2 ? 1 : 2;
        if ((kindsOf(x) & kindA) && (kindsOf(y) & kindB) &&
            !isCovered(guard, uint32_t(a), kindA, uint32_t(b), kindB))
          return {ImageError::GuardPairs, int64_t(b)};
      }
    }
  return {};
}

/// The first access with an address that is a pointer, or -1.
static int64_t pointerAccess(const LoadedRegion &region) {
  for (size_t i = 0; i < region.actors.size; ++i) {
    const ActorInfo &actor = region.actors[i];
    if ((actor.kind == Kind::Load || actor.kind == Kind::Store) &&
        actor.mem == noMemory)
      return static_cast<int64_t>(i);
  }
  return -1;
}

ImageVerdict checkGuard(const LoadedRegion &region) {
  const GuardInfo &guard = region.guard;
  for (uint32_t i = 0; i < guard.nodes.size; ++i)
    if (!validNode(region, i))
      return {ImageError::GuardNodes, i};
  for (size_t i = 0; i < guard.ranges.size; ++i) {
    const GuardRange &range = guard.ranges[i];
    if (range.memory >= region.memories.size || range.lo >= guard.nodes.size ||
        range.hi >= guard.nodes.size || range.kinds < 1 || range.kinds > 3)
      return {ImageError::GuardRanges, int64_t(i)};
  }
  if (guard.pairs.size == 0)
    return {ImageError::GuardPairs};
  for (size_t i = 0; i < guard.pairs.size; ++i) {
    const GuardPair &pair = guard.pairs[i];
    if (pair.a >= guard.ranges.size || pair.b >= guard.ranges.size)
      return {ImageError::GuardPairs, int64_t(i)};
    const GuardRange &a = guard.ranges[pair.a];
    const GuardRange &b = guard.ranges[pair.b];
    if (a.memory == b.memory || !((a.kinds | b.kinds) & 2))
      return {ImageError::GuardPairs, int64_t(i)};
  }
  int64_t pointer = pointerAccess(region);
  if (pointer < 0)
    pointer = pointerAccess(*region.apart);
  if (pointer >= 0)
    return {ImageError::GuardAccess, pointer};
  return checkPartitions(region);
}

} // namespace loom::rt
