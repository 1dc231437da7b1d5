// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom doctor: is everything there, does it fit together, does it work?

#include "Commands.h"
#include "Core/Options.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace llvm;
using namespace loom::tool;

namespace {

/// A finished command: what it wrote, or why it didn't run.
struct Outcome {
  int code = -1;
  std::string text;
};

class Doctor {
public:
  int run();

private:
  void checkTool(StringRef name, StringRef path);
  void checkPlugin();
  void checkIsl();
  void checkRuntime();
  void checkConfig();
  void checkTarget();
  void checkLink();
  void checkOptional(StringRef program, StringRef purpose);
  void checkEnvironment();

  void good(StringRef what, const Twine &text) { line("ok", what, text); }
  void bad(StringRef what, const Twine &text) {
    line("FAILED", what, text);
    failed = true;
  }
  void line(StringRef verdict, StringRef what, const Twine &text) {
    outs() << left_justify(verdict, 8) << left_justify(what, 10) << text
           << "\n";
  }
  std::string path(StringRef relative) const {
    SmallString<128> result(root);
    sys::path::append(result, relative);
    return result.str().str();
  }

  std::string root;
  bool failed = false;
};

} // namespace

static std::string contentsOf(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static std::string firstLine(StringRef text) {
  return printable(text.trim().split('\n').first);
}

/// Runs a program with its output in `log`; at most `seconds`.
static Outcome execute(ArrayRef<StringRef> words, StringRef log,
                       unsigned seconds = 60) {
  Outcome outcome;
  std::string message;
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  outcome.code = sys::ExecuteAndWait(words[0], words, std::nullopt, redirects,
                                     seconds, 0, &message);
  outcome.text = contentsOf(log);
  if (outcome.text.empty())
    outcome.text = message;
  return outcome;
}

/// A folder that goes away with everything in it.
static Expected<SmallString<128>> makeFolder() {
  SmallString<128> folder;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("loom-doctor", folder))
    return createStringError(error, "can't make a temporary folder");
  return folder;
}

void Doctor::checkTool(StringRef name, StringRef program) {
  Expected<SmallString<128>> folder = makeFolder();
  if (!folder)
    return bad(name, toString(folder.takeError()));
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(*folder); });
  Outcome outcome = execute({program, "--version"}, (*folder + "/log").str());
  if (outcome.code != 0)
    return bad(name, program + ": " + firstLine(outcome.text) + " (install " +
                         name + "-" LOOM_LLVM_MAJOR ")");
  if (!StringRef(outcome.text).contains(LOOM_LLVM_VERSION))
    return bad(name, firstLine(outcome.text) +
                         ", but Loom was built for LLVM " LOOM_LLVM_VERSION);
  good(name, firstLine(outcome.text) + ", " + program);
}

void Doctor::checkPlugin() {
  std::string file = path("lib/" LOOM_PLUGIN_FILE);
  if (!sys::fs::exists(file))
    return bad("plugin", file + " is missing");
  // Resolves every symbol against the libLLVM and libMLIR of this machine.
  Expected<PassPlugin> plugin = PassPlugin::Load(file);
  if (!plugin)
    return bad("plugin", firstLine(toString(plugin.takeError())));
  if (plugin->getPluginVersion() != LOOM_VERSION_STRING)
    return bad("plugin", file + " is version " + plugin->getPluginVersion() +
                             ", this tool is " LOOM_VERSION_STRING);
  good("plugin", "Loom " + plugin->getPluginVersion() + " for LLVM " +
                     LOOM_LLVM_VERSION + ", " + file);
}

/// The shared libraries that an ELF file asks for.
static std::vector<std::string> neededLibraries(StringRef path) {
  std::vector<std::string> result;
  auto binary = object::ObjectFile::createObjectFile(path);
  if (!binary) {
    consumeError(binary.takeError());
    return result;
  }
  auto *elf = dyn_cast<object::ELF64LEObjectFile>(binary->getBinary());
  if (!elf)
    return result;
  auto entries = elf->getELFFile().dynamicEntries();
  if (!entries) {
    consumeError(entries.takeError());
    return result;
  }
  uint64_t strings = 0;
  for (const auto &entry : *entries)
    if (entry.getTag() == ELF::DT_STRTAB)
      strings = entry.getPtr();
  auto table = elf->getELFFile().toMappedAddr(strings);
  if (!table) {
    consumeError(table.takeError());
    return result;
  }
  for (const auto &entry : *entries)
    if (entry.getTag() == ELF::DT_NEEDED)
      result.push_back(reinterpret_cast<const char *>(*table) + entry.getVal());
  return result;
}

void Doctor::checkIsl() {
  for (const std::string &library :
       neededLibraries(path("lib/" LOOM_PLUGIN_FILE)))
    if (StringRef(library).starts_with("libisl"))
      return bad("isl", "the plugin asks for " + library +
                            ", which would be mixed up with Polly's");
  using VersionFunction = const char *(*)();
  auto version =
      reinterpret_cast<VersionFunction>(dlsym(RTLD_DEFAULT, "isl_version"));
  good("isl", version ? firstLine(version()) + ", Polly's, inside libLLVM"
                      : std::string("none in libLLVM, and the plugin asks for "
                                    "none"));
}

void Doctor::checkRuntime() {
  std::string archive = path("lib/libloom_rt.a");
  if (!sys::fs::exists(archive))
    return bad("runtime", archive + " is missing");
  good("runtime", archive);
}

void Doctor::checkConfig() {
  for (StringRef name : {"loom.cfg", "loom-compile.cfg", "loom-linker.cfg",
                         "loom-plugin.cfg", "loom-runtime.cfg"})
    if (!sys::fs::exists(path(("share/loom/" + name).str())))
      return bad("config", path(("share/loom/" + name).str()) + " is missing");
  good("config", path("share/loom/loom.cfg"));
}

/// The target that links are for: LOOM_TARGET, or the default.
void Doctor::checkTarget() {
  Expected<SmallString<128>> folder = makeFolder();
  if (!folder)
    return bad("target", toString(folder.takeError()));
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(*folder); });
  const char *set = std::getenv("LOOM_TARGET");
  std::string name = set && *set ? set : "default", tool = path("bin/loom");
  Outcome outcome = execute({tool, "target", name}, (*folder + "/log").str());
  SmallVector<StringRef> lines;
  StringRef(outcome.text).split(lines, '\n', 3);
  if (outcome.code != 0 || lines.size() < 3)
    return bad("target", firstLine(outcome.text));
  good("target", printable(lines[0]) + ", " + printable(lines[1]));
}

static constexpr StringLiteral probe = R"(#include <stdio.h>
int main(int argc, char **argv) {
  static int data[64];
  for (int i = 0; i < 64; ++i)
    data[i] = i * argc + 1;
  unsigned sum = 0;
  for (int i = 0; i < 64; ++i)
    sum = sum * 31 + data[i];
  printf("%u\n", sum);
  return 0;
}
)";

/// Launches on the simulator, from a statistics file of the runtime.
static int64_t simulatedLaunches(StringRef path) {
  int64_t launches = 0;
  SmallVector<StringRef> lines;
  std::string contents = contentsOf(path);
  StringRef(contents).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    Expected<json::Value> row = json::parse(line);
    if (!row) {
      consumeError(row.takeError());
      continue;
    }
    const json::Object *object = row->getAsObject();
    if (object && object->getString("device") == "sim")
      launches += object->getInteger("launches").value_or(0);
  }
  return launches;
}

/// What the user has set must not change what a test program does.
static void clearSettings() {
  std::vector<std::string> names;
  for (char **entry = environ; *entry; ++entry)
    if (StringRef name = StringRef(*entry).split('=').first;
        name.starts_with("LOOM_"))
      names.push_back(name.str());
  for (const std::string &name : names)
    unsetenv(name.c_str());
}

void Doctor::checkLink() {
  Expected<SmallString<128>> folder = makeFolder();
  if (!folder)
    return bad("link", toString(folder.takeError()));
  auto remove = make_scope_exit([&] { sys::fs::remove_directories(*folder); });
  auto in = [&](StringRef name) { return (*folder + "/" + name).str(); };
  std::string compiler = path("bin/loom-cc"), source = in("probe.c"),
              device = in("device"), plain = in("plain"), stats = in("stats"),
              log = in("log");
  if (Error error = writeFile(source, probe))
    return bad("link", toString(std::move(error)));
  clearSettings();

  Outcome outcome = execute({compiler, "-O2", source, "-o", device}, log);
  if (outcome.code != 0)
    return bad("link", "loom-cc: " + firstLine(outcome.text));
  setenv("LOOM_DISABLE", "1", 1);
  outcome = execute({compiler, "-O2", source, "-o", plain}, log);
  unsetenv("LOOM_DISABLE");
  if (outcome.code != 0)
    return bad("link", "clang: " + firstLine(outcome.text));
  setenv("LOOM_STATS", stats.c_str(), 1);
  setenv("LOOM_DEVICE", "sim", 1);
  Outcome ours = execute({device}, log);
  Outcome theirs = execute({plain}, log);
  if (ours.code != 0 || ours.text != theirs.text)
    return bad("link", "a test program printed '" + firstLine(ours.text) +
                           "' instead of '" + firstLine(theirs.text) + "'");
  int64_t launches = simulatedLaunches(stats);
  if (launches <= 0)
    return bad("link", "a test program ran, but launched nothing on the "
                       "simulator");
  good("link", "a test program launched " + Twine(launches) +
                   " regions on the simulator, same output as plain clang");
}

void Doctor::checkOptional(StringRef program, StringRef purpose) {
  if (ErrorOr<std::string> found = sys::findProgramByName(program))
    return good(program, *found);
  line("missing", program, "optional: " + purpose);
}

void Doctor::checkEnvironment() {
  for (char **entry = environ; *entry; ++entry) {
    StringRef name = StringRef(*entry).split('=').first;
    if (name.starts_with("LOOM_") &&
        !loom::rt::isKnownVariable(name.data(), unsigned(name.size())))
      line("note", "env",
           printable(name) + " is set, but Loom reads no such variable");
  }
}

int Doctor::run() {
  SmallString<128> self(
      sys::fs::getMainExecutable("loom", reinterpret_cast<void *>(&doctor)));
  root = sys::path::parent_path(sys::path::parent_path(self)).str();
  good("loom", Twine(LOOM_VERSION_STRING) + ", " + root);
  checkEnvironment();
  checkTool("clang", LOOM_LLVM_BIN_DIR "/clang");
  checkTool("lld", LOOM_LLVM_BIN_DIR "/ld.lld");
  checkPlugin();
  checkIsl();
  checkRuntime();
  checkConfig();
  checkTarget();
  checkLink();
  checkOptional("dot", "loom graph -o x.svg (Debian package graphviz)");
  checkOptional("scala", "runs Spatial apps with test/spatial-shim (Debian "
                         "package scala)");
  return failed ? Failed : Done;
}

int loom::tool::doctor(Words words) {
  if (!parseArguments("doctor", "", words, 0, 0))
    return Failed;
  return Doctor().run();
}
