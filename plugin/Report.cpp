// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"
#include "Options.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using loom::CandidateRow;

template <typename RemarkT>
static void fill(RemarkT &remark, const CandidateRow &row) {
  remark << ore::NV("Code", row.code);
  if (!row.detail.empty())
    remark << ": " << ore::NV("Detail", row.detail);
}

void loom::emitRemark(const Function &function, const DebugLoc &location,
                      const BasicBlock &header, const CandidateRow &row) {
  OptimizationRemarkEmitter emitter(&function);
  if (row.region >= 0) {
    emitter.emit([&] {
      OptimizationRemark remark("loom", "Offloaded", location, &header);
      remark << "loop nest offloaded";
      return remark;
    });
    return;
  }
  emitter.emit([&] {
    OptimizationRemarkMissed remark("loom", "Refused", location, &header);
    remark << "loop nest not offloaded: ";
    fill(remark, row);
    return remark;
  });
}

void loom::writeReport(StringRef output, ArrayRef<CandidateRow> rows) {
  StringRef path = PluginOptions::get().reportPath;
  if (path.empty())
    return;
  std::string text;
  raw_string_ostream buffer(text);
  json::OStream json(buffer);
  json.object([&] {
    json.attribute("output", output);
    json.attributeArray("candidates", [&] {
      for (const CandidateRow &row : rows)
        json.object([&] {
          json.attribute("function", row.function);
          json.attribute("file", row.file);
          json.attribute("line", row.line);
          json.attribute("column", row.column);
          json.attribute("depth", row.depth);
          json.attribute("loops", row.loops);
          json.attribute("code", row.code);
          json.attribute("detail", json::fixUTF8(row.detail));
          json.attribute("region", row.region);
          if (!row.artifact.identity.empty())
            json.attribute("artifact", row.artifact.identity);
          if (!row.artifact.error.empty())
            json.attribute("artifact_error", json::fixUTF8(row.artifact.error));
        });
    });
  });
  text += '\n';
  std::error_code error;
  raw_fd_ostream file(path, error, sys::fs::CD_OpenAlways, sys::fs::FA_Write,
                      sys::fs::OF_Append);
  if (error) {
    errs() << "loom: can't write LOOM_REPORT file '" << path
           << "': " << error.message() << "\n";
    return;
  }
  file << text; // one write: safe with parallel links
}
