// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a member of the module refers to: private symbols and distinct
// attributes, in the order of a fixed traversal.

#ifndef LOOM_ARTIFACT_REFERENCES_H
#define LOOM_ARTIFACT_REFERENCES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace loom::artifact {

/// Which symbols have a name that nobody outside the module can see.
class Privacy {
public:
  explicit Privacy(mlir::ModuleOp module);
  bool isPrivate(mlir::StringAttr symbol) const {
    return symbols.contains(symbol);
  }
  /// The member that defines a private symbol.
  mlir::Operation *definition(mlir::StringAttr symbol) const {
    return symbols.lookup(symbol);
  }

private:
  void keepUsed(mlir::ModuleOp module);
  void keepNamedInAssembly(mlir::ModuleOp module);
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> symbols;
};

/// Collects the references of members. A reference is a StringAttr (a private
/// symbol) or a DistinctAttr; each appears once for one member, where it is
/// first met.
class ReferenceCollector {
public:
  explicit ReferenceCollector(const Privacy &privacy) : privacy(privacy) {}
  llvm::ArrayRef<mlir::Attribute> of(mlir::Operation *member);

private:
  const llvm::SmallVector<mlir::Attribute> &in(mlir::Attribute attr);
  const Privacy &privacy;
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::Attribute>> cache;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Attribute>> members;
};

/// The text of a member with each private symbol replaced by its position in
/// `references` and its own name blanked: equal for two members exactly when
/// they differ at most in what they refer to.
std::string anonymousText(mlir::Operation *member, const Privacy &privacy,
                          llvm::ArrayRef<mlir::Attribute> references);

} // namespace loom::artifact

#endif
