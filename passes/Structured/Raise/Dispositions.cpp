// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Structured/Raise/Dispositions.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm; // the generated code names ArrayRef

namespace loom {

using namespace disposition_table;

#define GET_ConstructRows_DECL
#define GET_ConstructRows_IMPL
#include "loom/Structured/Raise/Dispositions.inc"

llvm::ArrayRef<ConstructRow> constructRows() { return ConstructRows; }

const ConstructRow *lookupConstruct(llvm::StringRef op) {
  static const StringMap<const ConstructRow *> rows = [] {
    StringMap<const ConstructRow *> map;
    for (const ConstructRow &row : ConstructRows)
      map[row.Op] = &row;
    return map;
  }();
  return rows.lookup(op);
}

} // namespace loom
