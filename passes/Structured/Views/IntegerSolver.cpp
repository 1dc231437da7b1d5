// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IntegerSolver.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "isl/aff.h"
#include "isl/ctx.h"
#include "isl/ilp.h"
#include "isl/map.h"
#include "isl/mat.h"
#include "isl/options.h"
#include "isl/set.h"
#include "isl/space.h"
#include "isl/val.h"
#include <cstdlib>
#include <type_traits>

using namespace loom;
using namespace loom::views;
using mlir::presburger::VarKind;

namespace {

/// Owns one isl object.
template <typename T, T *(*Release)(T *)>
struct Owner {
  struct Free {
    void operator()(T *object) const { Release(object); }
  };
  using Type = std::unique_ptr<T, Free>;
};
using Set = Owner<isl_set, isl_set_free>::Type;
using Map = Owner<isl_map, isl_map_free>::Type;
using Val = Owner<isl_val, isl_val_free>::Type;
using PwAff = Owner<isl_pw_aff, isl_pw_aff_free>::Type;

/// What a question may cost, tried one after the other: isl doesn't tell what a
/// question did cost, and the account must not depend on the machine.
constexpr uint64_t steps[] = {2000, 16000, 100000};

isl_val *valueOf(isl_ctx *context, const Integer &number) {
  if (number >= Integer(INT64_MIN / 2) && number <= Integer(INT64_MAX / 2))
    return isl_val_int_from_si(context, int64_t(number));
  std::string text;
  llvm::raw_string_ostream(text) << number;
  return isl_val_read_from_str(context, text.c_str());
}

std::optional<Integer> numberOf(isl_val *value) {
  if (!value || isl_val_is_int(value) != isl_bool_true)
    return std::nullopt;
  char *raw = isl_val_to_str(value);
  if (!raw)
    return std::nullopt;
  llvm::StringRef text(raw);
  bool negative = text.consume_front("-");
  Integer result(0);
  for (char digit : text)
    result = result * 10 + int64_t(digit - '0');
  std::free(raw);
  return negative ? -result : result;
}

/// Column of the polyhedron for each isl column: set dimensions, parameters.
struct Columns {
  llvm::SmallVector<unsigned> order;
  unsigned dimensions = 0, parameters = 0;
};

/// Dimensions and locals, then the symbols; or everything as dimensions.
Columns columnsOf(const Polyhedron &set, bool symbolsAsParameters) {
  Columns result;
  unsigned dims = set.getNumVarKind(VarKind::SetDim),
           symbols = set.getNumVarKind(VarKind::Symbol),
           locals = set.getNumVarKind(VarKind::Local);
  auto append = [&](unsigned from, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      result.order.push_back(from + i);
  };
  append(0, dims);
  append(dims + symbols, locals);
  append(dims, symbols);
  result.dimensions = dims + locals + (symbolsAsParameters ? 0 : symbols);
  result.parameters = symbolsAsParameters ? symbols : 0;
  return result;
}

isl_mat *matrixOf(isl_ctx *context, const Columns &columns, unsigned rows,
                  llvm::function_ref<llvm::ArrayRef<Integer>(unsigned)> row) {
  unsigned count = columns.order.size();
  isl_mat *matrix = isl_mat_alloc(context, rows, count + 1);
  for (unsigned r = 0; r < rows; ++r) {
    llvm::ArrayRef<Integer> values = row(r);
    for (unsigned c = 0; c <= count; ++c)
      matrix = isl_mat_set_element_val(
          matrix, r, c,
          valueOf(context, c < count ? values[columns.order[c]]
                                     : values[values.size() - 1]));
  }
  return matrix;
}

Set setOf(isl_ctx *context, const Polyhedron &polyhedron,
          bool symbolsAsParameters) {
  Columns columns = columnsOf(polyhedron, symbolsAsParameters);
  isl_mat *equal =
      matrixOf(context, columns, polyhedron.getNumEqualities(),
               [&](unsigned r) { return polyhedron.getEquality(r); });
  isl_mat *atLeastZero =
      matrixOf(context, columns, polyhedron.getNumInequalities(),
               [&](unsigned r) { return polyhedron.getInequality(r); });
  isl_space *space =
      isl_space_set_alloc(context, columns.parameters, columns.dimensions);
  return Set(isl_set_from_basic_set(isl_basic_set_from_constraint_matrices(
      space, equal, atLeastZero, isl_dim_set, isl_dim_param, isl_dim_div,
      isl_dim_cst)));
}

std::string take(char *raw) {
  std::string text = raw ? raw : "";
  std::free(raw);
  return text;
}

/// `text` of an isl object without the list of parameters and the braces.
std::string bare(std::string text) {
  size_t open = text.find('{');
  size_t close = text.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open)
    return text;
  return llvm::StringRef(text).slice(open + 1, close).trim().str();
}

PwAff simplified(PwAff bound, const Set &known) {
  bound.reset(
      isl_pw_aff_gist_params(bound.release(), isl_set_copy(known.get())));
  bound.reset(isl_pw_aff_coalesce(bound.release()));
  return bound;
}

/// Texts longer than this serve nobody.
constexpr int MaxPieces = 64;

/// Everything that is to be printed is complete and small. Only then may isl
/// print: its printer doesn't survive a quota that ends in the middle, so it
/// runs without one.
bool readyToPrint(isl_ctx *context, const Set &set,
                  std::initializer_list<isl_pw_aff *> bounds) {
  if (isl_ctx_last_error(context) != isl_error_none || !set ||
      isl_set_n_basic_set(set.get()) > MaxPieces)
    return false;
  for (isl_pw_aff *bound : bounds)
    if (!bound || isl_pw_aff_n_piece(bound) > MaxPieces)
      return false;
  isl_ctx_set_max_operations(context, 0);
  return true;
}

} // namespace

IntegerSolver::IntegerSolver(const ViewConfig &config)
    : config(config), context(isl_ctx_alloc()) {
  if (context)
    isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
}

IntegerSolver::~IntegerSolver() {
  if (context)
    isl_ctx_free(context);
}

/// Asks `question` with growing quotas; false when none was enough.
bool IntegerSolver::ask(llvm::function_ref<bool()> question) {
  if (!context)
    return false;
  bool answered = false;
  if (asked++ < config.queries)
    for (uint64_t step : steps) {
      uint64_t cap = std::min(step, config.queryOperations);
      if (spent + cap > config.operations)
        break;
      spent += cap;
      isl_ctx_reset_error(context);
      isl_ctx_reset_operations(context);
      isl_ctx_set_max_operations(context, cap);
      answered = question();
      bool quota = isl_ctx_last_error(context) == isl_error_quota;
      isl_ctx_reset_error(context);
      if (!quota)
        return answered;
      if (cap == config.queryOperations)
        break;
    }
  ranOut = true;
  return false;
}

Answer IntegerSolver::isEmpty(const Polyhedron &set) {
  isl_bool empty = isl_bool_error;
  bool answered = ask([&] {
    Set s = setOf(context, set, false);
    empty = isl_set_is_empty(s.get());
    return empty != isl_bool_error;
  });
  if (!answered)
    return Answer::Unknown;
  return empty == isl_bool_true ? Answer::Yes : Answer::No;
}

bool IntegerSolver::bounds(const Polyhedron &set, std::optional<Integer> &least,
                           std::optional<Integer> &most) {
  // A linear program: isl's integer optimum costs a hundred times as much where
  // ranges of 64 bits take part, and is rarely another one.
  if (asked++ >= config.queries || spent + steps[0] > config.operations) {
    ranOut = true;
    return false;
  }
  spent += steps[0];
  mlir::presburger::Simplex simplex(set);
  if (simplex.isEmpty())
    return false;
  llvm::SmallVector<Integer> first(set.getNumVars() + 1, Integer(0));
  first[0] = Integer(1);
  auto [lo, hi] = simplex.computeIntegerBounds(first);
  if (lo.isBounded())
    least = *lo;
  if (hi.isBounded())
    most = *hi;
  return true;
}

bool IntegerSolver::build(const std::vector<Polyhedron> &pieces,
                          const std::vector<std::string> &names,
                          isl_set *&result) {
  Set all;
  for (const Polyhedron &piece : pieces) {
    Set s = setOf(context, piece, true);
    unsigned dims = piece.getNumVarKind(VarKind::SetDim),
             symbols = piece.getNumVarKind(VarKind::Symbol),
             locals = piece.getNumVarKind(VarKind::Local);
    if (locals)
      s.reset(isl_set_project_out(s.release(), isl_dim_set, dims, locals));
    for (unsigned i = 0; i < dims + symbols; ++i)
      s.reset(isl_set_set_dim_name(s.release(),
                                   i < dims ? isl_dim_set : isl_dim_param,
                                   i < dims ? i : i - dims, names[i].c_str()));
    if (!s)
      return false;
    all.reset(all ? isl_set_union(all.release(), s.release()) : s.release());
  }
  all.reset(isl_set_coalesce(isl_set_detect_equalities(all.release())));
  result = all.release();
  return result != nullptr;
}

std::optional<IntegerSolver::Description>
IntegerSolver::describe(const std::vector<Polyhedron> &pieces,
                        const std::vector<std::string> &names,
                        const std::vector<Interval> &ranges, bool measure) {
  if (pieces.empty())
    return std::nullopt;
  unsigned symbols = pieces.front().getNumVarKind(VarKind::Symbol),
           dims = pieces.front().getNumVarKind(VarKind::SetDim);
  Polyhedron range(
      mlir::presburger::PresburgerSpace::getSetSpace(0, symbols, 0));
  for (unsigned i = 0; i < symbols; ++i) {
    llvm::SmallVector<Integer> row(symbols + 1, Integer(0));
    row[i] = Integer(1);
    row[symbols] = -ranges[i].lo;
    range.addInequality(row);
    row[i] = Integer(-1);
    row[symbols] = ranges[i].hi;
    range.addInequality(row);
  }
  std::vector<std::string> symbolNames(names.begin() + dims, names.end());
  Description result;
  bool answered = ask([&] {
    isl_set *raw = nullptr;
    if (!build(pieces, names, raw))
      return false;
    Set s(raw);
    if (!build({range}, symbolNames, raw))
      return false;
    Set known(isl_set_params(raw));
    Set shown(
        isl_set_gist_params(isl_set_copy(s.get()), isl_set_copy(known.get())));
    shown.reset(
        isl_set_detect_equalities(isl_set_compute_divs(shown.release())));
    result = Description();
    PwAff least, most;
    if (measure) {
      Set limited(isl_set_intersect_params(isl_set_copy(s.get()),
                                           isl_set_copy(known.get())));
      least = simplified(PwAff(isl_set_dim_min(isl_set_copy(limited.get()), 0)),
                         known);
      most = simplified(PwAff(isl_set_dim_max(isl_set_copy(limited.get()), 0)),
                        known);
      Set plain(isl_set_project_out(isl_set_copy(limited.get()), isl_dim_param,
                                    0, symbols));
      Val lo(isl_set_dim_min_val(isl_set_copy(plain.get()), 0));
      Val hi(isl_set_dim_max_val(isl_set_copy(plain.get()), 0));
      result.constantLeast = numberOf(lo.get());
      result.constantMost = numberOf(hi.get());
      Map above(isl_map_lex_lt(isl_set_get_space(limited.get())));
      Map below(isl_map_lex_gt(isl_set_get_space(limited.get())));
      Set gaps(isl_set_intersect(
          isl_set_apply(isl_set_copy(limited.get()), above.release()),
          isl_set_apply(isl_set_copy(limited.get()), below.release())));
      gaps.reset(isl_set_subtract(gaps.release(), isl_set_copy(limited.get())));
      result.convex = isl_set_is_empty(gaps.get()) == isl_bool_true;
      if (!readyToPrint(context, shown, {least.get(), most.get()}))
        return false;
      result.least = bare(take(isl_pw_aff_to_str(least.get())));
      result.most = bare(take(isl_pw_aff_to_str(most.get())));
    } else if (!readyToPrint(context, shown, {})) {
      return false;
    }
    result.text = take(isl_set_to_str(shown.get()));
    return !result.text.empty();
  });
  if (!answered)
    return std::nullopt;
  if (!measure || !result.constantLeast || !result.constantMost)
    return result;
  bool closed =
      result.least.find_first_not_of("()-0123456789 ") == std::string::npos &&
      result.most.find_first_not_of("()-0123456789 ") == std::string::npos;
  if (closed && result.convex) {
    result.points = *result.constantMost - *result.constantLeast + 1;
  } else if (!symbols) {
    ask([&] {
      isl_set *raw = nullptr;
      if (!build(pieces, names, raw))
        return false;
      Set s(raw);
      Val count(isl_set_count_val(s.get()));
      result.points = numberOf(count.get());
      return result.points.has_value();
    });
  }
  return result;
}
