// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis views of a structured region (contract: "Derived Analysis
// Views"): derived data in process, never stored in the IR. No view refers to
// the IR it came from: operations are numbered in pre-order from 0, so views of
// one candidate serve every copy of it.

#ifndef LOOM_STRUCTURED_VIEWS_VIEWS_H
#define LOOM_STRUCTURED_VIEWS_VIEWS_H

#include "loom/Structured/IR/Loom.h"
#include "loom/Structured/Views/LinearForms.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace loom::views {

/// How a set relates to the truth.
enum class Precision { Exact, OverApproximate, Unknown };

/// May the iterations of a loop run in any order? Only `ProvenIndependent` is a
/// permission. `ProvenDependent`: some inputs make two iterations depend on
/// each other, exactly. All other loops are `ProofNotEstablished`.
enum class Admission {
  ProvenIndependent,
  ProvenDependent,
  ProofNotEstablished
};

llvm::StringRef nameOf(Precision precision);
llvm::StringRef nameOf(Admission admission);

/// Work that one region may cost. What is over the budget is unknown.
struct ViewConfig {
  uint64_t operations = 5000000;     ///< of isl, for the region
  uint64_t queryOperations = 200000; ///< of isl, for one question
  unsigned queries = 20000;          ///< questions
  unsigned cases = 16;               ///< pieces of one iteration domain
  unsigned pairs = 20000;            ///< of accesses that are looked at
};

/// A variable of the linear forms.
struct VariableView {
  enum Kind {
    Input,     ///< an integer input of the region: any value of its range
    Constant,  ///< fixed while the region runs, not known to be free
    Iteration, ///< iterations done by a loop, from 0
    Quotient,  ///< fixed by the facts that mention it
    Opaque,    ///< an integer that this analysis doesn't follow
  };
  Kind kind = Opaque;
  std::string name;
  int loop = -1; ///< the innermost loop it may vary with, -1 for none
  Interval range;
};

struct LoopView {
  unsigned op = 0;
  int parent = -1;
  unsigned depth = 0;   ///< loops around it
  bool counted = false; ///< scf.for; else scf.while
  std::string bounds;   ///< for people
  unsigned line = 0;    ///< of the source, 0: unknown
};

/// The iterations for which the operations of one block execute: the union of
/// the pieces. The dimensions are `loops`, outermost first, then symbols (Input
/// and Constant variables), then locals (existentially quantified).
struct DomainView {
  std::vector<unsigned> loops;
  Precision precision = Precision::Unknown;
  std::string why; ///< for everything but Exact
  std::vector<mlir::presburger::IntegerPolyhedron> pieces;
  std::vector<unsigned> variables; ///< the variable of each column
  std::string text;
};

struct IterationDomainView {
  std::vector<LoopView> loops;
  std::vector<DomainView> domains;
  std::vector<unsigned> domainOf; ///< by operation
};

struct RootView {
  enum Kind { Argument, Allocation, Pointer };
  Kind kind = Pointer;
  unsigned number = 0; ///< argument or operation
  int partition = -1;
  int loop = -1; ///< the innermost loop it may vary with
  std::string name;
};

enum class Alias { No, May, Must };

struct AliasView {
  Alias alias = Alias::May;
  std::string why;
};

struct AccessView {
  unsigned op = 0;
  bool isWrite = false;
  unsigned width = 0; ///< bytes; 0: unknown
  std::string type;
  int root = -1;      ///< -1: the access may touch every root
  bool known = false; ///< address == root + offset, modulo 2^64
  LinearForm offset;
  std::string why; ///< when not known
  std::vector<unsigned> loops;
  unsigned line = 0;
};

struct MemoryAccessView {
  std::vector<RootView> roots;
  std::vector<std::vector<AliasView>> aliases; ///< by pairs of roots
  std::vector<AccessView> accesses;
  /// Operations with effects that no access describes; each touches all roots.
  std::vector<unsigned> unknownEffects;
};

/// The iteration of the target minus that of the source. No value: no bound.
struct Distance {
  std::optional<int64_t> least, most;
  bool operator==(const Distance &o) const {
    return least == o.least && most == o.most;
  }
};

struct Dependence {
  enum Kind { Flow, Anti, Output, Carried, Control };
  Kind kind = Flow;
  unsigned source = 0, target = 0; ///< operations
  int loop = -1; ///< that carries it, outermost; -1: one iteration of all
  bool anyLoop = false;        ///< carried by any of `loops`, or by none
  bool proven = false;         ///< exists for some inputs; else: not excluded
  std::vector<unsigned> loops; ///< common ones
  std::vector<Distance> distances; ///< one for each of them
  std::string why;                 ///< when not proven
};

struct LoopVerdict {
  Admission admission = Admission::ProofNotEstablished;
  std::string why;
};

struct DependenceView {
  std::vector<Dependence> dependences;
  /// Loops with pairs of accesses that were not looked at: the list lacks
  /// their dependences.
  std::vector<unsigned> incomplete;
  std::vector<LoopVerdict> loops; ///< by loop
};

/// One value carried by a loop.
struct ReductionView {
  enum Kind {
    Reduction,  ///< value = value (op) independent of it
    Induction,  ///< a known function of the iteration
    Recurrence, ///< anything else: order is meaning
  };
  enum Policy {
    None,              ///< any order gives the same bits
    DropOverflowFlags, ///< so, once the flags of the combiner are dropped
    Reassociate,       ///< only where `reassoc` is granted, which no region has
    Ordered,           ///< no reordering
  };
  unsigned loop = 0, argument = 0;
  Kind kind = Recurrence;
  Policy policy = Ordered;
  std::string combiner, identity, type;
  std::vector<unsigned> operations; ///< the combiners, in order
  bool guarded = false;             ///< a condition decides whether it happens
  std::string why;
};

llvm::StringRef nameOf(ReductionView::Policy policy);

/// Bytes of a root, relative to it.
struct FootprintView {
  unsigned root = 0;
  bool isWrite = false;
  Precision precision = Precision::Unknown;
  std::string why;
  std::string set;                      ///< in the syntax of isl
  std::string first, last;              ///< symbolic: first and last byte
  std::optional<Integer> lo, hi;        ///< bounds that hold for all inputs
  std::optional<Integer> distinctBytes; ///< where they don't depend on inputs
  bool dense = false;                   ///< exact and without holes
};

struct ReuseView {
  enum Kind { Temporal, Contiguous, Overlapping, Strided, Irregular };
  unsigned access = 0, loop = 0;
  Kind kind = Irregular;
  Integer stride = Integer(0); ///< bytes from one iteration to the next
};

/// `user` touches the bytes that `source` touched `distance` iterations before.
struct GroupReuse {
  unsigned source = 0, user = 0, loop = 0;
  Integer distance = Integer(0);
};

struct FootprintReuseView {
  std::vector<FootprintView> footprints;
  std::vector<ReuseView> reuse;
  std::vector<GroupReuse> groups;
};

/// All views of one region.
struct RegionViews {
  std::string region;
  std::vector<VariableView> variables;
  IterationDomainView domains;
  MemoryAccessView memory;
  DependenceView dependence;
  std::vector<ReductionView> reductions;
  FootprintReuseView footprints;
  bool exhausted = false; ///< some answer is unknown for lack of budget
};

/// Semantic identity of the analyzer: part of every cache key.
constexpr llvm::StringLiteral AnalyzerIdentity = "loom.structured_views.v1";

RegionViews analyzeRegion(SpatialRegionOp region,
                          const ViewConfig &config = ViewConfig());

/// For people (`loom views`) and tests.
void print(const RegionViews &views, llvm::raw_ostream &out);

/// "8*i0 + 4" with the names of `variables`.
std::string textOf(const LinearForm &form,
                   const std::vector<VariableView> &variables);

} // namespace loom::views

#endif
