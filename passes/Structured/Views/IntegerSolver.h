// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about Presburger sets that MLIR's library can't answer within a
// bounded time or not at all: emptiness with an operation budget, integer
// optima, projection, bounds in parameters, points counted, sets as text. The
// sets stay MLIR's; the isl in libLLVM answers, and nothing of it outlives the
// call.

#ifndef LOOM_PASSES_STRUCTURED_VIEWS_INTEGERSOLVER_H
#define LOOM_PASSES_STRUCTURED_VIEWS_INTEGERSOLVER_H

#include "loom/Structured/Views/Views.h"
#include <memory>

struct isl_ctx;
struct isl_set;

namespace loom::views {

using Polyhedron = mlir::presburger::IntegerPolyhedron;

enum class Answer { Yes, No, Unknown };

class IntegerSolver {
public:
  explicit IntegerSolver(const ViewConfig &config);
  ~IntegerSolver();
  IntegerSolver(const IntegerSolver &) = delete;
  IntegerSolver &operator=(const IntegerSolver &) = delete;

  Answer isEmpty(const Polyhedron &set);

  /// Bounds of the single dimension of a set over all its points, those of the
  /// rational ones; false when they are not known or there is no point.
  bool bounds(const Polyhedron &set, std::optional<Integer> &least,
              std::optional<Integer> &most);

  struct Description {
    std::string text;
    std::string least, most; ///< of the first dimension, in the symbols
    std::optional<Integer> constantLeast, constantMost; ///< for all symbols
    std::optional<Integer> points; ///< without symbols only
    bool convex = false; ///< first dimension: no integer is missing in between
  };
  /// The union of `pieces`, locals projected out. `names` are those of the
  /// dimensions and symbols; `ranges` those of the symbols, known anyway.
  std::optional<Description> describe(const std::vector<Polyhedron> &pieces,
                                      const std::vector<std::string> &names,
                                      const std::vector<Interval> &ranges,
                                      bool measure);

  /// Some question stayed without an answer for lack of budget.
  bool exhausted() const { return ranOut; }

private:
  /// Asks with growing quotas; false when none was enough or on an error.
  bool ask(llvm::function_ref<bool()> question);
  bool build(const std::vector<Polyhedron> &pieces,
             const std::vector<std::string> &names, isl_set *&result);

  ViewConfig config;
  isl_ctx *context = nullptr;
  uint64_t spent = 0;
  unsigned asked = 0;
  bool ranOut = false;
};

} // namespace loom::views

#endif
