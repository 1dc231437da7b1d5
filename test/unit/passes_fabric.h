// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets as texts.

#ifndef LOOM_TEST_UNIT_PASSES_FABRIC_H
#define LOOM_TEST_UNIT_PASSES_FABRIC_H

#include "loom/Fabric/Builtin/Resolve.h"
#include <gtest/gtest.h>

namespace fabrictest {

using namespace loom::fabric;

inline std::string builtinText(llvm::StringRef name) {
  for (const BuiltinTarget &target : builtinTargets())
    if (target.name == name)
      return target.text.str();
  return "";
}

inline Target parse(const std::string &text) {
  llvm::Expected<Target> target = parseTarget({text, "test"});
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return {};
  }
  return std::move(*target);
}

inline std::string errorOf(const std::string &text) {
  llvm::Expected<Target> target = parseTarget({text, "test"});
  return target ? "" : llvm::toString(target.takeError());
}

inline std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline const std::string tiny = R"(fabric.target @tiny {
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

} // namespace fabrictest

#endif
