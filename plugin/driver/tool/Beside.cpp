// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Beside.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace loom::tool;

Expected<SmallString<128>> loom::tool::pathBeside(StringRef tool) {
  SmallString<128> path(sys::fs::getMainExecutable(
      "loom", reinterpret_cast<void *>(&pathBeside)));
  sys::path::remove_filename(path);
  sys::path::append(path, tool);
  if (!sys::fs::can_execute(path))
    return createStringError(path + " is missing");
  return path;
}

static Expected<std::string> contents(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(), "can't read " + path);
  return (*buffer)->getBuffer().str();
}

Expected<Finished> loom::tool::runBeside(StringRef tool,
                                         ArrayRef<StringRef> words) {
  Expected<SmallString<128>> program = pathBeside(tool);
  if (!program)
    return program.takeError();
  SmallString<128> out, err;
  std::error_code error = sys::fs::createTemporaryFile("loom", "out", out);
  if (error)
    return createStringError(error, "can't write a temporary file");
  FileRemover removeOut(out);
  error = sys::fs::createTemporaryFile("loom", "err", err);
  if (error)
    return createStringError(error, "can't write a temporary file");
  FileRemover removeErr(err);
  SmallVector<StringRef> all{*program};
  append_range(all, words);
  std::optional<StringRef> streams[] = {StringRef(), StringRef(out),
                                        StringRef(err)};
  std::string message;
  bool failed = false;
  Finished finished;
  finished.code =
      sys::ExecuteAndWait(*program, all, std::nullopt, streams, besideSeconds,
                          besideMegabytes, &message, &failed);
  if (failed)
    return createStringError("can't run " + *program + ": " + message);
  for (auto [path, text] :
       {std::pair(&out, &finished.out), std::pair(&err, &finished.err)}) {
    Expected<std::string> said = contents(*path);
    if (!said)
      return said.takeError();
    *text = std::move(*said);
  }
  return finished;
}
