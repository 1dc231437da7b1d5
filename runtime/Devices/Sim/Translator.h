// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The x86-64 translator. The frame is in rbx, the fuel in r12. rax, rcx, rdx,
// rsi, xmm0 and xmm1 are scratch. In an innermost loop the busiest slots live
// in the other registers: loaded when the loop is entered, stored when it is
// left. Everywhere else a slot is memory.

#ifndef LOOM_RUNTIME_DEVICES_SIM_TRANSLATOR_H
#define LOOM_RUNTIME_DEVICES_SIM_TRANSLATOR_H

#include "Devices/Sim/Jit.h"
#include "Devices/Sim/X86.h"

namespace loom::rt {

// Registers that hold slots, and places on the stack.
constexpr unsigned firstFreeFloat = 2, lastFreeFloat = 15;
constexpr int32_t runSlot = 8, linesSlot = 16;

struct Translator {
  const Program &program;
  x86::Assembler as;
  Vec<uint32_t> native; // offset by instruction
  struct Fixup {
    size_t where;
    uint32_t inst;
  };
  Vec<Fixup> jumps;  // to an instruction
  Vec<Fixup> faults; // to the stub that reports the instruction
  struct Slow {
    size_t elsewhere; // jump to it: another line than the last
    size_t partly;    // jump to it: some of the bytes are noted, not all
    size_t again;     // where the line is compared with the last
    size_t back;
    uint32_t inst;
  };
  Vec<Slow> stores;
  struct Table {
    size_t where; // of the displacement of its address
    uint32_t inst;
  };
  Vec<Table> tables;
  Vec<uint8_t> home;     // by slot: register + 1 in this loop, or 0
  Vec<uint32_t> held;    // slots that have one
  Vec<uint32_t> reads;   // by slot, in the whole program
  Vec<uint8_t> isOutput; // by slot
  Vec<uint8_t> isTarget; // by instruction
  Vec<uint32_t> counts;  // by slot: uses in the loop, while it gets registers
  uint32_t loopsDone = 0;
  const InnerLoop *inLoop = nullptr;
  uint32_t noteThunk = 0, computeThunk = 0, flushThunk = 0;

  explicit Translator(const Program &program) : program(program) {}
  bool run();
  void release();

  bool isFloat(uint32_t slot) const {
    return loom::rt::isFloat(program.slotTypes[slot]);
  }
  bool isDouble(uint32_t slot) const {
    return program.slotTypes[slot] == Ty::F64;
  }
  bool isConst(uint32_t slot) const { return program.constant[slot] != 0; }
  uint64_t constOf(uint32_t slot) const { return program.frame[slot]; }
  /// The constant fits a sign-extended immediate.
  bool isSmall(uint32_t slot, bool wide) const {
    if (!isConst(slot))
      return false;
    auto value = static_cast<int64_t>(constOf(slot));
    if (!wide)
      value = static_cast<int32_t>(value);
    return value == static_cast<int32_t>(value);
  }
  x86::Operand memoryOf(uint32_t slot) const {
    return x86::at(x86::rbx, static_cast<int32_t>(slot * 8));
  }
  /// Register or memory of a slot.
  x86::Operand operand(uint32_t slot) const {
    return home[slot] ? x86::in(home[slot] - 1) : memoryOf(slot);
  }
  /// Its own register if it has one, otherwise `scratch`, not loaded.
  uint8_t target(uint32_t slot, uint8_t scratch) const {
    return home[slot] ? home[slot] - 1 : scratch;
  }

  /// The bits of a slot in a general register: its own, or `scratch`.
  uint8_t bits(uint32_t slot, uint8_t scratch);
  void bitsInto(uint32_t slot, uint8_t reg);
  void setBits(uint32_t slot, uint8_t reg);
  void floatInto(uint32_t slot, uint8_t xmm);
  void setFloat(uint32_t slot, uint8_t xmm);
  unsigned scalar(uint32_t slot) const { return isDouble(slot) ? 0xf2 : 0xf3; }
  void maskTo(uint8_t reg, uint64_t mask, unsigned width);

  void fault(x86::Cc cc, uint32_t inst) {
    as.memory = faults.push({as.jcc(cc), inst}) && as.memory;
  }
  void jumpTo(size_t where, uint32_t inst) {
    as.memory = jumps.push({where, inst}) && as.memory;
  }

  void allocate(const InnerLoop &loop);
  bool isLocal(uint32_t slot) const;
  void enterLoop();
  void leaveLoop();
  void prologue();
  void epilogue();
  uint32_t thunk(void *function);
  void makeThunks();
  void instruction(uint32_t number);
  bool compute(const Inst &inst, uint32_t number); // false: not translated
  bool computeFloat(const Inst &inst);
  void callCompute(const Inst &inst, uint32_t number);
  x86::Cc compareInts(unsigned pred, uint32_t a, uint32_t b, unsigned width);
  bool fuses(uint32_t number) const;
  x86::Operand address(const Inst &inst, uint32_t number);
  void loadInst(const Inst &inst, uint32_t number);
  void storeInst(const Inst &inst, uint32_t number);
  void storeSlow(const Slow &slow);
  void jumpTable(const Inst &inst, uint32_t number);
  void advance(const Inst &inst, uint32_t number);
  void traceWord(uint8_t reg);
  void traceRoom(uint32_t number);
  void traceTrips(const Inst &inst);
};

} // namespace loom::rt

#endif
