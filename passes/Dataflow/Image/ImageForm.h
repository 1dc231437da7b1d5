// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the image has words for.

#ifndef LOOM_DATAFLOW_IMAGE_IMAGEFORM_H
#define LOOM_DATAFLOW_IMAGE_IMAGEFORM_H

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Support/Refusal.h"

namespace loom {

/// Adds a refusal for each actor and input of `graph` that the image format
/// can't express.
void checkImageForm(dataflow::GraphOp graph,
                    llvm::SmallVectorImpl<Refused> &refusals);

} // namespace loom

#endif
