// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What raising does with each construct: the table Dispositions.td.

#ifndef LOOM_STRUCTURED_RAISE_DISPOSITIONS_H
#define LOOM_STRUCTURED_RAISE_DISPOSITIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace loom {

namespace disposition_table {
#define GET_Disposition_DECL
#define GET_SpellingRule_DECL
#include "loom/Structured/Raise/Dispositions.inc"
} // namespace disposition_table
/// The four fates of a construct.
using Disposition = disposition_table::Disposition;
/// How an exact equal is built.
using SpellingRule = disposition_table::SpellingRule;

/// One row of the table.
struct ConstructRow {
  const char *Op;
  Disposition InModule;
  Disposition InRegion;
  SpellingRule Rule;
  const char *Result;
  const char *Why;
};

/// All rows.
llvm::ArrayRef<ConstructRow> constructRows();

/// The row of an operation, null when it has none.
const ConstructRow *lookupConstruct(llvm::StringRef op);

} // namespace loom

#endif
