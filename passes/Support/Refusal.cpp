// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "loom/Support/Refusal.h"
#include <algorithm>
#include <iterator>

using namespace llvm; // the generated code names ArrayRef

namespace loom {

using namespace refusal_table;

#define GET_RefusalRows_DECL
#define GET_RefusalRows_IMPL
#include "loom/Support/Refusals.inc"

llvm::ArrayRef<RefusalRow> refusalRows() { return RefusalRows; }

llvm::StringRef refusalCode(RefusalKind kind) {
  return lookupRefusal(kind)->Code;
}

llvm::StringRef refusalText(RefusalKind kind) {
  return lookupRefusal(kind)->Text;
}

} // namespace loom
