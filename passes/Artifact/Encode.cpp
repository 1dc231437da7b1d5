// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical writer: its steps in order, and the bytecode.

#include "Canonical.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Bytecode/Encoding.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace loom;

// The schema pins the MLIR that defines the encodings of its dialects.
static constexpr llvm::StringLiteral producer =
    "loom.structured_program 1.0 MLIR 22";
static_assert(LLVM_VERSION_MAJOR == 22, "schema 1.0 is pinned to MLIR 22");
static constexpr int64_t bytecodeVersion = 6;

llvm::Error loom::artifact::canonicalise(ModuleOp clone) {
  if (llvm::Error error = admitOperations(clone))
    return error;
  strip(clone);
  if (llvm::Error error = admitAttributes(clone))
    return error;
  if (llvm::Error error = normalise(clone))
    return error;
  return verifyModule(clone);
}

std::string loom::artifact::encode(ModuleOp canonical) {
  BytecodeWriterConfig config(producer);
  config.setDesiredBytecodeVersion(bytecodeVersion);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  // Fails only for a version that it doesn't know.
  if (failed(writeBytecodeToFile(canonical, stream, config)))
    return {};
  return bytes;
}
