// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of the value plane. What it computes is what the token
// engine's actors compute: the same table of operations.

#include "Devices/Sim/Operations.h"
#include "Devices/Sim/Program.h"

namespace loom::rt {

using U = uint64_t;

template <typename F>
static U floatValue(const Inst &inst, Code code, U x, U y, U z) {
  constexpr U sign = U(1) << (8 * sizeof(F) - 1);
  switch (code) {
#define LOOM_FLOAT(name, operands, expression)                                 \
  case Code::name: {                                                           \
    [[maybe_unused]] const F a = asFloat<F>(x), b = asFloat<F>(y),             \
                             c = asFloat<F>(z);                                \
    return bitsOf(static_cast<F>(expression));                                 \
  }
#define LOOM_SIGN(name, operands, expression)                                  \
  case Code::name: {                                                           \
    const U a = x;                                                             \
    [[maybe_unused]] const U b = y;                                            \
    return (expression);                                                       \
  }
#include "Devices/Sim/Operations.def"
  default:
    return compareFloat(inst.pred, asFloat<F>(x), asFloat<F>(y));
  }
}

/// The value of a computation. False: the host would trap.
bool computeValue(const Inst &inst, U a, U b, U c, U &result) {
  const unsigned shift = inst.shift, width = inst.width;
  const unsigned fromShift = inst.fromShift;
  const U mask = inst.mask;
  U value = 0;
  switch (static_cast<Code>(inst.code)) {
#define LOOM_VALUE(name, operands, expression)                                 \
  case Code::name:                                                             \
    value = (expression);                                                      \
    break;
#define LOOM_DIVISION(name, isSigned, expression)                              \
  case Code::name:                                                             \
    if (divisionTraps(inst, a, b, isSigned))                                   \
      return false;                                                            \
    value = (expression);                                                      \
    break;
#include "Devices/Sim/Operations.def"
  case Code::CmpI:
    value = compareInt(inst.pred, a, b, fromShift);
    break;
  default:
    if (inst.code >= firstFloatCode + floatCodes)
      result = floatValue<double>(
          inst, static_cast<Code>(inst.code - floatCodes), a, b, c);
    else
      result = floatValue<float>(inst, static_cast<Code>(inst.code), a, b, c);
    return true;
  }
  result = value & mask;
  return true;
}

// Out of line: inside the interpreter it would cost every instruction.
__attribute__((noinline)) bool advanceValue(const Inst &inst, U &value, U by) {
  return advance(inst, value, by);
}

void explainStop(const Inst &inst, Run &run) {
  switch (static_cast<Do>(inst.code)) {
  case Do::JumpTable:
    run.fault = Reason::Internal;
    run.detail = "a selector names no lane";
    return;
  case Do::Advance:
    run.fault = Reason::Trap;
    run.detail = "division in a loop step";
    return;
  case Do::Fuel:
    run.fault = Reason::Budget;
    run.detail = "the firing budget is spent";
    return;
  case Do::Load:
    run.fault = Reason::Internal;
    run.detail = "a load outside the footprint";
    return;
  case Do::Store:
    run.fault = Reason::Internal;
    run.detail = "a store outside the footprint";
    return;
  case Do::TraceRoom:
    run.fault = Reason::Memory;
    run.detail = "the trace can't be read";
    return;
  default:
    run.fault = Reason::Trap;
    run.detail = "an integer division would trap";
  }
}

static void stop(Run &run, const Inst &inst) {
  run.at = &inst;
  if (run.fault == Reason::None)
    explainStop(inst, run);
}

void interpret(const Program &program, Run &run) {
  const Inst *code = program.code.data;
  const Inst *at = code;
  U *f = run.frame;
  for (;;) {
    const Inst &inst = *at++;
    switch (static_cast<Do>(inst.code)) {
    case Do::Move:
      f[inst.dst] = f[inst.a];
      continue;
    case Do::Enter:
      continue;
    case Do::Jump:
      at = code + inst.target;
      continue;
    case Do::JumpIfZero:
      if (f[inst.a] == 0)
        at = code + inst.target;
      continue;
    case Do::JumpUnless:
      if (!compareInt(inst.pred, f[inst.a], f[inst.b], inst.shift))
        at = code + inst.target;
      continue;
    case Do::JumpTable: {
      U lane = f[inst.a];
      if (lane >= inst.lanes)
        return stop(run, inst);
      at = code + program.targets[inst.target + lane];
      continue;
    }
    case Do::Compare:
      f[inst.dst] = compareInt(inst.pred, f[inst.a], f[inst.b], inst.shift);
      continue;
    case Do::Advance:
      if (!advanceValue(inst, f[inst.dst], f[inst.a]))
        return stop(run, inst);
      continue;
    case Do::Fuel:
      run.fuel -= static_cast<int64_t>(inst.imm);
      if (run.fuel < 0)
        return stop(run, inst);
      continue;
    case Do::Load: {
      U offset = f[inst.a];
      if (offset - inst.imm > inst.span || inst.outside)
        return stop(run, inst);
      if (run.touched)
        run.touched->load(f[inst.base] + offset, inst.bytes);
      f[inst.dst] = loadBytes(f[inst.base] + offset, inst.bytes);
      continue;
    }
    case Do::Store: {
      U offset = f[inst.a];
      if (offset - inst.imm > inst.span || inst.outside)
        return stop(run, inst);
      U address = f[inst.base] + offset;
      if (run.touched)
        run.touched->store(address, inst.bytes);
      if (!run.undo->note(address, inst.bytes)) {
        run.fault = Reason::Memory;
        run.detail = "the undo log is full";
        return stop(run, inst);
      }
      storeBytes(address, f[inst.b], inst.bytes);
      continue;
    }
    case Do::TraceWord:
      *run.trace++ = static_cast<uint32_t>(f[inst.a]);
      continue;
    case Do::TraceImmediate:
      *run.trace++ = static_cast<uint32_t>(inst.imm);
      continue;
    case Do::TraceRoom:
      if (run.trace >= run.traceLimit && !run.flush(run))
        return stop(run, inst);
      continue;
    case Do::TripsBegin:
      f[inst.dst] = static_cast<U>(run.fuel);
      continue;
    case Do::TripsEnd: {
      // The head fires once more than the body.
      U spent = f[inst.a] - static_cast<U>(run.fuel);
      U trips = (spent - inst.imm) / (inst.imm + inst.mask);
      *run.trace++ = static_cast<uint32_t>(trips);
      *run.trace++ = static_cast<uint32_t>(trips >> 32);
      continue;
    }
    case Do::End:
      run.at = nullptr;
      return;
    default: {
      U result = 0;
      if (!computeValue(inst, f[inst.a], f[inst.b], f[inst.c], result))
        return stop(run, inst);
      f[inst.dst] = result;
      continue;
    }
    }
  }
}

} // namespace loom::rt
