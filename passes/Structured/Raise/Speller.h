// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The speller: walks a function and gives every operation the fate that its row
// of the disposition table names.

#ifndef LOOM_STRUCTURED_RAISE_SPELLER_H
#define LOOM_STRUCTURED_RAISE_SPELLER_H

#include "loom/Structured/Raise/Dispositions.h"
#include "loom/Structured/Raise/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace loom {

enum class Surface {
  Module, ///< S0: what has no standard spelling is preserved
  Region  ///< a nest of the spatial core: it is refused
};

class Speller {
public:
  Speller(mlir::LLVM::LLVMFuncOp function, Surface surface,
          llvm::SmallVectorImpl<Refused> *refusals);

  mlir::LogicalResult run();

  /// Branches stay as they are: the function keeps its CFG.
  void keepBranches() { keepsBranches = true; }

private:
  bool inRegion() const { return surface == Surface::Region; }
  void refuse(mlir::Operation *op, const llvm::Twine &detail = "");
  /// No exact equal: preserved in a module, refused in a region.
  void leave(mlir::Operation *op) {
    if (inRegion())
      refuse(op);
  }

  template <typename OpT, typename... Args>
  void replace(mlir::Operation *op, Args &&...args) {
    auto spelled =
        OpT::create(builder, op->getLoc(), std::forward<Args>(args)...);
    op->replaceAllUsesWith(spelled->getResults());
    op->erase();
  }
  void replaceValue(mlir::Operation *op, mlir::Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getIntegerAttr(type, value));
  }

  void spell(mlir::Operation *op);
  void apply(mlir::Operation *op, const ConstructRow &row);

  // Rules that keep the value of the operation (Spelling.cpp).
  bool rename(mlir::Operation *op, const ConstructRow &row);
  bool compare(mlir::Operation *op, const ConstructRow &row);
  bool choose(mlir::LLVM::SelectOp op);
  bool recast(mlir::LLVM::BitcastOp op);
  bool literal(mlir::LLVM::ConstantOp op);
  void exceptional(mlir::Operation *op);
  void projectVariable(mlir::Operation *op);
  void transfer(mlir::LLVM::CallOp op);
  void jump(mlir::Operation *op);
  void jumpByComparison(mlir::LLVM::SwitchOp op);

  // Addresses of regions (Addresses.cpp).
  void spellAddress(mlir::LLVM::GEPOp op);
  void comparePointers(mlir::LLVM::ICmpOp op,
                       mlir::arith::CmpIPredicate predicate);
  void pointerToInteger(mlir::LLVM::PtrToIntOp op);
  void integerToPointer(mlir::LLVM::IntToPtrOp op);

  mlir::LLVM::LLVMFuncOp function;
  Surface surface;
  llvm::SmallVectorImpl<Refused> *refusals;
  mlir::OpBuilder builder;
  bool standardFloats; ///< the function has the default FP environment
  bool keepsBranches = false;
  bool failed = false;
};

/// Does ordinary floating-point arithmetic mean the same in this function as
/// in arith and math? (FPEnvironment.cpp)
bool hasDefaultFPEnvironment(mlir::LLVM::LLVMFuncOp function);

} // namespace loom

#endif
