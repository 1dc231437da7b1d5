// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom replay: a captured launch on a device, without its program.

#include "CaptureFile.h"
#include "Commands.h"
#include "Core/Options.h"
#include "Devices/Sim/Engine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

static constexpr StringLiteral help =
    R"(usage: loom replay CAPTURE [OPTIONS]

Runs a launch that LOOM_CAPTURE recorded and compares outputs and memory.

  --image FILE       the program, a shared library or an image of `loom extract`;
                     otherwise the file that the capture names
  --device sim       the device
  --order random:N   the order in which the simulator visits actors: static,
                     random, random:N
  --budget N         firings, with k, M or G
  --verify           the graph must be the captured one; also runs the graph for
                     pointers that may overlap, and eight random orders

Exit codes: 0 equal, 1 different, 2 could not be replayed.
)";

namespace {
struct Request {
  StringRef path, image;
  uint64_t budget = 0;
  rt::SimOrder order;
  bool verify = false;
};
} // namespace

static bool parseOrder(StringRef text, rt::SimOrder &order) {
  order = {};
  if (text == "static")
    return true;
  if (!text.consume_front("random"))
    return false;
  order.random = true;
  return text.empty() || (text.consume_front(":") &&
                          rt::parseCount(text.str().c_str(), order.seed));
}

/// Null: fits. Otherwise what does not.
static const char *parse(Words words, Request &request) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word == "--verify") {
      request.verify = true;
      continue;
    }
    if (!word.starts_with("-")) {
      if (!request.path.empty() || word.empty())
        return "one capture is wanted";
      request.path = word;
      continue;
    }
    if (i + 1 == words.size())
      return "an option is unknown or lacks its value";
    StringRef value = words[++i];
    if (word == "--image") {
      request.image = value;
    } else if (word == "--device") {
      if (value == "host")
        return "the host code is in the program, not in the image; --device "
               "sim";
      if (value != "sim")
        return "--device: only sim replays";
    } else if (word == "--order") {
      if (!parseOrder(value, request.order))
        return "--order: static, random or random:N";
    } else if (word == "--budget") {
      if (!rt::parseCount(value.str().c_str(), request.budget) ||
          request.budget == 0)
        return "--budget: a number of firings, with k, M or G";
    } else {
      return "an option is unknown";
    }
  }
  return request.path.empty() ? "one capture is wanted" : nullptr;
}

static void printDifference(const rt::Capture &capture,
                            const rt::RerunDifference &difference) {
  raw_ostream &out = outs();
  if (difference.output == 0) {
    out << "exit selector";
  } else if (difference.output > 0) {
    size_t index = static_cast<size_t>(difference.output);
    out << "live-out " << index << " ("
        << rt::typeName(capture.outputs[index].type.type) << ")";
  } else {
    int64_t root = rt::rootOfAddress(capture, difference.address);
    out << "memory ";
    if (root >= 0) {
      const rt::CaptureMemory &memory =
          capture.memories[static_cast<size_t>(root)];
      out << root << "+"
          << static_cast<int64_t>(difference.address -
                                  capture.slots[memory.slot].bits)
          << " ";
    }
    out << "at 0x" << utohexstr(difference.address, /*LowerCase=*/true);
  }
  out << ": recorded 0x" << utohexstr(difference.recorded, true)
      << ", replayed 0x" << utohexstr(difference.replayed, true);
}

/// One run. `what` names one of --verify, which says nothing when it is equal.
static int runOnce(const CaptureFile &file, const Region &region, bool apart,
                   uint64_t budget, const Twine &what = "") {
  const rt::Capture &capture = *file;
  rt::RerunResult result = rt::rerunCapture(capture, *region, {apart, budget});
  if (result.refusal != rt::RerunRefusal::None)
    return fail("replay",
                nameOf(capture) + ": " + rt::rerunRefusalText(result.refusal));
  if (result.outcome.reason != rt::Reason::None) {
    std::string where;
    const auto &actors = apart ? region->apart->actors : region->actors;
    if (result.outcome.where >= 0) {
      auto index = static_cast<size_t>(result.outcome.where);
      where = ", actor " + std::to_string(index);
      if (index < actors.size && actors[index].line)
        where += " of line " + std::to_string(actors[index].line);
    }
    return fail("replay", nameOf(capture) + what + " ended early: " +
                              rt::reasonName(result.outcome.reason) + ", " +
                              result.outcome.detail + where);
  }
  bool silent = result.equal() && !what.isTriviallyEmpty();
  if (silent)
    return Done;
  outs() << (result.equal() ? "equal: " : "different: ") << nameOf(capture)
         << what << ": ";
  if (result.equal())
    outs() << result.outcome.firings << " firings, " << capture.outputs.size
           << " outputs, " << result.writtenBytes << " bytes written";
  else
    printDifference(capture, result.difference);
  outs() << "\n";
  return result.equal() ? Done : Different;
}

static int runAll(const CaptureFile &file, const Region &region,
                  const Request &request) {
  uint64_t budget = request.budget ? request.budget : rt::rerunBudget(*file);
  bool apart = rt::rerunIsApart(*file, *region);
  rt::simOrder = request.order;
  int code = runOnce(file, region, apart, budget);
  if (!request.verify)
    return code;
  if (apart && code == Done)
    code = runOnce(file, region, false, budget, ", graph for any pointers");
  for (uint64_t seed = 1; seed <= 8 && code == Done; ++seed) {
    rt::simOrder = {true, seed};
    code =
        runOnce(file, region, apart, budget, ", order random:" + Twine(seed));
  }
  if (code == Done)
    outs() << "equal in 8 random orders"
           << (apart ? ", and on the graph for any pointers\n" : "\n");
  return code;
}

int loom::tool::replay(Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    outs() << help;
    return Done;
  }
  Request request;
  if (const char *wrong = parse(words, request)) {
    errs() << "loom replay: " << wrong << "; `loom replay --help`\n";
    return Failed;
  }
  std::optional<CapturedLaunch> launch =
      openLaunch("replay", request.path, request.image, request.verify);
  return launch ? runAll(launch->file, launch->region, request) : Failed;
}
