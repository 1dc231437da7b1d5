// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivation of an app: what is refused, the memories, slots and results.

#include "Deriver.h"
#include "loom/Support/SourceLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace loom;
using namespace loom::spatial;

namespace {

/// On-chip memory of an app in bytes: what the largest published instance of
/// Spatial's own architecture holds.
constexpr int64_t MaxOnChip = int64_t(16) << 20;
constexpr unsigned MaxMemories = 64;

bool isPointer(Type type) { return isa<LLVM::LLVMPointerType>(type); }

} // namespace

std::string loom::spatial::objectName(llvm::StringRef regionName) {
  std::string name;
  for (char c : regionName)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || !llvm::isAlpha(name.front()))
    name = "k_" + name;
  // A trailing digit group keeps the name apart from every Scala keyword.
  if (!llvm::isDigit(name.back()))
    name += "_0";
  return name;
}

LogicalResult Deriver::refuse(RefusalKind kind, const llvm::Twine &detail,
                              Location loc) {
  refusals.push_back({kind, detail.str(), lineOf(loc)});
  return failure();
}

/// Pointers may only be stepped by bytes and dereferenced.
LogicalResult Deriver::checkPointers() {
  WalkResult result = region.getBody().walk([&](Operation *op) {
    if (isa<LLVM::GEPOp>(op))
      return WalkResult::advance();
    for (Type type : op->getResultTypes())
      if (isPointer(type)) {
        (void)refuse(RefusalKind::SpatialPointer,
                     op->getName().getStringRef() + " computes a pointer",
                     op->getLoc());
        return WalkResult::interrupt();
      }
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isPointer(operand.get().getType()))
        continue;
      if (isa<LLVM::LoadOp>(op) ||
          (isa<LLVM::StoreOp>(op) && operand.getOperandNumber() == 1))
        continue;
      (void)refuse(RefusalKind::SpatialPointer,
                   op->getName().getStringRef() + " uses a pointer as data",
                   op->getLoc());
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Deriver::checkRoots() {
  Location loc = region.getLoc();
  int64_t bytes = 0;
  unsigned memories = 0;
  for (const RootFootprint &f : footprints) {
    if (!f.accessed())
      continue;
    if (!f.known || f.hi <= f.lo)
      return refuse(RefusalKind::SpatialFootprint,
                    "root in slot " + llvm::Twine(f.argument), loc);
    if (!f.element || !f.elementAligned)
      return refuse(RefusalKind::SpatialElement,
                    "root in slot " + llvm::Twine(f.argument), loc);
    bytes += f.hi - f.lo;
    ++memories;
    for (const RootFootprint &g : footprints)
      if (g.accessed() && g.argument < f.argument && (f.writes || g.writes) &&
          region.getPartitions()[f.argument] ==
              region.getPartitions()[g.argument])
        return refuse(RefusalKind::SpatialAlias,
                      "roots in slots " + llvm::Twine(g.argument) + " and " +
                          llvm::Twine(f.argument),
                      loc);
  }
  if (bytes > MaxOnChip)
    return refuse(RefusalKind::SpatialSize,
                  llvm::Twine(bytes) + " bytes of memory", loc);
  if (memories > MaxMemories)
    return refuse(RefusalKind::SpatialSize, llvm::Twine(memories) + " memories",
                  loc);
  return success();
}

LogicalResult Deriver::checkType(Value value, Location loc) {
  Type type = value.getType();
  if (type.isF32() || type.isF64() || type.isInteger(1) || type.isInteger(8) ||
      type.isInteger(16) || type.isInteger(32) || type.isInteger(64))
    return success();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return refuse(RefusalKind::SpatialType, text, loc);
}

void Deriver::hostMemories(Location loc) {
  Type i64 = b.getI64Type();
  bool scalars =
      llvm::any_of(region.getBody().getArguments(), [](BlockArgument a) {
        return !isPointer(a.getType()) && !a.use_empty();
      });
  if (scalars)
    slots = DramOp::create(
        b, loc, DramType::get(b.getContext(), region.getInputs().size(), i64),
        "slots", 0, 0, 0, false);
  int64_t index = 0;
  for (const RootFootprint &f : footprints) {
    if (!f.accessed())
      continue;
    int64_t count = (f.hi - f.lo) / accessSize(f.element);
    drams[f.argument] =
        DramOp::create(b, loc, DramType::get(b.getContext(), count, f.element),
                       "memory", index++, f.argument, f.lo, f.writes);
  }
  results = DramOp::create(
      b, loc, DramType::get(b.getContext(), region.getOutputs().size(), i64),
      "outputs", 0, 0, 0, true);
}

/// A scalar from the 64 bits of its slot.
Value Deriver::fromSlot(Value slot, Type type, Location loc) {
  unsigned width = type.getIntOrFloatBitWidth();
  Value bits = slot;
  if (width < 64)
    bits = arith::TruncIOp::create(b, loc, b.getIntegerType(width), slot);
  if (isa<FloatType>(type))
    bits = arith::BitcastOp::create(b, loc, type, bits);
  return bits;
}

Value Deriver::toSlot(Value value, Location loc) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()))
    value = arith::BitcastOp::create(b, loc, b.getIntegerType(width), value);
  if (width < 64)
    value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
  return value;
}

/// The accelerator block: load, compute, store.
LogicalResult Deriver::accelerate(Location loc) {
  auto onChip = [&](Value dram) -> Value {
    auto type = cast<DramType>(dram.getType());
    return SramOp::create(
        b, loc,
        SramType::get(b.getContext(), type.getSize(), type.getElement()));
  };
  Value slotValues = slots ? onChip(slots) : Value();
  for (const RootFootprint &f : footprints)
    if (f.accessed())
      srams[f.argument] = onChip(drams[f.argument]);
  Value resultValues = onChip(results);
  if (slots)
    LoadOp::create(b, loc, slots, slotValues);
  for (const RootFootprint &f : footprints)
    if (f.accessed())
      LoadOp::create(b, loc, drams[f.argument], srams[f.argument]);

  for (BlockArgument argument : region.getBody().getArguments()) {
    if (isPointer(argument.getType()) || argument.use_empty())
      continue;
    if (failed(checkType(argument, loc)))
      return failure();
    Value index = constant(b.getI32Type(), argument.getArgNumber(), loc);
    Value slot = ReadOp::create(b, loc, b.getI64Type(), slotValues, index);
    values.map(argument, fromSlot(slot, argument.getType(), loc));
  }

  Block &body = region.getBody().front();
  if (failed(block(body)))
    return failure();
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    if (failed(checkType(value, loc)))
      return failure();
    WriteOp::create(b, loc, toSlot(get(value), loc), resultValues,
                    constant(b.getI32Type(), index, loc));
  }
  for (const RootFootprint &f : footprints)
    if (f.writes)
      StoreOp::create(b, loc, srams[f.argument], drams[f.argument]);
  StoreOp::create(b, loc, resultValues, results);
  return success();
}

/// The operations of a block up to its terminator.
LogicalResult Deriver::block(Block &source) {
  for (Operation &op : source.without_terminator())
    if (failed(operation(&op)))
      return failure();
  return success();
}

LogicalResult Deriver::operation(Operation *op) {
  if (isa<LLVM::GEPOp>(op))
    return success(); // part of the address of an access
  if (isa<LLVM::LoadOp, LLVM::StoreOp>(op))
    return access(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return forLoop(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whileLoop(loop);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return branch(ifOp);
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op))
    return switchOn(switchOp);
  return compute(op);
}

LogicalResult Deriver::access(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Value address = load ? load.getAddr() : store.getAddr();
  if (load ? load.getVolatile_() : store.getVolatile_())
    return refuse(RefusalKind::SpatialOp, "volatile access", op->getLoc());
  BlockArgument root = rootOf(region, address);
  const RootFootprint *footprint = nullptr;
  for (const RootFootprint &f : footprints)
    if (root && f.argument == root.getArgNumber())
      footprint = &f;
  if (!footprint)
    return refuse(RefusalKind::SpatialFootprint, "an access without a root",
                  op->getLoc());
  Value memory = srams[footprint->argument];
  Value index = elementIndex(address, *footprint, op->getLoc());
  if (load) {
    values.map(load.getResult(),
               ReadOp::create(b, op->getLoc(), load.getType(), memory, index)
                   .getValue());
    return success();
  }
  WriteOp::create(b, op->getLoc(), get(store.getValue()), memory, index);
  return success();
}

FailureOr<AppOp> Deriver::run() {
  Location loc = region.getLoc();
  if (failed(checkPointers()) || failed(checkRoots()))
    return failure();
  SmallVector<int32_t> floats;
  for (Type type : region.getOutputs().getTypes())
    floats.push_back(isa<FloatType>(type) ? type.getIntOrFloatBitWidth() : 0);

  OpBuilder::InsertionGuard guard(b);
  auto app = AppOp::create(b, loc, objectName(region.getRegionName()),
                           region.getRegionName(), region.getInputs().size(),
                           region.getExits(), floats);
  b.setInsertionPointToStart(&app.getBody().emplaceBlock());
  hostMemories(loc);
  auto accel = AccelOp::create(b, loc);
  b.setInsertionPointToStart(&accel.getBody().emplaceBlock());
  if (failed(accelerate(loc))) {
    app.erase();
    return failure();
  }
  cleanUp(app);
  if (failed(verify(app))) {
    app.erase();
    return refuse(RefusalKind::SpatialOp, "the derived app is not valid", loc);
  }
  return app;
}

FailureOr<AppOp>
loom::spatial::deriveApp(OpBuilder &builder, SpatialRegionOp region,
                         llvm::ArrayRef<RootFootprint> footprints,
                         llvm::SmallVectorImpl<Refused> &refusals) {
  return Deriver(builder, region, footprints, refusals).run();
}
