// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region as the runtime keeps it: decoded, checked, independent of the image
// bytes (they may be unmapped by dlclose).

#ifndef LOOM_RUNTIME_IMAGE_REGION_H
#define LOOM_RUNTIME_IMAGE_REGION_H

#include "Support/Vec.h"

namespace loom::rt {

// The numbers are those of loom_image.fbs; Image/Decode.cpp asserts it.
enum class Ty : uint8_t { None, I1, I8, I16, I32, I64, F32, F64, Ptr };

enum class Kind : uint8_t {
  Constant,
  Sync,
  Mux,
  Demux,
  Stream,
  Carry,
  Invariant,
  Gate,
  Load,
  Store,
  Compute
};

constexpr uint32_t noMemory = 0xffffffffu;

struct ValueType {
  Ty type = Ty::None;
  uint8_t width = 0; // integers: exact width in bits
  bool operator==(const ValueType &other) const {
    return type == other.type && width == other.width;
  }
  bool operator!=(const ValueType &other) const { return !(*this == other); }
};

struct ActorInfo {
  uint64_t imm;
  uint32_t firstOperand;
  uint32_t firstResult;
  uint32_t mem;
  uint32_t line;
  uint16_t numOperands;
  uint16_t numResults;
  Kind kind;
  uint8_t op;
  uint8_t pred;
  Ty type;
  Ty from;
  uint8_t width;
  uint8_t fromWidth;
};

struct InputInfo {
  uint32_t slot;
  ValueType type;
};

struct MemoryInfo {
  uint32_t slot;
  uint32_t partition;
  Ty element;
  bool reads;
  bool writes;
  bool known;
  int64_t lo;
  int64_t hi;
  char *name;
};

struct OutputInfo {
  ValueType type;
  int32_t exit;
};

// The numbers are those of loom_image.fbs.
enum class GuardOp : uint8_t {
  Constant,
  SlotS,
  SlotU,
  Add,
  Mul,
  AddC,
  MulC,
  Min,
  Max,
  FloorDiv,
  WrapS,
  WrapU,
  FitsS,
  NotNegative
};

struct GuardNode {
  int64_t imm;
  uint32_t a;
  uint32_t b;
  GuardOp op;
  uint8_t width;
};

struct GuardRange {
  uint32_t memory;
  uint32_t lo;
  uint32_t hi;
  uint32_t kinds; // 1: loads, 2: stores
};

struct GuardPair {
  uint32_t a;
  uint32_t b;
};

/// When every pair of ranges is disjoint, `LoadedRegion::apart` is right.
struct GuardInfo {
  Vec<GuardNode> nodes;
  Vec<GuardRange> ranges;
  Vec<GuardPair> pairs;
  Vec<uint32_t> partitions; // by memory
};

struct TargetInfo;

struct LoadedRegion {
  char *name = nullptr;
  char *function = nullptr;
  char *file = nullptr;
  uint32_t line = 0;
  uint32_t values = 0;
  Vec<Ty> slots;
  Vec<InputInfo> inputs;
  Vec<MemoryInfo> memories;
  Vec<OutputInfo> outputInfos;
  Vec<ActorInfo> actors;
  Vec<uint32_t> operands;
  Vec<uint32_t> outputs;
  Vec<uint32_t> completes;
  Vec<ValueType> types; // by value number
  GuardInfo guard;
  LoadedRegion *apart = nullptr; // the same with the guard's graph, or null
  const TargetInfo *target = nullptr; // see targetOf in Image/Target.h

  void release();
};

/// Bytes of a type in memory, 0 for None and I1.
inline unsigned typeBytes(Ty type) {
  switch (type) {
  case Ty::I8:
    return 1;
  case Ty::I16:
    return 2;
  case Ty::I32:
  case Ty::F32:
    return 4;
  case Ty::I64:
  case Ty::F64:
  case Ty::Ptr:
    return 8;
  default:
    return 0;
  }
}

inline bool isInteger(Ty type) { return type >= Ty::I1 && type <= Ty::I64; }
inline bool isFloat(Ty type) { return type == Ty::F32 || type == Ty::F64; }

/// The bits that a value of the type may have set.
inline uint64_t typeMask(ValueType type) {
  unsigned bits = type.type == Ty::None  ? 0
                  : isInteger(type.type) ? type.width
                  : type.type == Ty::F32 ? 32
                                         : 64;
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

const char *typeName(Ty type);

} // namespace loom::rt

#endif
