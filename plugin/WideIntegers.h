// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128-bit integers of a region become halves of 64 bits, exactly; the host code
// keeps them whole.

#ifndef LOOM_PLUGIN_WIDEINTEGERS_H
#define LOOM_PLUGIN_WIDEINTEGERS_H

namespace llvm {
class Function;
class Instruction;
class Type;
} // namespace llvm

namespace loom {

/// Is it a type that is split?
bool isWide(const llvm::Type *type);

/// Is there a sequence of operations on the halves that gives the halves of the
/// result? For instructions with a wide result or operand.
bool splitsIntoHalves(const llvm::Instruction &instruction);

/// Splits the wide integers of an outlined nest. False when one is left (the
/// function is then of no use).
bool splitWideIntegers(llvm::Function &outlined);

} // namespace loom

#endif
