// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the plugin meets its three hosts: ld.lld at full LTO, clang
// -fpass-plugin without LTO, opt -passes=loom.

#include "Options.h"
#include "Pass.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

static void registerCallbacks(PassBuilder &builder) {
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(loom::LoomPass());
      });
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes,
                                              OptimizationLevel level,
                                              ThinOrFullLTOPhase phase) {
    // Compile steps of an LTO build do nothing: the link will.
    if (phase == ThinOrFullLTOPhase::None && level != OptimizationLevel::O0)
      passes.addPass(loom::LoomPass());
    else if (phase == ThinOrFullLTOPhase::ThinLTOPostLink)
      passes.addPass(loom::ThinLTONotice());
  });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "loom")
          return false;
        passes.addPass(loom::LoomPass());
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  loom::registerOptions();
  return {LLVM_PLUGIN_API_VERSION, "Loom", LOOM_VERSION_STRING,
          registerCallbacks};
}
