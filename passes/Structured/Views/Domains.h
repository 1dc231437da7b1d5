// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a block executes: the structured control around it as a union of
// conjunctions over linear forms.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_DOMAINS_H
#define LOOM_PASSES_STRUCTURED_VIEWS_DOMAINS_H

#include "AffineValues.h"
#include "llvm/ADT/MapVector.h"

namespace loom::views {

struct Conjunction {
  std::vector<LinearForm> zero, atLeastZero;
};
using Cases = std::vector<Conjunction>;

struct Domain {
  Cases pieces;
  std::vector<mlir::Operation *> loops; ///< outermost first
  std::string why;                      ///< of what was left out; else empty
};

class Domains {
public:
  Domains(AffineValues &values, const ViewConfig &config)
      : values(values), config(config) {}

  const Domain &of(mlir::Block *block);

  /// All variables that `pieces` mention, and those of the facts about them.
  std::vector<unsigned> variablesOf(const Conjunction &piece) const;

  /// Empty if the facts say all there is to know about the variables, else the
  /// reason why not. With `free`, their values must also all occur.
  std::string inexact(const std::vector<unsigned> &variables, bool free) const;

private:
  Cases holds(mlir::Value condition, bool expected, unsigned depth = 0);
  Cases compare(mlir::Value condition, bool expected);
  void constrain(Domain &domain, const Cases &cases);
  void enterLoop(Domain &domain, mlir::Operation *loop);
  void bound(Domain &domain, const LinearForm &iv, mlir::Value limit,
             bool upper);
  void enterSwitch(Domain &domain, mlir::Operation *op, mlir::Region *region);

  AffineValues &values;
  const ViewConfig &config;
  llvm::MapVector<mlir::Block *, std::unique_ptr<Domain>> domains;
};

} // namespace loom::views

#endif
