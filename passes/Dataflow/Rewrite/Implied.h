// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a control token comes after another.

#ifndef LOOM_DATAFLOW_REWRITE_IMPLIED_H
#define LOOM_DATAFLOW_REWRITE_IMPLIED_H

#include "Rewrites.h"
#include <deque>
#include <map>

namespace loom::rewrite {

/// Proves that every token of one value happens after the token of the same
/// number of another, by `none` operands alone. Both have the same phase.
class Implied {
public:
  bool operator()(mlir::Value later, mlir::Value earlier);

private:
  /// What has to be reached: a value; what a lane of a selector gets of a
  /// target; or what a loop repeats of a target.
  struct Target {
    mlir::Value value;    // a value, or null
    mlir::Value selector; // the selector, or the phase of the loop
    unsigned lane = 0;    // of the selector; ~0: repeated
    const Target *inner = nullptr;
  };
  const Target *make(mlir::Value value);
  const Target *make(mlir::Value selector, unsigned lane, const Target *inner);
  bool reach(mlir::Value from, const Target *to);
  bool compute(mlir::Value from, const Target *to);

  std::deque<Target> targets;
  std::map<std::tuple<void *, void *, unsigned, const Target *>, const Target *>
      interned;
  std::map<std::pair<void *, const Target *>, bool> known;
  unsigned steps = 0;
};

} // namespace loom::rewrite

#endif
