// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marker of an access whose address was selected to be an element index
// from its root: the unit attribute `loom.root_relative_address`.

#ifndef LOOM_STRUCTURED_IR_ROOTRELATIVEADDRESS_H
#define LOOM_STRUCTURED_IR_ROOTRELATIVEADDRESS_H

#include "mlir/IR/Operation.h"

namespace loom {

inline constexpr llvm::StringLiteral rootRelativeAddressName =
    "loom.root_relative_address";

/// Is the access marked?
bool isRootRelative(mlir::Operation *op);

/// The marker has no payload, and no other carrier than an llvm.load or an
/// llvm.store: whatever lowers the access has to consume it.
mlir::LogicalResult verifyRootRelativeAddress(mlir::Operation *op,
                                              mlir::NamedAttribute attribute);

} // namespace loom

#endif
