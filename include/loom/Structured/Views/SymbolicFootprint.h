// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parametric footprint view of a structured region: for each memory root,
// the bytes that the region may read and write, as bounds that are evaluated
// from the launch slots. Launch guards are made of them.

#ifndef LOOM_STRUCTURED_VIEWS_SYMBOLICFOOTPRINT_H
#define LOOM_STRUCTURED_VIEWS_SYMBOLICFOOTPRINT_H

#include "loom/Structured/IR/Loom.h"
#include "loom/Structured/Views/Footprint.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <vector>

namespace loom {

/// Exact integer operations; the numbers are those of loom_image.fbs. A node is
/// unknown when an operand is, when its value leaves 127 bits, or where stated.
enum class BoundOp : uint8_t {
  Constant,   ///< imm
  SlotS,      ///< slot `a`, its low `width` bits as a signed integer
  SlotU,      ///< slot `a`, its low `width` bits as an unsigned integer
  Add,        ///< a + b
  Mul,        ///< a * b
  AddC,       ///< a + imm
  MulC,       ///< a * imm
  Min,        ///< the less of a and b
  Max,        ///< the greater of a and b
  FloorDiv,   ///< floor(a / imm), imm > 0
  WrapS,      ///< a modulo 2^width, as a signed integer
  WrapU,      ///< a modulo 2^width, as an unsigned integer
  FitsS,      ///< a; unknown unless it is a signed integer of `width` bits
  NotNegative ///< a; unknown when it is negative
};

struct BoundNode {
  BoundOp op = BoundOp::Constant;
  unsigned width = 0;
  unsigned a = 0, b = 0; ///< earlier nodes, or the slot
  int64_t imm = 0;
};

/// Byte range relative to a root, by node numbers. Where every node of the
/// range and of `obligations` is known, the region touches no byte of the root
/// outside [lo, hi); when lo >= hi it touches none at all.
struct SymbolicRange {
  bool any = false;   ///< there are such accesses
  bool known = false; ///< the rest holds
  unsigned lo = 0, hi = 0;
  std::vector<unsigned> obligations;
};

struct SymbolicRoot {
  unsigned argument = 0; ///< block argument number, that is launch slot
  SymbolicRange read, write;
};

struct SymbolicFootprints {
  std::vector<BoundNode> nodes;    ///< operands before users
  std::vector<SymbolicRoot> roots; ///< accessed roots, in argument order
  bool unrooted = false;           ///< some access has no root
};

/// Bounds for every root of `region`; `constants` are the footprints of
/// `computeFootprints`, which narrow them.
SymbolicFootprints
computeSymbolicFootprints(SpatialRegionOp region,
                          llvm::ArrayRef<RootFootprint> constants);

/// One line per node and per root.
void printSymbolicFootprints(llvm::raw_ostream &stream,
                             const SymbolicFootprints &footprints);

/// One line for a node: "n3 = n1 * 4".
void printBoundNode(llvm::raw_ostream &stream, unsigned number,
                    const BoundNode &node);

} // namespace loom

#endif
