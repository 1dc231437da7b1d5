// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the operations of a target to its values.

#include "loom/Fabric/Capability/Target.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace loom::fabric;

std::string Element::str() const {
  switch (kind) {
  case None:
    return "none";
  case Integer:
    return "i" + std::to_string(bits);
  case Float:
    return "f" + std::to_string(bits);
  case BFloat:
    return "bf" + std::to_string(bits);
  case Index:
    return "index";
  case Pointer:
    return "ptr<" + std::to_string(space) + ", " + std::to_string(bits) + ">";
  }
  return "?";
}

static std::optional<Element> scalarOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    for (uint16_t width : {1, 8, 16, 32, 64})
      if (integer.getWidth() <= width && integer.getWidth())
        return Element{Element::Integer, width, 0};
    return std::nullopt;
  }
  if (type.isBF16())
    return Element{Element::BFloat, 16, 0};
  if (type.isF16() || type.isF32() || type.isF64())
    return Element{Element::Float, uint16_t(type.getIntOrFloatBitWidth()), 0};
  if (isa<NoneType>(type))
    return Element{};
  if (isa<IndexType>(type))
    return Element{Element::Index, 0, 0};
  if (auto pointer = dyn_cast<PointerType>(type))
    return Element{Element::Pointer, uint16_t(pointer.getBits()),
                   pointer.getSpace()};
  return std::nullopt;
}

std::optional<std::pair<Element, unsigned>> loom::fabric::elementOf(Type type) {
  unsigned lanes = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return std::nullopt;
    lanes = unsigned(vector.getNumElements());
    type = vector.getElementType();
  }
  if (std::optional<Element> element = scalarOf(type))
    return std::make_pair(*element, lanes);
  return std::nullopt;
}

static std::vector<Element> elements(ArrayAttr types) {
  std::vector<Element> list;
  for (Type type : types.getAsValueRange<TypeAttr>())
    if (std::optional<Element> element = scalarOf(type))
      list.push_back(*element);
  llvm::sort(list);
  return list;
}

static std::vector<unsigned> numbers(ArrayRef<int32_t> from) {
  std::vector<unsigned> list(from.begin(), from.end());
  llvm::sort(list);
  return list;
}

template <typename RowOp>
static Costs costsOf(RowOp op) {
  return {uint32_t(op.getCount()), uint16_t(op.getLatency()),
          uint16_t(op.getInterval())};
}

static ComputeRow rowOf(ComputeOp op) {
  ComputeRow row;
  for (StringRef name : op.getOps().getAsValueRange<StringAttr>())
    row.ops.push_back(name.str());
  llvm::sort(row.ops);
  row.types = elements(op.getTypes());
  if (op.getFrom())
    row.from = elements(*op.getFrom());
  row.lanes = numbers(op.getLanes());
  if (op.getNeeds())
    for (StringRef flag : op.getNeeds()->getAsValueRange<StringAttr>())
      row.needs |= fastMathBit(flag).value_or(0);
  row.guarantees = op.getGuarantees().value_or(Accuracy::CorrectlyRounded);
  row.costs = costsOf(op);
  return row;
}

Target loom::fabric::modelOf(TargetOp op) {
  Target target;
  target.name = op.getSymName().str();
  for (Operation &row : op.getBody().front())
    llvm::TypeSwitch<Operation *>(&row)
        .Case([&](AbiOp abi) {
          target.abi = {elements(abi.getPointers()), abi.getEndianness(),
                        numbers(abi.getIndexWidths()),
                        abi.getTriple().value_or("").str()};
        })
        .Case([&](SystemOp system) {
          target.system = {system.getCores(), system.getClockKhz(),
                           system.getQueue(), system.getLaunch(),
                           system.getTransfer()};
        })
        .Case([&](SystemMemoryOp memory) {
          target.systemMemory = {memory.getCapacity(), memory.getPorts(),
                                 memory.getLatency(), memory.getBytes()};
        })
        .Case([&](LocalMemoryOp memory) {
          target.localMemories.push_back(
              {memory.getCount(), memory.getCapacity(), memory.getBanks(),
               memory.getPorts(), memory.getLatency(), memory.getBytes()});
        })
        .Case([&](ComputeOp compute) {
          target.compute.push_back(rowOf(compute));
        })
        .Case([&](StreamOp stream) {
          target.streams.push_back(
              {stream.getStep(), elements(stream.getTypes()), costsOf(stream)});
        })
        .Case([&](TokenOp token) {
          target.tokens.push_back({token.getKind(), token.getFan().value_or(0),
                                   elements(token.getTypes()),
                                   numbers(token.getLanes()), costsOf(token)});
        })
        .Case([&](AccessOp access) {
          target.accesses.push_back({access.getKind(), access.getForm(),
                                     access.getAddress(), access.getOrdering(),
                                     elements(access.getTypes()),
                                     numbers(access.getLanes()),
                                     access.getMasked(), costsOf(access)});
        });
  target.identity = loom::ArtifactIdentity::of(canonicalForm(target));
  return target;
}
