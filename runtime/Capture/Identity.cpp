// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a region in a fixed order, hashed. Word by word rather than
// structure by structure: padding has no value.

#include "Capture/Identity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loom::rt {

namespace {

struct Words {
  Vec<uint64_t> words;
  bool good = true;

  void add(uint64_t word) { good = words.push(word) && good; }
  void add(ValueType type) {
    add(uint64_t(type.type) | uint64_t(type.width) << 8);
  }
  void add(const Vec<uint32_t> &numbers) {
    add(numbers.size);
    for (uint32_t number : numbers)
      add(number);
  }
  void interface(const LoadedRegion &region);
  void graph(const LoadedRegion &region);
  void guard(const GuardInfo &guard);
};

} // namespace

void Words::interface(const LoadedRegion &region) {
  add(region.slots.size);
  for (Ty type : region.slots)
    add(uint64_t(type));
  add(region.memories.size);
  for (const MemoryInfo &memory : region.memories) {
    add(memory.slot | uint64_t(memory.partition) << 32);
    add(uint64_t(memory.element) | uint64_t(memory.reads) << 8 |
        uint64_t(memory.writes) << 9 | uint64_t(memory.known) << 10);
    add(static_cast<uint64_t>(memory.lo));
    add(static_cast<uint64_t>(memory.hi));
  }
  add(region.outputInfos.size);
  for (const OutputInfo &output : region.outputInfos) {
    add(output.type);
    add(static_cast<uint32_t>(output.exit));
  }
}

void Words::graph(const LoadedRegion &region) {
  add(region.inputs.size);
  for (const InputInfo &input : region.inputs) {
    add(input.slot);
    add(input.type);
  }
  add(region.values);
  add(region.actors.size);
  for (const ActorInfo &actor : region.actors) {
    add(actor.imm);
    add(actor.firstOperand | uint64_t(actor.firstResult) << 32);
    add(actor.mem | uint64_t(actor.numOperands) << 32 |
        uint64_t(actor.numResults) << 48);
    add(uint64_t(actor.kind) | uint64_t(actor.op) << 8 |
        uint64_t(actor.pred) << 16 | uint64_t(actor.type) << 24 |
        uint64_t(actor.from) << 32 | uint64_t(actor.width) << 40 |
        uint64_t(actor.fromWidth) << 48);
  }
  add(region.operands);
  add(region.outputs);
  add(region.completes);
}

void Words::guard(const GuardInfo &guard) {
  add(guard.nodes.size);
  for (const GuardNode &node : guard.nodes) {
    add(static_cast<uint64_t>(node.imm));
    add(node.a | uint64_t(node.b) << 32);
    add(uint64_t(node.op) | uint64_t(node.width) << 8);
  }
  add(guard.ranges.size);
  for (const GuardRange &range : guard.ranges) {
    add(range.memory | uint64_t(range.kinds) << 32);
    add(range.lo | uint64_t(range.hi) << 32);
  }
  add(guard.pairs.size);
  for (const GuardPair &pair : guard.pairs)
    add(pair.a | uint64_t(pair.b) << 32);
  add(guard.partitions);
}

bool regionIdentity(const LoadedRegion &region, RegionIdentity &identity) {
  Words words;
  words.interface(region);
  words.graph(region);
  if (region.apart) {
    words.guard(region.guard);
    words.graph(*region.apart);
  }
  XXH128_hash_t hash =
      XXH3_128bits(words.words.data, words.words.size * sizeof(uint64_t));
  bool good = words.good;
  words.words.release();
  identity = {hash.low64, hash.high64};
  return good;
}

} // namespace loom::rt
