// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of a reference execution: lanes with a poison bit each, and what has
// happened before.

#ifndef LOOM_DATAFLOW_RUN_TOKEN_H
#define LOOM_DATAFLOW_RUN_TOKEN_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace loom::run {

class Knowledge;
/// The accesses that happened before something; null: none.
using Order = std::shared_ptr<const Knowledge>;

/// The bits of a number, a float or an address, the upper ones zero. Those of
/// poison are zero.
struct Lane {
  uint64_t bits = 0;
  bool poison = false;
  bool operator==(const Lane &other) const {
    return bits == other.bits && poison == other.poison;
  }
};

/// A token of type none has no lanes.
struct Token {
  llvm::SmallVector<Lane, 1> lanes;
  Order order;
};

/// How many bits a lane of the type has: 64 for pointers and indices.
unsigned laneWidth(mlir::Type type);
uint64_t laneMask(unsigned width);
/// The type of one lane.
mlir::Type laneType(mlir::Type type);
/// How many lanes a token of the type has: none for `none`; nullopt when it is
/// no token type, or has more lanes than `maxLanes`.
std::optional<unsigned> laneCount(mlir::Type type);
constexpr unsigned maxLanes = 1u << 12;

/// The lanes of a constant; nullopt when the attribute is none of this type.
std::optional<Token> tokenOf(mlir::Attribute value, mlir::Type type);
/// The constant of one lane. Null for poison and pointers.
mlir::TypedAttr attributeOf(Lane lane, mlir::Type type);

/// `5`, `1.5`, `poison`, `[1, 2]`; numbers as signed ones, pointers in
/// hexadecimal.
std::string printToken(const Token &token, mlir::Type type);

} // namespace loom::run

#endif
