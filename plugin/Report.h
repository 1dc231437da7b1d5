// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told: optimisation remarks, and the LOOM_REPORT file.

#ifndef LOOM_PLUGIN_REPORT_H
#define LOOM_PLUGIN_REPORT_H

#include "Compile.h"

namespace llvm {
class Function;
class DebugLoc;
class BasicBlock;
class OptimizationRemarkEmitter;
} // namespace llvm

namespace loom {

/// -Rpass=loom for a nest that was taken, -Rpass-missed=loom for one that
/// was not.
void emitRemark(const llvm::Function &function, const llvm::DebugLoc &location,
                const llvm::BasicBlock &header, const CandidateRow &row);

/// Writes the rows as JSON to LOOM_REPORT=file (appended as one line, so that a
/// build of many links has one line per link). Silent on failure but for one
/// line.
void writeReport(llvm::StringRef output, llvm::ArrayRef<CandidateRow> rows);

} // namespace loom

#endif
