// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets: identity and hostile texts.

#include "passes_fabric.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace fabrictest;

namespace {

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

} // namespace
