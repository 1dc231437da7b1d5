// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands share: words, files, region names.

#include "Commands.h"
#include "loom/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;

int loom::tool::fail(StringRef command, const Twine &text) {
  errs() << "loom " << command << ": " << text << "\n";
  return Failed;
}

std::optional<Arguments> loom::tool::parseArguments(StringRef command,
                                                    StringRef usage,
                                                    Words words, size_t minimum,
                                                    size_t maximum) {
  Arguments arguments;
  bool good = true;
  bool isReport = command == "report"; // --json instead of -o
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word == "-o" && !isReport && i + 1 < words.size() &&
        !words[i + 1].empty())
      arguments.output = words[++i];
    else if (word == "--json" && isReport)
      arguments.json = true;
    else if (word.starts_with("-") || word.empty())
      good = false;
    else
      arguments.positional.push_back(word);
  }
  size_t count = arguments.positional.size();
  if (good && count >= minimum && count <= maximum)
    return arguments;
  errs() << "usage: loom " << command << " " << usage << "\n";
  return std::nullopt;
}

std::optional<ImageFile> loom::tool::openImages(StringRef command,
                                                StringRef path, int &code) {
  Expected<ImageFile> file = ImageFile::read(path);
  if (!file) {
    code = fail(command, path + ": " + printable(toString(file.takeError())));
    return std::nullopt;
  }
  if (file->empty()) {
    errs() << "loom " << command << ": " << path
           << " has no Loom image: nothing was offloaded, or it wasn't linked "
              "with Loom; link again with LOOM_REPORT=FILE and see `loom "
              "report FILE` for the reasons\n";
    code = Nothing;
    return std::nullopt;
  }
  return std::move(*file);
}

std::vector<RegionRef> loom::tool::selectRegions(const ImageFile &file,
                                                 StringRef name) {
  std::vector<RegionRef> exact, prefix;
  for (const RegionRef &ref : file.regions()) {
    StringRef own = text(ref.region->name());
    if (own == name)
      exact.push_back(ref);
    if (own.starts_with(name))
      prefix.push_back(ref);
  }
  return exact.empty() ? prefix : exact;
}

StringRef loom::tool::meaningOf(StringRef code) {
  for (const loom::RefusalRow &row : loom::refusalRows())
    if (code == row.Code)
      return row.Text;
  return "";
}

std::string NameSpace::unique(StringRef name) {
  std::string base = fileName(name), result = base;
  for (unsigned number = 2; is_contained(taken, result); ++number)
    result = base + "_" + std::to_string(number);
  taken.push_back(result);
  return result;
}
