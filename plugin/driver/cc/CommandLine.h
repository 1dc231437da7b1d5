// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loom-cc needs to know about a clang command line. It is a reading, not a
// parse: options that change nothing for Loom are skipped.

#ifndef LOOM_DRIVER_CC_COMMANDLINE_H
#define LOOM_DRIVER_CC_COMMANDLINE_H

#include <string>
#include <vector>

namespace loom::cc {

enum class Lto { Unset, Off, Full, Thin };

struct CommandLine {
  bool internal = false;      ///< -cc1, -cc1as: not a driver invocation
  bool showPlan = false;      ///< --loom-show-plan
  bool stops = false;         ///< stops before the link (-c, -S, -E, -M, ...)
  bool assembly = false;      ///< -S
  bool emitLLVM = false;      ///< -emit-llvm
  bool inputs = false;        ///< has an input file or library
  bool onlyAssembler = false; ///< every input is assembler text
  bool linkerArgs = false;    ///< has -Wl, or -Xlinker
  bool relocatable = false;   ///< -r, also through -Wl
  bool noLibs = false;        ///< -nostdlib, -nodefaultlibs or -nolibc
  bool libc = false;          ///< -lc
  bool freestanding = false;  ///< -ffreestanding or -mcmodel=kernel
  bool m32 = false;         ///< the last of -m32, -mx32, -m16, -m64 isn't -m64
  bool accelerator = false; ///< CUDA, HIP, SYCL, OpenMP target offloading
  Lto lto = Lto::Unset;     ///< the last of -flto..., -fno-lto
  std::string linker;       ///< last -fuse-ld= or --ld-path=, else empty
  std::vector<std::string> remarks; ///< -Rpass=..., -Rpass-missed=..., ...
  std::string target;               ///< last --target, else empty
};

/// Reads `args` (without argv[0]); response files are looked into.
CommandLine readCommandLine(const std::vector<std::string> &args);

} // namespace loom::cc

#endif
