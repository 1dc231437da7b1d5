// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical calls: an indirect call whose target is proven becomes a direct
// one. Nothing is inlined, and no name says what a function does.

#ifndef LOOM_PLUGIN_CALLS_H
#define LOOM_PLUGIN_CALLS_H

namespace llvm {
class Module;
} // namespace llvm

namespace loom {

/// Interprocedural constant propagation on a clone of `module`, which has to be
/// the complete program; of what it finds only called operands come back, and
/// only functions of exactly the type of the call. Returns how many calls
/// became direct.
unsigned devirtualizeCalls(llvm::Module &module);

/// A defined function that calls one of its parameters is cloned once for each
/// distinct binding of such parameters to defined functions at direct call
/// sites, which then call the clone. Returns how many call sites changed.
unsigned bindCallbacks(llvm::Module &module);

} // namespace loom

#endif
