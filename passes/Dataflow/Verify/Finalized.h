// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the check of a whole program.

#ifndef LOOM_DATAFLOW_VERIFY_FINALIZED_H
#define LOOM_DATAFLOW_VERIFY_FINALIZED_H

#include "loom/Dataflow/IR/Dataflow.h"

namespace loom {

/// That what a thread yields is a minimal frontier of its launches, and that it
/// waits only for launches.
mlir::LogicalResult verifyFrontier(dataflow::ThreadOp thread);

/// That a channel has one producer and its consumers hear instances that exist.
mlir::LogicalResult verifyChannel(dataflow::ChannelCreateOp create);

} // namespace loom

#endif
