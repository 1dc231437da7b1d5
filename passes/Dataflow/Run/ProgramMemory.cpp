// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses and addresses of programs, in the order of the text.

#include "Program.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace loom;
using namespace loom::run;

std::optional<uint64_t> loom::run::bytesOf(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<uint64_t> element = bytesOf(array.getElementType());
    if (!element ||
        (*element && array.getNumElements() > UINT32_MAX / *element))
      return std::nullopt;
    return *element * array.getNumElements();
  }
  std::optional<unsigned> count = laneCount(type);
  if (!count || *count == 0)
    return std::nullopt;
  unsigned width = laneWidth(type);
  // Lanes of other widths are packed: nothing needs them.
  if (width % 8 != 0 && *count != 1)
    return std::nullopt;
  return uint64_t(*count) * ((width + 7) / 8);
}

bool Program::check(Operation *op, AccessFault fault, Place at, Event other) {
  if (fault == AccessFault::Bounds)
    fail(op, RunFault::Bounds,
         "at memory " + Twine(at.buffer) + " + " + Twine(int64_t(at.offset)));
  if (fault == AccessFault::Order)
    fail(op, RunFault::Order, "not ordered against " + machine.siteText(other));
  return fault == AccessFault::None;
}

std::optional<Place> Program::placeOf(Operation *op, Value address,
                                      bool &waits) {
  const Token *token = ready(address);
  waits = !token;
  if (!token)
    return std::nullopt;
  if (token->lanes.front().poison) {
    fail(op, RunFault::Poison, "an address");
    return std::nullopt;
  }
  return Memory::placeOf(token->lanes.front().bits);
}

Step Program::load(Operation *op) {
  bool waits = false;
  std::optional<Place> place = placeOf(op, op->getOperand(0), waits);
  if (!place)
    return Step::Wait;
  Type type = op->getResult(0).getType();
  unsigned width = laneWidth(type), bytes = (width + 7) / 8;
  Token result;
  result.lanes.resize(laneCount(type).value_or(0));
  Event event = access(), other;
  for (Lane &lane : result.lanes) {
    if (!check(op,
               machine.memory.read(*place, bytes, event, order, lane, other),
               *place, other))
      return Step::Wait;
    lane.bits &= laneMask(width);
    place->offset += bytes;
  }
  order = with(order, event);
  bind(op->getResult(0), Datum::of(std::move(result)));
  return Step::Next;
}

Step Program::store(Operation *op) {
  auto to = cast<LLVM::StoreOp>(op);
  const Token *value = ready(to.getValue());
  if (!value)
    return Step::Wait;
  bool waits = false;
  std::optional<Place> place = placeOf(op, to.getAddr(), waits);
  if (!place)
    return Step::Wait;
  unsigned bytes = (laneWidth(to.getValue().getType()) + 7) / 8;
  Event event = access(), other;
  for (Lane lane : value->lanes) {
    if (!check(op,
               machine.memory.write(*place, bytes, event, order, lane, other),
               *place, other))
      return Step::Wait;
    place->offset += bytes;
  }
  order = with(order, event);
  return Step::Next;
}

// One index, of any element type.
Step Program::address(Operation *op) {
  auto gep = cast<LLVM::GEPOp>(op);
  const Token *base = ready(gep.getBase());
  if (!base)
    return Step::Wait;
  Lane lane = base->lanes.front();
  int64_t index = gep.getRawConstantIndices()[0];
  if (!gep.getDynamicIndices().empty()) {
    Value dynamic = gep.getDynamicIndices()[0];
    const Token *token = ready(dynamic);
    if (!token)
      return Step::Wait;
    lane.poison |= token->lanes.front().poison;
    index = APInt(laneWidth(dynamic.getType()), token->lanes.front().bits)
                .getSExtValue();
  }
  lane.bits += uint64_t(index) * bytesOf(gep.getElemType()).value_or(0);
  if (lane.poison)
    lane.bits = 0;
  bind(op->getResult(0), Datum::of(Token{{lane}, nullptr}));
  return Step::Next;
}

Step Program::accesses(Operation *op) {
  if (isa<LLVM::LoadOp>(op))
    return load(op);
  if (isa<LLVM::StoreOp>(op))
    return store(op);
  if (isa<LLVM::GEPOp>(op))
    return address(op);
  auto alloca = dyn_cast<LLVM::AllocaOp>(op);
  if (!alloca)
    return Step::Other;
  const Token *count = ready(alloca.getArraySize());
  if (!count)
    return Step::Wait;
  uint64_t number = count->lanes.front().bits;
  uint64_t size = bytesOf(alloca.getElemType()).value_or(0);
  if (count->lanes.front().poison)
    return fail(op, RunFault::Poison, "a size");
  if (size && number > machine.options.bytes / size)
    return fail(op, RunFault::Limit, "an allocation that is too large");
  Place place = {machine.memory.makeUndefined(number * size), 0};
  bind(op->getResult(0),
       Datum::of(Token{{Lane{Memory::address(place), false}}, nullptr}));
  return Step::Next;
}
