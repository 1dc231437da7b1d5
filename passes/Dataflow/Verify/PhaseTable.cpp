// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PhaseTable.h"

using namespace mlir;
using namespace loom;

const Phase *PhaseTable::get(PhaseKind kind, const Phase *parent,
                             Value selector, unsigned lane) {
  unsigned number = selector ? numberOf(selector) : 0;
  auto key = std::make_tuple(kind, parent ? indexOf[parent] : 0u, number, lane);
  auto [it, isNew] = interned.try_emplace(key, nullptr);
  if (isNew) {
    storage.push_back({kind, parent, lane, selector});
    it->second = &storage.back();
    indexOf[it->second] = storage.size();
  }
  return it->second;
}

std::string PhaseTable::text(const Phase *phase) {
  if (!phase)
    return "unknown";
  if (phase->kind == PhaseKind::Root)
    return "root";
  std::string inner = text(phase->parent) + ", ";
  llvm::raw_string_ostream stream(inner);
  Value(phase->value).printAsOperand(stream, OpPrintingFlags());
  switch (phase->kind) {
  case PhaseKind::Select:
    return "select(" + inner + ", " + std::to_string(phase->lane) + ")";
  case PhaseKind::Loop:
    return "loop(" + inner + ")";
  case PhaseKind::Body:
    return "body(" + inner + ")";
  default:
    return "close(" + inner + ")";
  }
}
