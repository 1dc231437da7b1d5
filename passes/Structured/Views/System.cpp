// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Relations.h"

using namespace mlir;
using namespace loom;
using namespace loom::views;

unsigned System::column(unsigned variable, unsigned copy) {
  if (isShared(values.variable(variable).scope))
    copy = 0;
  auto [entry, isNew] = numbers.try_emplace({copy, variable}, columns);
  if (isNew)
    ++columns;
  return entry->second;
}

LinearForm System::in(const LinearForm &form, unsigned copy) {
  LinearForm result = LinearForm::of(form.constant);
  for (const auto &[variable, factor] : form.terms)
    result.terms[column(variable, copy)] += factor;
  return result;
}

void System::add(const Conjunction &piece, unsigned copy) {
  for (const LinearForm &form : piece.zero)
    zero(in(form, copy));
  for (const LinearForm &form : piece.atLeastZero)
    atLeastZero(in(form, copy));
}

/// `range` says whether a variable gets a row for its range, and may lower its
/// upper end.
void System::closeWith(unsigned copy,
                       llvm::function_ref<bool(unsigned, Integer &)> range) {
  std::vector<unsigned> work, done;
  auto collect = [&] {
    work.clear();
    for (const auto &[key, column] : numbers)
      if (key.first == copy || isShared(values.variable(key.second).scope))
        if (!llvm::is_contained(done, key.second))
          work.push_back(key.second);
    return !work.empty() && !tooLarge();
  };
  while (collect())
    for (unsigned number : work) {
      done.push_back(number);
      const AffineValues::Variable &v = values.variable(number);
      LinearForm x = LinearForm::variable(column(number, copy));
      for (const LinearForm &form : v.atLeastZero)
        atLeastZero(in(form, copy));
      Integer most = v.range.hi;
      if (!range(number, most))
        continue;
      atLeastZero(x - LinearForm::of(v.range.lo));
      atLeastZero(LinearForm::of(most) - x);
    }
}

void System::close(unsigned copy, const std::map<unsigned, Integer> &limits) {
  closeWith(copy, [&](unsigned number, Integer &most) {
    if (auto limit = limits.find(number); limit != limits.end())
      most = std::min(most, limit->second);
    return true;
  });
}

void System::closeForText() {
  closeWith(0, [&](unsigned number, Integer &) {
    const AffineValues::Variable &v = values.variable(number);
    return v.kind == VariableView::Opaque ||
           (v.kind == VariableView::Iteration && isa<scf::WhileOp>(v.scope));
  });
}

Polyhedron System::polyhedron(llvm::ArrayRef<unsigned> dimensions,
                              llvm::ArrayRef<unsigned> symbols) const {
  unsigned first = dimensions.size() + symbols.size();
  std::map<unsigned, unsigned> place;
  for (unsigned column : dimensions)
    place.emplace(column, place.size());
  for (unsigned column : symbols)
    place.emplace(column, place.size());
  unsigned locals = columns - first;
  for (unsigned column = 0; column < columns; ++column)
    place.emplace(column, place.size());
  Polyhedron result(presburger::PresburgerSpace::getSetSpace(
      dimensions.size(), symbols.size(), locals));
  auto row = [&](const LinearForm &form) {
    llvm::SmallVector<Integer> values(columns + 1, Integer(0));
    for (const auto &[column, factor] : form.terms)
      values[place[column]] = factor;
    values[columns] = form.constant;
    return values;
  };
  for (const LinearForm &form : zeros)
    result.addEquality(row(form));
  for (const LinearForm &form : nonNegative)
    result.addInequality(row(form));
  return result;
}
