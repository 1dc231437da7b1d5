// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How scalar operations are spelled so that Spatial computes what `arith` and
// `math` say. Each spelling avoids the forms that its compiler rewrites wrongly
// (docs/spatial.md has the table).

#ifndef LOOM_PASSES_SPATIAL_EMIT_SPELL_H
#define LOOM_PASSES_SPATIAL_EMIT_SPELL_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace loom::spatial {

/// The Scala name of a scalar type.
std::string typeName(mlir::Type type);

/// An integer or bit literal.
std::string literal(mlir::Type type, const llvm::APInt &value);

/// The literal of a constant operation.
std::string literal(mlir::Operation *constant);

/// The right-hand side for a scalar operation; empty if it has no spelling.
std::string spell(mlir::Operation *op,
                  llvm::function_ref<std::string(mlir::Value)> operandText);

} // namespace loom::spatial

#endif
