// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading memory of this process that may not be mapped.

#ifndef LOOM_RUNTIME_SUPPORT_OWNMEMORY_H
#define LOOM_RUNTIME_SUPPORT_OWNMEMORY_H

#include <stdint.h>

namespace loom::rt {

/// Copies `size` bytes; false when one of them can't be read.
bool readOwn(void *to, uint64_t from, uint64_t size);

} // namespace loom::rt

#endif
