// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoomOpt.h"
#include "Commands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static constexpr unsigned Seconds = 120;
static constexpr unsigned Megabytes = 4096;

Error loom::tool::runLoomOpt(StringRef pass, StringRef mlir, StringRef output) {
  SmallString<128> loomOpt(sys::fs::getMainExecutable(
      "loom", reinterpret_cast<void *>(&runLoomOpt)));
  sys::path::remove_filename(loomOpt);
  sys::path::append(loomOpt, "loom-opt");
  if (!sys::fs::can_execute(loomOpt))
    return createStringError(loomOpt + " is missing");
  SmallString<128> file;
  if (std::error_code error =
          sys::fs::createTemporaryFile("loom", "mlir", file))
    return createStringError(error, "can't write a temporary file");
  FileRemover remover(file);
  if (Error error = writeFile(file, mlir))
    return error;
  outs().flush();
  std::string message;
  StringRef words[] = {loomOpt, pass, file, "-o", output};
  int code = sys::ExecuteAndWait(loomOpt, words, std::nullopt, {}, Seconds,
                                 Megabytes, &message);
  if (code == 0)
    return Error::success();
  return createStringError("loom-opt failed" +
                           (message.empty() ? "" : ": " + message));
}
