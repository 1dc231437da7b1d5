// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dataflow.graph` and its terminator: text form and verifiers.

#include "loom/Dataflow/IR/Dataflow.h"
#include "loom/Dataflow/IR/Schema.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace loom::dataflow;

// Without an attribute there are no streams.
static Segments countSegments(DenseI32ArrayAttr attribute, TypeRange types) {
  if (attribute)
    return {static_cast<unsigned>(attribute[0]),
            static_cast<unsigned>(attribute[1]),
            static_cast<unsigned>(attribute[2])};
  unsigned memories = llvm::count_if(types, llvm::IsaPred<MemRefType>);
  return {static_cast<unsigned>(types.size()) - memories, 0, memories};
}

Segments GraphOp::getInputCounts() {
  return countSegments(getInputSegmentsAttr(), getFunctionType().getInputs());
}

Segments GraphOp::getResultCounts() {
  return countSegments(getResultSegmentsAttr(), getFunctionType().getResults());
}

ArrayRef<BlockArgument> GraphOp::getValueInputs() {
  return ArrayRef<BlockArgument>(getBlock().getArguments())
      .slice(1, getInputCounts().values);
}

ArrayRef<BlockArgument> GraphOp::getStreamInputs() {
  Segments counts = getInputCounts();
  return ArrayRef<BlockArgument>(getBlock().getArguments())
      .slice(1 + counts.values, counts.streams);
}

ArrayRef<BlockArgument> GraphOp::getMemories() {
  return ArrayRef<BlockArgument>(getBlock().getArguments())
      .take_back(getInputCounts().memories);
}

GraphReturnOp GraphOp::getReturn() {
  return cast<GraphReturnOp>(getBlock().getTerminator());
}

void GraphOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  if (!region.empty() && region.front().getNumArguments() != 0)
    setName(region.front().getArgument(0), "start");
}

// An optional `keyword [1, 2]`.
static ParseResult parseNumbers(OpAsmParser &parser, StringRef keyword,
                                OperationState &result) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
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
  for (StringAttr keyword :
       {getInputSegmentsAttrName(result.name),
        getResultSegmentsAttrName(result.name), getSlotsAttrName(result.name),
        getPartitionsAttrName(result.name), getExitsAttrName(result.name)})
    if (parseNumbers(parser, keyword, result))
      return failure();
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
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
  StringRef space = "    ";
  auto print = [&](StringAttr keyword, DenseI32ArrayAttr numbers) {
    if (!numbers)
      return;
    printer << space << keyword.getValue() << ' ';
    numbers.print(printer);
    space = " ";
  };
  print(getInputSegmentsAttrName(), getInputSegmentsAttr());
  print(getResultSegmentsAttrName(), getResultSegmentsAttr());
  print(getSlotsAttrName(), getSlotsAttr());
  print(getPartitionsAttrName(), getPartitionsAttr());
  print(getExitsAttrName(), getExitsAttr());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getSlotsAttrName(),
       getPartitionsAttrName(), getExitsAttrName(), getSymVisibilityAttrName(),
       getInputSegmentsAttrName(), getResultSegmentsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

// Values, then streams, then memories.
static LogicalResult verifySegments(GraphOp graph, StringRef what,
                                    DenseI32ArrayAttr attribute,
                                    TypeRange types) {
  if (attribute) {
    if (attribute.size() != 3 ||
        llvm::any_of(attribute.asArrayRef(), [](int32_t n) { return n < 0; }))
      return graph.emitOpError("expected three counts of ")
             << what << "s from 0, got " << attribute;
    uint64_t sum = 0;
    for (int32_t count : attribute.asArrayRef())
      sum += count;
    if (sum != types.size())
      return graph.emitOpError("expected counts of all ")
             << types.size() << " " << what << "s, got " << attribute;
  }
  Segments counts = countSegments(attribute, types);
  Type memory = getMemoryType(graph.getContext());
  unsigned tokens = counts.values + counts.streams;
  bool memories = false;
  for (auto [index, type] : llvm::enumerate(types)) {
    if (isa<MemRefType>(type)) {
      if (type != memory)
        return graph.emitOpError("expected memory ")
               << what << " " << index << " of type memref<?xi8>, got " << type;
      if (attribute && index < tokens)
        return graph.emitOpError("expected value ")
               << what << "s before memory " << what << "s, got " << type
               << " at " << what << " " << index;
      memories = true;
      continue;
    }
    if (memories || index >= tokens)
      return graph.emitOpError("expected value ")
             << what << "s before memory " << what << "s, got " << type
             << " at " << what << " " << index;
    if (!isTokenType(type) || isa<NoneType, IndexType>(type))
      return graph.emitOpError("expected a scalar type of at most 64 bits or a "
                               "vector of them for ")
             << what << " " << index << ", got " << type;
  }
  return success();
}

// What an image needs to know of a region.
static LogicalResult verifyRegionFacts(GraphOp graph) {
  FunctionType type = graph.getFunctionType();
  if (!graph.getPartitionsAttr() || !graph.getExitsAttr())
    return graph.emitOpError("expected partitions and exits with the slots");
  if (graph.getInputCounts().streams != 0 ||
      graph.getResultCounts().streams != 0 ||
      graph.getResultCounts().memories != 0)
    return graph.emitOpError(
        "a graph with slots has no streams and no memory results");
  if (type.getNumResults() == 0 || !type.getResult(0).isSignlessInteger(32))
    return graph.emitOpError("the first result must be the i32 exit selector");
  if (graph.getSlots().size() != type.getNumInputs())
    return graph.emitOpError("expected one slot per input (")
           << type.getNumInputs() << "), got " << graph.getSlots().size();
  if (graph.getPartitions().size() != graph.getNumMemories())
    return graph.emitOpError("expected one partition per memory input (")
           << graph.getNumMemories() << "), got "
           << graph.getPartitions().size();
  if (graph.getExits().size() != type.getNumResults())
    return graph.emitOpError("expected one exit per result (")
           << type.getNumResults() << "), got " << graph.getExits().size();
  for (int32_t slot : graph.getSlots())
    if (slot < 0)
      return graph.emitOpError("expected slots from 0, got ") << slot;
  for (int32_t partition : graph.getPartitions())
    if (partition < 0)
      return graph.emitOpError("expected partitions from 0, got ") << partition;
  return success();
}

LogicalResult GraphOp::verify() {
  FunctionType type = getFunctionType();
  Block &block = getBlock();
  if (block.getNumArguments() != type.getNumInputs() + 1 ||
      !isa<NoneType>(block.getArgument(0).getType()) ||
      TypeRange(block.getArgumentTypes()).drop_front() != type.getInputs())
    return emitOpError("expected block arguments (none, ")
           << type.getInputs() << "), got (" << block.getArgumentTypes() << ")";
  if (failed(verifySegments(*this, "input", getInputSegmentsAttr(),
                            type.getInputs())) ||
      failed(verifySegments(*this, "result", getResultSegmentsAttr(),
                            type.getResults())))
    return failure();
  if (isRegion())
    return verifyRegionFacts(*this);
  if (getPartitionsAttr() || getExitsAttr())
    return emitOpError("expected slots with partitions and exits");
  if (SymbolTable::getSymbolVisibility(*this) !=
      SymbolTable::Visibility::Private)
    return emitOpError("a graph without slots is launched by threads, expected "
                       "it to be private");
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  for (Operation &op : getBlock()) {
    if (isa<GraphReturnOp>(op))
      continue;
    std::string why = whyNoActor(&op);
    if (!why.empty())
      return op.emitOpError("is not an actor of "
                            "docs/reference/dataflow-actors.md: ")
             << why;
  }
  if (!isa<GraphReturnOp>(getBlock().back()))
    return emitOpError("expected a dataflow.graph.return terminator");
  // A memory is a binding, not a stream: only accesses may use it.
  for (BlockArgument memory : getMemories())
    for (Operation *user : memory.getUsers())
      if (!isa<LoadOp, StoreOp, GraphReturnOp>(user))
        return user->emitOpError("must not use a memory as a token");
  return success();
}

LogicalResult GraphReturnOp::verify() {
  auto graph = cast<GraphOp>((*this)->getParentOp());
  TypeRange results = graph.getFunctionType().getResults();
  Segments counts = graph.getResultCounts();
  auto check = [&](StringRef what, TypeRange expected,
                   TypeRange got) -> LogicalResult {
    if (expected == got)
      return success();
    return emitOpError("expected ")
           << what << " of types (" << expected << "), got (" << got << ")";
  };
  if (failed(check("values", results.take_front(counts.values),
                   getValues().getTypes())) ||
      failed(check("streams", results.slice(counts.values, counts.streams),
                   getStreams().getTypes())) ||
      failed(check("memories", results.take_back(counts.memories),
                   getMemories().getTypes())))
    return failure();
  if (getComplete().empty())
    return emitOpError("expected at least one completion token");
  if (llvm::all_of(getComplete(),
                   [&](Value v) { return v == graph.getStart(); })) {
    if (counts.streams != 0 || graph.getInputCounts().streams != 0)
      return emitOpError("the start token can't complete a graph with streams");
    for (Operation &op : graph.getBlock())
      if (isa<LoadOp, StoreOp>(op))
        return emitOpError("the start token can't complete a graph that "
                           "accesses memory");
  }
  return success();
}
