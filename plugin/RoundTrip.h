// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The round trip (LOOM_ROUNDTRIP=1, a test mode): what was raised is lowered
// back to LLVM IR and runs in place of the nest, so that ordinary programs test
// raising at native speed.

#ifndef LOOM_PLUGIN_ROUNDTRIP_H
#define LOOM_PLUGIN_ROUNDTRIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm
namespace mlir {
class MLIRContext;
namespace LLVM {
class LLVMFuncOp;
} // namespace LLVM
} // namespace mlir

namespace loom {
struct Nest;

/// Is the mode on?
bool roundTripWanted();

/// The MLIR half: collects the regions of a link.
class RoundTrip {
public:
  explicit RoundTrip(mlir::MLIRContext &context);
  ~RoundTrip();

  /// Lowers a copy of a region's S0. `lastError` is what MLIR said last.
  void add(mlir::LLVM::LLVMFuncOp envelope, llvm::StringRef name,
           const std::string &lastError);

  /// Links all that was lowered into `program` as internal functions. Regions
  /// that could not be lowered are named on standard error.
  void linkInto(llvm::Module &program);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The LLVM half: turns `launch`, an empty function of the launch's type, into
/// a call of the region's S0 with the answer "done". Where there is no S0 the
/// answer is "host". The calls are counted: section loom_roundtrip holds a row
/// {name, calls} for each region.
void createRoundTripLaunch(const Nest &nest, llvm::Function &launch);

} // namespace loom

#endif
