// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom-cc and loom-c++: clang with the configuration files of Loom. One binary;
// the name it is called by says which language it drives.

#include "Plan.h"
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

using namespace loom::cc;

static bool isSet(const char *name) {
  const char *value = getenv(name);
  return value && *value && strcmp(value, "0") != 0;
}

static std::string directoryOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

static std::string baseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// The folder that holds bin/, lib/ and share/: the tree can be moved.
static std::string installRoot() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || size_t(length) >= sizeof path)
    return {};
  return directoryOf(directoryOf(std::string(path, size_t(length))));
}

static bool exists(const std::string &path) {
  return access(path.c_str(), R_OK) == 0;
}

/// clang of the LLVM that Loom was built for; a name to be looked up in PATH
/// when it isn't where it was.
static std::string findClang(bool cxx) {
  std::string path =
      std::string(LOOM_LLVM_BIN_DIR) + (cxx ? "/clang++" : "/clang");
  if (access(path.c_str(), X_OK) == 0)
    return path;
  return cxx ? "clang++-" LOOM_LLVM_MAJOR : "clang-" LOOM_LLVM_MAJOR;
}

static std::string quoted(const std::string &word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "0123456789_-+=./,:@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

static void showPart(const char *name, const Part &part) {
  printf("  %-13s %s%s%s\n", name, part.on ? "yes" : "no",
         *part.reason ? ": " : "", part.reason);
}

static void showPlan(const char *tool, const CommandLine &line,
                     const Plan &plan, const std::vector<std::string> &words) {
  printf("%s: %s\n", tool,
         line.stops    ? "compiles, no link"
         : line.inputs ? "compiles and links, or links"
                       : "no input files");
  showPart("lto flags", plan.compile);
  showPart("lld", plan.linker);
  showPart("plugin", plan.plugin);
  showPart("runtime", plan.runtime);
  std::string command;
  for (const std::string &word : words)
    command += (command.empty() ? "" : " ") + quoted(word);
  printf("  command       %s\n", command.c_str());
}

/// A part of the installation that this command needs and that isn't there.
static std::string missingPart(const Plan &plan, bool links,
                               const std::string &root) {
  for (const char *file : configFiles(plan))
    if (std::string path = root + "/share/loom/" + file; !exists(path))
      return path;
  if (std::string path = root + "/lib/" LOOM_PLUGIN_FILE;
      links && plan.plugin.on && !exists(path))
    return path;
  if (std::string path = root + "/lib/libloom_rt.a";
      links && plan.runtime.on && !exists(path))
    return path;
  return {};
}

int main(int argc, char **argv) {
  std::string tool = argc > 0 ? baseName(argv[0]) : "loom-cc";
  bool cxx = tool.find("++") != std::string::npos;
  std::vector<std::string> args(argv + (argc > 0), argv + argc);
  std::string root = installRoot();

  Environment environment;
  environment.ldPath = LOOM_LLVM_BIN_DIR "/ld.lld";
  if (isSet("LOOM_DISABLE"))
    environment.offReason = "LOOM_DISABLE is set";
  else if (isSet("LOOM_CONFIGURE_ONLY"))
    environment.offReason = "LOOM_CONFIGURE_ONLY is set";

  CommandLine line = readCommandLine(args);
  Plan plan = makePlan(line, environment);
  bool links = !line.stops && line.inputs;

  std::vector<std::string> words = {findClang(cxx)};
  for (const char *file : configFiles(plan))
    words.push_back("--config=" + root + "/share/loom/" + file);
  for (const std::string &word : remarkWords(line, plan))
    words.push_back(word);
  for (const std::string &arg : args)
    if (arg != "--loom-show-plan")
      words.push_back(arg);
  for (const std::string &word : remarkWords(line, plan))
    words.push_back(word);

  if (line.showPlan) {
    showPlan(tool.c_str(), line, plan, words);
    return 0;
  }
  if (std::string path = missingPart(plan, links, root); !path.empty()) {
    fprintf(stderr,
            "%s: error: %s is missing: build or install Loom again "
            "(LOOM_DISABLE=1 makes this plain clang)\n",
            tool.c_str(), path.c_str());
    return 1;
  }

  std::vector<char *> raw;
  for (std::string &word : words)
    raw.push_back(word.data());
  raw.push_back(nullptr);
  execvp(raw[0], raw.data());
  fprintf(stderr, "%s: error: can't run %s: %s (install clang-%s)\n",
          tool.c_str(), raw[0], strerror(errno), LOOM_LLVM_MAJOR);
  return 127;
}
