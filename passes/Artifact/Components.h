// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical order of the private members that no visible member reaches.

#ifndef LOOM_ARTIFACT_COMPONENTS_H
#define LOOM_ARTIFACT_COMPONENTS_H

#include "References.h"
#include "loom/Artifact/ArtifactError.h"

namespace loom::artifact {

/// `numbers` are of what was reached. SymbolSymmetry when a component is so
/// symmetric that the search for its smallest code is too long.
llvm::Expected<llvm::SmallVector<mlir::Operation *>>
orderUnreachable(llvm::ArrayRef<mlir::Operation *> members,
                 const Privacy &privacy, ReferenceCollector &references,
                 const llvm::DenseMap<mlir::Attribute, unsigned> &numbers);

} // namespace loom::artifact

#endif
