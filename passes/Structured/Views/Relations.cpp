// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Relations.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

std::vector<Operation *> views::commonLoops(llvm::ArrayRef<Operation *> a,
                                            llvm::ArrayRef<Operation *> b) {
  std::vector<Operation *> common;
  for (auto [x, y] : llvm::zip(a, b)) {
    if (x != y)
      break;
    common.push_back(x);
  }
  return common;
}

std::vector<Distance> views::distancesAt(unsigned level, unsigned loops) {
  std::vector<Distance> result(loops);
  for (unsigned loop = 0; loop < loops && loop <= level; ++loop)
    result[loop] = loop < level ? Distance{0, 0} : Distance{1, std::nullopt};
  return result;
}

const std::map<unsigned, Integer> &Relations::limits(Block *block) {
  auto known = limitsOf.find(block);
  if (known != limitsOf.end())
    return known->second;
  return limitsOf[block] = memory.limits(block);
}

/// Of source address - target address, as integers that may have wrapped.
Interval Relations::differenceRange(const Access &source, const Access &target,
                                    llvm::ArrayRef<Operation *> common,
                                    unsigned level) {
  System sharing(values);
  sharing.share(common.take_front(level));
  LinearForm shared = source.offset - target.offset, mine, theirs;
  auto part = [&](const LinearForm &form, LinearForm &own) {
    for (const auto &[number, factor] : form.terms)
      if (!sharing.isShared(values.variable(number).scope)) {
        own.terms.emplace(number, factor);
        shared.terms.erase(number);
      }
  };
  part(source.offset, mine);
  part(target.offset, theirs);
  auto add = [&](Interval &sum, const LinearForm &form, Block *block,
                 int sign) {
    const std::map<unsigned, Integer> &limit = limits(block);
    for (const auto &[number, factor] : form.terms) {
      Interval r = values.variable(number).range;
      if (auto l = limit.find(number); l != limit.end())
        r.hi = std::max(r.lo, std::min(r.hi, l->second));
      Integer f = factor * sign;
      sum.lo += f * (f > 0 ? r.lo : r.hi);
      sum.hi += f * (f > 0 ? r.hi : r.lo);
    }
  };
  Interval sum{shared.constant, shared.constant};
  add(sum, shared, source.op->getBlock(), 1);
  add(sum, mine, source.op->getBlock(), 1);
  add(sum, theirs, target.op->getBlock(), -1);
  return sum;
}

Interval Relations::rangeIn(Block *block, const LinearForm &form) {
  Interval whole = values.range(form), found;
  bool any = false;
  for (const Conjunction &piece : domains.of(block).pieces) {
    System system(values);
    unsigned measured = system.column();
    system.zero(system.in(form, 0) - LinearForm::variable(measured));
    system.add(piece, 0);
    system.close(0, limits(block));
    std::optional<Integer> least, most;
    if (system.tooLarge())
      return whole;
    Polyhedron set = system.polyhedron({measured}, {});
    if (!solver.bounds(set, least, most)) {
      if (solver.isEmpty(set) == Answer::Yes)
        continue;
      return whole;
    }
    Interval r{least ? std::max(*least, whole.lo) : whole.lo,
               most ? std::min(*most, whole.hi) : whole.hi};
    found =
        any ? Interval{std::min(found.lo, r.lo), std::max(found.hi, r.hi)} : r;
    any = true;
  }
  return any ? found : whole;
}

/// Is source address - target address, computed without wrapping, possibly not
/// the distance of the two bytes?
bool Relations::mayWrap(const Access &source, const Access &target,
                        const Interval &range) {
  const Integer whole = powerOfTwo(64), room(16), half = powerOfTwo(63);
  if (range.lo >= room - whole && range.hi <= whole - room)
    return false;
  auto start = [&](const Access &access, LinearForm &form) {
    auto bound = [&](const LinearForm &f) {
      return rangeIn(access.op->getBlock(), f);
    };
    return memory.unwrapped(access, bound, form);
  };
  LinearForm a, b;
  if (!start(source, a) || !start(target, b))
    return true;
  // Both in one object, from starts that are a known distance apart.
  LinearForm apart = a - b;
  return !apart.isConstant() || llvm::abs(apart.constant) >= half;
}

Conflict Relations::pieces(const Instance &from, const Instance &to,
                           llvm::ArrayRef<Operation *> common, unsigned level) {
  const Access &source = *from.access, &target = *to.access;
  Conflict result;
  System system(values);
  unsigned difference = system.column();
  system.share(common.take_front(level));
  system.add(from.piece, 0);
  system.add(to.piece, 1);

  // source - target in (-width of source, width of target), modulo 2^64.
  Interval range = differenceRange(source, target, common, level);
  bool wraps = mayWrap(source, target, range), never = false;
  std::vector<LinearForm> used;
  if (wraps || !overlapByCells(system, from, to, never, used)) {
    const Integer whole = powerOfTwo(64);
    LinearForm apart =
        system.in(source.offset, 0) - system.in(target.offset, 1);
    used = {source.offset, target.offset};
    if (wraps) {
      LinearForm k = LinearForm::variable(system.column());
      system.atLeastZero(k -
                         LinearForm::of(llvm::floorDiv(range.lo, whole) - 1));
      system.atLeastZero(LinearForm::of(llvm::floorDiv(range.hi, whole) + 1) -
                         k);
      apart = apart - k * whole;
    }
    system.atLeastZero(apart +
                       LinearForm::of(Integer(int64_t(source.width)) - 1));
    system.atLeastZero(LinearForm::of(Integer(int64_t(target.width)) - 1) -
                       apart);
  }
  if (never) {
    result.exists = Answer::No;
    return result;
  }
  auto iterations = [&](unsigned loop) {
    unsigned number = values.iteration(common[loop]);
    return LinearForm::variable(system.column(number, 1)) -
           LinearForm::variable(system.column(number, 0));
  };
  if (level < common.size())
    system.atLeastZero(iterations(level) - LinearForm::of(Integer(1)));
  system.close(0, limits(source.op->getBlock()));
  system.close(1, limits(target.op->getBlock()));
  if (system.tooLarge()) {
    result.why = "too many variables";
    return result;
  }

  Answer empty = solver.isEmpty(system.polyhedron({}, {}));
  result.exists = empty == Answer::Yes  ? Answer::No
                  : empty == Answer::No ? Answer::Yes
                                        : Answer::Unknown;
  if (result.exists == Answer::No)
    return result;

  std::vector<unsigned> variables;
  for (const Conjunction &rows :
       {from.piece, to.piece, Conjunction{used, {}}}) {
    std::vector<unsigned> more = domains.variablesOf(rows);
    variables.insert(variables.end(), more.begin(), more.end());
  }
  result.why = domains.inexact(variables, true);
  if (result.why.empty() && wraps)
    result.why = "the addresses may wrap";
  result.exact = result.exists == Answer::Yes && result.why.empty();
  if (result.exists == Answer::Unknown)
    result.why = "the analysis budget is used up";
  for (unsigned loop = 0; loop < common.size(); ++loop) {
    Distance distance{0, 0};
    if (loop >= level) {
      System measured = system;
      measured.zero(LinearForm::variable(difference) - iterations(loop));
      std::optional<Integer> least, most;
      if (result.exists == Answer::Yes)
        solver.bounds(measured.polyhedron({difference}, {}), least, most);
      const Integer cap(int64_t(1) << 40); // larger is as good as no bound
      distance = Distance();
      if (loop == level)
        distance.least = 1;
      if (least && llvm::abs(*least) < cap)
        distance.least = int64_t(*least);
      if (most && llvm::abs(*most) < cap)
        distance.most = int64_t(*most);
    }
    result.distances.push_back(distance);
  }
  return result;
}

Conflict Relations::conflict(const Access &source, const Access &target,
                             llvm::ArrayRef<Operation *> common,
                             unsigned level) {
  const Domain &a = domains.of(source.op->getBlock());
  const Domain &b = domains.of(target.op->getBlock());
  Conflict result;
  result.exists = Answer::No;
  for (const Conjunction &x : a.pieces)
    for (const Conjunction &y : b.pieces) {
      Conflict one = pieces({&source, x, source.op->getBlock()},
                            {&target, y, target.op->getBlock()}, common, level);
      if (one.exists == Answer::No)
        continue;
      bool first = result.exists == Answer::No;
      if (first) {
        result.distances = one.distances;
      } else {
        for (unsigned i = 0; i < common.size(); ++i) {
          Distance &d = result.distances[i];
          const bool known = i < one.distances.size();
          if (!known || !d.least || !one.distances[i].least)
            d.least = std::nullopt;
          else
            d.least = std::min(*d.least, *one.distances[i].least);
          if (!known || !d.most || !one.distances[i].most)
            d.most = std::nullopt;
          else
            d.most = std::max(*d.most, *one.distances[i].most);
        }
      }
      if (first || one.exact || result.exists == Answer::Unknown) {
        if (!result.exact) {
          result.exact = one.exact;
          result.why = one.why;
        }
        if (result.exists != Answer::Yes)
          result.exists = one.exists;
      }
    }
  for (const Domain *domain : {&a, &b})
    if (!domain->why.empty() && result.exists != Answer::No) {
      result.exact = false;
      result.why = domain->why;
    }
  if (result.distances.size() < common.size())
    result.distances = distancesAt(level, common.size());
  return result;
}

Conflict Relations::repeats(Operation *loop) {
  Block *body = &loop->getRegion(0).front();
  const Domain &domain = domains.of(body);
  Conflict result;
  result.exists = Answer::No;
  for (const Conjunction &piece : domain.pieces) {
    System system(values);
    system.add(piece, 0);
    system.atLeastZero(
        LinearForm::variable(system.column(values.iteration(loop), 0)) -
        LinearForm::of(Integer(1)));
    system.close(0, limits(body));
    Answer empty = system.tooLarge()
                       ? Answer::Unknown
                       : solver.isEmpty(system.polyhedron({}, {}));
    if (empty == Answer::Yes)
      continue;
    if (empty == Answer::Unknown && result.exists == Answer::No)
      result.exists = Answer::Unknown;
    if (empty == Answer::No) {
      result.exists = Answer::Yes;
      result.exact |= domain.why.empty() &&
                      domains.inexact(domains.variablesOf(piece), true).empty();
    }
  }
  return result;
}
