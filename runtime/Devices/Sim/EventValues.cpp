// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One computation on three tokens, from the image's own operation numbers.

#include "Devices/Sim/EventSim.h"
#include "Devices/Sim/Scalars.h"
#include "Image/Flat.h"

namespace loom::rt {

using image::Op;
using U = uint64_t;

static U integer(const ActorInfo &info, U a, U b, U c) {
  const unsigned width = info.type == Ty::Ptr ? 64 : info.width;
  const unsigned shift = 64 - width;
  const U mask = typeMask({info.type, info.width});
  const int64_t sa = sext(a, shift);
  const int64_t sb = sext(b, shift);
  switch (static_cast<Op>(info.op)) {
  case Op::AddI:
  case Op::PtrAdd:
    return a + b;
  case Op::SubI:
    return a - b;
  case Op::MulI:
    return a * b;
  case Op::DivSI:
    return static_cast<U>(sa / sb);
  case Op::DivUI:
    return a / b;
  case Op::RemSI:
    return static_cast<U>(sa % sb);
  case Op::RemUI:
    return a % b;
  case Op::AndI:
    return a & b;
  case Op::OrI:
    return a | b;
  case Op::XorI:
    return a ^ b;
  case Op::ShlI:
    return shiftLeft(a, b, width);
  case Op::ShrSI:
    return shiftRightSigned(sa, b, width);
  case Op::ShrUI:
    return shiftRight(a, b, width);
  case Op::MinSI:
    return sa < sb ? a : b;
  case Op::MaxSI:
    return sa < sb ? b : a;
  case Op::MinUI:
    return a < b ? a : b;
  case Op::MaxUI:
    return a < b ? b : a;
  case Op::AbsI:
    return sa < 0 ? 0 - a : a;
  case Op::CtPop:
    return static_cast<U>(__builtin_popcountll(a));
  case Op::CtLz:
    return leadingZeros(a, width);
  case Op::CtTz:
    return trailingZeros(a, width);
  case Op::BSwap:
    return swapBytes(a, width);
  case Op::BitReverse:
    return reverseBits(a, width);
  case Op::FShl:
    return funnelLeft(a, b, c, width);
  case Op::FShr:
    return funnelRight(a, b, c, width);
  case Op::AddSatS:
    return addSatSigned(sa, sb, width);
  case Op::AddSatU:
    return addSatUnsigned(a, b, mask);
  case Op::SubSatS:
    return subSatSigned(sa, sb, width);
  case Op::SubSatU:
    return a < b ? 0 : a - b;
  default:
    return a;
  }
}

/// Between types, and what looks at the type of its operands.
static bool conversion(const ActorInfo &info, U a, U b, U c, U &value) {
  const unsigned from = info.from == Ty::Ptr ? 64 : info.fromWidth;
  const unsigned fromShift = from ? 64 - from : 0;
  const bool isDouble = info.from == Ty::F64;
  switch (static_cast<Op>(info.op)) {
  case Op::CmpI:
    value = compareInt(info.pred, a, b, fromShift);
    return true;
  case Op::CmpF: {
    const unsigned set = compareFloatSet(info.pred);
    value = isDouble ? compareFloat(set, asF64(a), asF64(b))
                     : compareFloat(set, asF32(a), asF32(b));
    return true;
  }
  case Op::Select:
    value = a ? b : c;
    return true;
  case Op::ExtSI:
    value = static_cast<U>(sext(a, fromShift));
    return true;
  case Op::ExtUI:
  case Op::TruncI:
  case Op::Bitcast:
  case Op::PtrToInt:
  case Op::IntToPtr:
  case Op::Copy:
    value = a;
    return true;
  case Op::SIToFP: {
    const int64_t number = sext(a, fromShift);
    value = info.type == Ty::F64 ? bitsOf(static_cast<double>(number))
                                 : bitsOf(static_cast<float>(number));
    return true;
  }
  case Op::UIToFP:
    value = info.type == Ty::F64 ? bitsOf(static_cast<double>(a))
                                 : bitsOf(static_cast<float>(a));
    return true;
  case Op::FPToSI:
    value = floatToSigned(isDouble ? asF64(a) : static_cast<double>(asF32(a)),
                          info.width);
    return true;
  case Op::FPToUI:
    value = floatToUnsigned(isDouble ? asF64(a) : static_cast<double>(asF32(a)),
                            info.width);
    return true;
  case Op::ExtF:
    value = bitsOf(static_cast<double>(asF32(a)));
    return true;
  case Op::DemoteF:
    value = bitsOf(static_cast<float>(asF64(a)));
    return true;
  default:
    return false;
  }
}

template <typename F>
static U floating(const ActorInfo &info, U x, U y, U z) {
  constexpr U sign = U(1) << (8 * sizeof(F) - 1);
  const F a = asFloat<F>(x);
  const F b = asFloat<F>(y);
  switch (static_cast<Op>(info.op)) {
  case Op::AddF:
    return bitsOf(sumOf(a, b));
  case Op::SubF:
    return bitsOf(static_cast<F>(a - b));
  case Op::MulF:
    return bitsOf(productOf(a, b));
  case Op::DivF:
    return bitsOf(static_cast<F>(a / b));
  case Op::RemF:
    return bitsOf(modOf(a, b));
  case Op::NegF:
    return x ^ sign;
  case Op::AbsF:
    return x & ~sign;
  case Op::CopySign:
    return (x & ~sign) | (y & sign);
  case Op::Sqrt:
    return bitsOf(sqrtOf(a));
  case Op::Floor:
    return bitsOf(floorOf(a));
  case Op::Ceil:
    return bitsOf(ceilOf(a));
  case Op::TruncF:
    return bitsOf(truncOf(a));
  case Op::Round:
    return bitsOf(roundOf(a));
  case Op::RoundEven:
    return bitsOf(roundEvenOf(a));
  case Op::MinNumF:
    return bitsOf(minNum(a, b));
  case Op::MaxNumF:
    return bitsOf(maxNum(a, b));
  case Op::MinimumF:
    return bitsOf(minimum(a, b));
  case Op::MaximumF:
    return bitsOf(maximum(a, b));
  default: // Fma; the checks of the image let nothing else come here
    return bitsOf(fmaOf(a, b, asFloat<F>(z)));
  }
}

bool eventValue(const ActorInfo &info, U a, U b, U c, U &value) {
  const U mask = typeMask({info.type, info.width});
  const Op op = static_cast<Op>(info.op);
  const bool isSigned = op == Op::DivSI || op == Op::RemSI;
  if (isSigned || op == Op::DivUI || op == Op::RemUI) {
    const U lowest = U(1) << (info.width - 1);
    if (b == 0 || (isSigned && b == mask && a == lowest))
      return false;
  }
  if (!conversion(info, a, b, c, value)) {
    if (info.type == Ty::F32)
      value = floating<float>(info, a, b, c);
    else if (info.type == Ty::F64)
      value = floating<double>(info, a, b, c);
    else
      value = integer(info, a, b, c);
  }
  value &= mask;
  return true;
}

} // namespace loom::rt
