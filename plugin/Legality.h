// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop nest must not contain to be taken. Every answer but "nothing" is
// a row of the refusal table.

#ifndef LOOM_PLUGIN_LEGALITY_H
#define LOOM_PLUGIN_LEGALITY_H

#include "loom/Support/Refusal.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Loop;
class TargetLibraryInfo;
class Type;
} // namespace llvm

namespace loom {

/// Why no nest of the function can be taken, if so.
std::optional<Refused> checkFunction(const llvm::Function &function);

/// What stands against inlining a direct call of a function; empty: nothing.
using CallPolicy = llvm::function_ref<std::string(const llvm::CallBase &)>;

/// Why one instruction is not raised exactly, if so.
std::optional<Refused> checkInstruction(const llvm::Instruction &instruction,
                                        const llvm::TargetLibraryInfo &tli,
                                        CallPolicy policy);

/// Why this nest can't be taken as a whole, if so: the first construct in block
/// order that is not raised exactly. `maxInstructions` bounds its size.
std::optional<Refused> checkNest(const llvm::Loop &loop,
                                 const llvm::TargetLibraryInfo &tli,
                                 unsigned maxInstructions, CallPolicy policy);

/// A fixed vector of up to this many lanes becomes scalars in a region.
constexpr unsigned mostLanes = 64;

/// The type of a lane of such a vector; any other type itself.
const llvm::Type *laneType(const llvm::Type *type);

/// Why a value of this type can't cross into a region, if so. Vectors cross
/// lane by lane.
std::optional<RefusalKind> checkType(const llvm::Type *type);

/// A math library function that is exact operations but for errno. The region
/// computes it, and declines the launch when errno would be set.
enum class ErrnoMath { None, Sqrt, Fmod, Fdim };
ErrnoMath errnoMath(const llvm::CallBase &call,
                    const llvm::TargetLibraryInfo &tli);

/// True for calls that carry no computation and are dropped when a nest is
/// copied (debug records, assumptions, lifetime markers, alias scopes).
bool isIgnoredCall(const llvm::Instruction &instruction);

} // namespace loom

#endif
