// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writer does with each attribute of the loom dialect and with those
// of nobody. The one table; Attributes.cpp.

#ifndef LOOM_ARTIFACT_ATTRIBUTES_H
#define LOOM_ARTIFACT_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace loom::artifact {

enum class AttributeUse {
  Semantic,   ///< a selected decision or a fact: part of the identity
  Hint,       ///< unresolved: refuses finalisation
  Plan,       ///< unresolved: refuses finalisation
  Target,     ///< for one target: refuses finalisation
  Dropped,    ///< consumed hints, labels, identities, derived state
  Placeholder ///< of the loom dialect, but unknown: refuses finalisation
};

/// By the name of a discardable attribute, e.g. "loom.source_hint".
AttributeUse attributeUse(llvm::StringRef name);

/// A dialect whose operations and attributes are for one target only.
bool isTargetDialect(llvm::StringRef name);

} // namespace loom::artifact

#endif
