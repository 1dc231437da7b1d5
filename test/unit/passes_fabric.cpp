// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets: identity, hostile texts, and what their rows become in an image.

#include "Image/Reader.h"
#include "Image/Target.h"
#include "loom/Dataflow/Image/ImageWriter.h"
#include "loom/Dataflow/Image/TargetRows.h"
#include "loom/Fabric/Builtin/Resolve.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace loom::fabric;

namespace {

std::string builtinText(llvm::StringRef name) {
  for (const BuiltinTarget &target : builtinTargets())
    if (target.name == name)
      return target.text.str();
  return "";
}

Target parse(const std::string &text) {
  llvm::Expected<Target> target = parseTarget({text, "test"});
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return {};
  }
  return std::move(*target);
}

std::string errorOf(const std::string &text) {
  llvm::Expected<Target> target = parseTarget({text, "test"});
  return target ? "" : llvm::toString(target.takeError());
}

std::string replaced(std::string text, const std::string &from,
                     const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string tiny = R"(fabric.target @tiny {
  fabric.abi pointers [!fabric.ptr<0, 64>] little index [32, 64]
  fabric.system cores 1 clock_khz 1000 queue 2 launch 3 transfer 4
  fabric.system_memory capacity 0 ports 0 latency 4 bytes 8
  fabric.local_memory count 2 capacity 64 banks 1 ports 1 latency 1 bytes 8
  fabric.compute ["arith.addi", "arith.subi"] types [i32, i64] lanes [1, 4]
      count 2 latency 1 interval 1
  fabric.stream add types [i64] count 1 latency 1 interval 1
  fabric.token sync fan 4 types [none] lanes [1] count 2 latency 1 interval 1
  fabric.access load element root plain types [f32] lanes [1]
      count 1 latency 4 interval 1
}
)";

TEST(Fabric, IdentityIgnoresWhatHasNoMeaning) {
  std::string id = parse(tiny).identity.hex();
  auto same = [&](const std::string &text) {
    EXPECT_EQ(parse(text).identity.hex(), id) << text;
  };
  same(replaced(tiny, "@tiny", "@other"));
  same("// a comment\n\n" + tiny);
  same(replaced(tiny, "\"arith.addi\", \"arith.subi\"",
                "\"arith.subi\", \"arith.addi\""));
  same(replaced(tiny, "[i32, i64]", "[i64, i32]"));
  same(replaced(tiny, "index [32, 64]", "index [64, 32]"));
  // Rows in another order; one row as two.
  std::string stream =
      "  fabric.stream add types [i64] count 1 latency 1 interval 1\n";
  same(replaced(replaced(tiny, stream, ""), "tiny {\n", "tiny {\n" + stream));
  std::string token = "  fabric.token sync fan 4 types [none] lanes [1] "
                      "count 2 latency 1 interval 1\n";
  std::string one = replaced(token, "count 2", "count 1");
  same(replaced(tiny, token, one + one));
}

TEST(Fabric, IdentityHasEveryFact) {
  std::set<std::string> seen = {parse(tiny).identity.hex()};
  const std::pair<const char *, const char *> changes[] = {
      {"ptr<0, 64>", "ptr<0, 32>"},
      {"ptr<0, 64>", "ptr<1, 64>"},
      {"little", "big"},
      {"[32, 64]", "[64]"},
      {"[32, 64]", "[32, 64] triple \"x86_64\""},
      {"cores 1", "cores 2"},
      {"clock_khz 1000", "clock_khz 1001"},
      {"queue 2", "queue 3"},
      {"launch 3", "launch 4"},
      {"transfer 4", "transfer 5"},
      {"capacity 0", "capacity 1"},
      {"ports 0", "ports 2"},
      {"latency 4 bytes 8", "latency 5 bytes 8"},
      {"bytes 8", "bytes 9"},
      {"count 2 capacity", "count 3 capacity"},
      {"capacity 64", "capacity 65"},
      {"banks 1", "banks 2"},
      {"banks 1 ports 1", "banks 1 ports 2"},
      {"ports 1 latency 1", "ports 1 latency 2"},
      {"latency 1 bytes 8", "latency 1 bytes 9"},
      {"\"arith.subi\"", "\"arith.muli\""},
      {", \"arith.subi\"", ""},
      {"[i32, i64]", "[i32]"},
      {"[i32, i64]", "[i32, i64] from [i8]"},
      {"[1, 4]", "[1]"},
      {"count 2 latency", "count 3 latency"},
      {"count 2 latency 1 interval 1", "count 2 latency 2 interval 1"},
      {"count 2 latency 1 interval 1", "count 2 latency 1 interval 2"},
      {"count 2 latency 1 interval 1",
       "count 2 latency 1 interval 1 needs [\"nnan\"]"},
      {"count 2 latency 1 interval 1",
       "count 2 latency 1 interval 1 needs [\"afn\"]"},
      {"count 2 latency 1 interval 1",
       "count 2 latency 1 interval 1 needs [\"afn\"] guarantees Max1Ulp"},
      {"stream add", "stream sub"},
      {"types [i64]", "types [i32]"},
      {"sync fan 4", "sync fan 5"},
      {"sync", "mux"},
      {"[none]", "[i1]"},
      {"load", "store"},
      {"element root", "element pointer"},
      {"plain", "atomic"},
      {"element root", "indexed root"},
      {"plain types [f32] lanes [1]", "plain types [f64] lanes [1]"},
  };
  for (const auto &[from, to] : changes)
    EXPECT_TRUE(
        seen.insert(parse(replaced(tiny, from, to)).identity.hex()).second)
        << from << " -> " << to;
  std::string indexed = replaced(tiny, "element root", "indexed root");
  EXPECT_TRUE(seen.insert(parse(replaced(indexed, "[f32] lanes [1]",
                                         "[f32] lanes [1] masked"))
                              .identity.hex())
                  .second);
}

TEST(Fabric, BuiltinsDifferAndResolve) {
  std::set<std::string> seen;
  for (const BuiltinTarget &builtin : builtinTargets()) {
    llvm::Expected<Target> target = resolveTarget(builtin.name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(target->name, builtin.name);
    EXPECT_FALSE(builtin.summary.empty());
    EXPECT_TRUE(seen.insert(target->identity.hex()).second);
  }
  EXPECT_EQ(seen.size(), 4u);
  llvm::Expected<Target> fallback = resolveTarget("");
  ASSERT_TRUE(bool(fallback));
  EXPECT_EQ(fallback->name, "default");
  llvm::Expected<Target> none = resolveTarget("nothing");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "there is no built-in target 'nothing' (small, default, large, "
            "plasticine)");
}

TEST(Fabric, HostileTexts) {
  EXPECT_NE(errorOf("").find("one fabric.target"), std::string::npos);
  EXPECT_NE(errorOf(tiny + replaced(tiny, "@tiny", "@other"))
                .find("one fabric.target"),
            std::string::npos);
  EXPECT_NE(errorOf("func.func @f() { return }").find("func"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string("a\0b", 3)).find("not a text"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(maxTargetBytes + 1, ' ')).find("1 MiB"),
            std::string::npos);
  for (const char *piece : {"(", "[", "{", "<", "(->", "- ", "-", "-//\n"}) {
    std::string deep = "fabric.target @x attributes {a = affine_map<(d0) -> (";
    for (int i = 0; i < 100000; ++i)
      deep += piece;
    EXPECT_NE(errorOf(deep).find("nested too deeply"), std::string::npos)
        << piece;
  }
  // Damaged texts end in one line, or in a target that an image accepts.
  std::mt19937_64 random(5);
  const std::string good = builtinText("default");
  unsigned accepted = 0;
  for (int i = 0; i < 300; ++i) {
    std::string text = i % 2 ? good : tiny;
    for (unsigned changes = 1 + random() % 3; changes; --changes) {
      size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = char(random() % 255 + 1);
        break;
      case 1:
        text.erase(at, 1 + random() % 20);
        break;
      case 2:
        text.insert(at, std::to_string(int64_t(random())));
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 40));
      }
    }
    llvm::Expected<Target> target = parseTarget({text, "test"});
    if (!target) {
      std::string why = llvm::toString(target.takeError());
      EXPECT_EQ(why.find('\n'), std::string::npos) << why;
      continue;
    }
    ++accepted;
  }
  EXPECT_GT(accepted, 0u);
}

TEST(Fabric, VerifierRefuses) {
  auto refuses = [](const char *from, const char *to, const char *why) {
    std::string error = errorOf(replaced(tiny, from, to));
    EXPECT_NE(error.find(why), std::string::npos) << from << ": " << error;
  };
  refuses("@tiny", "@\"a b\"", "1 to 64");
  refuses("ptr<0, 64>", "ptr<0, 63>", "16, 32 or 64 bits");
  refuses("[!fabric.ptr<0, 64>]", "[!fabric.ptr<0, 64>, !fabric.ptr<0, 32>]",
          "two pointers of one address space");
  refuses("[!fabric.ptr<0, 64>]", "[i64]", "'pointers' can't have 'i64'");
  refuses("[32, 64]", "[16]", "'index' must be");
  refuses("cores 1", "cores 0", "'cores' must be 1 to 4096, not 0");
  refuses("queue 2", "queue 4097", "'queue'");
  refuses("clock_khz 1000", "clock_khz 0", "'clock_khz'");
  refuses("launch 3", "launch -1", "'launch'");
  refuses("transfer 4", "transfer 4 {speed = 1}", "unknown attribute");
  refuses("ports 0", "ports 1025", "'ports'");
  refuses("bytes 8", "bytes 2000000", "'bytes'");
  refuses("count 2 capacity", "count 0 capacity", "'count'");
  refuses("\"arith.addi\"", "\"addi\"", "names no operation");
  refuses("\"arith.subi\"", "\"arith.addi\"", "'arith.addi' twice");
  refuses("[i32, i64]", "[i33]", "'types' can't have 'i33'");
  refuses("[i32, i64]", "[i32, i32]", "twice");
  refuses("[i32, i64]", "[]", "'types' must have 1 to 256");
  refuses("[1, 4]", "[0]", "'lanes' can't have 0");
  refuses("[1, 4]", "[4, 4]", "'lanes' has 4 twice");
  refuses("count 2 latency 1 interval 1", "count 2 latency 1 interval 0",
          "'interval' must be 1");
  refuses("count 2 latency 1 interval 1", "count 2 latency 65536 interval 1",
          "'latency'");
  refuses("count 2 latency 1 interval 1",
          "count 2 latency 1 interval 1 needs [\"fast\"]", "no fast-math flag");
  refuses("count 2 latency 1 interval 1",
          "count 2 latency 1 interval 1 guarantees Max1Ulp", "need 'afn'");
  refuses("stream add types [i64]", "stream add types [f32]", "'f32'");
  refuses("sync fan 4", "sync", "'fan' belongs to");
  refuses("sync fan 4", "carry fan 4", "'fan' belongs to");
  refuses("sync fan 4", "sync fan 1", "'fan' must be 2");
  refuses("[f32] lanes [1]", "[f32] lanes [4]", "'lanes' can't have 4");
  refuses("[f32] lanes [1]", "[f32] lanes [1] masked", "has no mask");
  refuses("plain types [f32]", "plain types [i1]", "'types' can't have 'i1'");
  refuses("  fabric.stream",
          "  fabric.abi pointers [!fabric.ptr<0, 64>] "
          "little index [64]\n  fabric.stream",
          "exactly one fabric.abi");
}

/// The runtime reads the target that the writer wrote, and knows `default`.
TEST(Fabric, ImagesSayTheTarget) {
  for (const BuiltinTarget &builtin : builtinTargets()) {
    Target target = parse(builtin.text.str());
    loom::ImageContents contents;
    contents.target = &target;
    llvm::SmallVector<loom::Refused> refusals;
    mlir::FailureOr<std::vector<uint8_t>> bytes =
        loom::writeImage(contents, refusals);
    ASSERT_TRUE(succeeded(bytes));
    void *image = aligned_alloc(16, (bytes->size() + 15) & ~size_t(15));
    memcpy(image, bytes->data(), bytes->size());
    ASSERT_TRUE(loom::rt::checkSeal(image, bytes->size()).ok());
    loom::rt::TargetInfo info;
    ASSERT_TRUE(loom::rt::loadTarget(image, info).ok()) << target.name;
    free(image);
    EXPECT_EQ(info.name, target.name);
    EXPECT_EQ(info.identity, target.identity.hex());
    EXPECT_EQ(info.queueCapacity, target.system.queue);
    EXPECT_EQ(info.ports, target.systemMemory.ports);
    EXPECT_EQ(info.memoryBytes, target.systemMemory.bytes);
    EXPECT_EQ(info.launchCycles, target.system.launch);
    EXPECT_EQ(info.transferCycles, target.system.transfer);
    EXPECT_EQ(info.clockKHz, target.system.clockKHz);
    EXPECT_EQ(info.cores, target.system.cores);
    const loom::rt::TargetInfo &known = loom::rt::defaultTarget();
    if (target.name == "default") {
      EXPECT_EQ(info.queueCapacity, known.queueCapacity);
      EXPECT_EQ(info.ports, known.ports);
      EXPECT_EQ(info.memoryBytes, known.memoryBytes);
      EXPECT_EQ(info.launchCycles, known.launchCycles);
      EXPECT_EQ(info.transferCycles, known.transferCycles);
      EXPECT_EQ(info.clockKHz, known.clockKHz);
      EXPECT_EQ(info.cores, known.cores);
      ASSERT_EQ(info.rows.size, known.rows.size);
      for (size_t i = 0; i < known.rows.size; ++i) {
        EXPECT_EQ(info.rows[i].kind, known.rows[i].kind) << i;
        EXPECT_EQ(info.rows[i].op, known.rows[i].op) << i;
        EXPECT_EQ(info.rows[i].type, known.rows[i].type) << i;
        EXPECT_EQ(info.rows[i].latency, known.rows[i].latency) << i;
        EXPECT_EQ(info.rows[i].interval, known.rows[i].interval) << i;
      }
    }
    info.release();
  }
}

TEST(Fabric, RowsOfAnImage) {
  using loom::image::ActorKind;
  using loom::image::Op;
  using loom::image::Type;
  Target target = parse(tiny);
  std::vector<loom::image::TimingRow> rows = loom::timingRows(target);
  // Sync, stream, load, and two operations on two of five types each.
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].kind(), ActorKind::Sync);
  EXPECT_EQ(rows[0].type(), Type::None);
  EXPECT_EQ(rows[1].op(), Op::AddI);
  EXPECT_EQ(rows[1].type(), Type::I64);
  EXPECT_EQ(rows[2].type(), Type::F32);
  EXPECT_EQ(rows[3].op(), Op::AddI);
  EXPECT_EQ(rows[3].type(), Type::I32);
  EXPECT_EQ(rows[6].op(), Op::SubI);
  EXPECT_EQ(rows[6].type(), Type::I64);
  // The faster unit counts, but not one that needs flags while another doesn't.
  ComputeRow row = target.compute[0];
  row.costs.latency = 0;
  row.needs = *fastMathBit("nnan");
  target.compute.push_back(row);
  EXPECT_EQ(loom::timingRows(target)[3].latency(), 1);
  target.compute.back().needs = 0;
  EXPECT_EQ(loom::timingRows(target)[3].latency(), 0);
  // Without units, or for vectors only: no row.
  target.compute.pop_back();
  target.compute[0].costs.count = 0;
  EXPECT_EQ(loom::timingRows(target).size(), 3u);
  target.compute[0].costs.count = 1;
  target.compute[0].lanes = {4};
  EXPECT_EQ(loom::timingRows(target).size(), 3u);
}

} // namespace
