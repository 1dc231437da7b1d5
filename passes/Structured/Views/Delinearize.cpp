// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses with symbolic strides. s*f + r with 0 <= r < s says f and r: two
// such cells are one exactly if both parts are equal. So a product that no
// Presburger set can hold becomes rows over its factors.

#include "Relations.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

namespace {

/// unit * (s*f + rest): one product of a form, split off.
struct Split {
  LinearForm f, s, rest;
};

bool same(const LinearForm &a, const LinearForm &b) {
  LinearForm difference = a - b;
  return difference.isConstant() && difference.constant == 0;
}

/// The product in `form` with a factor that is equal in both instances.
std::optional<Split> split(const AffineValues &values, const System &system,
                           const LinearForm &form) {
  auto isShared = [&](const LinearForm &f) {
    return llvm::all_of(f.terms, [&](const auto &term) {
      return system.isShared(values.variable(term.first).scope);
    });
  };
  for (const auto &[number, factor] : form.terms) {
    const AffineValues::Variable &v = values.variable(number);
    if (v.factors.size() != 2 || llvm::abs(factor) != 1 ||
        system.isShared(v.scope))
      continue;
    for (unsigned stride : {1, 0}) {
      if (!isShared(v.factors[stride]))
        continue;
      Split result;
      result.s = v.factors[stride];
      result.f = v.factors[1 - stride] * factor;
      result.rest = form;
      result.rest.terms.erase(number);
      // Whole strides in the rest belong to f.
      if (result.s.terms.size() == 1 && result.s.constant == 0 &&
          result.s.terms.begin()->second == 1) {
        unsigned symbol = result.s.terms.begin()->first;
        if (auto whole = result.rest.terms.find(symbol);
            whole != result.rest.terms.end()) {
          result.f = result.f + LinearForm::of(whole->second);
          result.rest.terms.erase(symbol);
        }
      }
      return result;
    }
  }
  return std::nullopt;
}

} // namespace

/// 0 <= form < limit for every instance of `piece`.
bool Relations::contained(const Conjunction &piece, Block *block,
                          const LinearForm &form, const LinearForm &limit) {
  for (const LinearForm &outside :
       {LinearForm::of(Integer(-1)) - form, form - limit}) {
    System system(values);
    system.add(piece, 0);
    system.atLeastZero(system.in(outside, 0));
    system.close(0, limits(block));
    if (system.tooLarge() ||
        solver.isEmpty(system.polyhedron({}, {})) != Answer::Yes)
      return false;
  }
  return true;
}

void Relations::equate(System &system, const Instance &source,
                       const Instance &target, LinearForm a, LinearForm b,
                       std::vector<LinearForm> &used) {
  for (unsigned depth = 0; depth < 4; ++depth) {
    std::optional<Split> x = split(values, system, a),
                         y = split(values, system, b);
    if (!x || !y || !same(x->s, y->s) ||
        !contained(source.piece, source.block, x->rest, x->s) ||
        !contained(target.piece, target.block, y->rest, y->s))
      break;
    system.zero(system.in(x->rest, 0) - system.in(y->rest, 1));
    used.insert(used.end(), {x->rest, y->rest});
    a = x->f;
    b = y->f;
  }
  system.zero(system.in(a, 0) - system.in(b, 1));
  used.insert(used.end(), {a, b});
}

/// Adds the rows of "both touch a byte" to `system` if the addresses have a
/// symbolic stride and are made of whole cells; false if not.
bool Relations::overlapByCells(System &system, const Instance &source,
                               const Instance &target, bool &never,
                               std::vector<LinearForm> &used) {
  const Access &a = *source.access, &b = *target.access;
  Integer unit(0);
  for (const auto &[number, factor] : a.offset.terms)
    if (values.variable(number).factors.size() == 2)
      unit = unit == 0 ? llvm::abs(factor) : std::min(unit, llvm::abs(factor));
  if (unit == 0)
    return false;
  auto cells = [&](const Access &access, LinearForm &cell, Integer &inside) {
    inside = llvm::mod(access.offset.constant, unit);
    cell = LinearForm::of((access.offset.constant - inside) / unit);
    for (const auto &[number, factor] : access.offset.terms) {
      if (factor % unit != 0)
        return false;
      cell.terms.emplace(number, factor / unit);
    }
    return inside + Integer(int64_t(access.width)) <= unit;
  };
  LinearForm x, y;
  Integer i, j;
  if (!cells(a, x, i) || !cells(b, y, j))
    return false;
  never =
      i >= j + Integer(int64_t(b.width)) || j >= i + Integer(int64_t(a.width));
  if (!never)
    equate(system, source, target, x, y, used);
  return true;
}
