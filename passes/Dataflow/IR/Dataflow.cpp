// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect registration, types, and the verifiers of the control actors.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace loom::dataflow {

MemRefType getMemoryType(MLIRContext *context) {
  return MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 8));
}

bool isPointerType(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == 0;
}

bool isScalarTokenType(Type type) {
  if (isa<NoneType>(type) || type.isF32() || type.isF64() ||
      isPointerType(type))
    return true;
  return type.isSignlessInteger() && type.getIntOrFloatBitWidth() >= 1 &&
         type.getIntOrFloatBitWidth() <= 64;
}

bool isVectorTokenType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() >= 1 && !vector.isScalable() &&
         isScalarTokenType(vector.getElementType());
}

bool isTokenType(Type type) {
  return isScalarTokenType(type) || isVectorTokenType(type) ||
         isa<IndexType>(type);
}

// One lane of a vector token, or the type itself.
static Type laneType(Type type) {
  return isVectorTokenType(type) ? cast<VectorType>(type).getElementType()
                                 : type;
}

bool isMemoryDataType(Type type) {
  type = laneType(type);
  if (type.isF32() || type.isF64() || isPointerType(type))
    return true;
  return type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

bool isAddressType(Type type) {
  type = laneType(type);
  return type.isSignlessInteger(64) || isPointerType(type);
}

bool isMaskType(Type type) { return laneType(type).isSignlessInteger(1); }

Type getMaskType(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  if (auto vector = dyn_cast<VectorType>(type))
    return VectorType::get(vector.getShape(), i1);
  return i1;
}

// A typed attribute, and `as <type>` when the result has another type.
static ParseResult parseTypedConstant(OpAsmParser &parser, TypedAttr &value,
                                      Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  value = dyn_cast<TypedAttr>(attribute);
  if (!value)
    return parser.emitError(loc, "expected a typed constant");
  if (succeeded(parser.parseOptionalKeyword("as")))
    return parser.parseType(type);
  type = value.getType();
  return success();
}

static void printTypedConstant(OpAsmPrinter &printer, Operation *,
                               TypedAttr value, Type type) {
  printer << value;
  if (type != value.getType())
    printer << " as " << type;
}

} // namespace loom::dataflow

#include "loom/Dataflow/IR/DataflowDialect.cpp.inc"
#include "loom/Dataflow/IR/DataflowEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "loom/Dataflow/IR/DataflowTypes.cpp.inc"

#define GET_OP_CLASSES
#include "loom/Dataflow/IR/DataflowOps.cpp.inc"

using namespace loom::dataflow;

void DataflowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "loom/Dataflow/IR/DataflowTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "loom/Dataflow/IR/DataflowOps.cpp.inc"
      >();
}

LogicalResult ConstantOp::verify() {
  Type type = getResult().getType(), value = getValue().getType();
  if (isa<NoneType>(type))
    return emitOpError("a constant has a value, expected a type other than "
                       "none");
  if (isVectorTokenType(type)) {
    if (!isa<DenseIntOrFPElementsAttr>(getValue()) || value != type)
      return emitOpError("expected dense lanes of type ")
             << type << ", got " << getValue();
    return success();
  }
  if (!isa<IntegerAttr, FloatAttr>(getValue()))
    return emitOpError("expected an integer or float attribute, got ")
           << getValue();
  if (isPointerType(type) ? !value.isSignlessInteger(64) : value != type)
    return emitOpError("expected a value of type ")
           << (isPointerType(type) ? Type(IntegerType::get(getContext(), 64))
                                   : type)
           << ", got " << value;
  return success();
}

LogicalResult SyncOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult SyncOp::verify() {
  if (getInputs().empty())
    return emitOpError("expected at least one operand");
  if (getInputs().getTypes() != getOutputs().getTypes())
    return emitOpError("expected results of the types of the operands");
  if (isa_and_nonnull<GraphOp>((*this)->getParentOp()))
    return success();
  if (!llvm::all_of(getInputs().getTypes(), llvm::IsaPred<NoneType>))
    return emitOpError("joins events outside of a graph, expected none");
  return verifyInThread(*this);
}

// Selector and lanes of a mux or demux.
static LogicalResult verifyLanes(Operation *op, Type selector, TypeRange lanes,
                                 Type type) {
  if (lanes.size() < 2)
    return op->emitOpError("expected at least 2 lanes, got ") << lanes.size();
  if (lanes.size() == 2 && !selector.isSignlessInteger(1))
    return op->emitOpError("expected an i1 selector for 2 lanes, got ")
           << selector;
  if (lanes.size() > 2 && !selector.isSignlessInteger(32) &&
      !selector.isSignlessInteger(64))
    return op->emitOpError("expected an i32 or i64 selector for ")
           << lanes.size() << " lanes, got " << selector;
  for (auto [index, lane] : llvm::enumerate(lanes))
    if (lane != type)
      return op->emitOpError("expected lane ")
             << index << " of type " << type << ", got " << lane;
  return success();
}

LogicalResult MuxOp::verify() {
  return verifyLanes(*this, getSelector().getType(), getLanes().getTypes(),
                     getResult().getType());
}

LogicalResult DemuxOp::verify() {
  return verifyLanes(*this, getSelector().getType(), getLanes().getTypes(),
                     getValue().getType());
}
