// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of whole loop nests, in the shape that the lowering gives them: E, W
// and R rings, captures as invariants, constants on the local E.

#ifndef LOOM_TEST_UNIT_RUNTIME_KERNELS_H
#define LOOM_TEST_UNIT_RUNTIME_KERNELS_H

#include "runtime_image_builder.h"

namespace rttest {

const T ctlType = Type::None;

/// A ring that hands its token to every iteration unchanged.
struct Ring {
  Value exit; // false lane
  Value body; // true lane
};

inline Ring identityRing(RegionBuilder &b, Value phase, Value init,
                         T type = ctlType) {
  Value next = b.later();
  Value head = b.carry(phase, init, next, type);
  Value lanes = b.demux(phase, head, type);
  b.bind(next, lanes + 1);
  return {lanes, lanes + 1};
}

inline Value capture(RegionBuilder &b, Value phase, Value init, T type) {
  Value repeated = b.invariant(phase, init, type);
  return b.demux(phase, repeated, type) + 1;
}

/// for i in 0..n: y[i] = a * x[i] + y[i]; slots n, a, x, y. Two partitions.
inline RegionBuilder saxpy(int64_t footprint = -1) {
  RegionBuilder b;
  b.name = "saxpy.0";
  b.function = "saxpy";
  b.file = "saxpy.c";
  b.line = 3;
  Value n = b.input(Type::I64, "n");
  Value a = b.input(Type::F32, "a");
  uint32_t xs = b.slot(Type::Ptr, "x");
  uint32_t ys = b.slot(Type::Ptr, "y");
  bool known = footprint >= 0;
  uint32_t x = b.memory({xs, 0, known ? Type::F32 : Type::None, true, false,
                         known, 0, known ? footprint : 0, "x"});
  uint32_t y = b.memory({ys, 1, known ? Type::F32 : Type::None, true, true,
                         known, 0, known ? footprint : 0, "y"});
  Value start = RegionBuilder::start;
  Value zero = b.constant(start, Type::I64, 0);
  Value one = b.constant(start, Type::I64, 1);
  Value iv = b.stream(zero, n, one);
  Value phase = iv + 1;
  Ring e = identityRing(b, phase, start);
  Value four = b.constant(e.body, Type::I64, 4);
  Value offset = b.compute(Op::MulI, {iv, four}, Type::I64);
  Value aBody = capture(b, phase, a, Type::F32);
  Ring wx = identityRing(b, phase, start);
  // Reads of x.
  Value rxNext = b.later();
  Value rx = b.carry(phase, start, rxNext, ctlType);
  Value rxLanes = b.demux(phase, rx, ctlType);
  Value ctlX = b.sync({e.body, wx.body});
  Value vx = b.load(x, offset, ctlX, Type::F32);
  b.bind(rxNext, b.sync({rxLanes + 1, vx + 1}));
  // y: read, then written; W and R are both the store's done.
  Value wyNext = b.later();
  Value wy = b.carry(phase, start, wyNext, ctlType);
  Value wyLanes = b.demux(phase, wy, ctlType);
  Value ryNext = b.later();
  Value ry = b.carry(phase, start, ryNext, ctlType);
  Value ryLanes = b.demux(phase, ry, ctlType);
  Value ctlY = b.sync({e.body, wyLanes + 1});
  Value vy = b.load(y, offset, ctlY, Type::F32);
  Value ryJoined = b.sync({ryLanes + 1, vy + 1});
  Value product = b.compute(Op::MulF, {aBody, vx}, Type::F32);
  Value sum = b.compute(Op::AddF, {product, vy}, Type::F32);
  Value ctlS = b.sync({e.body, ryJoined});
  Value done = b.store(y, offset, sum, ctlS, Type::F32);
  b.bind(wyNext, done);
  b.bind(ryNext, done);
  Value base = b.sync({e.exit, rxLanes, wyLanes, ryLanes, wx.exit});
  b.exitZero();
  b.complete(base);
  return b;
}

/// for i in 1..n: p[i] += p[i - 1] (int32, in place); live-out: the last value.
inline RegionBuilder prefixSum() {
  RegionBuilder b;
  b.name = "prefix.0";
  b.function = "prefix";
  b.file = "prefix.c";
  Value n = b.input(Type::I64, "n");
  uint32_t ps = b.slot(Type::Ptr, "p");
  uint32_t p = b.memory({ps, 0, Type::None, true, true, false, 0, 0, "p"});
  Value start = RegionBuilder::start;
  Value one = b.constant(start, Type::I64, 1);
  Value none = b.constant(start, Type::I32, 0);
  Value iv = b.stream(one, n, one);
  Value phase = iv + 1;
  Ring e = identityRing(b, phase, start);
  Value four = b.constant(e.body, Type::I64, 4);
  Value minusFour = b.constant(e.body, Type::I64, uint64_t(-4));
  Value offset = b.compute(Op::MulI, {iv, four}, Type::I64);
  Value before = b.compute(Op::AddI, {offset, minusFour}, Type::I64);
  Value next = b.later();
  Value w = b.carry(phase, start, next, ctlType);
  Value lanes = b.demux(phase, w, ctlType);
  Value ctl = b.sync({e.body, lanes + 1});
  Value here = b.load(p, offset, ctl, Type::I32);
  Value there = b.load(p, before, ctl, Type::I32);
  Value sum = b.compute(Op::AddI, {here, there}, Type::I32);
  Value reads = b.sync({here + 1, there + 1});
  Value done = b.store(p, offset, sum, reads, Type::I32);
  b.bind(next, done);
  Value lastNext = b.later();
  Value last = b.carry(phase, none, lastNext, Type::I32);
  b.bind(lastNext, sum);
  Value lastLanes = b.demux(phase, last, Type::I32);
  b.exitZero();
  b.output(lastLanes, Type::I32);
  b.complete(b.sync({e.exit, lanes}));
  return b;
}

/// for i in 0..n: for j in 0..i: s += i ^ j (i64). Nested, triangular.
inline RegionBuilder triangle() {
  RegionBuilder b;
  b.name = "triangle.0";
  b.function = "triangle";
  b.file = "triangle.c";
  Value n = b.input(Type::I64, "n");
  Value s0 = b.input(Type::I64, "s");
  Value start = RegionBuilder::start;
  Value zero = b.constant(start, Type::I64, 0);
  Value one = b.constant(start, Type::I64, 1);
  Value i = b.stream(zero, n, one);
  Value outer = i + 1;
  Value eNext = b.later();
  Value e = b.carry(outer, start, eNext, ctlType);
  Value eLanes = b.demux(outer, e, ctlType);
  Value sNext = b.later();
  Value s = b.carry(outer, s0, sNext, Type::I64);
  Value sLanes = b.demux(outer, s, Type::I64);
  Value zeroIn = b.constant(eLanes + 1, Type::I64, 0);
  Value oneIn = b.constant(eLanes + 1, Type::I64, 1);
  Value j = b.stream(zeroIn, i, oneIn);
  Value inner = j + 1;
  Ring ein = identityRing(b, inner, eLanes + 1);
  b.bind(eNext, ein.exit);
  Value iBody = capture(b, inner, i, Type::I64);
  Value tNext = b.later();
  Value t = b.carry(inner, sLanes + 1, tNext, Type::I64);
  Value tLanes = b.demux(inner, t, Type::I64);
  Value term = b.compute(Op::XorI, {iBody, j}, Type::I64);
  b.bind(tNext, b.compute(Op::AddI, {tLanes + 1, term}, Type::I64));
  b.bind(sNext, tLanes);
  b.exitZero();
  b.output(sLanes, Type::I64);
  b.complete(eLanes);
  return b;
}

inline uint64_t triangleReference(uint64_t n, uint64_t s) {
  for (uint64_t i = 0; i < n; ++i)
    for (uint64_t j = 0; j < i; ++j)
      s += i ^ j;
  return s;
}

/// while (n != 1) { n = n odd ? 3 n + 1 : n / 2; ++steps; } with an if whose
/// branches store to different cells; slots n, log. The if is demux and mux.
inline RegionBuilder collatz() {
  RegionBuilder b;
  b.name = "collatz.0";
  b.function = "collatz";
  b.file = "collatz.c";
  Value n = b.input(Type::I64, "n");
  uint32_t ls = b.slot(Type::Ptr, "log");
  uint32_t log = b.memory({ls, 0, Type::None, true, true, false, 0, 0, "log"});
  Value start = RegionBuilder::start;
  Value zero = b.constant(start, Type::I64, 0);
  Value phase = b.later();
  Value nNext = b.later(), kNext = b.later(), wNext = b.later();
  Value eNext = b.later();
  Value e = b.carry(phase, start, eNext, ctlType);
  Value nHead = b.carry(phase, n, nNext, Type::I64);
  Value kHead = b.carry(phase, zero, kNext, Type::I64);
  Value wHead = b.carry(phase, start, wNext, ctlType);
  Value one = b.constant(e, Type::I64, 1);
  Value more = b.compute(Op::CmpI, {nHead, one}, Type::I1, Type::I64, 1);
  b.bind(phase, more);
  Value eL = b.demux(more, e, ctlType);
  Value nL = b.demux(more, nHead, Type::I64);
  Value kL = b.demux(more, kHead, Type::I64);
  Value wL = b.demux(more, wHead, ctlType);
  Value oneB = b.constant(eL + 1, Type::I64, 1);
  Value bit = b.compute(Op::AndI, {nL + 1, oneB}, Type::I64);
  Value odd = b.compute(Op::CmpI, {bit, oneB}, Type::I1, Type::I64, 0);
  Value eB = b.demux(odd, eL + 1, ctlType);
  Value nB = b.demux(odd, nL + 1, Type::I64);
  Value kB = b.demux(odd, kL + 1, Type::I64);
  Value wB = b.demux(odd, wL + 1, ctlType);
  // Even: n / 2, log[0] = k.
  Value shift = b.constant(eB, Type::I64, 1);
  Value half = b.compute(Op::ShrUI, {nB, shift}, Type::I64);
  Value cell0 = b.constant(eB, Type::I64, 0);
  Value st0 = b.store(log, cell0, kB, b.sync({eB, wB}), Type::I64);
  // Odd: 3 n + 1, log[8] += n.
  Value three = b.constant(eB + 1, Type::I64, 3);
  Value oneO = b.constant(eB + 1, Type::I64, 1);
  Value triple = b.compute(Op::MulI, {nB + 1, three}, Type::I64);
  Value grown = b.compute(Op::AddI, {triple, oneO}, Type::I64);
  Value cell8 = b.constant(eB + 1, Type::I64, 8);
  Value old = b.load(log, cell8, b.sync({eB + 1, wB + 1}), Type::I64);
  Value more8 = b.compute(Op::AddI, {old, nB + 1}, Type::I64);
  Value st8 = b.store(log, cell8, more8, old + 1, Type::I64);
  b.bind(nNext, b.mux(odd, {half, grown}, Type::I64));
  b.bind(wNext, b.mux(odd, {st0, st8}, ctlType));
  b.bind(eNext, b.mux(odd, {eB, eB + 1}, ctlType));
  Value k = b.mux(odd, {kB, kB + 1}, Type::I64);
  b.bind(kNext, b.compute(Op::AddI, {k, oneB}, Type::I64));
  b.exitZero();
  b.output(kL, Type::I64);
  b.complete(b.sync({eL, wL}));
  return b;
}

inline uint64_t collatzReference(uint64_t n, uint64_t *log) {
  uint64_t k = 0;
  for (; n != 1; ++k) {
    if (n & 1) {
      log[1] += n;
      n = 3 * n + 1;
    } else {
      log[0] = k;
      n /= 2;
    }
  }
  return k;
}

/// saxpy with one partition and a guard: x[0, n) against y[0, n). The guarded
/// graph is the same one.
inline RegionBuilder guardedSaxpy() {
  RegionBuilder b = saxpy();
  auto graph = std::make_shared<RegionBuilder>(b);
  b.memories[1].partition = b.memories[0].partition;
  auto guard = std::make_shared<GuardBuilder>();
  guard->graph = graph;
  using image::GuardOp;
  uint32_t n = guard->node(GuardOp::SlotS, 0, 0, 0, 64);
  uint32_t zero = guard->node(GuardOp::Constant);
  uint32_t bytes = guard->node(GuardOp::MulC, n, 0, 4);
  guard->disjoint(guard->range(0, zero, bytes, 1),
                  guard->range(1, zero, bytes, 2));
  guard->partitions = {0, 1};
  b.guard = guard;
  return b;
}

} // namespace rttest

#endif
