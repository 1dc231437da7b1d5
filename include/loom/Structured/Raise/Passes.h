// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_STRUCTURED_RAISE_PASSES_H
#define LOOM_STRUCTURED_RAISE_PASSES_H

namespace loom {

/// Registers `loom-raise`: every llvm.func that ends in a call of
/// `loom.yield.*` is raised; all its pointers share one partition, all results
/// hold for every exit.
/// `loom-structure`: a whole imported module to S0 (structureModule).
void registerRaisePasses();

} // namespace loom

#endif
