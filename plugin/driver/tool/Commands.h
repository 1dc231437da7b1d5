// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of the loom tool. Each takes the words after its name and
// returns the exit code.

#ifndef LOOM_DRIVER_TOOL_COMMANDS_H
#define LOOM_DRIVER_TOOL_COMMANDS_H

#include "ImageFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace loom::tool {

/// Exit codes (docs/user-guide.md).
enum ExitCode : int {
  Done = 0,      ///< what was asked for was done
  Nothing = 1,   ///< the file is sound and has nothing of the kind
  Different = 1, ///< a replay was done and gave another result
  Failed = 2,    ///< wrong usage, an unreadable or damaged file, a failed write
};

using Words = llvm::ArrayRef<llvm::StringRef>;

int report(Words words);
int graph(Words words);
int spatial(Words words);
int extract(Words words);
int views(Words words);
int capture(Words words);
int replay(Words words);
int sim(Words words);
int explain(Words words);
int explore(Words words);
int target(Words words);
int doctor(Words words);

/// Prints "loom COMMAND: TEXT" to stderr and returns Failed.
int fail(llvm::StringRef command, const llvm::Twine &text);

/// A command line of positional words, `-o PATH` and flags.
struct Arguments {
  llvm::SmallVector<llvm::StringRef> positional;
  llvm::StringRef output;
  bool json = false;
};

/// Reads words; complains with `usage` and returns nothing when they don't fit.
std::optional<Arguments> parseArguments(llvm::StringRef command,
                                        llvm::StringRef usage, Words words,
                                        size_t minimum, size_t maximum);

/// The images of `path`; complains and sets `code` when there is none.
std::optional<ImageFile> openImages(llvm::StringRef command,
                                    llvm::StringRef path, int &code);

/// The regions that `name` selects: the one of that name, or else all whose
/// name starts with it.
std::vector<RegionRef> selectRegions(const ImageFile &file,
                                     llvm::StringRef name);

/// What a refusal code means; empty for a code of another version of Loom.
llvm::StringRef meaningOf(llvm::StringRef code);

/// Hands out file names that differ from each other.
class NameSpace {
public:
  std::string unique(llvm::StringRef name);

private:
  std::vector<std::string> taken;
};

} // namespace loom::tool

#endif
