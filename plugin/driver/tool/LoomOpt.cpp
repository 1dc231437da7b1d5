// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoomOpt.h"
#include "Beside.h"
#include "Commands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

Error loom::tool::runLoomOpt(StringRef pass, StringRef mlir, StringRef output) {
  Expected<SmallString<128>> loomOpt = pathBeside("loom-opt");
  if (!loomOpt)
    return loomOpt.takeError();
  SmallString<128> file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("loom", "mlir", file))
    return createStringError(error, "can't write a temporary file");
  FileRemover remover(file);
  if (Error error = writeFile(file, mlir))
    return error;
  outs().flush();
  std::string message;
  StringRef words[] = {*loomOpt, pass, file, "-o", output};
  int code = sys::ExecuteAndWait(*loomOpt, words, std::nullopt, {},
                                 besideSeconds, besideMegabytes, &message);
  if (code == 0)
    return Error::success();
  return createStringError("loom-opt failed" +
                           (message.empty() ? "" : ": " + message));
}
