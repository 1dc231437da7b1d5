// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dataflow.graph` and its terminator: text form and verifiers.

#include "loom/Dataflow/IR/Compute.h"
#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

unsigned GraphOp::getNumMemories() {
  unsigned count = 0;
  for (Type type : getFunctionType().getInputs())
    count += isa<MemRefType>(type);
  return count;
}

unsigned GraphOp::getNumValueInputs() {
  return getFunctionType().getNumInputs() - getNumMemories();
}

ArrayRef<BlockArgument> GraphOp::getValueInputs() {
  return ArrayRef<BlockArgument>(getBlock().getArguments())
      .slice(1, getNumValueInputs());
}

ArrayRef<BlockArgument> GraphOp::getMemories() {
  return ArrayRef<BlockArgument>(getBlock().getArguments())
      .take_back(getNumMemories());
}

GraphReturnOp GraphOp::getReturn() {
  return cast<GraphReturnOp>(getBlock().getTerminator());
}

void GraphOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  if (!region.empty() && region.front().getNumArguments() != 0)
    setName(region.front().getArgument(0), "start");
}

// A mandatory `keyword [1, 2]`.
static ParseResult parseNumbers(OpAsmParser &parser, StringRef keyword,
                                OperationState &result) {
  if (parser.parseKeyword(keyword))
    return failure();
  auto numbers = dyn_cast_or_null<DenseI32ArrayAttr>(
      DenseI32ArrayAttr::parse(parser, Type()));
  if (!numbers)
    return failure();
  result.addAttribute(keyword, numbers);
  return success();
}

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"public", "private", "nested"})))
    result.addAttribute(SymbolTable::getVisibilityAttrName(),
                        parser.getBuilder().getStringAttr(visibility));
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results, inputs;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseOptionalArrowTypeList(results))
    return failure();
  if (arguments.empty() || !isa<NoneType>(arguments.front().type))
    return parser.emitError(loc, "expected the start token as first argument");
  for (OpAsmParser::Argument &argument :
       MutableArrayRef(arguments).drop_front())
    inputs.push_back(argument.type);
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, results)));
  Region *body = result.addRegion();
  return failure(
      failed(parseNumbers(parser, getSlotsAttrName(result.name), result)) ||
      failed(
          parseNumbers(parser, getPartitionsAttrName(result.name), result)) ||
      failed(parseNumbers(parser, getExitsAttrName(result.name), result)) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments));
}

void GraphOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (auto visibility = getSymVisibility())
    printer << *visibility << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(
      getBlock().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  printer.printOptionalArrowTypeList(getFunctionType().getResults());
  printer.printNewline();
  printer << "    slots ";
  getSlotsAttr().print(printer);
  printer << " partitions ";
  getPartitionsAttr().print(printer);
  printer << " exits ";
  getExitsAttr().print(printer);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(),
                            getSlotsAttrName(), getPartitionsAttrName(),
                            getExitsAttrName(), getSymVisibilityAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult GraphOp::verify() {
  FunctionType type = getFunctionType();
  Block &block = getBlock();
  if (block.getNumArguments() != type.getNumInputs() + 1 ||
      !isa<NoneType>(block.getArgument(0).getType()) ||
      TypeRange(block.getArgumentTypes()).drop_front() != type.getInputs())
    return emitOpError("expected block arguments (none, ")
           << type.getInputs() << "), got (" << block.getArgumentTypes() << ")";
  bool memories = false;
  for (auto [index, input] : llvm::enumerate(type.getInputs())) {
    if (isa<MemRefType>(input)) {
      memories = true;
      if (input != getMemoryType(getContext()))
        return emitOpError("expected memory input ")
               << index << " of type memref<?xi8>, got " << input;
      continue;
    }
    if (memories)
      return emitOpError("expected value inputs before memory inputs, got ")
             << input << " at input " << index;
    if (!isTokenType(input) || isa<NoneType>(input))
      return emitOpError("expected a scalar type of at most 64 bits for input ")
             << index << ", got " << input;
  }
  for (auto [index, result] : llvm::enumerate(type.getResults()))
    if (!isTokenType(result) || isa<NoneType>(result))
      return emitOpError(
                 "expected a scalar type of at most 64 bits for result ")
             << index << ", got " << result;
  if (type.getNumResults() == 0 || !type.getResult(0).isSignlessInteger(32))
    return emitOpError("the first result must be the i32 exit selector");
  if (getSlots().size() != type.getNumInputs())
    return emitOpError("expected one slot per input (")
           << type.getNumInputs() << "), got " << getSlots().size();
  if (getPartitions().size() != getNumMemories())
    return emitOpError("expected one partition per memory input (")
           << getNumMemories() << "), got " << getPartitions().size();
  if (getExits().size() != type.getNumResults())
    return emitOpError("expected one exit per result (")
           << type.getNumResults() << "), got " << getExits().size();
  for (int32_t slot : getSlots())
    if (slot < 0)
      return emitOpError("expected slots from 0, got ") << slot;
  for (int32_t partition : getPartitions())
    if (partition < 0)
      return emitOpError("expected partitions from 0, got ") << partition;
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  for (Operation &op : getBlock()) {
    if (isa<DataflowDialect>(op.getDialect()) && !isa<GraphOp>(op))
      continue;
    if (!lookupCompute(&op))
      return op.emitOpError("is not an actor: only the operations of "
                            "docs/dataflow.md may be in a graph");
  }
  if (!isa<GraphReturnOp>(getBlock().back()))
    return emitOpError("expected a dataflow.graph.return terminator");
  // A memory is a binding, not a stream: only accesses may use it.
  for (BlockArgument memory : getMemories())
    for (Operation *user : memory.getUsers())
      if (!isa<LoadOp, StoreOp>(user))
        return user->emitOpError("must not use a memory as a token");
  return success();
}

LogicalResult GraphReturnOp::verify() {
  auto graph = cast<GraphOp>((*this)->getParentOp());
  TypeRange results = graph.getFunctionType().getResults();
  if (getValues().getTypes() != results)
    return emitOpError("expected values of types (")
           << results << "), got (" << getValues().getTypes() << ")";
  if (getComplete().empty())
    return emitOpError("expected at least one completion token");
  if (llvm::all_of(getComplete(),
                   [&](Value v) { return v == graph.getStart(); }))
    for (Operation &op : graph.getBlock())
      if (isa<LoadOp, StoreOp>(op))
        return emitOpError("the start token can't complete a graph that "
                           "accesses memory");
  return success();
}
