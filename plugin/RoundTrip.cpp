// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundTrip.h"
#include "Options.h"
#include "loom/Structured/Lower/ToLLVM.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

struct loom::RoundTrip::State {
  OwningOpRef<ModuleOp> module;
  SmallVector<std::string> names;
  unsigned failures = 0;

  void fail(StringRef name, StringRef why) {
    ++failures;
    llvm::errs() << "loom: round trip: " << name << ": " << why.take_front(300)
                 << "\n";
  }
};

bool loom::roundTripWanted() { return PluginOptions::get().roundTrip; }

loom::RoundTrip::RoundTrip(MLIRContext &context)
    : state(std::make_unique<State>()) {
  state->module = ModuleOp::create(UnknownLoc::get(&context));
}
loom::RoundTrip::~RoundTrip() = default;

static std::string functionName(StringRef region) {
  return ("loom.roundtrip." + region).str();
}

void loom::RoundTrip::add(LLVM::LLVMFuncOp envelope, StringRef name,
                          const std::string &lastError) {
  LoweringDefect defect = PluginOptions::get().roundTripDefect == "lower-bound"
                              ? LoweringDefect::LowerBound
                              : LoweringDefect::None;
  if (failed(lowerToLLVMDialect(envelope, functionName(name), *state->module,
                                defect)))
    return state->fail(name, lastError);
  state->names.push_back(name.str());
}

void loom::RoundTrip::linkInto(llvm::Module &program) {
  std::unique_ptr<llvm::Module> lowered =
      translateToLLVM(*state->module, program.getContext());
  if (!lowered) {
    for (const std::string &name : state->names)
      state->fail(name, "no LLVM IR");
    return;
  }
  lowered->setDataLayout(program.getDataLayout());
  lowered->setTargetTriple(program.getTargetTriple());
  if (llvm::Linker::linkModules(program, std::move(lowered)))
    for (const std::string &name : state->names)
      state->fail(name, "does not link");
}
