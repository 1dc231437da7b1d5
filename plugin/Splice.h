// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the guard before an offloaded nest. The nest itself stays in place as
// the host code of the region.

#ifndef LOOM_PLUGIN_SPLICE_H
#define LOOM_PLUGIN_SPLICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class AllocaInst;
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

/// The stack slots through which the nests of one host function and the runtime
/// exchange live-ins and live-outs, one nest at a time.
llvm::AllocaInst *createSlots(llvm::Function &host,
                              llvm::ArrayRef<const Nest *> nests);

/// Inserts guard, launch and check around the nest in its host function. The
/// function must be in simplified, loop-closed form. `slots` are those of the
/// function; `merges` carries the merged live-outs from one nest to the next.
void spliceGuard(Nest &nest, llvm::GlobalVariable &descriptor,
                 llvm::Value &slots,
                 llvm::DenseMap<llvm::Value *, llvm::Value *> &merges);

/// Moves the body of `clone` into `original` and erases `clone`.
void replaceBody(llvm::Function &original, llvm::Function &clone);

} // namespace loom

#endif
