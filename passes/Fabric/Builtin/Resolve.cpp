// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a name to a target. Files are hostile: bounded in size and nesting
// before MLIR's recursive parser sees them.

#include "loom/Fabric/Builtin/Resolve.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace loom::fabric;

/// Texts of strangers end up on a terminal: one line, nothing but characters.
static llvm::Error problem(const llvm::Twine &text) {
  std::string line = text.str();
  for (char &c : line)
    if (uint8_t(c) < 0x20 || c == 0x7f)
      c = ' ';
  return llvm::createStringError(line);
}

static constexpr unsigned maxNesting = 32;

/// Whether brackets (outside strings and comments) nest deeply, or signs stand
/// in long rows: what a recursive parser would follow down.
static bool nestsDeeply(StringRef text) {
  unsigned depth = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    bool arrow = c == '>' && i && text[i - 1] == '-';
    if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}' || (c == '>' && !arrow)) &&
             depth)
      --depth;
    signs = c == '-' ? signs + 1 : isspace(uint8_t(c)) ? signs : 0;
    if (depth > maxNesting || signs > maxNesting)
      return true;
  }
  return false;
}

static llvm::Expected<TargetText> readFile(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return problem(path + ": " + error.message());
  // A pipe or a device would keep the link waiting.
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return problem(path + ": not a regular file");
  if (status.getSize() > maxTargetBytes)
    return problem(path + ": larger than 1 MiB");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return problem(path + ": " + buffer.getError().message());
  return TargetText{(*buffer)->getBuffer().str(), path.str()};
}

llvm::Expected<TargetText> loom::fabric::findTarget(StringRef name) {
  if (name.empty())
    name = "default";
  if (name.contains('/') || name.ends_with(".mlir"))
    return readFile(name);
  std::string names;
  for (const BuiltinTarget &target : builtinTargets()) {
    if (target.name == name)
      return TargetText{target.text.str(), target.name.str()};
    names += (names.empty() ? "" : ", ") + target.name.str();
  }
  return problem("there is no built-in target '" + name + "' (" + names + ")");
}

llvm::Expected<Target> loom::fabric::parseTarget(const TargetText &source) {
  if (source.text.size() > maxTargetBytes)
    return problem(source.origin + ": larger than 1 MiB");
  if (StringRef(source.text).contains('\0'))
    return problem(source.origin + ": not a text");
  if (nestsDeeply(source.text))
    return problem(source.origin + ": nested too deeply");
  DialectRegistry registry;
  registry.insert<FabricDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(false);
  std::string first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (!first.empty() || diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (auto where = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      first = std::to_string(where.getLine()) + ": ";
    first += StringRef(diagnostic.str()).take_front(300).str();
    return success();
  });
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source.text, config, source.origin);
  if (!module)
    return problem(source.origin + ":" + first);
  auto targets = llvm::to_vector(module->getOps<TargetOp>());
  if (targets.size() != 1 || !llvm::hasSingleElement(*module->getBody()))
    return problem(source.origin + ": must hold one fabric.target and nothing "
                                   "else");
  return modelOf(targets.front());
}

llvm::Expected<Target> loom::fabric::resolveTarget(StringRef name) {
  llvm::Expected<TargetText> source = findTarget(name);
  if (!source)
    return source.takeError();
  return parseTarget(*source);
}
