// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries as files: what they export, what they need, and that a plain C
// program links with the static one.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>

#ifndef LOOM_RT_SANITIZED // the files under test are not those of a release
namespace {

std::string outputOf(const std::string &command) {
  std::string text;
  FILE *pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof(buffer), pipe))
    text.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

/// The last word of every line.
std::set<std::string> symbols(const std::string &listing) {
  std::set<std::string> names;
  std::stringstream lines(listing);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.back() != ':')
      names.insert(line.substr(line.rfind(' ') + 1));
  return names;
}

TEST(Library, ExportsTheAbiOnly) {
  auto names = symbols(outputOf("nm -D --defined-only '" LOOM_RT_SHARED "'"));
  EXPECT_EQ(names, (std::set<std::string>{"loom_rt_check", "loom_rt_launch"}));
}

TEST(Library, NeedsNoCxxLibrary) {
  for (const std::string &name :
       symbols(outputOf("nm -D --undefined-only '" LOOM_RT_SHARED "'"))) {
    EXPECT_NE(name.rfind("_Z", 0), 0u) << name;
    EXPECT_NE(name.rfind("__gxx", 0), 0u) << name;
    EXPECT_NE(name.rfind("_Unwind", 0), 0u) << name;
    EXPECT_TRUE(name.rfind("__cxa", 0) != 0 ||
                name.rfind("__cxa_finalize", 0) == 0)
        << name;
  }
  std::string needed = outputOf("readelf -d '" LOOM_RT_SHARED "'");
  EXPECT_EQ(needed.find("libstdc++"), std::string::npos);
  EXPECT_EQ(needed.find("libLLVM"), std::string::npos);
}

TEST(Library, PlainCProgramLinks) {
  char dir[] = "/tmp/loom_rt_c_XXXXXX";
  ASSERT_NE(mkdtemp(dir), nullptr);
  std::string at = dir;
  std::ofstream(at + "/main.c")
      << "#include \"loom/Runtime/loom_rt.h\"\n"
         "static loom_rt_region region = {LOOM_RT_ABI, 0, 0, 0, \"x\", 1, 0};\n"
         "int main(void) {\n"
         "  uint64_t in[1] = {0}, out[1];\n"
         "  return loom_rt_launch(&region, in, out) == LOOM_RT_HOST ? 0 : 1;\n"
         "}\n";
  std::string compile =
      "'" LOOM_RT_CC "' -I'" LOOM_RT_INCLUDE "' '" + at + "/main.c' ";
  EXPECT_EQ(outputOf(compile + "'" LOOM_RT_ARCHIVE "' -lm -o '" + at +
                     "/a' 2>&1 && '" + at + "/a' 2>&1"),
            "");
  EXPECT_EQ(outputOf(compile + "-static '" LOOM_RT_ARCHIVE "' -lm -o '" + at +
                     "/b' 2>&1 && '" + at + "/b' 2>&1"),
            "");
  EXPECT_EQ(outputOf(compile + "'" LOOM_RT_SHARED "' -o '" + at +
                     "/c' 2>&1 && LD_LIBRARY_PATH=\"$(dirname '" LOOM_RT_SHARED
                     "')\" '" +
                     at + "/c' 2>&1"),
            "");
  outputOf("rm -rf '" + at + "'");
}

} // namespace
#endif
