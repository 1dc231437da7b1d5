// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of actors, Schemas.td.

#ifndef LOOM_DATAFLOW_IR_SCHEMA_H
#define LOOM_DATAFLOW_IR_SCHEMA_H

#include "loom/Image/loom_image_generated.h"
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>
#include <string>

namespace loom::dataflow {

namespace schema_table {
#define GET_SchemaForm_DECL
#define GET_AttributeUse_DECL
#include "loom/Dataflow/IR/Schemas.inc"
} // namespace schema_table
/// What types an actor may have.
using SchemaForm = schema_table::SchemaForm;
/// What an attribute of an actor means for its tokens.
using AttributeUse = schema_table::AttributeUse;

/// One row: an operation that is an actor, or that is refused by name.
struct SchemaRow {
  const char *Op;
  uint16_t Id;
  SchemaForm Form;
  image::ActorKind Kind;
  image::Op ImageOp;
  bool HasImage;
  const char *Text;
};

/// One classified attribute of an actor.
struct AttributeRow {
  const char *Op;
  const char *Name;
  AttributeUse Use;
};

/// The row of an operation; null if it has none.
const SchemaRow *lookupSchema(llvm::StringRef op);

/// The class of an attribute of an operation.
std::optional<AttributeUse> lookupAttribute(llvm::StringRef op,
                                            llvm::StringRef attribute);

/// The first attribute of `op` that has no class; empty if there is none. Those
/// that aren't inherent count only if `discardable`.
std::string findUnclassified(mlir::Operation *op, bool discardable);

/// Why `op` is not an actor in this form; empty if it is one.
std::string whyNoActor(mlir::Operation *op);

} // namespace loom::dataflow

#endif
