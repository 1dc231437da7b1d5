// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes_harness.h"
#include "loom/Structured/IR/Loom.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
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
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdio>

using namespace mlir;
using namespace loom;

const char *const test::sampleKernels[6] = {
    "gemm_int.c", "kmeans.cpp", "crc32.c", "spmv.c", "dfa.c", "heat3d.c"};

std::unique_ptr<MLIRContext> test::makeContext() {
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
                  LLVM::LLVMDialect, LoomDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  registerAllFromLLVMIRTranslations(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->loadAllAvailableDialects();
  context->getDiagEngine().registerHandler(
      [](Diagnostic &) { return success(); });
  return context;
}

test::Program test::parseText(llvm::StringRef text, bool verify) {
  Program program{makeContext()};
  program.module = parseSourceString<ModuleOp>(
      text, ParserConfig(program.context.get(), verify));
  EXPECT_TRUE(program.module) << text.take_front(500).str();
  return program;
}

test::Program test::parseFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(file)) << path;
  return parseText(file ? (*file)->getBuffer() : "");
}

std::string test::richText() {
  auto file = llvm::MemoryBuffer::getFile(LOOM_TEST_SOURCE
                                          "/test/artifact/Inputs/rich.mlir");
  EXPECT_TRUE(bool(file));
  return file ? (*file)->getBuffer().str() : "";
}

test::Program test::richProgram() { return parseText(richText()); }

test::Program test::importKernel(const std::string &name,
                                 const std::string &flags) {
  std::string command =
      LOOM_TEST_CXX " " + flags + (name.back() == 'c' ? " -x c" : " -x c++") +
      " -w -S -emit-llvm -o - " LOOM_TEST_SOURCE "/examples/kernels/" + name;
  std::string text;
  FILE *pipe = popen(command.c_str(), "r");
  EXPECT_TRUE(pipe) << command;
  if (pipe) {
    char buffer[4096];
    while (size_t size = fread(buffer, 1, sizeof buffer, pipe))
      text.append(buffer, size);
    EXPECT_EQ(pclose(pipe), 0) << command;
  }
  llvm::LLVMContext llvmContext;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseIR(llvm::MemoryBufferRef(text, name), diagnostic, llvmContext);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  Program program{makeContext()};
  if (module)
    program.module =
        translateLLVMIRToModule(std::move(module), program.context.get());
  EXPECT_TRUE(program.module) << name;
  return program;
}

std::unique_ptr<StructuredProgramCandidate>
test::finalizeOrDie(ModuleOp module) {
  if (!module)
    return nullptr; // the parser's failure is the test's already
  llvm::Expected<FinalizedProgram> program = finalizeProgram(module);
  if (program)
    return std::move(program->candidate);
  ADD_FAILURE() << toString(program.takeError());
  return nullptr;
}

std::string test::identityOf(ModuleOp module) {
  auto candidate = finalizeOrDie(module);
  return candidate ? candidate->identity().hex() : "none";
}

std::string test::codeOf(llvm::Error error) {
  std::string code;
  handleAllErrors(std::move(error), [&](const ArtifactError &found) {
    code = faultCode(found.fault).str();
  });
  return code;
}

test::Scratch::Scratch() {
  llvm::SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("loom-test", path));
  root = path.str().str();
}

test::Scratch::~Scratch() { llvm::sys::fs::remove_directories(root); }

std::string test::Scratch::path(const std::string &name) const {
  return name.empty() ? root : root + "/" + name;
}
