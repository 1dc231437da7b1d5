// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refusal codes: the reasons why something stays on the host. The table is
// Refusals.td; every refusal in the system is one of its rows.

#ifndef LOOM_SUPPORT_REFUSAL_H
#define LOOM_SUPPORT_REFUSAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace loom {

namespace refusal_table {
#define GET_RefusalKind_DECL
#include "loom/Support/Refusals.inc"
} // namespace refusal_table
/// One enumerator per row of the table.
using RefusalKind = refusal_table::RefusalKind;

/// One row of the table.
struct RefusalRow {
  RefusalKind Kind;
  const char *Code;
  const char *Stage;
  const char *Text;
};

/// All rows, in the order of their kinds.
llvm::ArrayRef<RefusalRow> refusalRows();

/// The stable code of a refusal, e.g. "call-indirect".
llvm::StringRef refusalCode(RefusalKind kind);
/// What the code means, a noun phrase.
llvm::StringRef refusalText(RefusalKind kind);

/// A refusal with what caused it: `detail` names the construct (a callee, an
/// operation), `line` is a source line or 0 when unknown.
struct Refused {
  RefusalKind kind;
  std::string detail;
  unsigned line = 0;
};

} // namespace loom

#endif
