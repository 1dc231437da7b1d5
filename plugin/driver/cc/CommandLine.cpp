// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"
#include "ResponseFile.h"
#include <algorithm>
#include <string_view>

namespace loom::cc {

using std::string_view;

static bool startsWith(string_view text, string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static bool endsWith(string_view text, string_view suffix) {
  return text.size() >= suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

template <size_t N>
static bool isOneOf(string_view text, const string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

/// Options whose value is the next word and is neither an input nor of
/// interest here.
static bool takesNextWord(string_view arg) {
  static constexpr string_view list[] = {"-o",
                                         "-I",
                                         "-D",
                                         "-U",
                                         "-L",
                                         "-F",
                                         "-B",
                                         "-A",
                                         "-T",
                                         "-e",
                                         "-u",
                                         "-z",
                                         "-G",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-iquote",
                                         "-isysroot",
                                         "-idirafter",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-iwithprefixbefore",
                                         "-isystem-after",
                                         "-iframework",
                                         "-include-pch",
                                         "-cxx-isystem",
                                         "-stdlib++-isystem",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-MJ",
                                         "-Xclang",
                                         "-Xassembler",
                                         "-Xpreprocessor",
                                         "-Xanalyzer",
                                         "-mllvm",
                                         "-arch",
                                         "-framework",
                                         "--param",
                                         "--sysroot",
                                         "--config",
                                         "-dumpdir",
                                         "-dumpbase",
                                         "-aux-info",
                                         "-rpath",
                                         "-gcc-toolchain",
                                         "--output",
                                         "-working-directory",
                                         "--serialize-diagnostics",
                                         "-serialize-diagnostics",
                                         "-install_name",
                                         "-ivfsoverlay",
                                         "-Xarch_host",
                                         "-Xarch_device"};
  return isOneOf(arg, list);
}

/// Options that end the work before a link.
static bool stopsBeforeLink(string_view arg) {
  static constexpr string_view list[] = {"-c",
                                         "-S",
                                         "-E",
                                         "-M",
                                         "-MM",
                                         "-fsyntax-only",
                                         "--analyze",
                                         "--compile",
                                         "--assemble",
                                         "--preprocess",
                                         "-emit-ast",
                                         "--precompile",
                                         "-fmodule-only",
                                         "-verify-pch",
                                         "-extract-api"};
  return isOneOf(arg, list);
}

static void readLinkerArgument(string_view arg, CommandLine &line) {
  line.linkerArgs = true;
  if (arg == "-r" || arg == "--relocatable" || arg == "-relocatable" ||
      arg == "-i")
    line.relocatable = true;
  else if (arg == "-lc")
    line.libc = true;
}

static void readLanguage(string_view language, CommandLine &line,
                         bool &assembler) {
  assembler = startsWith(language, "assembler");
  if (language == "cuda" || language == "hip" || language == "cl" ||
      language == "clcpp")
    line.accelerator = true;
}

static Lto ltoOf(string_view arg) {
  if (arg == "-fno-lto")
    return Lto::Off;
  if (arg == "-flto=thin")
    return Lto::Thin;
  return Lto::Full;
}

/// Options without a following word. Returns false when `arg` is unknown.
static bool readFlag(string_view arg, CommandLine &line) {
  if (stopsBeforeLink(arg)) {
    line.stops = true;
    line.assembly |= arg == "-S" || arg == "--assemble";
  } else if (arg == "-emit-llvm") {
    line.emitLLVM = true;
  } else if (arg == "-r") {
    line.relocatable = true;
  } else if (arg == "-nostdlib" || arg == "-nodefaultlibs" ||
             arg == "-nolibc" || arg == "--no-standard-libraries") {
    line.noLibs = true;
  } else if (arg == "-ffreestanding" || arg == "-mcmodel=kernel") {
    line.freestanding = true;
  } else if (arg == "-fhosted") {
    line.freestanding = false;
  } else if (arg == "-m32" || arg == "-mx32" || arg == "-m16") {
    line.m32 = true;
  } else if (arg == "-m64") {
    line.m32 = false;
  } else if (arg == "-flto" || arg == "-fno-lto" || startsWith(arg, "-flto=")) {
    line.lto = ltoOf(arg);
  } else if (startsWith(arg, "-fuse-ld=")) {
    line.linker = arg.substr(string_view("-fuse-ld=").size());
  } else if (startsWith(arg, "--ld-path=")) {
    line.linker = arg.substr(string_view("--ld-path=").size());
  } else if (startsWith(arg, "--target=")) {
    line.target = arg.substr(string_view("--target=").size());
  } else if (startsWith(arg, "-Rpass=") || startsWith(arg, "-Rpass-missed=") ||
             startsWith(arg, "-Rpass-analysis=")) {
    line.remarks.emplace_back(arg);
  } else if (startsWith(arg, "--offload-arch=") ||
             startsWith(arg, "--cuda-gpu-arch=") ||
             startsWith(arg, "-fopenmp-targets=") || arg == "-fsycl") {
    line.accelerator = true;
  } else {
    return false;
  }
  return true;
}

static void readLinkerList(string_view list, CommandLine &line) {
  while (!list.empty()) {
    size_t comma = std::min(list.find(','), list.size());
    readLinkerArgument(list.substr(0, comma), line);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

CommandLine readCommandLine(const std::vector<std::string> &given) {
  CommandLine line;
  std::vector<std::string> args = expandResponseFiles(given);
  if (!args.empty() && startsWith(args[0], "-cc1"))
    line.internal = true;

  bool assembler = false;  // -x assembler... is in force
  bool otherInput = false; // an input that isn't assembler text
  auto input = [&](string_view name) {
    line.inputs = true;
    bool text = assembler || endsWith(name, ".s") || endsWith(name, ".S") ||
                endsWith(name, ".sx");
    otherInput |= !text;
    if (endsWith(name, ".cu") || endsWith(name, ".hip"))
      line.accelerator = true;
  };

  bool onlyInputs = false; // after "--"
  for (size_t i = 0; i < args.size(); ++i) {
    string_view arg = args[i];
    string_view next = i + 1 < args.size() ? string_view(args[i + 1]) : "";
    if (onlyInputs || arg.empty() || arg[0] != '-' || arg == "-") {
      input(arg);
    } else if (arg == "--") {
      onlyInputs = true;
    } else if (arg == "--loom-show-plan") {
      line.showPlan = true;
    } else if (arg == "-Xlinker") {
      readLinkerArgument(next, line);
      ++i;
    } else if (arg == "-target") {
      line.target = next;
      ++i;
    } else if (arg == "-x") {
      readLanguage(next, line, assembler);
      ++i;
    } else if (takesNextWord(arg)) {
      ++i;
    } else if (startsWith(arg, "-Wl,")) {
      readLinkerList(arg.substr(4), line);
    } else if (startsWith(arg, "-l")) {
      line.libc |= arg == "-lc";
      line.inputs = otherInput = true;
      i += arg == "-l";
    } else if (!readFlag(arg, line) && startsWith(arg, "-x")) {
      readLanguage(arg.substr(2), line, assembler);
    }
  }
  line.onlyAssembler = line.inputs && !otherInput;
  return line;
}

} // namespace loom::cc
