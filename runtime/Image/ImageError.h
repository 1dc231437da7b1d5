// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be wrong with an image. The names appear in messages and tests.

#ifndef LOOM_RUNTIME_IMAGE_IMAGEERROR_H
#define LOOM_RUNTIME_IMAGE_IMAGEERROR_H

#include <stdint.h>

namespace loom::rt {

#define LOOM_IMAGE_ERRORS(X)                                                   \
  X(None, "none")                                                              \
  X(NoMemory, "no-memory")                                                     \
  X(Truncated, "truncated")                                                    \
  X(Alignment, "alignment")                                                    \
  X(Magic, "magic")                                                            \
  X(Version, "version")                                                        \
  X(HeaderSize, "header-size")                                                 \
  X(Reserved, "reserved")                                                      \
  X(Hash, "hash")                                                              \
  X(FlatBuffer, "flatbuffer")                                                  \
  X(RegionIndex, "region-index")                                               \
  X(RegionName, "region-name")                                                 \
  X(RegionSlots, "region-slots")                                               \
  X(RegionInputs, "region-inputs")                                             \
  X(RegionMemories, "region-memories")                                         \
  X(RegionOutputs, "region-outputs")                                           \
  X(GraphMissing, "graph-missing")                                             \
  X(GraphSize, "graph-size")                                                   \
  X(ValueNumbering, "value-numbering")                                         \
  X(OperandRange, "operand-range")                                             \
  X(ActorKind, "actor-kind")                                                   \
  X(ActorArity, "actor-arity")                                                 \
  X(ActorType, "actor-type")                                                   \
  X(ActorWidth, "actor-width")                                                 \
  X(ActorOp, "actor-op")                                                       \
  X(ActorPredicate, "actor-predicate")                                         \
  X(ActorMemory, "actor-memory")                                               \
  X(ActorConstant, "actor-constant")                                           \
  X(OperandType, "operand-type")                                               \
  X(SyncCycle, "sync-cycle")                                                   \
  X(GraphOutputs, "graph-outputs")                                             \
  X(GraphCompletes, "graph-completes")                                         \
  X(GuardNodes, "guard-nodes")                                                 \
  X(GuardRanges, "guard-ranges")                                               \
  X(GuardPairs, "guard-pairs")                                                 \
  X(GuardPartitions, "guard-partitions")                                       \
  X(GuardAccess, "guard-access")                                               \
  X(TargetName, "target-name")                                                 \
  X(TargetRows, "target-rows")                                                 \
  X(TargetSystem, "target-system")

enum class ImageError : uint8_t {
#define X(name, text) name,
  LOOM_IMAGE_ERRORS(X)
#undef X
};

inline const char *imageErrorName(ImageError error) {
  static const char *const names[] = {
#define X(name, text) text,
      LOOM_IMAGE_ERRORS(X)
#undef X
  };
  unsigned index = static_cast<unsigned>(error);
  return index < sizeof(names) / sizeof(names[0]) ? names[index] : "?";
}

/// An error and the actor (or other index) it was found at, -1 for none.
struct ImageVerdict {
  ImageError error = ImageError::None;
  int64_t where = -1;
  bool ok() const { return error == ImageError::None; }
};

} // namespace loom::rt

#endif
