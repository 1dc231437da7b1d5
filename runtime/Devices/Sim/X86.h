// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assembler for the few x86-64 forms that the translator needs.

#ifndef LOOM_RUNTIME_DEVICES_SIM_X86_H
#define LOOM_RUNTIME_DEVICES_SIM_X86_H

#include "Support/Vec.h"

namespace loom::rt::x86 {

enum Gpr : uint8_t {
  rax,
  rcx,
  rdx,
  rbx,
  rsp,
  rbp,
  rsi,
  rdi,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15
};

/// Condition codes, the low digit of jcc, setcc and cmovcc.
enum Cc : uint8_t {
  below = 2,
  aboveEqual = 3,
  equal = 4,
  notEqual = 5,
  belowEqual = 6,
  above = 7,
  negative = 8,
  notNegative = 9,
  parity = 10,
  noParity = 11,
  less = 12,
  greaterEqual = 13,
  lessEqual = 14,
  greater = 15
};
inline Cc inverse(Cc cc) { return static_cast<Cc>(cc ^ 1); }

/// A register, or memory at base + index + disp.
struct Operand {
  bool memory;
  uint8_t reg;  // the register, or the base
  int8_t index; // -1: none
  int32_t disp;
};
inline Operand in(uint8_t reg) { return {false, reg, -1, 0}; }
inline Operand at(uint8_t base, int32_t disp) { return {true, base, -1, disp}; }
inline Operand at(uint8_t base, uint8_t index, int32_t disp) {
  return {true, base, static_cast<int8_t>(index), disp};
}

struct Assembler {
  Vec<uint8_t> bytes;
  bool memory = true;

  void byte(unsigned value) {
    memory = bytes.push(static_cast<uint8_t>(value)) && memory;
  }
  void dword(uint32_t value) {
    for (int i = 0; i < 4; ++i)
      byte(value >> (8 * i) & 255);
  }
  void qword(uint64_t value) {
    dword(static_cast<uint32_t>(value));
    dword(static_cast<uint32_t>(value >> 32));
  }

  /// [prefix] [REX] [0F [map]] opcode modrm. `wide`: 64-bit operands. `narrow`:
  /// `reg` or a register operand is a byte.
  void op(unsigned prefix, bool wide, unsigned escape, unsigned opcode,
          unsigned reg, const Operand &rm, bool narrow = false) {
    if (prefix)
      byte(prefix);
    unsigned rex = (wide ? 8u : 0u) | (reg >> 3 << 2) | (rm.reg >> 3);
    if (rm.memory && rm.index >= 0)
      rex |= static_cast<unsigned>(rm.index) >> 3 << 1;
    if (rex || narrow)
      byte(0x40 | rex);
    if (escape)
      byte(0x0f);
    byte(opcode);
    if (!rm.memory) {
      byte(0xc0 | (reg & 7) << 3 | (rm.reg & 7));
      return;
    }
    bool small = rm.disp >= -128 && rm.disp <= 127;
    unsigned mod = small ? 0x40 : 0x80;
    if (rm.index >= 0 || (rm.reg & 7) == rsp) {
      byte(mod | (reg & 7) << 3 | 4);
      unsigned index = rm.index >= 0 ? static_cast<unsigned>(rm.index) & 7 : 4;
      byte(index << 3 | (rm.reg & 7));
    } else {
      byte(mod | (reg & 7) << 3 | (rm.reg & 7));
    }
    if (small)
      byte(static_cast<uint8_t>(rm.disp));
    else
      dword(static_cast<uint32_t>(rm.disp));
  }

  void movRegReg(uint8_t dst, uint8_t src, bool wide = true) {
    op(0, wide, 0, 0x8b, dst, in(src));
  }
  void load(uint8_t dst, const Operand &from, bool wide = true) {
    op(0, wide, 0, 0x8b, dst, from);
  }
  void store(const Operand &to, uint8_t src, bool wide = true) {
    op(0, wide, 0, 0x89, src, to);
  }
  void movImm(uint8_t dst, uint64_t value) {
    if (value == 0) {
      op(0, false, 0, 0x31, dst, in(dst)); // changes the flags
    } else if (value <= 0xffffffffu) {
      if (dst >> 3)
        byte(0x41);
      byte(0xb8 | (dst & 7));
      dword(static_cast<uint32_t>(value));
    } else if (static_cast<int64_t>(value) == static_cast<int32_t>(value)) {
      op(0, true, 0, 0xc7, 0, in(dst));
      dword(static_cast<uint32_t>(value));
    } else {
      byte(0x48 | dst >> 3);
      byte(0xb8 | (dst & 7));
      qword(value);
    }
  }
  /// add 0, or 1, and 4, sub 5, xor 6, cmp 7, with a 32-bit immediate.
  void aluImm(unsigned which, const Operand &dst, int32_t value, bool wide) {
    if (value >= -128 && value <= 127) {
      op(0, wide, 0, 0x83, which, dst);
      byte(static_cast<uint8_t>(value));
    } else {
      op(0, wide, 0, 0x81, which, dst);
      dword(static_cast<uint32_t>(value));
    }
  }
  void alu(unsigned which, uint8_t dst, const Operand &src, bool wide) {
    op(0, wide, 0, which << 3 | 3, dst, src);
  }
  /// shl 4, shr 5, sar 7.
  void shiftImm(unsigned which, uint8_t dst, unsigned by, bool wide) {
    op(0, wide, 0, 0xc1, which, in(dst));
    byte(by);
  }
  void shiftCl(unsigned which, uint8_t dst, bool wide) {
    op(0, wide, 0, 0xd3, which, in(dst));
  }
  void setcc(Cc cc, uint8_t dst) {
    op(0, false, 1, 0x90 | cc, 0, in(dst), true);
  }
  void cmov(Cc cc, uint8_t dst, const Operand &src, bool wide) {
    op(0, wide, 1, 0x40 | cc, dst, src);
  }
  /// A jump whose target is patched later; returns where.
  size_t jcc(Cc cc) {
    byte(0x0f);
    byte(0x80 | cc);
    dword(0);
    return bytes.size - 4;
  }
  size_t jmp() {
    byte(0xe9);
    dword(0);
    return bytes.size - 4;
  }
  size_t call() {
    byte(0xe8);
    dword(0);
    return bytes.size - 4;
  }
  void patch(size_t where, size_t target) {
    if (!memory)
      return;
    auto distance = static_cast<uint32_t>(target - (where + 4));
    for (int i = 0; i < 4; ++i)
      bytes[where + static_cast<size_t>(i)] =
          static_cast<uint8_t>(distance >> (8 * i));
  }
  void here(size_t where) { patch(where, bytes.size); }
};

} // namespace loom::rt::x86

#endif
