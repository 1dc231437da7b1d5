// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_PLUGIN_MULTIPLYADD_H
#define LOOM_PLUGIN_MULTIPLYADD_H

namespace llvm {
class Function;
} // namespace llvm

namespace loom {

/// `fmuladd` may be fused or not, and LLVM does not stay with one choice: code
/// is fused where the target can, constants are folded as if it always could.
/// Host and device must agree, so the choice is made once, for both: fused when
/// the function's target has such an instruction. Returns true if there was
/// one.
bool decideMultiplyAdds(llvm::Function &function);

} // namespace loom

#endif
