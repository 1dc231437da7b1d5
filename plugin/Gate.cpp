// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gate.h"
#include "GateRun.h"
#include "Image/Flat.h"
#include "Image/Reader.h"
#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace llvm;
using namespace loom;

namespace {

/// Limits: captures of a region that are tried, seconds of processor time of
/// an input, seconds of the whole gate of a region.
constexpr size_t mostCaptures = 8;
constexpr unsigned inputSeconds = 1;
constexpr unsigned gateSeconds = 20;

/// What the processes share.
struct Board {
  char problem[200]; // nothing could be tried
  GateRecord records[gateVariants + mostCaptures];
};

class Gate {
public:
  Gate(const Module &nests, StringRef name, ArrayRef<uint8_t> image)
      : nests(nests), name(name), image(image) {}
  ~Gate() {
    region.release();
    if (board)
      munmap(board, sizeof(Board));
  }
  GateResult run();

private:
  GateResult untested(const Twine &why) {
    return {false, ("gate: not tested: " + why).str()};
  }
  void findCaptures();
  bool prepare(std::string &why);
  void child();
  void tryInput(GateFunction host, size_t number);
  GateResult conclude();
  std::string inputName(size_t number) const;

  const Module &nests;
  StringRef name;
  ArrayRef<uint8_t> image;
  rt::LoadedRegion region;
  std::vector<GateSlot> facts;
  SmallVector<char, 0> bitcode;
  std::vector<std::string> captures;
  Board *board = nullptr;
};

} // namespace

bool loom::gateWanted() { return PluginOptions::get().gate; }

/// A defect in the graph, to see that the gate notices (LOOM_GATE_DEFECT).
static void plantDefect(rt::LoadedRegion &region, StringRef defect) {
  using image::Op;
  for (rt::ActorInfo &actor : region.actors) {
    bool add = actor.kind == rt::Kind::Compute && actor.op == uint8_t(Op::AddI);
    if (defect == "add" && add) {
      actor.op = uint8_t(Op::SubI);
      return;
    }
    if (defect == "address" && actor.kind == rt::Kind::Constant &&
        actor.type == rt::Ty::I64 && actor.imm >= 4) {
      actor.imm <<= 20;
      return;
    }
  }
}

/// Files NAME.<number>.loomcap, in the order of their names.
void Gate::findCaptures() {
  StringRef folder = PluginOptions::get().gateInputs;
  if (folder.empty())
    return;
  std::string prefix;
  for (char c : (name + ".").str())
    prefix += isAlnum(c) || c == '.' || c == '-' ? c : '_';
  std::error_code error;
  for (sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    StringRef file = sys::path::filename(at->path());
    StringRef number = file;
    if (number.consume_front(prefix) && number.consume_back(".loomcap") &&
        !number.empty() && all_of(number, isDigit))
      captures.push_back(at->path());
  }
  llvm::sort(captures);
  if (captures.size() > mostCaptures)
    captures.resize(mostCaptures);
}

bool Gate::prepare(std::string &why) {
  rt::ImageVerdict verdict = rt::checkSeal(image.data(), image.size());
  if (verdict.ok())
    verdict = rt::loadRegion(image.data(), 0, region);
  if (!verdict.ok()) {
    why = std::string("the image is refused: ") +
          rt::imageErrorName(verdict.error);
    return false;
  }
  facts = gateFacts(nests, name);
  Expected<SmallVector<char, 0>> code = gateBitcode(nests, name);
  if (!code) {
    why = toString(code.takeError());
    return false;
  }
  bitcode = std::move(*code);
  if (facts.size() != region.slots.size) {
    why = "arguments and slots differ";
    return false;
  }
  plantDefect(region, PluginOptions::get().gateDefect);
  findCaptures();
  void *shared = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    why = "no memory";
    return false;
  }
  board = static_cast<Board *>(shared);
  return true;
}

/// In the child of a child: one input.
void Gate::tryInput(GateFunction host, size_t number) {
  GateRecord &record = board->records[number];
  GateInput input;
  std::string why;
  rt::Capture capture;
  bool made = false;
  if (number < captures.size()) {
    auto file = MemoryBuffer::getFile(captures[number], false, false, true);
    rt::CaptureError error = rt::CaptureError::Truncated;
    if (file && (*file)->getBufferSize() <= rt::maxCaptureBytes)
      error = rt::readCapture(
          reinterpret_cast<const uint8_t *>((*file)->getBufferStart()),
          (*file)->getBufferSize(), capture);
    if (error == rt::CaptureError::None)
      made = restore(capture, region, input, why);
    else
      why =
          std::string("the capture is damaged: ") + rt::captureErrorName(error);
  } else {
    made = synthesise(region, facts, unsigned(number - captures.size()), input,
                      why);
  }
  if (made)
    gateRun(host, region, input, record);
  else
    record.say(GateVerdict::Untested, why.c_str());
}

/// Nobody outlives the link, prints, or leaves a core. A signal ends the
/// process instead of running the handlers of the linker.
static void confine(unsigned seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  rlimit time = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &time);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU,
                     SIGTERM, SIGINT, SIGPIPE})
    ::signal(signal, SIG_DFL);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0)
    for (int fd = 0; fd < 3; ++fd)
      dup2(nowhere, fd);
}

/// In the child: compiles, then a process for each input.
void Gate::child() {
  Expected<GateFunction> host = gateCompile(bitcode);
  if (!host) {
    snprintf(board->problem, sizeof(board->problem), "%s",
             toString(host.takeError()).c_str());
    return;
  }
  board->problem[0] = 0;
  for (size_t i = 0; i < captures.size() + gateVariants; ++i) {
    GateRecord &record = board->records[i];
    record.say(GateVerdict::Untested, "the host code does not end");
    pid_t pid = fork();
    if (pid == 0) {
      confine(inputSeconds);
      tryInput(*host, i);
      _exit(0);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
      record.say(GateVerdict::Untested, "no process");
      continue;
    }
    if (WIFEXITED(status))
      continue;
    int signal = WTERMSIG(status);
    bool time = signal == SIGXCPU || signal == SIGKILL;
    if (record.inGraph)
      record.say(time ? GateVerdict::Untested : GateVerdict::Different,
                 time ? "the graph takes too long" : "the graph crashes");
    else if (!time)
      record.say(GateVerdict::Untested, "the host code crashes");
  }
}

std::string Gate::inputName(size_t number) const {
  if (number < captures.size())
    return sys::path::filename(captures[number]).str();
  return "input " + std::to_string(number - captures.size());
}

GateResult Gate::conclude() {
  unsigned equal = 0;
  std::string untestedWhy;
  size_t count = captures.size() + gateVariants;
  for (size_t i = 0; i < count; ++i) {
    GateRecord &record = board->records[i];
    record.detail[sizeof(record.detail) - 1] = 0;
    if (record.verdict == GateVerdict::Different)
      return {true, inputName(i) + ": " + record.detail};
    equal += record.verdict == GateVerdict::Equal;
    if (record.verdict == GateVerdict::Untested && untestedWhy.empty())
      untestedWhy = inputName(i) + ": " + record.detail;
  }
  if (equal == 0)
    return untested(untestedWhy);
  std::string text = "gate: equal on " + std::to_string(equal) + " of " +
                     std::to_string(count) + " inputs";
  if (!untestedWhy.empty())
    text += "; not tested: " + untestedWhy;
  return {false, text};
}

/// Waits for a process, but not for ever.
static bool waitFor(pid_t pid, unsigned seconds) {
  timespec begin, now, pause = {0, 2000000};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (;;) {
    int status = 0;
    pid_t done = waitpid(pid, &status, WNOHANG);
    if (done == pid)
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (done < 0 || now.tv_sec - begin.tv_sec > time_t(seconds)) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return false;
    }
    nanosleep(&pause, nullptr);
  }
}

GateResult Gate::run() {
  std::string why;
  if (!prepare(why))
    return untested(why);
  snprintf(board->problem, sizeof(board->problem),
           "the host code does not compile");
  pid_t pid = fork();
  if (pid == 0) {
    confine(gateSeconds);
    child();
    _exit(0);
  }
  if (pid < 0)
    return untested("no process");
  bool ended = waitFor(pid, gateSeconds);
  if (!ended && board->problem[0] == 0)
    return untested("it takes too long");
  if (board->problem[0]) {
    board->problem[sizeof(board->problem) - 1] = 0;
    return untested(board->problem);
  }
  return conclude();
}

GateResult loom::runGate(const Module &nests, StringRef name,
                         ArrayRef<uint8_t> image) {
  return Gate(nests, name, image).run();
}
