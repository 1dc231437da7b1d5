// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dataflow.thread` and its launches: text form and verifiers.

#include "loom/Dataflow/IR/Dataflow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace loom::dataflow;

bool ThreadOp::isResultSlot(unsigned input) {
  ArrayAttr attributes = getArgAttrsAttr();
  return attributes && input < attributes.size() &&
         cast<DictionaryAttr>(attributes[input])
             .contains(getResultSlotAttrName());
}

ParseResult ThreadOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"public", "private", "nested"})))
    result.addAttribute(SymbolTable::getVisibilityAttrName(),
                        builder.getStringAttr(visibility));
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, coordinates;
  OpAsmParser::Argument ctrl;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/true) ||
      parser.parseKeyword("ctrl") || parser.parseLParen() ||
      parser.parseArgument(ctrl) || parser.parseRParen())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("coords")) &&
      parser.parseArgumentList(coordinates, OpAsmParser::Delimiter::Paren))
    return failure();

  SmallVector<Type> inputs;
  SmallVector<Attribute> attributes;
  for (OpAsmParser::Argument &argument : arguments) {
    inputs.push_back(argument.type);
    attributes.push_back(argument.attrs ? argument.attrs
                                        : builder.getDictionaryAttr({}));
  }
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(inputs, {})));
  if (llvm::any_of(attributes, [](Attribute attribute) {
        return !cast<DictionaryAttr>(attribute).empty();
      }))
    result.addAttribute(getArgAttrsAttrName(result.name),
                        builder.getArrayAttr(attributes));
  ctrl.type = builder.getNoneType();
  arguments.push_back(ctrl);
  for (OpAsmParser::Argument &coordinate : coordinates) {
    coordinate.type = builder.getIndexType();
    arguments.push_back(coordinate);
  }
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void ThreadOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (auto visibility = getSymVisibility())
    printer << *visibility << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  ArrayAttr attributes = getArgAttrsAttr();
  llvm::interleaveComma(
      llvm::seq<unsigned>(0, getNumInputs()), printer, [&](unsigned input) {
        ArrayRef<NamedAttribute> list;
        if (attributes)
          list = cast<DictionaryAttr>(attributes[input]).getValue();
        printer.printRegionArgument(getBlock().getArgument(input), list);
      });
  printer << ") ctrl(";
  printer.printOperand(getCtrl());
  printer << ')';
  if (getRank() != 0) {
    printer << " coords(";
    llvm::interleaveComma(
        getBlock().getArguments().take_back(getRank()), printer,
        [&](BlockArgument argument) { printer.printOperand(argument); });
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(),
                            getSymVisibilityAttrName(), getArgAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ThreadOp::verify() {
  FunctionType type = getFunctionType();
  if (SymbolTable::getSymbolVisibility(*this) !=
      SymbolTable::Visibility::Private)
    return emitOpError("expected to be private");
  if (type.getNumResults() != 0)
    return emitOpError("expected no results, got ") << type.getResults();
  for (auto [index, input] : llvm::enumerate(type.getInputs()))
    if (isa<NoneType, ThreadTokenType>(input))
      return emitOpError("input ")
             << index << " must not be an event or a token, got " << input;
  unsigned inputs = type.getNumInputs();
  TypeRange arguments = getBlock().getArgumentTypes();
  if (arguments.size() < inputs + 1 ||
      arguments.take_front(inputs) != type.getInputs() ||
      !isa<NoneType>(arguments[inputs]) ||
      !llvm::all_of(arguments.drop_front(inputs + 1), llvm::IsaPred<IndexType>))
    return emitOpError("expected block arguments (")
           << type.getInputs() << ", none, index...), got (" << arguments
           << ")";
  if (ArrayAttr attributes = getArgAttrsAttr();
      attributes && attributes.size() != inputs)
    return emitOpError("expected attributes for ")
           << inputs << " inputs, got " << attributes.size();
  return success();
}

LogicalResult ThreadOp::verifyRegions() {
  for (unsigned input = 0; input < getNumInputs(); ++input) {
    if (!isResultSlot(input))
      continue;
    BlockArgument slot = getBlock().getArgument(input);
    if (!isPointerType(slot.getType()))
      return emitOpError("expected a !llvm.ptr as the result slot of input ")
             << input << ", got " << slot.getType();
    for (OpOperand &use : slot.getUses())
      if (auto store = dyn_cast<LLVM::StoreOp>(use.getOwner());
          !store || use.get() != store.getAddr() ||
          store.getValue() == use.get())
        return use.getOwner()->emitOpError(
            "must not use a result slot: a thread only stores to it");
  }
  return success();
}

LogicalResult ThreadLaunchOp::verify() { return verifyInHost(*this); }

LogicalResult ThreadLaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto thread =
      symbols.lookupNearestSymbolFrom<ThreadOp>(*this, getCalleeAttr());
  if (!thread)
    return emitOpError("expected a dataflow.thread named ") << getCalleeAttr();
  if (getArgs().getTypes() != thread.getFunctionType().getInputs())
    return emitOpError("expected arguments of types (")
           << thread.getFunctionType().getInputs() << "), got ("
           << getArgs().getTypes() << ")";
  if (getExtents().size() != thread.getRank())
    return emitOpError("expected one extent per coordinate (")
           << thread.getRank() << "), got " << getExtents().size();
  return success();
}

LogicalResult ThreadWaitOp::verify() {
  if (getTokens().empty())
    return emitOpError("expected at least one token");
  return verifyInHost(*this);
}
