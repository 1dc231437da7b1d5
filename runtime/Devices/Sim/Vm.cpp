// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter of the value plane. What it computes is what the token
// engine's actors compute: the same scalar functions.

#include "Devices/Sim/Program.h"
#include "Devices/Sim/Scalars.h"
#include "Image/Flat.h"

namespace loom::rt {

using image::Op;
using U = uint64_t;

static inline U loadFrom(U address, unsigned bytes) {
  const void *at = UndoLog::pointer(address);
  U value = 0;
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

static inline void storeTo(U address, U value, unsigned bytes) {
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

static bool divides(const Inst &inst, U a, U b, bool isSigned) {
  return b != 0 &&
         !(isSigned && b == inst.mask && a == U(1) << (inst.width - 1));
}

/// One step of a counting loop. False: the host would trap.
static bool step(const Inst &inst, U &value, U by) {
  U next = 0;
  switch (static_cast<Op>(inst.op)) {
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
    if (!divides(inst, value, by, true))
      return false;
    next = static_cast<U>(sext(value, inst.shift) / sext(by, inst.shift));
    break;
  case Op::DivUI:
    if (by == 0)
      return false;
    next = value / by;
    break;
  case Op::ShlI:
    next = shiftLeft(value, by, inst.width);
    break;
  case Op::ShrSI:
    next = shiftRightSigned(sext(value, inst.shift), by, inst.width);
    break;
  default:
    next = shiftRight(value, by, inst.width);
    break;
  }
  value = next & inst.mask;
  return true;
}

template <typename F>
static U floatValue(const Inst &inst, Code code, U x, U y, U z) {
  constexpr U sign = U(1) << (8 * sizeof(F) - 1);
  F a = asFloat<F>(x), b = asFloat<F>(y);
  switch (code) {
  case Code::AddF:
    return bitsOf(sumOf(a, b));
  case Code::SubF:
    return bitsOf(static_cast<F>(a - b));
  case Code::MulF:
    return bitsOf(productOf(a, b));
  case Code::DivF:
    return bitsOf(static_cast<F>(a / b));
  case Code::RemF:
    return bitsOf(modOf(a, b));
  case Code::MinNumF:
    return bitsOf(minNum(a, b));
  case Code::MaxNumF:
    return bitsOf(maxNum(a, b));
  case Code::MinimumF:
    return bitsOf(minimum(a, b));
  case Code::MaximumF:
    return bitsOf(maximum(a, b));
  case Code::Sqrt:
    return bitsOf(sqrtOf(a));
  case Code::Floor:
    return bitsOf(floorOf(a));
  case Code::Ceil:
    return bitsOf(ceilOf(a));
  case Code::TruncF:
    return bitsOf(truncOf(a));
  case Code::Round:
    return bitsOf(roundOf(a));
  case Code::RoundEven:
    return bitsOf(roundEvenOf(a));
  case Code::NegF:
    return x ^ sign;
  case Code::AbsF:
    return x & ~sign;
  case Code::CopySign:
    return (x & ~sign) | (y & sign);
  case Code::Fma:
    return bitsOf(fmaOf(a, b, asFloat<F>(z)));
  default:
    return compareFloat<F>(inst.pred, a, b);
  }
}

/// The value of a computation. False: the host would trap.
bool computeValue(const Inst &inst, U a, U b, U c, U &result) {
  const unsigned shift = inst.shift, width = inst.width;
  const unsigned fromShift = inst.fromShift;
  U value = 0;
  switch (static_cast<Code>(inst.code)) {
#define CASE(name, expression)                                                 \
  case Code::name:                                                             \
    value = (expression);                                                      \
    break;
    CASE(AddI, a + b)
    CASE(SubI, a - b)
    CASE(MulI, a * b)
    CASE(AndI, a & b)
    CASE(OrI, a | b)
    CASE(XorI, a ^ b)
    CASE(ShlI, shiftLeft(a, b, width))
    CASE(ShrUI, shiftRight(a, b, width))
    CASE(ShrSI, shiftRightSigned(sext(a, shift), b, width))
    CASE(MinSI, sext(a, shift) < sext(b, shift) ? a : b)
    CASE(MaxSI, sext(a, shift) > sext(b, shift) ? a : b)
    CASE(MinUI, a < b ? a : b)
    CASE(MaxUI, a > b ? a : b)
    CASE(AddSatS, addSatSigned(sext(a, shift), sext(b, shift), width))
    CASE(SubSatS, subSatSigned(sext(a, shift), sext(b, shift), width))
    CASE(AddSatU, addSatUnsigned(a, b, inst.mask))
    CASE(SubSatU, a > b ? a - b : 0)
    CASE(AbsI, sext(a, shift) < 0 ? 0 - a : a)
    CASE(CtPop, static_cast<unsigned>(__builtin_popcountll(a)))
    CASE(CtLz, leadingZeros(a, width))
    CASE(CtTz, trailingZeros(a, width))
    CASE(BSwap, swapBytes(a, width))
    CASE(BitReverse, reverseBits(a, width))
    CASE(ExtSI, static_cast<U>(sext(a, fromShift)))
    CASE(Masked, a)
    CASE(FShl, funnelLeft(a, b, c, width))
    CASE(FShr, funnelRight(a, b, c, width))
    CASE(Select, a ? b : c)
    CASE(SIToF32, bitsOf(static_cast<float>(sext(a, fromShift))))
    CASE(SIToF64, bitsOf(static_cast<double>(sext(a, fromShift))))
    CASE(UIToF32, bitsOf(static_cast<float>(a)))
    CASE(UIToF64, bitsOf(static_cast<double>(a)))
    CASE(F32ToSI, floatToSigned(static_cast<double>(asF32(a)), width))
    CASE(F64ToSI, floatToSigned(asF64(a), width))
    CASE(F32ToUI, floatToUnsigned(static_cast<double>(asF32(a)), width))
    CASE(F64ToUI, floatToUnsigned(asF64(a), width))
    CASE(ExtF, bitsOf(static_cast<double>(asF32(a))))
    CASE(DemoteF, bitsOf(static_cast<float>(asF64(a))))
    CASE(CmpI, compareInt(inst.pred, a, b, fromShift))
#undef CASE
  case Code::DivUI:
  case Code::RemUI:
    if (b == 0)
      return false;
    value = static_cast<Code>(inst.code) == Code::DivUI ? a / b : a % b;
    break;
  case Code::DivSI:
  case Code::RemSI:
    if (!divides(inst, a, b, true))
      return false;
    value = static_cast<U>(static_cast<Code>(inst.code) == Code::DivSI
                               ? sext(a, shift) / sext(b, shift)
                               : sext(a, shift) % sext(b, shift));
    break;
  default:
    if (inst.code >= firstFloatCode + floatCodes)
      result = floatValue<double>(
          inst, static_cast<Code>(inst.code - floatCodes), a, b, c);
    else
      result = floatValue<float>(inst, static_cast<Code>(inst.code), a, b, c);
    return true;
  }
  result = value & inst.mask;
  return true;
}

bool advanceValue(const Inst &inst, uint64_t &value, uint64_t by) {
  return step(inst, value, by);
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
      if (!step(inst, f[inst.dst], f[inst.a]))
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
      f[inst.dst] = loadFrom(f[inst.base] + offset, inst.bytes);
      continue;
    }
    case Do::Store: {
      U offset = f[inst.a];
      if (offset - inst.imm > inst.span || inst.outside)
        return stop(run, inst);
      U address = f[inst.base] + offset;
      if (!run.undo->note(address, inst.bytes)) {
        run.fault = Reason::Memory;
        run.detail = "the undo log is full";
        return stop(run, inst);
      }
      storeTo(address, f[inst.b], inst.bytes);
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
