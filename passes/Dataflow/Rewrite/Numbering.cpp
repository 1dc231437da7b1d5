// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Numbering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::rewrite;

/// Walks that are optimistic; after them the carries are told apart for good.
static constexpr unsigned maxWalks = 12;
/// What feedback has before the first walk.
static constexpr uint64_t anything = ~uint64_t(0);

Numbering::Numbering(Context &context, Options options)
    : context(context), options(options) {
  index();
  bool stable = false;
  for (unsigned i = 0; i < maxWalks && !stable; ++i)
    stable = walk(false);
  if (!stable)
    walk(true);
}

void Numbering::index() {
  auto add = [&](Value value) {
    indexOf[value] = values.size();
    values.push_back(value);
  };
  for (BlockArgument argument : context.block.getArguments())
    add(argument);
  for (Operation &op : context.block)
    for (Value result : op.getResults())
      add(result);
  numbers.assign(values.size(), anything);
  repeating.assign(values.size(), false);
  for (Operation &op : context.block)
    if (auto demux = dyn_cast<DemuxOp>(op))
      if (auto carry = demux.getValue().getDefiningOp<CarryOp>())
        if (carry.getPhase() == demux.getSelector())
          ownLanes[carry] = demux.getLanes()[1];
  for (size_t i = 0; i < context.block.getNumArguments(); ++i)
    numbers[i] = i;
}

/// True: nothing changed.
bool Numbering::walk(bool onlyPessimistic) {
  pessimistic = onlyPessimistic;
  previous = numbers;
  table.clear();
  keys.Reset();
  for (Operation &op : context.block)
    number(&op);
  return numbers == previous;
}

uint64_t Numbering::before(Value value) const {
  if (pessimistic)
    return indexOf.lookup(value);
  return previous[indexOf.lookup(value)];
}

void Numbering::setByKey(Value value, ArrayRef<uint64_t> key) {
  auto it = table.find(key);
  if (it == table.end()) {
    ArrayRef<uint64_t> kept = key.copy(keys);
    it = table.try_emplace(kept, indexOf.lookup(value)).first;
  }
  set(value, it->second);
}

void Numbering::setFresh(Operation *op) {
  for (Value result : op->getResults())
    set(result, indexOf.lookup(result));
}

void Numbering::number(Operation *op) {
  bool done = false;
  if (auto carry = dyn_cast<CarryOp>(op))
    done = numberCarry(carry);
  else if (auto sync = dyn_cast<SyncOp>(op))
    done = numberSync(sync);
  else if (auto mux = dyn_cast<MuxOp>(op))
    done = numberMux(mux);
  else if (auto demux = dyn_cast<DemuxOp>(op))
    done = numberDemux(demux);
  if (!done && !numberPlain(op))
    setFresh(op);
}

bool Numbering::numberCarry(CarryOp carry) {
  Value result = carry.getResult();
  if (pessimistic) {
    repeating[indexOf.lookup(result)] = false;
    return false;
  }
  uint64_t phase = before(carry.getPhase()), init = of(carry.getInit());
  uint64_t next = before(carry.getNext());
  Value lane = ownLanes.lookup(carry);
  bool repeats = options.rings && lane && before(lane) == next;
  repeating[indexOf.lookup(result)] = repeats;
  if (repeats)
    setByKey(result, {Repeat, phase, init});
  else if (options.actors)
    setByKey(result, {uint64_t(reinterpret_cast<uintptr_t>(
                          carry->getName().getAsOpaquePointer())),
                      phase, init, next});
  else
    return false;
  return true;
}

/// A sync of control tokens: their set matters, and one of them is no sync.
bool Numbering::numberSync(SyncOp sync) {
  Key key{Wait};
  for (Value input : sync.getInputs()) {
    if (!isa<NoneType>(input.getType()))
      return false;
    key.push_back(of(input));
  }
  llvm::sort(key.begin() + 1, key.end());
  key.erase(llvm::unique(key), key.end());
  if (key.size() == 2 && options.rings)
    for (Value output : sync.getOutputs())
      set(output, key[1]);
  else if (options.actors)
    for (Value output : sync.getOutputs())
      setByKey(output, key);
  else
    return false;
  return true;
}

/// mux c, (demux c, x) = x
bool Numbering::numberMux(MuxOp mux) {
  if (!options.selections)
    return false;
  std::optional<uint64_t> through;
  for (auto [k, lane] : llvm::enumerate(mux.getLanes())) {
    Value first = values[of(lane)];
    auto demux = first.getDefiningOp<DemuxOp>();
    if (!demux || cast<OpResult>(first).getResultNumber() != k ||
        of(demux.getSelector()) != of(mux.getSelector()))
      return false;
    uint64_t value = of(demux.getValue());
    if (through && *through != value)
      return false;
    through = value;
  }
  set(mux.getResult(), *through);
  return true;
}

/// Lane 0 of a value that a counted loop repeats is the value: such a loop
/// ends, and what its phase waits for is data.
bool Numbering::numberDemux(DemuxOp demux) {
  if (!options.rings || !demux.getSelector().getDefiningOp<StreamOp>())
    return false;
  Value first = values[of(demux.getValue())];
  Value phase, init;
  if (auto invariant = first.getDefiningOp<InvariantOp>()) {
    phase = invariant.getPhase();
    init = invariant.getInit();
  } else if (auto carry = first.getDefiningOp<CarryOp>()) {
    if (!repeating[indexOf.lookup(first)])
      return false;
    phase = carry.getPhase();
    init = carry.getInit();
  } else {
    return false;
  }
  if (of(phase) != of(demux.getSelector()))
    return false;
  set(demux.getLanes()[0], of(init));
  setByKey(demux.getLanes()[1],
           {Lane, of(demux.getSelector()), of(demux.getValue()), 1});
  return true;
}

/// All others: the operation and its operands. Accesses, streams and what this
/// room doesn't know are only equal to themselves. (Two streams would count in
/// step, and a loop that waits for the other's end keep all its tokens.)
bool Numbering::numberPlain(Operation *op) {
  bool isCompute = !isa<DataflowDialect>(op->getDialect());
  if (!isCompute &&
      !isa<ConstantOp, DemuxOp, MuxOp, InvariantOp, SyncOp, LoadOp>(op))
    return false;
  if (auto demux = dyn_cast<DemuxOp>(op)) {
    if (!options.actors && !options.rings && !options.selections)
      return false;
    for (auto [k, lane] : llvm::enumerate(demux.getLanes()))
      setByKey(lane, {Lane, of(demux.getSelector()), of(demux.getValue()), k});
    return true;
  }
  if (auto invariant = dyn_cast<InvariantOp>(op)) {
    setByKey(invariant.getResult(),
             {Repeat, before(invariant.getPhase()), of(invariant.getInit())});
    return true;
  }
  if (!options.actors)
    return false;
  auto pointer = [](const void *p) {
    return uint64_t(reinterpret_cast<uintptr_t>(p));
  };
  Key key{pointer(op->getName().getAsOpaquePointer()), 0,
          pointer(op->getResult(0).getType().getAsOpaquePointer()), 0};
  if (auto constant = dyn_cast<ConstantOp>(op))
    key[1] = pointer(constant.getValue().getAsOpaquePointer());
  else if (auto compare = dyn_cast<arith::CmpIOp>(op))
    key[1] = uint64_t(compare.getPredicate());
  else if (auto compare = dyn_cast<arith::CmpFOp>(op))
    key[1] = uint64_t(compare.getPredicate());
  for (Value operand : op->getOperands())
    key.push_back(of(operand));
  // (A floating-point NaN may depend on the order of the operands.)
  if (isCompute && op->getNumOperands() == 2 &&
      op->hasTrait<OpTrait::IsCommutative>() &&
      isa<IntegerType>(op->getOperand(0).getType()) && key[4] > key[5])
    std::swap(key[4], key[5]);
  for (auto [k, result] : llvm::enumerate(op->getResults())) {
    key[3] = k;
    setByKey(result, key);
  }
  return true;
}
