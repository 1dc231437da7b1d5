// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramRaise.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace loom;

namespace {

class ProgramRaiser {
public:
  ProgramRaiser(StructureReport &report, std::string &error)
      : report(report), error(error),
        context(MLIRContext::Threading::DISABLED) {
    loadRaiseDialects(context);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        lastError = diagnostic.str();
      return success();
    });
  }

  bool run(std::unique_ptr<llvm::Module> module, llvm::raw_ostream &text,
           KeptArtifact &artifact) {
    // The importer takes the module whole or not at all.
    std::unique_ptr<llvm::Module> spare = llvm::CloneModule(*module);
    OwningOpRef<ModuleOp> program = importNests(std::move(module), context);
    if (!program) {
      dropUnimportable(*spare);
      program = importNests(std::move(spare), context);
    }
    if (!program) {
      error = "the module can't be imported: " + lastError;
      return false;
    }
    structureModule(*program, cleanUpPatterns(context), report);
    report.functions.insert(report.functions.end(), dropped.begin(),
                            dropped.end());
    if (failed(mlir::verify(*program))) {
      error = "the structured program doesn't verify: " + lastError;
      return false;
    }
    program->print(text, OpPrintingFlags().useLocalScope());
    artifact = keepProgram(*program);
    return true;
  }

private:
  /// Finds the functions that fail alone, and takes their bodies away.
  void dropUnimportable(llvm::Module &module) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      llvm::ValueToValueMapTy map;
      auto alone =
          llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
            return value == &function;
          });
      for (llvm::Function &other :
           llvm::make_early_inc_range(alone->functions()))
        if (other.isDeclaration() && other.use_empty())
          other.eraseFromParent();
      lastError.clear();
      if (importNests(std::move(alone), context))
        continue;
      StructureReport::Function row;
      row.name = function.getName().str();
      row.blocks = unsigned(function.size());
      row.left = Refused{RefusalKind::Import, lastError};
      dropped.push_back(std::move(row));
      function.deleteBody();
      function.setComdat(nullptr);
    }
  }

  StructureReport &report;
  std::string &error;
  MLIRContext context;
  std::string lastError;
  std::vector<StructureReport::Function> dropped;
};

} // namespace

bool loom::raiseProgram(std::unique_ptr<llvm::Module> module,
                        StructureReport &report, llvm::raw_ostream &text,
                        KeptArtifact &artifact, std::string &error) {
  return ProgramRaiser(report, error).run(std::move(module), text, artifact);
}
