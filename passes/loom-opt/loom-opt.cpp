// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom-opt: runs Loom's and MLIR's passes on a file, for tests.
//
// LOOM_OPT_CHECK_ROUNDTRIP=1 in the environment: what was printed is parsed and
// printed again, and must be the same text.

#include "loom/Dataflow/Lower/Lower.h"
#include "loom/Dataflow/Rewrite/Rewrite.h"
#include "loom/Fabric/IR/Fabric.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#if __has_include("loom/Structured/Raise/Passes.h")
#include "loom/Structured/Raise/Passes.h"
#define LOOM_HAS_RAISE 1
#endif
#if __has_include("loom/Spatial/Passes.h")
#include "loom/Spatial/IR/Spatial.h"
#include "loom/Spatial/Passes.h"
#define LOOM_HAS_SPATIAL 1
#endif

using namespace mlir;

namespace loom {
void registerViewsPass();
void registerTargetPasses();
} // namespace loom

static void registerEverything(DialectRegistry &registry) {
  registry.insert<loom::LoomDialect, loom::dataflow::DataflowDialect,
                  loom::fabric::FabricDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
  registerTransformsPasses();
  loom::registerDataflowPasses();
  loom::registerRewritePass();
  loom::registerViewsPass();
  loom::registerTargetPasses();
#ifdef LOOM_HAS_RAISE
  loom::registerRaisePasses();
#endif
#ifdef LOOM_HAS_SPATIAL
  registry.insert<loom::spatial::SpatialDialect>();
  loom::registerSpatialDialects(registry);
  loom::registerSpatialPasses();
#endif
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerEverything(registry);
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "Loom's pass runner\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << "\n";
    return 1;
  }
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return 1;
  }
  const char *check = std::getenv("LOOM_OPT_CHECK_ROUNDTRIP");
  bool roundTrip = check && *check && *check != '0';
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool ok = succeeded(MlirOptMain(stream, std::move(input), registry, config));
  output->os() << text;
  if (!ok)
    return 1;
  // Passes may print to stdout beside the module; only a module comes back.
  if (roundTrip && StringRef(text).ltrim().starts_with("module")) {
    MlirOptMainConfig again;
    again.splitInputFile("// -----");
    std::string second;
    llvm::raw_string_ostream secondStream(second);
    if (failed(MlirOptMain(secondStream,
                           llvm::MemoryBuffer::getMemBufferCopy(text), registry,
                           again)) ||
        second != text) {
      llvm::errs() << "loom-opt: the output isn't stable under parsing and "
                      "printing; the second text:\n"
                   << second;
      return 1;
    }
  }
  output->keep();
  return 0;
}
