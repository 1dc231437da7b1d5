// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluation of launch guards. The rules of the operations are in
// loom_image.fbs.

#include "Guard/Guard.h"
#include "Image/Reader.h"

namespace loom::rt {

using Wide = __int128;

static constexpr Wide limit = Wide(1) << 126;

/// Whether a sum of two values of nodes may be a value of a node.
static bool isValue(Wide value) { return value >= -limit && value < limit; }

static Wide signedBits(uint64_t bits, unsigned width) {
  unsigned shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

static Wide unsignedBits(uint64_t bits, unsigned width) {
  unsigned shift = 64 - width;
  return bits << shift >> shift;
}

static bool multiply(Wide a, Wide b, Wide &result) {
  auto x = static_cast<int64_t>(a);
  auto y = static_cast<int64_t>(b);
  result = Wide(x) * y;
  return x == a && y == b && isValue(result);
}

static bool floorDivide(Wide a, int64_t divisor, Wide &result) {
  if (a < 0) {
    auto x = static_cast<int64_t>(a);
    int64_t quotient = x / divisor;
    result = quotient - (x % divisor != 0);
    return x == a;
  }
  result = static_cast<uint64_t>(a) / static_cast<uint64_t>(divisor);
  return a >> 64 == 0;
}

/// False: the value is unknown.
static bool evaluateNode(const GuardNode &node, const Wide *values,
                         const uint64_t *in, Wide &result) {
  switch (node.op) {
  case GuardOp::Constant:
    result = node.imm;
    return true;
  case GuardOp::SlotS:
    result = signedBits(in[node.a], node.width);
    return true;
  case GuardOp::SlotU:
    result = unsignedBits(in[node.a], node.width);
    return true;
  case GuardOp::Add:
    result = values[node.a] + values[node.b];
    return isValue(result);
  case GuardOp::AddC:
    result = values[node.a] + node.imm;
    return isValue(result);
  case GuardOp::Mul:
    return multiply(values[node.a], values[node.b], result);
  case GuardOp::MulC:
    return multiply(values[node.a], node.imm, result);
  case GuardOp::Min:
    result = values[node.a] < values[node.b] ? values[node.a] : values[node.b];
    return true;
  case GuardOp::Max:
    result = values[node.a] < values[node.b] ? values[node.b] : values[node.a];
    return true;
  case GuardOp::FloorDiv:
    return floorDivide(values[node.a], node.imm, result);
  case GuardOp::WrapS:
    result = signedBits(static_cast<uint64_t>(values[node.a]), node.width);
    return true;
  case GuardOp::WrapU:
    result = unsignedBits(static_cast<uint64_t>(values[node.a]), node.width);
    return true;
  case GuardOp::FitsS:
    result = values[node.a];
    return signedBits(static_cast<uint64_t>(result), node.width) == result;
  case GuardOp::NotNegative:
    result = values[node.a];
    return result >= 0;
  }
  return false;
}

/// The same in 64 bits, for nearly every launch. False: look at it with the
/// wide integers.
static bool evaluateNarrow(const GuardNode &node, const int64_t *values,
                           const uint64_t *in, int64_t &result) {
  unsigned shift = 64u - node.width;
  switch (node.op) {
  case GuardOp::Constant:
    result = node.imm;
    return true;
  case GuardOp::SlotS:
    result = static_cast<int64_t>(in[node.a] << shift) >> shift;
    return true;
  case GuardOp::SlotU:
    result = static_cast<int64_t>(in[node.a] << shift >> shift);
    return result >= 0;
  case GuardOp::Add:
    return !__builtin_add_overflow(values[node.a], values[node.b], &result);
  case GuardOp::AddC:
    return !__builtin_add_overflow(values[node.a], node.imm, &result);
  case GuardOp::Mul:
    return !__builtin_mul_overflow(values[node.a], values[node.b], &result);
  case GuardOp::MulC:
    return !__builtin_mul_overflow(values[node.a], node.imm, &result);
  case GuardOp::Min:
    result = values[node.a] < values[node.b] ? values[node.a] : values[node.b];
    return true;
  case GuardOp::Max:
    result = values[node.a] < values[node.b] ? values[node.b] : values[node.a];
    return true;
  case GuardOp::FloorDiv:
    result = values[node.a] / node.imm;
    result -= values[node.a] % node.imm < 0;
    return true;
  case GuardOp::WrapS:
    result =
        static_cast<int64_t>(static_cast<uint64_t>(values[node.a]) << shift) >>
        shift;
    return true;
  case GuardOp::WrapU:
    result = static_cast<int64_t>(
        static_cast<uint64_t>(values[node.a]) << shift >> shift);
    return result >= 0;
  case GuardOp::FitsS:
    result = values[node.a];
    return static_cast<int64_t>(static_cast<uint64_t>(result) << shift) >>
               shift ==
           result;
  case GuardOp::NotNegative:
    result = values[node.a];
    return result >= 0;
  }
  return false;
}

template <typename Value>
static GuardVerdict compareRanges(const LoadedRegion &region,
                                  const uint64_t *in, const Value *values) {
  const GuardInfo &guard = region.guard;
  constexpr Wide space = Wide(1) << 64;
  bool alias = false;
  for (const GuardPair &pair : guard.pairs) {
    Wide lo[2];
    Wide hi[2];
    bool empty = false;
    for (unsigned side = 0; side < 2; ++side) {
      const GuardRange &range = guard.ranges[side ? pair.b : pair.a];
      Wide base = in[region.memories[range.memory].slot];
      lo[side] = base + values[range.lo];
      hi[side] = base + values[range.hi];
      if (lo[side] >= hi[side])
        empty = true;
      else if (lo[side] < 0 || hi[side] > space)
        return GuardVerdict::Unknown;
    }
    alias |= !empty && lo[0] < hi[1] && lo[1] < hi[0];
  }
  return alias ? GuardVerdict::Alias : GuardVerdict::NoAlias;
}

GuardVerdict evaluateGuardWide(const LoadedRegion &region, const uint64_t *in) {
  const GuardInfo &guard = region.guard;
  Wide values[maxGuardNodes];
  for (size_t i = 0; i < guard.nodes.size; ++i)
    if (!evaluateNode(guard.nodes[i], values, in, values[i]))
      return GuardVerdict::Unknown;
  return compareRanges(region, in, values);
}

GuardVerdict evaluateGuard(const LoadedRegion &region, const uint64_t *in) {
  const GuardInfo &guard = region.guard;
  int64_t values[maxGuardNodes];
  for (size_t i = 0; i < guard.nodes.size; ++i)
    if (__builtin_expect(!evaluateNarrow(guard.nodes[i], values, in, values[i]),
                         0))
      return evaluateGuardWide(region, in);
  return compareRanges(region, in, values);
}

} // namespace loom::rt
