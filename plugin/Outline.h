// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies one loop nest into a function of its own, in a module of its own.

#ifndef LOOM_PLUGIN_OUTLINE_H
#define LOOM_PLUGIN_OUTLINE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <string>
#include <vector>

namespace llvm {
class DIFile;
class Function;
class Loop;
class LoopInfo;
class Module;
class PHINode;
class TargetLibraryInfo;
class Type;
} // namespace llvm

namespace loom {

/// A live-out: the phi of an exit block of the nest in the host function. A
/// vector has one live-out a lane, in order.
struct NestOutput {
  unsigned exit;      ///< index into Nest::exits
  llvm::PHINode *phi; ///< in the prepared host function
  int lane = -1;      ///< of a vector

  llvm::Type *type() const;
};

/// One nest of a prepared host function, as it crosses to the device.
struct Nest {
  std::string name;               ///< unique in the link
  llvm::Function *host = nullptr; ///< the prepared clone that holds the nest
  llvm::DIFile *file = nullptr;   ///< that it is reported in, if one is known
  llvm::BasicBlock *header = nullptr;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> blocks; ///< of the nest
  llvm::SmallVector<llvm::BasicBlock *> exits;      ///< dedicated exit blocks
  llvm::SmallVector<llvm::Value *> inputs;          ///< live-ins, in slot order
  llvm::SmallVector<std::string> inputNames;
  llvm::SmallVector<int> partitions; ///< per input, -1: no pointer
  llvm::SmallVector<NestOutput> outputs;
  llvm::Function *outlined = nullptr; ///< in the scratch module
  bool declines = false; ///< may end with the selector LOOM_RT_DECLINED
  std::string failure;   ///< why it was not outlined
};

/// The blocks between `header` and the exits: those of the nest, also after a
/// loop of it was split.
llvm::SmallPtrSet<llvm::BasicBlock *, 16>
regionBlocks(llvm::BasicBlock &header,
             llvm::ArrayRef<llvm::BasicBlock *> exits);

/// Copies the nest that `header` enters, in the canonicalised clone `source`,
/// into `scratch`. `toHost` maps values of `source` to values of `nest.host`;
/// inputs that have no counterpart there are recomputed at the head of the
/// copy. The copy returns nothing and ends in one call of the declaration
/// `loom.yield.<name>` with the exit selector and the live-outs. Fills inputs,
/// outputs and outlined. Vectors that cross do so lane by lane; inside they are
/// still vectors (Scalarize.h). `nest.name`, `host`, `file`, `header` and
/// `exits` must be set. `sourceExits` are the exit blocks of `source` in the
/// order of `nest.exits`.
bool outlineNest(Nest &nest, llvm::BasicBlock &header,
                 llvm::ArrayRef<llvm::BasicBlock *> sourceExits,
                 llvm::ValueToValueMapTy &toHost,
                 const llvm::TargetLibraryInfo &tli, llvm::Module &scratch);

} // namespace loom

#endif
