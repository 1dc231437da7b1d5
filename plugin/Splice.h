// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the guard before an offloaded nest. The nest itself stays in place as
// the host code of the region.

#ifndef LOOM_PLUGIN_SPLICE_H
#define LOOM_PLUGIN_SPLICE_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
class Value;
} // namespace llvm

namespace loom {
struct Nest;

/// Adds the region descriptor of the C ABI (loom_rt.h) for region `index`.
llvm::GlobalVariable *createDescriptor(llvm::Module &module, const Nest &nest,
                                       unsigned index);

/// Points every descriptor to the image, once it exists.
void bindImage(llvm::GlobalVariable &descriptor, llvm::GlobalVariable &image,
               unsigned long long size);

/// Inserts guard, launch and check around the nest in its host function. The
/// function must be in simplified, loop-closed form. `merges` carries the
/// merged live-outs from one nest of a function to the next.
void spliceGuard(Nest &nest, llvm::GlobalVariable &descriptor,
                 llvm::DenseMap<llvm::Value *, llvm::Value *> &merges);

/// Moves the body of `clone` into `original` and erases `clone`.
void replaceBody(llvm::Function &original, llvm::Function &clone);

} // namespace loom

#endif
