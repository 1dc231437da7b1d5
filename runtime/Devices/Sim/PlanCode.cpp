// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to code: slots first, then the tree in order.

#include "Devices/Sim/Program.h"
#include "Devices/Sim/Scalars.h"

namespace loom::rt {

uint32_t slotsRead(const Inst &inst, uint32_t slots[4]) {
  switch (static_cast<Do>(inst.code)) {
  case Do::Move:
  case Do::JumpIfZero:
  case Do::JumpTable:
  case Do::TraceWord:
  case Do::TripsEnd:
    slots[0] = inst.a;
    return 1;
  case Do::JumpUnless:
  case Do::Compare:
    slots[0] = inst.a;
    slots[1] = inst.b;
    return 2;
  case Do::Advance:
    slots[0] = inst.a;
    slots[1] = inst.dst;
    return 2;
  case Do::Load:
    slots[0] = inst.a;
    slots[1] = inst.base;
    return 2;
  case Do::Store:
    slots[0] = inst.a;
    slots[1] = inst.base;
    slots[2] = inst.b;
    return 3;
  default:
    if (inst.code >= static_cast<uint16_t>(Do::Move))
      return 0;
    slots[0] = inst.a;
    slots[1] = inst.b;
    slots[2] = inst.c;
    return inst.c != inst.a ? 3 : inst.b != inst.a ? 2 : 1;
  }
}

uint32_t slotWritten(const Inst &inst) {
  switch (static_cast<Do>(inst.code)) {
  case Do::Move:
  case Do::Compare:
  case Do::Advance:
  case Do::Load:
  case Do::TripsBegin:
    return inst.dst;
  default:
    return inst.code < static_cast<uint16_t>(Do::Move) ? inst.dst : nothing;
  }
}

namespace {

constexpr uint16_t nop = static_cast<uint16_t>(Do::Dropped);

struct Coder {
  Program &program;
  const LoadedRegion &region;
  const Plan &plan;
  bool traced;
  Vec<uint32_t> uses;    // by value
  Vec<uint8_t> read;     // by slot: something but a selector reads it
  Vec<uint32_t> inner;   // code ranges of finished loops: begin, end
  Vec<uint32_t> cursor;  // slot of a stream's current value, by loop
  Vec<uint32_t> labels;  // code index by label
  Vec<uint8_t> chosen;   // by selection: a branch looks at its selector
  uint32_t zeroSlot = 0; // the base of an access without a memory
  bool memory = true;

  uint32_t operand(const ActorInfo &info, uint32_t k) const {
    return region.operands[info.firstOperand + k];
  }
  uint32_t slot(uint32_t value) const { return program.slotOf[value]; }
  uint32_t newSlot(uint64_t content, Ty type = Ty::I64, bool constant = false) {
    memory = program.frame.push(content) && program.slotTypes.push(type) &&
             program.constant.push(constant) && memory;
    return static_cast<uint32_t>(program.frame.size - 1);
  }
  uint32_t newLabel() {
    memory = labels.push(0) && memory;
    return static_cast<uint32_t>(labels.size - 1);
  }
  void place(uint32_t label) {
    labels[label] = static_cast<uint32_t>(program.code.size);
  }
  Inst &emit(Do code) { return emitCode(static_cast<uint16_t>(code)); }
  Inst &emitCode(uint16_t code) {
    static Inst sink;
    Inst inst = {};
    inst.code = code;
    inst.actor = nothing;
    inst.target = nothing;
    if (!program.code.push(inst)) {
      memory = false;
      return sink;
    }
    return program.code[program.code.size - 1];
  }
  void move(uint32_t dst, uint32_t src) {
    if (dst == src)
      return;
    Inst &inst = emit(Do::Move);
    inst.dst = dst;
    inst.a = src;
  }
  void fuel(uint32_t firings) {
    if (firings)
      emit(Do::Fuel).imm = firings;
  }

  bool assignSlots();
  void fire(uint32_t actor);
  void moves(uint32_t loop);
  void block(uint32_t number, bool paid = false);
  void branch(const PlanBranch &branch);
  /// A selector that may name no lane, and no branch that would notice.
  bool unnoticed(uint32_t selection) const {
    return plan.selections[selection].lanes > 2 && !chosen[selection];
  }
  void notice(const Selection &selection);
  void loop(uint32_t number);
  bool hasCode(uint32_t block) const;
  void mergeCarries(uint32_t loop, uint32_t head, uint32_t body,
                    uint32_t firstMove, uint32_t end);
  bool survives(uint32_t slot, uint32_t loop) const;
  bool finish();
};

/// Values share slots wherever one only repeats another.
bool Coder::assignSlots() {
  uint32_t values = region.values;
  if (!program.slotOf.assignZero(values) || !uses.assignZero(values) ||
      !program.frame.assignZero(0))
    return false;
  for (uint32_t value : region.operands)
    ++uses[value];
  for (uint32_t value : region.outputs)
    ++uses[value];
  for (uint32_t v = 0; v < values; ++v) {
    program.slotOf[v] = nothing;
    if (region.types[v].type == Ty::None)
      continue;
    uint32_t actor = plan.producer[v];
    if (actor != nothing) {
      Kind kind = region.actors[actor].kind;
      if (kind == Kind::Sync || kind == Kind::Demux || kind == Kind::Invariant)
        continue;
    }
    bool constant =
        actor != nothing && region.actors[actor].kind == Kind::Constant;
    program.slotOf[v] = newSlot(constant ? region.actors[actor].imm : 0,
                                region.types[v].type, constant);
  }
  // A lane's value that only leaves the lane is made in the slot of the mux.
  for (const ActorInfo &info : region.actors) {
    if (info.kind != Kind::Mux || info.type == Ty::None)
      continue;
    for (uint32_t k = 1; k < info.numOperands; ++k) {
      uint32_t value = operand(info, k);
      uint32_t actor = plan.producer[value];
      if (actor == nothing || uses[value] != 1)
        continue;
      Kind kind = region.actors[actor].kind;
      if ((kind == Kind::Compute || kind == Kind::Load) &&
          plan.phaseOf[value] == plan.phaseOfActor[actor])
        program.slotOf[value] = program.slotOf[info.firstResult];
    }
  }
  for (uint32_t v = 0; v < values; ++v) {
    if (region.types[v].type == Ty::None || program.slotOf[v] != nothing)
      continue;
    uint32_t at = v;
    for (uint32_t hops = 0; hops <= values; ++hops) {
      const ActorInfo &info = region.actors[plan.producer[at]];
      at = info.kind == Kind::Sync ? operand(info, at - info.firstResult)
                                   : operand(info, 1); // Demux, Invariant
      if (program.slotOf[at] != nothing)
        break;
    }
    program.slotOf[v] = program.slotOf[at];
    if (program.slotOf[v] == nothing)
      return false;
  }
  if (!chosen.assignZero(plan.selections.size))
    return false;
  for (const PlanBranch &branch : plan.branches)
    chosen[branch.selection] = 1;
  if (!cursor.assignZero(plan.loops.size) ||
      !read.assignZero(program.frame.size))
    return false;
  auto reads = [&](uint32_t value) {
    if (slot(value) != nothing)
      read[slot(value)] = 1;
  };
  for (const ActorInfo &info : region.actors) {
    // Operand 0 of these selects, what a demux or a sync hands on is not read.
    bool selects = info.kind == Kind::Mux || info.kind == Kind::Carry ||
                   info.kind == Kind::Invariant;
    if (info.kind == Kind::Demux || info.kind == Kind::Sync)
      continue;
    for (uint32_t k = selects; k < info.numOperands; ++k)
      reads(operand(info, k));
  }
  for (uint32_t value : region.outputs)
    reads(value);
  for (const Selection &selection : plan.selections)
    reads(selection.selector);
  for (size_t l = 0; l < plan.loops.size; ++l)
    if (plan.loops[l].stream != nothing)
      cursor[l] = slot(region.actors[plan.loops[l].stream].firstResult);
  if (!program.baseSlots.assignZero(region.memories.size))
    return false;
  for (uint32_t &base : program.baseSlots)
    base = newSlot(0);
  zeroSlot = newSlot(0);
  return memory;
}

void Coder::fire(uint32_t number) {
  const ActorInfo &info = region.actors[number];
  bool access = info.kind == Kind::Load || info.kind == Kind::Store;
  if (info.kind != Kind::Compute && !access)
    return;
  Inst inst = {};
  inst.actor = number;
  inst.target = nothing;
  inst.mask = typeMask({info.type, info.width});
  inst.a = slot(operand(info, 0));
  if (!access) {
    describeCompute(info, inst);
    inst.b = info.numOperands > 1 ? slot(operand(info, 1)) : inst.a;
    inst.c = info.numOperands > 2 ? slot(operand(info, 2)) : inst.a;
    inst.dst = slot(info.firstResult);
    memory = program.code.push(inst) && memory;
    return;
  }
  inst.code =
      static_cast<uint16_t>(info.kind == Kind::Load ? Do::Load : Do::Store);
  inst.bytes = static_cast<uint8_t>(typeBytes(info.type));
  inst.span = ~uint64_t(0);
  inst.base = zeroSlot;
  if (info.mem != noMemory) {
    const MemoryInfo &root = region.memories[info.mem];
    inst.base = program.baseSlots[info.mem];
    if (root.known) {
      uint64_t size =
          static_cast<uint64_t>(root.hi) - static_cast<uint64_t>(root.lo);
      inst.imm = static_cast<uint64_t>(root.lo);
      inst.outside = size < inst.bytes;
      inst.span = size - inst.bytes;
    }
  }
  if (info.kind == Kind::Load) {
    inst.dst = slot(info.firstResult);
  } else {
    inst.b = slot(operand(info, 1));
    inst.cache = static_cast<uint32_t>(program.caches.size);
    memory = program.caches.push({1, 0}) && memory;
  }
  memory = program.code.push(inst) && memory;
}

/// The next values of all carries, at once.
void Coder::moves(uint32_t number) {
  const PlanLoop &loop = plan.loops[number];
  struct Pair {
    uint32_t dst, src;
  };
  Vec<Pair> left;
  for (uint32_t r = 0; r < loop.rings; ++r) {
    const ActorInfo &info = region.actors[plan.rings[loop.firstRing + r]];
    if (info.kind != Kind::Carry || info.type == Ty::None)
      continue;
    Pair pair = {slot(info.firstResult), slot(operand(info, 2))};
    if (pair.dst != pair.src)
      memory = left.push(pair) && memory;
  }
  // How many of them read a slot; every parked value has one of its own.
  Vec<uint32_t> readers;
  if (left.size)
    memory = readers.assignZero(program.frame.size + left.size) && memory;
  for (size_t i = 0; i < left.size && memory; ++i)
    ++readers[left[i].src];
  while (left.size && memory) {
    bool moved = false;
    for (size_t i = 0; i < left.size; ++i) {
      if (readers[left[i].dst])
        continue;
      move(left[i].dst, left[i].src);
      --readers[left[i].src];
      for (size_t j = i + 1; j < left.size; ++j)
        left[j - 1] = left[j];
      --left.size;
      moved = true;
      break;
    }
    if (moved)
      continue;
    // Only cycles are left: park one value.
    uint32_t parked = newSlot(0, program.slotTypes[left[0].dst]);
    move(parked, left[0].dst);
    readers[parked] = readers[left[0].dst];
    readers[left[0].dst] = 0;
    for (Pair &pair : left)
      if (pair.src == left[0].dst)
        pair.src = parked;
  }
  readers.release();
  left.release();
}

bool Coder::hasCode(uint32_t number) const {
  const PlanBlock &of = plan.blocks[number];
  for (uint32_t n = of.first; n < of.first + of.count; ++n) {
    const Node &node = plan.nodes[n];
    if (node.kind == Node::Fire) {
      Kind kind = region.actors[node.index].kind;
      if (kind == Kind::Compute || kind == Kind::Load || kind == Kind::Store)
        return true;
    } else if (node.kind != Node::Lane || traced || unnoticed(node.index)) {
      return true;
    }
  }
  return false;
}

/// Goes on, with every lane.
void Coder::notice(const Selection &selection) {
  uint32_t end = newLabel();
  Inst &jump = emit(Do::JumpTable);
  jump.a = slot(selection.selector);
  jump.lanes = static_cast<uint16_t>(selection.lanes);
  jump.target = static_cast<uint32_t>(program.targets.size);
  for (uint32_t k = 0; k < selection.lanes; ++k)
    memory = program.targets.push(end) && memory;
  place(end);
}

void Coder::branch(const PlanBranch &branch) {
  const Selection &selection = plan.selections[branch.selection];
  uint32_t selector = slot(selection.selector);
  const uint32_t *lanes = plan.blockLists.data + branch.firstBlock;
  uint32_t end = newLabel();
  if (selection.lanes == 2) {
    uint32_t other = newLabel();
    Inst &jump = emit(Do::JumpIfZero);
    jump.a = selector;
    jump.target = lanes[0] == nothing ? end : other;
    if (lanes[1] != nothing)
      block(lanes[1]);
    if (lanes[0] != nothing) {
      emit(Do::Jump).target = end;
      place(other);
      block(lanes[0]);
    }
    place(end);
    return;
  }
  Inst &jump = emit(Do::JumpTable);
  jump.a = selector;
  jump.lanes = static_cast<uint16_t>(selection.lanes);
  uint32_t first = static_cast<uint32_t>(program.targets.size);
  jump.target = first;
  for (uint32_t k = 0; k < selection.lanes; ++k)
    memory = program.targets.push(end) && memory;
  for (uint32_t k = 0; k < selection.lanes && memory; ++k) {
    if (lanes[k] == nothing)
      continue;
    program.targets[first + k] = newLabel();
    place(program.targets[first + k]);
    block(lanes[k]);
    emit(Do::Jump).target = end;
  }
  place(end);
}

void Coder::loop(uint32_t number) {
  const PlanLoop &of = plan.loops[number];
  const PlanBlock head = plan.blocks[of.head], body = plan.blocks[of.body];
  const ActorInfo *stream =
      of.stream == nothing ? nullptr : &region.actors[of.stream];
  for (uint32_t r = 0; r < of.rings; ++r) {
    const ActorInfo &info = region.actors[plan.rings[of.firstRing + r]];
    if (info.kind == Kind::Carry && info.type != Ty::None)
      move(slot(info.firstResult), slot(operand(info, 1)));
  }
  if (stream)
    move(cursor[number], slot(operand(*stream, 0)));
  uint32_t saved = nothing;
  if (traced && of.plain) {
    saved = newSlot(0);
    emit(Do::TripsBegin).dst = saved;
  }
  uint32_t again = newLabel(), out = newLabel();
  emit(Do::Enter);
  place(again);
  uint32_t begin = static_cast<uint32_t>(program.code.size);
  if (traced && !of.plain)
    emit(Do::TraceRoom);
  bool fused = stream && !hasCode(of.head) && !(traced && !of.plain) &&
               !read[slot(of.selector)];
  if (stream) {
    Inst &test = emit(fused ? Do::JumpUnless : Do::Compare);
    test.pred = stream->pred;
    test.dst = slot(stream->firstResult + 1);
    test.a = cursor[number];
    test.b = slot(operand(*stream, 1));
    test.width = stream->width;
    test.shift = static_cast<uint8_t>(64 - stream->width);
    test.target = out;
  }
  // The timing plane wants the word before the stream fires.
  if (stream && traced && !of.plain)
    emit(Do::TraceWord).a = slot(of.selector);
  block(of.head, true);
  if (!stream && traced && !of.plain)
    emit(Do::TraceWord).a = slot(of.selector);
  if (!fused) {
    Inst &jump = emit(Do::JumpIfZero);
    jump.a = slot(of.selector);
    jump.target = out;
  }
  uint32_t bodyBegin = static_cast<uint32_t>(program.code.size);
  fuel(head.firings + body.firings);
  block(of.body, true);
  uint32_t firstMove = static_cast<uint32_t>(program.code.size);
  moves(number);
  mergeCarries(number, begin, bodyBegin, firstMove,
               static_cast<uint32_t>(program.code.size));
  if (stream) {
    Inst &step = emit(Do::Advance);
    step.dst = cursor[number];
    step.a = slot(operand(*stream, 2));
    step.op = stream->op;
    step.width = stream->width;
    step.shift = static_cast<uint8_t>(64 - stream->width);
    step.mask = typeMask({stream->type, stream->width});
    step.actor = of.stream;
  }
  emit(Do::Jump).target = again;
  place(out);
  bool innermost = true;
  for (size_t r = 0; r < inner.size; r += 2)
    innermost &= inner[r] < begin;
  if (innermost)
    memory =
        program.loops.push({begin, static_cast<uint32_t>(program.code.size)}) &&
        memory;
  memory = inner.push(begin) &&
           inner.push(static_cast<uint32_t>(program.code.size)) && memory;
  fuel(head.firings);
  if (saved != nothing) {
    Inst &trips = emit(Do::TripsEnd);
    trips.a = saved;
    trips.imm = head.firings;
    trips.mask = body.firings;
  }
}

/// Whether somebody uses what the slot holds when the loop ends.
bool Coder::survives(uint32_t wanted, uint32_t number) const {
  for (uint32_t v = 0; v < region.values; ++v)
    if (program.slotOf[v] == wanted && uses[v] &&
        plan.phaseOf[v] == plan.loops[number].parent)
      return true;
  return false;
}

/// A carry whose next value is made after the last use of its present one, and
/// in the loop itself, keeps one slot: the move goes away.
void Coder::mergeCarries(uint32_t number, uint32_t begin, uint32_t body,
                         uint32_t firstMove, uint32_t end) {
  if (!memory || end - begin > 4096)
    return;
  Inst *code = program.code.data;
  auto reads = [](const Inst &inst, uint32_t wanted) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      if (slots[n] == wanted)
        return true;
    return false;
  };
  auto writes = slotWritten;
  for (uint32_t m = firstMove; m < end; ++m) {
    if (code[m].code != uint16_t(Do::Move))
      continue;
    uint32_t carry = code[m].dst, next = code[m].a;
    uint32_t first = nothing; // where `next` is first made
    bool good = true;
    for (uint32_t i = begin; i < firstMove && good; ++i) {
      if (writes(code[i]) == next) {
        first = first == nothing ? i : first;
        // An accumulating slot, a cursor or a copy of an inner loop's has other
        // rules.
        good = code[i].code < uint16_t(Do::Move) ||
               code[i].code == uint16_t(Do::Load);
      }
      good = good && writes(code[i]) != carry;
    }
    if (!good || first == nothing)
      continue;
    // Made in an inner loop?
    for (size_t r = 0; r < inner.size && good; r += 2)
      if (inner[r] >= begin)
        for (uint32_t i = inner[r]; i < inner[r + 1] && good; ++i)
          good = writes(code[i]) != next;
    for (uint32_t i = 0; i < begin && good; ++i)
      good = !reads(code[i], next) && writes(code[i]) != next;
    for (uint32_t i = first + 1; i < end && good; ++i)
      good = i == m || !reads(code[i], carry);
    for (uint32_t i = begin; i < first && good; ++i)
      good = !reads(code[i], next);
    // The head runs once more than the moves do.
    if (!good || (first < body && survives(carry, number)))
      continue;
    for (uint32_t i = begin; i < end; ++i) {
      Inst &inst = code[i];
      if (i == m) {
        inst.code = nop;
        continue;
      }
      if (writes(inst) == next)
        inst.dst = carry;
      if (reads(inst, next)) {
        if (inst.a == next)
          inst.a = carry;
        if (inst.b == next)
          inst.b = carry;
        if (inst.c == next)
          inst.c = carry;
      }
    }
    for (uint32_t &s : program.slotOf)
      if (s == next)
        s = carry;
  }
}

/// Heads and bodies are paid for by their loop.
void Coder::block(uint32_t number, bool paid) {
  const PlanBlock of = plan.blocks[number];
  if (!paid)
    fuel(of.firings);
  for (uint32_t n = of.first; n < of.first + of.count && memory; ++n) {
    const Node node = plan.nodes[n];
    switch (node.kind) {
    case Node::Fire:
      fire(node.index);
      break;
    case Node::Lane:
      if (traced)
        emit(Do::TraceWord).a = slot(plan.selections[node.index].selector);
      if (unnoticed(node.index))
        notice(plan.selections[node.index]);
      break;
    case Node::Move: {
      const ActorInfo &info = region.actors[node.index];
      if (info.type != Ty::None)
        move(slot(info.firstResult), slot(operand(info, 1 + node.lane)));
      break;
    }
    case Node::Branch:
      branch(plan.branches[node.index]);
      break;
    case Node::Loop:
      loop(node.index);
      break;
    }
  }
}

/// Drops what was merged away and resolves labels.
bool Coder::finish() {
  emit(Do::End);
  if (!memory)
    return false;
  Vec<uint32_t> moved; // new index of an old one
  if (!moved.assignZero(program.code.size + 1))
    return false;
  uint32_t kept = 0;
  for (size_t i = 0; i < program.code.size; ++i) {
    moved[i] = kept;
    if (program.code[i].code != nop)
      program.code[kept++] = program.code[i];
  }
  moved[program.code.size] = kept;
  program.code.size = kept;
  for (uint32_t &target : program.targets)
    target = moved[labels[target]];
  for (InnerLoop &loop : program.loops)
    loop = {moved[loop.begin], moved[loop.end]};
  for (Inst &inst : program.code) {
    Do code = static_cast<Do>(inst.code);
    if (code == Do::Jump || code == Do::JumpIfZero || code == Do::JumpUnless)
      inst.target = moved[labels[inst.target]];
    if (code == Do::TraceWord || code == Do::TraceImmediate ||
        code == Do::TripsEnd)
      program.tracePerRoom += 2;
  }
  moved.release();
  return true;
}

} // namespace

bool Program::build(const LoadedRegion &region, const Plan &plan, bool traced) {
  Coder coder = {*this, region, plan, traced, {}, {}, {}, {}, {}, {}};
  bool good = coder.assignSlots();
  if (good) {
    coder.block(plan.root);
    good = coder.finish();
    for (uint32_t value : region.outputs)
      good = outputSlots.push(slotOf[value]) && good;
  }
  coder.uses.release();
  coder.cursor.release();
  coder.read.release();
  coder.inner.release();
  coder.labels.release();
  coder.chosen.release();
  return good;
}

void Program::enter(const LoadedRegion &region, const uint64_t *in) {
  for (size_t i = 0; i < region.inputs.size; ++i)
    if (slotOf[1 + i] != nothing)
      frame[slotOf[1 + i]] =
          in[region.inputs[i].slot] & typeMask(region.inputs[i].type);
  for (size_t m = 0; m < baseSlots.size; ++m)
    frame[baseSlots[m]] = in[region.memories[m].slot];
  for (StoreCache &cache : caches)
    cache.address = 1;
}

void Program::release() {
  code.release();
  targets.release();
  frame.release();
  baseSlots.release();
  caches.release();
  outputSlots.release();
  slotOf.release();
  slotTypes.release();
  constant.release();
  loops.release();
}

} // namespace loom::rt
