// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of the built-in target `default`, for images that name none.

#include "Image/Flat.h"
#include "Image/Target.h"

namespace loom::rt {

using image::Op;

static constexpr TimingRow of(Kind kind, uint16_t latency) {
  return {latency, 1, kind, 0, Ty::None};
}
static constexpr TimingRow step(Op op, uint16_t latency, uint16_t interval) {
  return {latency, interval, Kind::Stream, uint8_t(op), Ty::None};
}
static constexpr TimingRow op(Op op, uint16_t latency, uint16_t interval = 1) {
  return {latency, interval, Kind::Compute, uint8_t(op), Ty::None};
}

// A table that nobody writes to; not const because Vec points to it.
static TimingRow rows[] = {
    of(Kind::Constant, 1),
    of(Kind::Sync, 1),
    of(Kind::Mux, 1),
    of(Kind::Demux, 1),
    step(Op::AddI, 1, 1),
    step(Op::SubI, 1, 1),
    // The next value needs the last one: no pipelining.
    step(Op::MulI, 3, 3),
    step(Op::DivSI, 16, 16),
    step(Op::DivUI, 16, 16),
    step(Op::ShlI, 1, 1),
    step(Op::ShrSI, 1, 1),
    step(Op::ShrUI, 1, 1),
    of(Kind::Carry, 1),
    of(Kind::Invariant, 1),
    of(Kind::Gate, 1),
    of(Kind::Load, 4),
    of(Kind::Store, 1),
    op(Op::AddI, 1),
    op(Op::SubI, 1),
    op(Op::MulI, 3),
    op(Op::DivSI, 16, 8),
    op(Op::DivUI, 16, 8),
    op(Op::RemSI, 16, 8),
    op(Op::RemUI, 16, 8),
    op(Op::AndI, 1),
    op(Op::OrI, 1),
    op(Op::XorI, 1),
    op(Op::ShlI, 1),
    op(Op::ShrSI, 1),
    op(Op::ShrUI, 1),
    op(Op::MinSI, 1),
    op(Op::MaxSI, 1),
    op(Op::MinUI, 1),
    op(Op::MaxUI, 1),
    op(Op::AbsI, 1),
    op(Op::CtPop, 1),
    op(Op::CtLz, 1),
    op(Op::CtTz, 1),
    op(Op::BSwap, 1),
    op(Op::BitReverse, 1),
    op(Op::FShl, 1),
    op(Op::FShr, 1),
    op(Op::AddSatS, 1),
    op(Op::AddSatU, 1),
    op(Op::SubSatS, 1),
    op(Op::SubSatU, 1),
    op(Op::CmpI, 1),
    op(Op::Select, 1),
    op(Op::ExtSI, 1),
    op(Op::ExtUI, 1),
    op(Op::TruncI, 1),
    op(Op::AddF, 3),
    op(Op::SubF, 3),
    op(Op::MulF, 3),
    op(Op::DivF, 12, 8),
    op(Op::RemF, 20, 8),
    op(Op::NegF, 1),
    op(Op::AbsF, 1),
    op(Op::Sqrt, 16, 8),
    op(Op::Floor, 2),
    op(Op::Ceil, 2),
    op(Op::TruncF, 2),
    op(Op::Round, 2),
    op(Op::RoundEven, 2),
    op(Op::CopySign, 1),
    op(Op::Fma, 4),
    op(Op::MinNumF, 1),
    op(Op::MaxNumF, 1),
    op(Op::MinimumF, 1),
    op(Op::MaximumF, 1),
    op(Op::CmpF, 1),
    op(Op::SIToFP, 2),
    op(Op::UIToFP, 2),
    op(Op::FPToSI, 2),
    op(Op::FPToUI, 2),
    op(Op::ExtF, 2),
    op(Op::DemoteF, 2),
    op(Op::Bitcast, 1),
    op(Op::PtrAdd, 1),
    op(Op::PtrToInt, 1),
    op(Op::IntToPtr, 1),
    op(Op::Copy, 1),
};

static constexpr TargetInfo make() {
  TargetInfo target;
  target.rows.data = rows;
  target.rows.size = sizeof(rows) / sizeof(rows[0]);
  target.launchCycles = 100;
  target.clockKHz = 1000000;
  target.cores = 8;
  return target;
}

const TargetInfo &defaultTarget() {
  static constexpr TargetInfo target = make();
  return target;
}

} // namespace loom::rt
