// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer values of a structured region as polynomials over launch slots, loop
// iterations and bounded unknowns, and bounds of polynomials as nodes that are
// evaluated at a launch.
//
// Soundness. A polynomial is exact, or congruent modulo 2^64 where it says so,
// for the values that its variables have when the value is computed, in every
// launch in which its obligations are known. A variable that is no symbol lies
// between its bounds whenever it is used. Eliminating variables, the last made
// first, replaces a polynomial by a bound of it at those values.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_SYMBOLICFORMS_H
#define LOOM_PASSES_STRUCTURED_VIEWS_SYMBOLICFORMS_H

#include "loom/Structured/Views/LinearForms.h"
#include "loom/Structured/Views/SymbolicFootprint.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <set>
#include <tuple>

namespace loom {

/// Sum of coefficient * product of variables; the constant has no variables.
struct Polynomial {
  using Monomial = std::vector<unsigned>; // sorted, with repetition
  std::map<Monomial, Integer> terms;
  std::set<unsigned> obligations; // nodes that must be known

  static Polynomial of(Integer constant);
  static Polynomial variable(unsigned number);
  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  Polynomial operator*(const Integer &factor) const;
  bool isConstant() const;
  Integer constant() const;
  void add(const Monomial &monomial, const Integer &factor);
};

using MaybePolynomial = std::optional<Polynomial>;
using MaybeNode = std::optional<unsigned>;

/// The nodes made so far, each once.
class BoundNodes {
public:
  MaybeNode make(BoundOp op, unsigned a, unsigned b, int64_t imm,
                 unsigned width);
  MaybeNode constant(const Integer &value);
  MaybeNode add(unsigned a, unsigned b);
  MaybeNode addConstant(unsigned a, const Integer &value);
  MaybeNode multiply(unsigned a, unsigned b);
  MaybeNode multiplyConstant(unsigned a, const Integer &value);
  MaybeNode least(unsigned a, unsigned b, bool greatest);
  std::vector<BoundNode> nodes;

private:
  using Key = std::tuple<unsigned, unsigned, unsigned, int64_t, unsigned>;
  std::map<Key, unsigned> known;
};

class SymbolicForms {
public:
  /// The signed value of an integer value (2 to 64 bits).
  MaybePolynomial exact(mlir::Value value);
  /// Congruent modulo 2^64 to a 64-bit value as the device computes it.
  MaybePolynomial modular(mlir::Value value);
  /// A node that is never below (`upper`), never above the polynomial.
  MaybeNode bound(const Polynomial &p, bool upper);

  BoundNodes bounds;

private:
  struct Variable {
    Interval range; // holds in every launch
    bool isSymbol = false;
    unsigned node = 0;              // symbols
    std::vector<Polynomial> lo, hi; // others: each one a bound
  };

  MaybePolynomial compute(mlir::Value value);
  MaybePolynomial computeRing(mlir::Operation *op, mlir::Value value);
  MaybePolynomial computeResize(mlir::Operation *op, mlir::Value value);
  MaybePolynomial computeExtreme(mlir::Operation *op, mlir::Value value);
  MaybePolynomial computeQuotient(mlir::Operation *op, mlir::Value value);
  MaybePolynomial computeRemainder(mlir::Operation *op, mlir::Value value);
  MaybePolynomial join(mlir::Value value, mlir::Value a, mlir::Value b);
  MaybePolynomial opaque(mlir::Value value);

  // SymbolicLoops.cpp
  MaybePolynomial argument(mlir::BlockArgument argument);
  MaybePolynomial forArgument(mlir::scf::ForOp loop,
                              mlir::BlockArgument argument);
  MaybePolynomial whileArgument(mlir::scf::WhileOp loop,
                                mlir::BlockArgument argument);
  MaybePolynomial counter(mlir::scf::WhileOp loop, unsigned index,
                          bool afterTest);
  MaybePolynomial iterations(mlir::scf::ForOp loop);

  MaybePolynomial symbol(MaybeNode node, Interval range,
                         const std::set<unsigned> &obligations);
  Polynomial bounded(Interval range, std::vector<Polynomial> lo,
                     std::vector<Polynomial> hi,
                     std::set<unsigned> obligations);
  bool isInvariant(const Polynomial &p) const;
  Interval range(const Polynomial &p) const;
  bool provenToFit(mlir::Operation *op, unsigned width);
  MaybePolynomial fitting(Polynomial p, mlir::Value value);
  MaybePolynomial requireFits(Polynomial p, unsigned width);
  /// Adds the obligation that `p` is never negative to `to`.
  bool requireNotNegative(const Polynomial &p, std::set<unsigned> &to);
  MaybePolynomial asUnsigned(const Polynomial &p, unsigned width);
  MaybeNode emit(const Polynomial &p);
  MaybeNode boundBy(const Polynomial &factor, const Polynomial &rest,
                    const Variable &variable, bool upperSide, bool upper);

  LinearForms linear;
  std::vector<Variable> variables;
  llvm::DenseMap<mlir::Value, MaybePolynomial> cache;
  llvm::DenseMap<mlir::Operation *, MaybePolynomial> loopIterations;
  llvm::DenseSet<mlir::Value> counters; // of while loops; they do not wrap
  unsigned depth = 0;
  unsigned work = 0; // steps of all eliminations so far
};

} // namespace loom

#endif
