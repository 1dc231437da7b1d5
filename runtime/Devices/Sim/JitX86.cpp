// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translator: registers, control flow, memory and the trace.

#include "Devices/Sim/Jit.h"

#if defined(__x86_64__) && defined(__ELF__)

#include "Devices/Sim/Translator.h"
#include "Image/Flat.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

namespace loom::rt {

using namespace x86;

static constexpr uint8_t freeInts[] = {rdi, r8,  r9,  r10, r11,
                                       rbp, r13, r14, r15};
static constexpr unsigned firstFreeFloat = 2, lastFreeFloat = 15;
static constexpr int32_t runSlot = 8, linesSlot = 16; // on the stack
static constexpr size_t mostCode = size_t(64) << 20;

uint8_t Translator::bits(uint32_t slot, uint8_t scratch) {
  if (home[slot] && !isFloat(slot))
    return home[slot] - 1;
  bitsInto(slot, scratch);
  return scratch;
}

void Translator::bitsInto(uint32_t slot, uint8_t reg) {
  if (home[slot] && isFloat(slot))
    as.op(0x66, isDouble(slot), 1, 0x7e, home[slot] - 1, in(reg));
  else if (home[slot])
    as.movRegReg(reg, home[slot] - 1);
  else if (isConst(slot) && constOf(slot))
    as.movImm(reg, constOf(slot));
  else
    as.load(reg, memoryOf(slot));
}

void Translator::setBits(uint32_t slot, uint8_t reg) {
  if (home[slot] && isFloat(slot))
    as.op(0x66, isDouble(slot), 1, 0x6e, home[slot] - 1, in(reg));
  else if (home[slot]) {
    if (home[slot] - 1 != reg)
      as.movRegReg(home[slot] - 1, reg);
  } else
    as.store(memoryOf(slot), reg);
}

void Translator::floatInto(uint32_t slot, uint8_t xmm) {
  if (home[slot]) {
    if (home[slot] - 1 != xmm)
      as.op(0, false, 1, 0x28, xmm, in(home[slot] - 1)); // movaps
  } else {
    as.op(scalar(slot), false, 1, 0x10, xmm, memoryOf(slot));
  }
}

void Translator::setFloat(uint32_t slot, uint8_t xmm) {
  if (home[slot]) {
    if (home[slot] - 1 != xmm)
      as.op(0, false, 1, 0x28, home[slot] - 1, in(xmm));
  } else {
    as.op(scalar(slot), false, 1, 0x11, xmm, memoryOf(slot));
  }
}

/// Clears the bits above the width. 32 and 64 have been cleared by the
/// operation.
void Translator::maskTo(uint8_t reg, uint64_t mask, unsigned width) {
  if (width == 64 || width == 32)
    return;
  if (width < 32) {
    as.aluImm(4, in(reg), static_cast<int32_t>(mask), false);
    return;
  }
  uint8_t scratch = reg == rcx ? rdx : rcx;
  as.movImm(scratch, mask);
  as.alu(4, reg, in(scratch), true);
}

void Translator::allocate(const InnerLoop &loop) {
  inLoop = &loop;
  Vec<uint32_t> counts;
  Vec<uint32_t> seen;
  if (!counts.assignZero(program.frame.size)) {
    as.memory = false;
    return;
  }
  auto count = [&](uint32_t slot) {
    // An integer constant is an immediate, or as good in memory.
    if (isConst(slot) && !isFloat(slot))
      return;
    if (counts[slot]++ == 0)
      as.memory = seen.push(slot) && as.memory;
  };
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(program.code[i], slots); n-- > 0;)
      count(slots[n]);
    uint32_t written = slotWritten(program.code[i]);
    if (written != nothing)
      count(written);
  }
  unsigned ints = 0, floats = firstFreeFloat;
  held.clear();
  for (;;) {
    uint32_t best = nothing;
    for (uint32_t slot : seen) {
      bool room =
          isFloat(slot) ? floats <= lastFreeFloat : ints < sizeof(freeInts);
      if (counts[slot] && room &&
          (best == nothing || counts[slot] > counts[best]))
        best = slot;
    }
    if (best == nothing)
      break;
    counts[best] = 0;
    home[best] =
        static_cast<uint8_t>(1 + (isFloat(best) ? floats++ : freeInts[ints++]));
    as.memory = held.push(best) && as.memory;
  }
  counts.release();
  seen.release();
}

/// Whether every iteration writes the slot before it reads it.
static bool writtenFirst(const Program &program, const InnerLoop &loop,
                         uint32_t slot) {
  for (uint32_t i = loop.begin; i < loop.end; ++i) {
    const Inst &inst = program.code[i];
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      if (slots[n] == slot)
        return false;
    if (slotWritten(inst) == slot)
      return true;
    Do code = static_cast<Do>(inst.code);
    bool leaves = (code == Do::JumpUnless || code == Do::JumpIfZero) &&
                  inst.target >= loop.end;
    if (!leaves && (code == Do::Jump || code == Do::JumpIfZero ||
                    code == Do::JumpUnless || code == Do::JumpTable))
      return false;
  }
  return false;
}

/// Whether only the loop itself reads the slot.
bool Translator::isLocal(uint32_t slot) const {
  uint32_t inside = 0;
  for (uint32_t i = inLoop->begin; i < inLoop->end; ++i) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(program.code[i], slots); n-- > 0;)
      inside += slots[n] == slot;
  }
  return !isOutput[slot] && reads[slot] == inside;
}

void Translator::enterLoop() {
  for (uint32_t slot : held) {
    if (isLocal(slot) && writtenFirst(program, *inLoop, slot))
      continue;
    uint8_t reg = home[slot] - 1;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x10, reg, memoryOf(slot));
    else
      as.load(reg, memoryOf(slot));
  }
}

void Translator::leaveLoop() {
  for (uint32_t slot : held) {
    bool written = false;
    for (uint32_t i = inLoop->begin; i < inLoop->end; ++i)
      written |= slotWritten(program.code[i]) == slot;
    uint8_t reg = home[slot] - 1;
    if (!written || isLocal(slot))
      continue;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x11, reg, memoryOf(slot));
    else
      as.store(memoryOf(slot), reg);
  }
  for (uint32_t slot : held)
    home[slot] = 0;
  held.clear();
  inLoop = nullptr;
}

static constexpr uint8_t savedInts[] = {rbx, rbp, r12, r13, r14, r15};

void Translator::prologue() {
  for (uint8_t reg : savedInts) {
    if (reg >> 3)
      as.byte(0x41);
    as.byte(0x50 | (reg & 7));
  }
  as.aluImm(5, in(rsp), 40, true);
  as.store(at(rsp, runSlot), rdi);
  as.load(rax, at(rdi, offsetof(Run, undoLines)));
  as.store(at(rsp, linesSlot), rax);
  as.load(rbx, at(rdi, offsetof(Run, frame)));
  as.load(r12, at(rdi, offsetof(Run, fuel)));
}

/// eax holds the instruction that stopped the run.
void Translator::epilogue() {
  as.load(rcx, at(rsp, runSlot));
  as.store(at(rcx, offsetof(Run, fuel)), r12);
  as.aluImm(0, in(rsp), 40, true);
  for (unsigned i = sizeof(savedInts); i-- > 0;) {
    if (savedInts[i] >> 3)
      as.byte(0x41);
    as.byte(0x58 | (savedInts[i] & 7));
  }
  as.byte(0xc3);
}

/// A routine that calls function(run, instruction number in rsi, rdx) and keeps
/// every register but rax, rcx, rdx, rsi, xmm0 and xmm1. Returns its result in
/// eax with the flags of a test.
uint32_t Translator::thunk(void *function) {
  auto start = static_cast<uint32_t>(as.bytes.size);
  // The return address makes the stack odd: 8 + 8 * 5 + 8 * 14 + 8 = 168.
  constexpr int32_t space = 168;
  as.aluImm(5, in(rsp), space, true);
  int32_t offset = 0;
  static constexpr uint8_t kept[] = {rdi, r8, r9, r10, r11};
  for (uint8_t reg : kept) {
    as.store(at(rsp, offset), reg);
    offset += 8;
  }
  for (unsigned x = firstFreeFloat; x <= lastFreeFloat; ++x) {
    as.op(0xf2, false, 1, 0x11, x, at(rsp, offset));
    offset += 8;
  }
  as.load(rdi, at(rsp, space + 8 + runSlot));
  as.movImm(rax, reinterpret_cast<uint64_t>(function));
  as.op(0, false, 0, 0xff, 2, in(rax)); // call rax
  offset = 0;
  for (uint8_t reg : kept) {
    as.load(reg, at(rsp, offset));
    offset += 8;
  }
  for (unsigned x = firstFreeFloat; x <= lastFreeFloat; ++x) {
    as.op(0xf2, false, 1, 0x10, x, at(rsp, offset));
    offset += 8;
  }
  as.aluImm(0, in(rsp), space, true);
  as.op(0, false, 0, 0x85, rax, in(rax));
  as.byte(0xc3);
  return start;
}

// What the code calls. The run knows the program's instructions.

static uint32_t noteFromCode(Run *run, uint32_t number, uint64_t address) {
  const Inst &inst = run->code[number];
  if (!run->undo->note(address, inst.bytes)) {
    run->fault = Reason::Memory;
    run->detail = "the undo log is full";
    return 0;
  }
  // Remember the line, when it is one.
  StoreCache &cache = run->caches[inst.cache];
  if ((address & 63) + inst.bytes <= 64) {
    const UndoLine *line = run->undo->lastLine();
    cache.address = line->address;
    cache.offset = static_cast<uint64_t>(
        reinterpret_cast<const char *>(line) -
        reinterpret_cast<const char *>(run->undo->lines.data));
  }
  return 1;
}

static uint32_t computeFromCode(Run *run, uint32_t number) {
  const Inst &inst = run->code[number];
  uint64_t *f = run->frame;
  if (inst.code == static_cast<uint16_t>(Do::Advance))
    return advanceValue(inst, f[inst.dst], f[inst.a]);
  uint64_t result = 0;
  if (!computeValue(inst, f[inst.a], f[inst.b], f[inst.c], result))
    return 0;
  f[inst.dst] = result;
  return 1;
}

static uint32_t flushFromCode(Run *run, uint32_t) { return run->flush(*run); }

/// By way of memory: operands out, call, result in.
void Translator::callCompute(const Inst &inst, uint32_t number) {
  uint32_t slots[4];
  auto spill = [&](uint32_t slot) {
    if (!home[slot])
      return;
    if (isFloat(slot))
      as.op(scalar(slot), false, 1, 0x11, home[slot] - 1, memoryOf(slot));
    else
      as.store(memoryOf(slot), home[slot] - 1);
  };
  for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
    spill(slots[n]);
  as.movImm(rsi, number);
  as.patch(as.call(), computeThunk);
  fault(equal, number);
  uint32_t dst = inst.dst;
  if (home[dst]) {
    if (isFloat(dst))
      as.op(scalar(dst), false, 1, 0x10, home[dst] - 1, memoryOf(dst));
    else
      as.load(home[dst] - 1, memoryOf(dst));
  }
}

/// Checks the address operand against the footprint; leaves the address.
Operand Translator::address(const Inst &inst, uint32_t number) {
  if (inst.outside) {
    as.memory = faults.push({as.jmp(), number}) && as.memory;
    return at(rbx, 0);
  }
  bool fixed = isConst(inst.a);
  uint64_t offset = fixed ? constOf(inst.a) : 0;
  if (fixed && offset - inst.imm > inst.span)
    as.memory = faults.push({as.jmp(), number}) && as.memory;
  if (fixed && static_cast<int64_t>(offset) == static_cast<int32_t>(offset)) {
    uint8_t base = bits(inst.base, rdx);
    return at(base, static_cast<int32_t>(offset));
  }
  uint8_t index = bits(inst.a, rdx);
  if (inst.span != ~uint64_t(0) && !fixed) {
    uint8_t tested = index;
    if (inst.imm) {
      as.movImm(rax, inst.imm);
      as.movRegReg(rcx, index);
      as.alu(5, rcx, in(rax), true);
      tested = rcx;
    }
    if (inst.span <= 0x7fffffff) {
      as.aluImm(7, in(tested), static_cast<int32_t>(inst.span), true);
    } else {
      as.movImm(rax, inst.span);
      as.alu(7, tested, in(rax), true);
    }
    fault(above, number);
  }
  uint8_t base = bits(inst.base, rax);
  return at(base, index, 0);
}

void Translator::loadInst(const Inst &inst, uint32_t number) {
  Operand from = address(inst, number);
  if (isFloat(inst.dst)) {
    uint8_t x = target(inst.dst, 0);
    as.op(inst.bytes == 8 ? 0xf2 : 0xf3, false, 1, 0x10, x, from);
    setFloat(inst.dst, x);
    return;
  }
  uint8_t reg = target(inst.dst, rax);
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 1, 0xb6, reg, from);
    break;
  case 2:
    as.op(0, false, 1, 0xb7, reg, from);
    break;
  default:
    as.load(reg, from, inst.bytes == 8);
  }
  setBits(inst.dst, reg);
}

void Translator::storeInst(const Inst &inst, uint32_t number) {
  Operand to = address(inst, number);
  as.op(0, true, 0, 0x8d, rdx, to); // lea
  Slow slow = {};
  slow.inst = number;
  // The line that this store met last?
  as.movImm(rsi, reinterpret_cast<uint64_t>(program.caches.data + inst.cache));
  as.movRegReg(rcx, rdx);
  as.op(0, true, 0, 0x2b, rcx, at(rsi, offsetof(StoreCache, address)));
  as.aluImm(7, in(rcx), 64 - inst.bytes, true);
  slow.where[slow.count++] = as.jcc(above);
  as.load(rax, at(rsp, linesSlot));
  as.load(rax, at(rax, 0));
  as.op(0, true, 0, 0x03, rax, at(rsi, offsetof(StoreCache, offset)));
  as.movImm(rsi, (uint64_t(1) << inst.bytes) - 1);
  as.shiftCl(4, rsi, true);
  as.op(0, true, 0, 0x85, rsi, at(rax, offsetof(UndoLine, mask)));
  size_t fresh = as.jcc(equal);
  // All of it noted before?
  as.op(0, true, 0, 0xf7, 2, in(rsi)); // not
  as.op(0, true, 0, 0x0b, rsi, at(rax, offsetof(UndoLine, mask)));
  as.aluImm(7, in(rsi), -1, true);
  slow.where[slow.count++] = as.jcc(notEqual);
  size_t noted = as.jmp();
  as.here(fresh);
  as.op(0, true, 0, 0x09, rsi, at(rax, offsetof(UndoLine, mask)));
  auto old = at(rax, rcx, offsetof(UndoLine, old));
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 1, 0xb6, rsi, at(rdx, 0));
    as.op(0, false, 0, 0x88, rsi, old, true);
    break;
  case 2:
    as.op(0, false, 1, 0xb7, rsi, at(rdx, 0));
    as.op(0x66, false, 0, 0x89, rsi, old);
    break;
  default:
    as.load(rsi, at(rdx, 0), inst.bytes == 8);
    as.store(old, rsi, inst.bytes == 8);
  }
  as.here(noted);
  slow.back = as.bytes.size;
  as.memory = stores.push(slow) && as.memory;
  if (isFloat(inst.b)) {
    uint8_t x = target(inst.b, 0);
    floatInto(inst.b, x);
    as.op(inst.bytes == 8 ? 0xf2 : 0xf3, false, 1, 0x11, x, at(rdx, 0));
    return;
  }
  uint8_t data = bits(inst.b, rax);
  switch (inst.bytes) {
  case 1:
    as.op(0, false, 0, 0x88, data, at(rdx, 0), true);
    break;
  case 2:
    as.op(0x66, false, 0, 0x89, data, at(rdx, 0));
    break;
  default:
    as.store(at(rdx, 0), data, inst.bytes == 8);
  }
}

void Translator::storeSlow(const Slow &slow) {
  for (unsigned i = 0; i < slow.count; ++i)
    as.here(slow.where[i]);
  // rdx is needed afterwards; the stack has a slot for it.
  as.store(at(rsp, 24), rdx);
  as.movImm(rsi, slow.inst);
  as.patch(as.call(), noteThunk);
  fault(equal, slow.inst);
  as.load(rdx, at(rsp, 24));
  as.patch(as.jmp(), slow.back);
}

void Translator::traceWord(uint8_t reg) {
  as.load(rcx, at(rsp, runSlot));
  as.load(rdx, at(rcx, offsetof(Run, trace)));
  as.store(at(rdx, 0), reg, false);
  as.aluImm(0, at(rcx, offsetof(Run, trace)), 4, true);
}

/// The condition under which the comparison holds, with the flags set.
Cc Translator::compareInts(unsigned pred, uint32_t a, uint32_t b,
                           unsigned width) {
  static constexpr Cc ccs[10] = {equal,   notEqual,     less,  lessEqual,
                                 greater, greaterEqual, below, belowEqual,
                                 above,   aboveEqual};
  Cc cc = ccs[pred <= 9 ? pred : 9];
  bool isSigned = pred >= 2 && pred <= 5;
  if (isSigned && width != 64 && width != 32) {
    bitsInto(a, rax);
    bitsInto(b, rcx);
    as.shiftImm(4, rax, 64 - width, true);
    as.shiftImm(4, rcx, 64 - width, true);
    as.alu(7, rax, in(rcx), true);
    return cc;
  }
  bool wide = width > 32;
  // Operands are zero-extended: the narrow comparison is enough.
  if (isSmall(b, wide)) {
    auto value = static_cast<int32_t>(constOf(b));
    if (!isFloat(a) && !(isConst(a) && !home[a]))
      as.aluImm(7, operand(a), value, wide);
    else {
      uint8_t reg = bits(a, rax);
      as.aluImm(7, in(reg), value, wide);
    }
    return cc;
  }
  uint8_t reg = bits(a, rax);
  if (isFloat(b)) {
    bitsInto(b, rcx);
    as.alu(7, reg, in(rcx), wide);
  } else {
    as.alu(7, reg, operand(b), wide);
  }
  return cc;
}

/// The comparison is only there for the jump behind it.
bool Translator::fuses(uint32_t number) const {
  const Inst &inst = program.code[number];
  if (number + 1 >= program.code.size)
    return false;
  const Inst &next = program.code[number + 1];
  return !isTarget[number + 1] &&
         next.code == static_cast<uint16_t>(Do::JumpIfZero) &&
         next.a == inst.dst && reads[inst.dst] == 1 && !isOutput[inst.dst];
}

void Translator::instruction(uint32_t number) {
  const Inst &inst = program.code[number];
  switch (static_cast<Do>(inst.code)) {
  case Do::Enter:
    for (const InnerLoop &loop : program.loops)
      if (loop.begin == number + 1) {
        allocate(loop);
        enterLoop();
      }
    return;
  case Do::Move:
    if (isFloat(inst.dst) && isFloat(inst.a)) {
      uint8_t x = target(inst.dst, 0);
      floatInto(inst.a, x);
      setFloat(inst.dst, x);
    } else {
      uint8_t reg = isFloat(inst.dst) ? uint8_t(rax) : target(inst.dst, rax);
      bitsInto(inst.a, reg);
      setBits(inst.dst, reg);
    }
    return;
  case Do::Jump:
    jumpTo(as.jmp(), inst.target);
    return;
  case Do::JumpIfZero:
    if (number && fuses(number - 1) &&
        (program.code[number - 1].code == static_cast<uint16_t>(Code::CmpI)))
      return; // done by the comparison
    if (isFloat(inst.a) || isConst(inst.a)) {
      bitsInto(inst.a, rax);
      as.op(0, true, 0, 0x85, rax, in(rax));
    } else {
      as.aluImm(7, operand(inst.a), 0, true);
    }
    jumpTo(as.jcc(equal), inst.target);
    return;
  case Do::JumpUnless:
    jumpTo(as.jcc(inverse(compareInts(inst.pred, inst.a, inst.b, inst.width))),
           inst.target);
    return;
  case Do::Compare: {
    Cc cc = compareInts(inst.pred, inst.a, inst.b, inst.width);
    as.setcc(cc, rax);
    as.op(0, false, 1, 0xb6, rax, in(rax), true);
    setBits(inst.dst, rax);
    return;
  }
  case Do::JumpTable:
    bitsInto(inst.a, rax);
    as.aluImm(7, in(rax), inst.lanes, true);
    fault(aboveEqual, number);
    // lea rcx, [rip + table]
    as.byte(0x48);
    as.byte(0x8d);
    as.byte(0x0d);
    as.dword(0);
    as.memory = tables.push({as.bytes.size - 4, number}) && as.memory;
    as.op(0, true, 0, 0x63, rax, {true, rcx, rax, 0}); // scaled below
    as.memory = as.memory && as.bytes.size >= 2;
    if (as.memory)
      as.bytes[as.bytes.size - 2] |= 0x80; // times 4
    as.alu(0, rax, in(rcx), true);
    as.op(0, false, 0, 0xff, 4, in(rax)); // jmp rax
    return;
  case Do::Advance: {
    auto op = static_cast<image::Op>(inst.op);
    if (op != image::Op::AddI && op != image::Op::SubI) {
      callCompute(inst, number);
      return;
    }
    unsigned which = op == image::Op::AddI ? 0 : 5;
    bool wide = inst.width > 32;
    uint8_t reg = target(inst.dst, rax);
    if (!home[inst.dst])
      as.load(reg, memoryOf(inst.dst));
    if (isSmall(inst.a, wide))
      as.aluImm(which, in(reg), static_cast<int32_t>(constOf(inst.a)), wide);
    else
      as.alu(which, reg, operand(inst.a), wide);
    maskTo(reg, inst.mask, inst.width);
    setBits(inst.dst, reg);
    return;
  }
  case Do::Fuel:
    as.aluImm(5, in(r12), static_cast<int32_t>(inst.imm), true);
    fault(negative, number);
    return;
  case Do::Load:
    loadInst(inst, number);
    return;
  case Do::Store:
    storeInst(inst, number);
    return;
  case Do::TraceWord:
    traceWord(bits(inst.a, rax));
    return;
  case Do::TraceImmediate:
    as.movImm(rax, inst.imm);
    traceWord(rax);
    return;
  case Do::TraceRoom: {
    as.load(rcx, at(rsp, runSlot));
    as.load(rdx, at(rcx, offsetof(Run, trace)));
    as.alu(7, rdx, at(rcx, offsetof(Run, traceLimit)), true);
    size_t room = as.jcc(below);
    as.movImm(rsi, number);
    as.patch(as.call(), flushThunk);
    fault(equal, number);
    as.here(room);
    return;
  }
  case Do::TripsBegin:
    setBits(inst.dst, r12);
    return;
  case Do::TripsEnd:
    bitsInto(inst.a, rax);
    as.alu(5, rax, in(r12), true);
    as.aluImm(5, in(rax), static_cast<int32_t>(inst.imm), true);
    as.movImm(rsi, inst.imm + inst.mask);
    as.op(0, false, 0, 0x31, rdx, in(rdx));
    as.op(0, true, 0, 0xf7, 6, in(rsi)); // div
    as.movRegReg(rsi, rax);
    traceWord(rsi);
    as.shiftImm(5, rsi, 32, true);
    traceWord(rsi);
    return;
  case Do::End:
    as.movImm(rax, nothing);
    epilogue();
    return;
  default:
    if (!compute(inst, number))
      callCompute(inst, number);
  }
}

bool Translator::run() {
  size_t count = program.code.size;
  if (!native.assignZero(count + 1) || !home.assignZero(program.frame.size) ||
      !reads.assignZero(program.frame.size) ||
      !isOutput.assignZero(program.frame.size) ||
      !isTarget.assignZero(count + 1) || program.frame.size > (size_t(1) << 27))
    return false;
  for (const Inst &inst : program.code) {
    uint32_t slots[4];
    for (uint32_t n = slotsRead(inst, slots); n-- > 0;)
      ++reads[slots[n]];
    if (inst.code == static_cast<uint16_t>(Do::Fuel) && inst.imm > 0x7fffffff)
      return false;
  }
  for (const Inst &inst : program.code) {
    Do code = static_cast<Do>(inst.code);
    if (code == Do::Jump || code == Do::JumpIfZero || code == Do::JumpUnless)
      isTarget[inst.target] = 1;
  }
  for (uint32_t to : program.targets)
    isTarget[to] = 1;
  for (uint32_t slot : program.outputSlots)
    if (slot != nothing)
      isOutput[slot] = 1;
  prologue();
  size_t start = as.jmp();
  noteThunk = thunk(reinterpret_cast<void *>(noteFromCode));
  computeThunk = thunk(reinterpret_cast<void *>(computeFromCode));
  flushThunk = thunk(reinterpret_cast<void *>(flushFromCode));
  as.here(start);
  for (uint32_t i = 0; i < count && as.memory; ++i) {
    native[i] = static_cast<uint32_t>(as.bytes.size);
    if (inLoop && inLoop->end == i)
      leaveLoop(); // what jumps here comes from the loop
    instruction(i);
    if (as.bytes.size > mostCode)
      return false;
  }
  // Stubs, which add faults of their own.
  for (const Slow &slow : stores)
    storeSlow(slow);
  size_t common = as.bytes.size;
  epilogue();
  for (const Fixup &fix : faults) {
    as.here(fix.where);
    as.movImm(rax, fix.inst);
    as.patch(as.jmp(), common);
  }
  for (const Table &table : tables) {
    as.here(table.where);
    size_t origin = as.bytes.size;
    const Inst &inst = program.code[table.inst];
    for (uint32_t k = 0; k < inst.lanes; ++k)
      as.dword(native[program.targets[inst.target + k]] -
               static_cast<uint32_t>(origin));
  }
  for (const Fixup &fix : jumps)
    as.patch(fix.where, native[fix.inst]);
  return as.memory;
}

void Translator::release() {
  as.bytes.release();
  native.release();
  jumps.release();
  faults.release();
  stores.release();
  tables.release();
  home.release();
  held.release();
  reads.release();
  isOutput.release();
  isTarget.release();
}

bool Machine::translate(const Program &program) {
  Translator translator(program);
  bool good = translator.run();
  if (good) {
    long page = sysconf(_SC_PAGESIZE);
    size = (translator.as.bytes.size + size_t(page) - 1) & ~(size_t(page) - 1);
    void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    good = mapped != MAP_FAILED;
    if (good) {
      memcpy(mapped, translator.as.bytes.data, translator.as.bytes.size);
      pages = mapped;
      good = mprotect(mapped, size, PROT_READ | PROT_EXEC) == 0;
      if (good)
        entry = reinterpret_cast<uint32_t (*)(Run *)>(mapped);
      else
        release();
    }
  }
  translator.release();
  return good;
}

void Machine::release() {
  if (pages)
    munmap(pages, size);
  pages = nullptr;
  entry = nullptr;
}

} // namespace loom::rt

#else

namespace loom::rt {
bool Machine::translate(const Program &) { return false; }
void Machine::release() {}
} // namespace loom::rt

#endif

namespace loom::rt {

// The function sanitizer would look for a signature in front of the code.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void Machine::run(const Program &program, Run &run) const {
  run.code = program.code.data;
  uint32_t stopped = entry(&run);
  if (stopped == nothing) {
    run.at = nullptr;
    return;
  }
  const Inst &inst = program.code[stopped];
  run.at = &inst;
  if (run.fault != Reason::None)
    return;
  explainStop(inst, run);
}

} // namespace loom::rt
