// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which target a link is for. Exactly one: a built-in one by its name, or the
// one that a file describes.

#ifndef LOOM_FABRIC_BUILTIN_RESOLVE_H
#define LOOM_FABRIC_BUILTIN_RESOLVE_H

#include "loom/Fabric/Capability/Target.h"
#include "llvm/Support/Error.h"

namespace loom::fabric {

struct BuiltinTarget {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  llvm::StringLiteral text; ///< MLIR
};

/// In ascending order of size; `default` among them.
llvm::ArrayRef<BuiltinTarget> builtinTargets();

/// What a name means: the text and where it came from. A word with a slash or
/// the ending .mlir is a file, empty is `default`.
struct TargetText {
  std::string text;
  std::string origin;
};
llvm::Expected<TargetText> findTarget(llvm::StringRef name);

/// Texts are from outside: bounded, parsed in a context of their own that knows
/// nothing but this dialect, verified. The error is one line.
llvm::Expected<Target> parseTarget(const TargetText &source);

llvm::Expected<Target> resolveTarget(llvm::StringRef name);

inline constexpr uint64_t maxTargetBytes = uint64_t(1) << 20;

} // namespace loom::fabric

#endif
