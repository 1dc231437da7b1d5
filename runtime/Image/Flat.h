// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The FlatBuffers headers, set up for a library without assertions.

#ifndef LOOM_RUNTIME_IMAGE_FLAT_H
#define LOOM_RUNTIME_IMAGE_FLAT_H

#define FLATBUFFERS_ASSERT(condition) ((void)0)
#include "loom/Image/loom_image_generated.h"

#endif
