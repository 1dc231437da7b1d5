// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the passes share: modules from text, kernels from C, and
// errors as their codes.

#ifndef LOOM_TEST_PASSES_HARNESS_H
#define LOOM_TEST_PASSES_HARNESS_H

#include "loom/Artifact/StructuredProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>

namespace loom::test {

/// A module with the context that it lives in.
struct Program {
  Program(std::unique_ptr<mlir::MLIRContext> context)
      : context(std::move(context)) {}
  Program(Program &&) = default;
  Program &operator=(Program &&other) {
    module = std::move(other.module); // the old one before its context
    context = std::move(other.context);
    return *this;
  }
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::ModuleOp operator*() const { return module.get(); }
};

/// A context with the dialects of structured programs, silent.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Parses; the test fails if that does.
Program parseText(llvm::StringRef text, bool verify = true);
Program parseFile(const std::string &path);
/// test/artifact/Inputs/rich.mlir: a bit of everything.
Program richProgram();
std::string richText();

/// A program of examples/kernels, compiled by clang with `flags`, imported.
Program importKernel(const std::string &name, const std::string &flags);
extern const char *const sampleKernels[6];

/// The candidate; the test fails if there is none.
std::unique_ptr<StructuredProgramCandidate>
finalizeOrDie(mlir::ModuleOp module);
std::string identityOf(mlir::ModuleOp module);

/// The code of an error, "" for success.
std::string codeOf(llvm::Error error);
template <typename T>
std::string codeOf(llvm::Expected<T> value) {
  return value ? std::string() : codeOf(value.takeError());
}

/// A directory of this test, removed at the end.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::string path(const std::string &name = "") const;

private:
  std::string root;
};

/// The same numbers in every run.
inline std::mt19937_64 randomNumbers(uint64_t seed) {
  return std::mt19937_64(seed);
}

} // namespace loom::test

#endif
