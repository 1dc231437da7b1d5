// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the statements of an accelerator block.

#ifndef LOOM_PASSES_SPATIAL_EMIT_ACCEL_H
#define LOOM_PASSES_SPATIAL_EMIT_ACCEL_H

#include "loom/Spatial/IR/Spatial.h"
#include "loom/Support/Refusal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace loom::spatial {

class AccelPrinter {
public:
  explicit AccelPrinter(llvm::SmallVectorImpl<Refused> &refusals)
      : refusals(refusals), os(text) {}

  /// Gives a host memory or register its name.
  void name(mlir::Value value, const std::string &text) { names[value] = text; }

  /// The body of the block, `level` steps indented.
  mlir::FailureOr<std::string> print(AccelOp accel, unsigned level);

private:
  std::string operand(mlir::Value value);
  std::string define(mlir::Value value, const char *prefix);
  mlir::LogicalResult refuse(RefusalKind kind, const llvm::Twine &detail);
  mlir::LogicalResult checkSize(mlir::Block &block);
  mlir::LogicalResult block(mlir::Region &region);
  mlir::LogicalResult statement(mlir::Operation *op);
  mlir::LogicalResult fsm(FsmOp op);
  mlir::LogicalResult branch(IfOp op);
  llvm::raw_ostream &line() { return os.indent(2 * level); }

  llvm::SmallVectorImpl<Refused> &refusals;
  llvm::DenseMap<mlir::Value, std::string> names;
  std::map<std::string, unsigned> counts;
  unsigned level = 0;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace loom::spatial

#endif
