// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a target that goes into the image.

#ifndef LOOM_DATAFLOW_IMAGE_TARGETROWS_H
#define LOOM_DATAFLOW_IMAGE_TARGETROWS_H

#include "loom/Fabric/Capability/Target.h"
#include "loom/Image/loom_image_generated.h"
#include <vector>

namespace loom {

/// The timing rows of a target: of what the image can express, that is scalars
/// and the operations that have a number. Several rows of the target that serve
/// one actor give the least latency; those that need no fast-math flags come
/// first. An operation whose costs are equal on all its types has one row.
std::vector<image::TimingRow> timingRows(const fabric::Target &target);

flatbuffers::Offset<image::Target>
writeTarget(flatbuffers::FlatBufferBuilder &builder,
            const fabric::Target &target);

} // namespace loom

#endif
