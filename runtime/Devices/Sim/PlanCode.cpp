// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to code: the tree in order.

#include "Devices/Sim/PlanCoder.h"

namespace loom::rt {

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
    if (program.hints.size == 0)
      memory = program.hints.assignZero(lineHints) && memory;
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
  // All are 0 again at the end.
  while (memory && readers.size < program.frame.size + left.size)
    memory = readers.push(0);
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
  if (!inner.size || inner[inner.size - 2] < begin) // no loop in it
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
    if (program.code[i].code != static_cast<uint16_t>(Do::Dropped))
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

bool Program::build(const LoadedRegion &region, const Plan &plan, bool traced) {
  Coder coder = {*this, region, plan, traced, {}, {}, {}, {}, {}, {}, {}};
  bool good = coder.assignSlots();
  if (good) {
    coder.block(plan.root);
    good = coder.finish();
    for (uint32_t value : region.outputs)
      good = outputSlots.push(slotOf[value]) && good;
  }
  coder.uses.release();
  coder.readers.release();
  coder.cursor.release();
  coder.read.release();
  coder.inner.release();
  coder.labels.release();
  coder.chosen.release();
  return good;
}

} // namespace loom::rt
