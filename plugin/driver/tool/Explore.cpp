// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom explore: what schedules of the loops would do to a captured launch.

#include "Beside.h"
#include "TimedRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

static constexpr StringLiteral help =
    R"(usage: loom explore CAPTURE [OPTIONS]

Unrolls, tiles and jams the loops of the region, one decision at a time, and runs
the launch that LOOM_CAPTURE recorded on the timed simulator with each graph.
Every result is compared with the recorded one. L0, L1, ... are the loops as
`loom views` numbers them. The program itself is not changed.

  --image FILE       the program, a shared library or an image of `loom extract`;
                     otherwise the file that the capture names
  --latency N        cycles of an actor, --memory-latency N of an access
  --queue N          places of a queue
  --ports N          accesses in a cycle; 0: one for each access actor
  --budget N         firings, with k, M or G

What isn't given is as the target of the image says.

Exit codes: 0 done, 1 a result differs from the recorded one, 2 could not be run.
)";

namespace {

/// Loops of a region and copies of a body that are tried.
constexpr StringLiteral mostLoops = "16";
constexpr unsigned largestFactor = 16;
/// Rows that are printed.
constexpr size_t mostRows = 12;

struct Tried {
  uint64_t cycles = 0;
  std::string decision;
};

/// A directory for what the tools hand on to each other, removed at the end.
class Bench {
public:
  static Expected<Bench> make() {
    SmallString<128> path;
    if (std::error_code error = sys::fs::createUniqueDirectory("loom", path))
      return createStringError(error, "can't make a temporary directory");
    return Bench(path.str());
  }
  Bench(Bench &&other) : root(std::move(other.root)) { other.root.clear(); }
  Bench &operator=(Bench &&) = delete;
  ~Bench() {
    if (!root.empty())
      sys::fs::remove_directories(root);
  }
  std::string path(StringRef name) const { return root + "/" + name.str(); }

private:
  explicit Bench(StringRef root) : root(root.str()) {}
  std::string root;
};

class Explorer {
public:
  Explorer(const CaptureFile &file, const Region &parent,
           const SimOptions &options, const Bench &bench)
      : file(file), parent(parent), options(options), bench(bench) {}

  int run() {
    // The name goes into an option of loom-opt.
    if (!all_of(StringRef((*file).name), [](char c) {
          return isAlnum(c) || StringRef("._$-").contains(c);
        }))
      return fail("explore", nameOf(*file) + ": not a name of a region");
    std::optional<uint64_t> before = simulate(parent);
    if (!before && different)
      outs() << nameOf(*file)
             << ": the result differs from the recorded one; see loom replay\n";
    for (const auto &[reason, count] : refused)
      fail("explore", nameOf(*file) + " ended early: " + reason);
    if (!before)
      return different ? Different : Failed;
    std::string program = parent.structured();
    if (program.empty())
      return fail("explore", nameOf(*file) + ": the image has no program");
    if (rt::rerunIsApart(*file, *parent) && !separate(program))
      return fail("explore", nameOf(*file) + ": the program has no partitions");
    if (Error error = prepare(program))
      return fail("explore", toString(std::move(error)));
    outs() << nameOf(*file) << ": " << *before << " cycles on target "
           << printable(parent.target().name) << " as it is\n";
    for (StringRef line : split(decisions, '\n'))
      if (!line.empty())
        if (Error error = tryOne(line))
          return fail("explore", toString(std::move(error)));
    print(*before);
    return different ? Different : Done;
  }

private:
  /// The graph for disjoint roots ran: its partitions, in the text.
  bool separate(std::string &program) const {
    constexpr StringLiteral before = "partitions [";
    size_t from = program.find(before.str());
    size_t to = from == std::string::npos ? from : program.find(']', from);
    if (to == std::string::npos || parent.apartPartitions().empty())
      return false;
    from += before.size();
    SmallVector<StringRef> old;
    StringRef(program).slice(from, to).split(old, ',');
    if (old.size() != parent.apartPartitions().size())
      return false;
    std::string list;
    for (auto [was, apart] : zip(old, parent.apartPartitions()))
      list += (list.empty() ? "" : ", ") +
              (apart < 0 ? was.trim().str() : std::to_string(apart));
    program.replace(from, to - from, list);
    return true;
  }

  Error prepare(StringRef program) {
    std::string text = bench.path("parent.mlir");
    object = bench.path("parent.obj");
    if (Error error = writeFile(text, program))
      return error;
    if (Error error =
            must("loom-artifact", {"finalize", text, "-o", object}).takeError())
      return error;
    Expected<std::string> list =
        must("loom-artifact", {"schedules", object, "--loops", mostLoops});
    if (!list)
      return list.takeError();
    decisions = std::move(*list);
    return Error::success();
  }

  /// What the tool said, which has to do as it was told.
  static Expected<std::string> must(StringRef tool, ArrayRef<StringRef> words) {
    Expected<Finished> done = runBeside(tool, words);
    if (!done)
      return done.takeError();
    if (done->code)
      return createStringError(
          tool + " failed: " + printable(StringRef(done->err).trim()));
    return std::move(done->out);
  }

  /// A line of `loom-artifact schedules`: KIND ORDINAL FACTOR LOOP.
  Error tryOne(StringRef line) {
    SmallVector<StringRef> words;
    line.split(words, ' ');
    unsigned factor = 0;
    if (words.size() != 4 || words[2].getAsInteger(10, factor))
      return createStringError("loom-artifact said '" + printable(line) + "'");
    if (factor > largestFactor)
      return Error::success();
    std::string child = bench.path("child.obj"),
                text = bench.path("child.mlir"),
                image = bench.path("child.img");
    Expected<Finished> made =
        runBeside("loom-artifact", {"transform", object, words[0], words[1],
                                    words[2], "-o", child});
    if (!made)
      return made.takeError();
    if (made->code == 1) {
      // loom-artifact: CODE: what it means: detail
      ++refused[StringRef(made->err).split(": ").second.split(':').first.str()];
      return Error::success();
    }
    if (made->code)
      return createStringError("loom-artifact failed: " +
                               printable(StringRef(made->err).trim()));
    if (StringRef(made->out).trim() == "no-op")
      return Error::success();
    Expected<std::string> shown = must("loom-artifact", {"show", child});
    if (!shown)
      return shown.takeError();
    if (Error error = writeFile(text, *shown))
      return error;
    std::string write = "--dataflow-write-image=path=" + image +
                        " name=" + std::string((*file).name);
    Expected<Finished> lowered = runBeside(
        "loom-opt", {text, "--loom-lower-to-dataflow",
                     "--loom-rewrite-dataflow", write, "-o", "/dev/null"});
    if (!lowered)
      return lowered.takeError();
    if (lowered->code) {
      ++refused["not lowered"];
      return Error::success();
    }
    Expected<Region> region = Region::find(*file, image);
    if (!region)
      return region.takeError();
    if (std::optional<uint64_t> cycles = simulate(*region))
      tried.push_back(
          {*cycles, (words[0] + " " + words[3] + " by " + words[2]).str()});
    return Error::success();
  }

  /// The cycles of the launch with this graph, on the target of the parent. No
  /// value: complained.
  std::optional<uint64_t> simulate(const Region &region) {
    TimedRun timed("explore", file, region, parent.target(), options);
    if (!timed.prepare() || !timed.run())
      return std::nullopt;
    if (timed.result.outcome.reason != rt::Reason::None) {
      ++refused[rt::reasonName(timed.result.outcome.reason)];
      return std::nullopt;
    }
    if (!timed.result.equal()) {
      different = true;
      return std::nullopt;
    }
    return timed.times.cycles;
  }

  void print(uint64_t before) {
    stable_sort(tried, [](const Tried &a, const Tried &b) {
      return a.cycles < b.cycles;
    });
    for (const Tried &row : ArrayRef(tried).take_front(mostRows))
      outs() << format("%10llu  %5.2f  ", (unsigned long long)row.cycles,
                       double(row.cycles) /
                           double(std::max<uint64_t>(before, 1)))
             << row.decision << "\n";
    outs() << tried.size() << " schedules gave the recorded result";
    for (const auto &[why, count] : refused)
      outs() << ", " << count << " " << printable(why);
    outs() << "\n";
    if (different)
      outs() << "a result differs from the recorded one\n";
  }

  const CaptureFile &file;
  const Region &parent;
  const SimOptions &options;
  const Bench &bench;
  std::string object, decisions;
  std::vector<Tried> tried;
  std::map<std::string, unsigned> refused;
  bool different = false;
};

} // namespace

int loom::tool::explore(Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    outs() << help;
    return Done;
  }
  SimOptions options;
  if (const char *wrong = parseSim(words, /*traces=*/false, options)) {
    errs() << "loom explore: " << wrong << "; `loom explore --help`\n";
    return Failed;
  }
  std::optional<CapturedLaunch> launch =
      openLaunch("explore", options.path, options.image, /*sameGraph=*/false);
  if (!launch)
    return Failed;
  Expected<Bench> bench = Bench::make();
  if (!bench)
    return fail("explore", toString(bench.takeError()));
  return Explorer(launch->file, launch->region, options, *bench).run();
}
