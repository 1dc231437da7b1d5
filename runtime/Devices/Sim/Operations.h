// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes with the table of operations: traps, the steps of counting loops,
// and bytes of memory as tokens.

#ifndef LOOM_RUNTIME_DEVICES_SIM_OPERATIONS_H
#define LOOM_RUNTIME_DEVICES_SIM_OPERATIONS_H

#include "Devices/Sim/Scalars.h"
#include "Devices/Sim/UndoLog.h"
#include "Image/Flat.h"

namespace loom::rt {

/// Whether the host traps. `Shape` is an actor or an instruction.
template <typename Shape>
inline bool divisionTraps(const Shape &shape, uint64_t a, uint64_t b,
                          bool isSigned) {
  return b == 0 ||
         (isSigned && b == shape.mask && a == uint64_t(1) << (shape.width - 1));
}

/// One step of a counting loop. False: the host would trap.
template <typename Shape>
inline bool advance(const Shape &shape, uint64_t &value, uint64_t by) {
  using image::Op;
  const Op op = static_cast<Op>(shape.op);
  uint64_t next = 0;
  switch (op) {
  case Op::AddI:
    next = value + by;
    break;
  case Op::SubI:
    next = value - by;
    break;
  case Op::MulI:
    next = value * by;
    break;
  case Op::DivSI:
  case Op::DivUI:
    if (divisionTraps(shape, value, by, op == Op::DivSI))
      return false;
    next = op == Op::DivSI ? static_cast<uint64_t>(sext(value, shape.shift) /
                                                   sext(by, shape.shift))
                           : value / by;
    break;
  case Op::ShlI:
    next = shiftLeft(value, by, shape.width);
    break;
  case Op::ShrSI:
    next = shiftRightSigned(sext(value, shape.shift), by, shape.width);
    break;
  default:
    next = shiftRight(value, by, shape.width);
    break;
  }
  value = next & shape.mask;
  return true;
}

/// Bytes of memory (1, 2, 4 or 8) as a token and back.
inline uint64_t loadBytes(uint64_t address, unsigned bytes) {
  const void *at = UndoLog::pointer(address);
  uint64_t value = 0;
  switch (bytes) {
  case 1:
    memcpy(&value, at, 1);
    break;
  case 2:
    memcpy(&value, at, 2);
    break;
  case 4:
    memcpy(&value, at, 4);
    break;
  default:
    memcpy(&value, at, 8);
    break;
  }
  return value;
}

inline void storeBytes(uint64_t address, uint64_t value, unsigned bytes) {
  void *at = UndoLog::pointer(address);
  switch (bytes) {
  case 1:
    memcpy(at, &value, 1);
    break;
  case 2:
    memcpy(at, &value, 2);
    break;
  case 4:
    memcpy(at, &value, 4);
    break;
  default:
    memcpy(at, &value, 8);
    break;
  }
}

} // namespace loom::rt

#endif
