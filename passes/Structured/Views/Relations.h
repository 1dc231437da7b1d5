// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polyhedra over the variables of linear forms, in up to two copies: one
// instance of an operation, or a pair of instances that share what does not
// change between them.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_RELATIONS_H
#define LOOM_PASSES_STRUCTURED_VIEWS_RELATIONS_H

#include "Domains.h"
#include "IntegerSolver.h"
#include "Memory.h"

namespace loom::views {

/// Rows over columns that are handed out on demand.
class System {
public:
  explicit System(const AffineValues &values) : values(values) {}

  /// A column of its own.
  unsigned column() { return columns++; }
  /// The column of `variable` in `copy`, shared by the copies if `variable`
  /// can't differ between them.
  unsigned column(unsigned variable, unsigned copy);
  /// `loops` are equal in all copies; none by default.
  void share(llvm::ArrayRef<mlir::Operation *> loops) {
    shared.assign(loops.begin(), loops.end());
  }
  bool isShared(mlir::Operation *scope) const {
    return !scope || llvm::is_contained(shared, scope);
  }

  /// Forms over columns instead of variables.
  LinearForm in(const LinearForm &form, unsigned copy);
  void zero(LinearForm columns) { zeros.push_back(std::move(columns)); }
  void atLeastZero(LinearForm columns) {
    nonNegative.push_back(std::move(columns));
  }
  void add(const Conjunction &piece, unsigned copy);
  /// Facts and ranges of all variables that have got a column; `limits` are
  /// tighter upper bounds.
  void close(unsigned copy, const std::map<unsigned, Integer> &limits);
  /// The same for one copy, without the ranges that are known anyway: those of
  /// symbols and of iterations of counted loops.
  void closeForText();

  /// Columns `dimensions` and then `symbols` first, in this order; the others
  /// are locals.
  Polyhedron polyhedron(llvm::ArrayRef<unsigned> dimensions,
                        llvm::ArrayRef<unsigned> symbols) const;

  const std::map<std::pair<unsigned, unsigned>, unsigned> &all() const {
    return numbers;
  }
  static constexpr unsigned MaxColumns = 48;
  bool tooLarge() const { return columns > MaxColumns; }

private:
  void closeWith(unsigned copy,
                 llvm::function_ref<bool(unsigned, Integer &)> limit);

  const AffineValues &values;
  std::vector<mlir::Operation *> shared;
  std::map<std::pair<unsigned, unsigned>, unsigned> numbers; ///< (copy, var)
  std::vector<LinearForm> zeros, nonNegative;
  unsigned columns = 0;
};

/// What a pair of accesses may do to each other.
struct Conflict {
  Answer exists = Answer::Unknown;
  bool exact = false;              ///< a Yes is certain for some inputs
  std::vector<Distance> distances; ///< of the common loops
  std::string why;
};

class Relations {
public:
  Relations(AffineValues &values, Domains &domains, Memory &memory,
            IntegerSolver &solver)
      : values(values), domains(domains), memory(memory), solver(solver) {}

  /// Does `target` touch a byte of `source` later, with the first `level`
  /// common loops in one iteration and the next one in a later iteration?
  /// `level` == number of common loops: in one iteration of all of them.
  Conflict conflict(const Access &source, const Access &target,
                    llvm::ArrayRef<mlir::Operation *> common, unsigned level);

  /// Does `loop` run more than once, for some inputs?
  Conflict repeats(mlir::Operation *loop);

private:
  /// One access in one piece of its domain.
  struct Instance {
    const Access *access;
    const Conjunction &piece;
    mlir::Block *block;
  };
  Conflict pieces(const Instance &source, const Instance &target,
                  llvm::ArrayRef<mlir::Operation *> common, unsigned level);
  bool mayWrap(const Access &source, const Access &target,
               const Interval &range);
  bool contained(const Conjunction &piece, mlir::Block *block,
                 const LinearForm &form, const LinearForm &limit);
  void equate(System &system, const Instance &source, const Instance &target,
              LinearForm a, LinearForm b, std::vector<LinearForm> &used);
  bool overlapByCells(System &system, const Instance &source,
                      const Instance &target, bool &never,
                      std::vector<LinearForm> &used);
  Interval differenceRange(const Access &source, const Access &target,
                           llvm::ArrayRef<mlir::Operation *> common,
                           unsigned level);
  const std::map<unsigned, Integer> &limits(mlir::Block *block);
  /// Bounds of `form` wherever `block` executes.
  Interval rangeIn(mlir::Block *block, const LinearForm &form);

  AffineValues &values;
  Domains &domains;
  Memory &memory;
  IntegerSolver &solver;
  llvm::DenseMap<mlir::Block *, std::map<unsigned, Integer>> limitsOf;
};

/// What `level` alone says about the distances of `loops` loops.
std::vector<Distance> distancesAt(unsigned level, unsigned loops);

/// The loops around both, outermost first.
std::vector<mlir::Operation *> commonLoops(llvm::ArrayRef<mlir::Operation *> a,
                                           llvm::ArrayRef<mlir::Operation *> b);

} // namespace loom::views

#endif
