// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResponseFile.h"
#include <cstdio>

namespace loom::cc {

static bool readFile(const std::string &path, std::string &text) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  char buffer[4096];
  size_t got;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, got);
  bool good = !std::ferror(file);
  std::fclose(file);
  return good;
}

/// Words separated by blanks; quotes of both kinds group, a backslash takes the
/// next character as it is.
static std::vector<std::string> splitWords(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (!blank) {
      word += c;
      inWord = true;
    } else if (inWord) {
      words.push_back(word);
      word.clear();
      inWord = false;
    }
  }
  if (inWord)
    words.push_back(word);
  return words;
}

static void expandInto(const std::vector<std::string> &args,
                       std::vector<std::string> &out, unsigned depth) {
  // A file that names itself would never end.
  constexpr unsigned maxDepth = 16;
  for (const std::string &arg : args) {
    std::string text;
    if (arg.size() > 1 && arg[0] == '@' && depth < maxDepth &&
        readFile(arg.substr(1), text))
      expandInto(splitWords(text), out, depth + 1);
    else
      out.push_back(arg);
  }
}

std::vector<std::string>
expandResponseFiles(const std::vector<std::string> &args) {
  std::vector<std::string> out;
  expandInto(args, out, 0);
  return out;
}

} // namespace loom::cc
