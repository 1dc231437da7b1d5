// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One computation as a graph, with its operands wherever the code of a plan can
// find them.

#ifndef LOOM_TEST_UNIT_RUNTIME_OP_GRAPH_H
#define LOOM_TEST_UNIT_RUNTIME_OP_GRAPH_H

#include "runtime_kernels.h"
#include "runtime_planes.h"

namespace rttest {

using U = uint64_t;
const T f32 = Type::F32, f64 = Type::F64, ptr = Type::Ptr, i64 = Type::I64;

inline U maskOf(T type) {
  unsigned bits = type.type == Type::F32 ? 32 : type.width ? type.width : 64;
  return bits == 64 ? ~U(0) : (U(1) << bits) - 1;
}
inline bool isFloat(T type) {
  return type.type == Type::F32 || type.type == Type::F64;
}
inline std::string nameOf(T type) {
  return type.type == Type::F32   ? "f32"
         : type.type == Type::F64 ? "f64"
         : type.type == Type::Ptr ? "ptr"
                                  : "i" + std::to_string(type.width);
}

inline std::vector<U> edges(T type) {
  if (type.type == Type::F32)
    return {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb,
            0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
            0xff800000, 0x7fc00000, 0xffc01234, 0x7f800001, 0xffa0beef,
            0x3effffff, 0x3f000000, 0x3fc00000, 0xc0200000, 0x4b7fffff,
            0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5effffff,
            0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0xbf000001};
  if (type.type == Type::F64) {
    std::vector<U> values = {
        0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
        0xbff0000000000000, 0x400921fb54442d18, 0x0000000000000001,
        0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
        0xfff8000000001234, 0x7ff0000000000001, 0xfff4000000beef00,
        0x3fdfffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000,
        0x3ff8000000000000, 0xc004000000000000, 0x43dfffffffffffff,
        0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff,
        0x43f0000000000000, 0x41dfffffffc00000, 0x41e0000000000000,
        0xc1e0000000200000, 0xc1e0000000100000, 0x36a0000000000001,
        0x47efffffe0000000, 0x47efffffefffffff, 0x4330000000000001};
    return values;
  }
  U mask = maskOf(type), top = (mask >> 1) + 1;
  std::vector<U> values;
  for (U v : {U(0), U(1), U(2), U(7), mask, mask - 1, top, top - 1, top + 1,
              U(type.width ? type.width : 64), U(0x7fffffff), U(0x80000000),
              U(0xffffffff), (U(1) << 53) + 1, U(0x0123456789ABCDEF)})
    values.push_back(v & mask);
  return values;
}

/// A computation with the types of its operands.
struct Shape {
  Op op;
  T type;
  std::vector<T> from;
  unsigned pred = 0;
  T written = Type::None; // the `from` of the actor
  std::string name() const {
    std::string text = image::EnumNameOp(op);
    text += " " + nameOf(type) + " pred " + std::to_string(pred) + " from";
    for (T operand : from)
      text += " " + nameOf(operand);
    return text;
  }
  bool divides() const {
    return op == Op::DivSI || op == Op::DivUI || op == Op::RemSI ||
           op == Op::RemUI;
  }
};

inline T storage(T type) {
  if (type.type == Type::I1)
    return Type::I8;
  return type.type;
}

/// What of a graph is where.
enum class Place {
  Root,      // operands are inputs, no loop
  Loaded,    // loaded in the innermost loop
  Constant0, // operand 0, 1, 2 is a constant, the others are loaded
  Constant1,
  Constant2,
  Captured0, // the same, an invariant
  Captured1,
  Captured2,
  Outer,        // in a loop around a loop
  Crowded,      // more is alive than there are registers
  CrowdedConst, // the same, operand 1 a constant
  CarryFirst,   // carried: x = op(x, loaded)
  CarrySecond,  // x = op(loaded, x)
  CarryBoth,    // x = op(x, x)
  CarryCapture, // x = op(captured, x)
  Branches,     // what a selection goes by
  Count
};

/// for i in 0..n: r[i] = op(a[i], b[i], c[i]). Slots: n, a, b, c, r, then the
/// operands as inputs.
struct OpGraph {
  RegionBuilder b;
  Shape shape;
  uint32_t mems[4];
  Value phase = 0, iv = 0;
  Ring e = {}, w = {};
  Value order = 0;

  Value in(Value raw, T type) {
    T stored = storage(type);
    if (isFloat(type) || type.type == Type::Ptr || stored.width == type.width)
      return raw;
    return b.compute(Op::TruncI, {raw}, type, stored);
  }
  Value load(unsigned k, T type) {
    Value eight = b.constant(e.body, i64, 8);
    Value offset = b.compute(Op::MulI, {iv, eight}, i64);
    Value raw = b.load(mems[k], offset, order, storage(type));
    order = raw + 1;
    return in(raw, type);
  }
  void store(Value value, T type) {
    T stored = storage(type);
    if (!isFloat(type) && type.type != Type::Ptr && stored.width != type.width)
      value = b.compute(Op::ExtUI, {value}, stored, type);
    Value eight = b.constant(e.body, i64, 8);
    Value offset = b.compute(Op::MulI, {iv, eight}, i64);
    order = b.store(mems[3], offset, value, order, stored);
  }
  Value apply(const std::vector<Value> &operands) {
    return b.compute(shape.op, operands, shape.type, shape.written, shape.pred);
  }

  /// Many values that are used twice in every iteration.
  Value crowd(Value n) {
    Value sum = b.compute(Op::PtrToInt, {captures[0]}, i64);
    (void)n;
    for (int round = 0; round < 3; ++round)
      for (size_t k = 1; k < captures.size(); ++k)
        sum = b.compute(Op::XorI, {sum, captures[k]}, i64);
    Value total = floats[0];
    for (int round = 0; round < 3; ++round)
      for (size_t k = 1; k < floats.size(); ++k)
        total = b.compute(Op::AddF, {total, floats[k]}, f64);
    Value bits = b.compute(Op::Bitcast, {total}, i64, f64);
    return b.compute(Op::XorI, {sum, bits}, i64);
  }
  std::vector<Value> captures, floats;

  OpGraph(const Shape &wanted, Place place, U constantBits) : shape(wanted) {
    Value n = b.input(i64, "n");
    for (unsigned k = 0; k < 4; ++k) {
      uint32_t slot = b.slot(Type::Ptr);
      mems[k] = b.memory({slot, 0, Type::None, true, true, false, 0, 0, ""});
    }
    std::vector<Value> inputs;
    for (T type : shape.from)
      inputs.push_back(b.input(type));
    Value start = RegionBuilder::start;
    if (place == Place::Root) {
      b.exitZero();
      b.output(apply(inputs), shape.type);
      b.complete(start);
      return;
    }
    Value zero = b.constant(start, i64, 0), one = b.constant(start, i64, 1);
    iv = b.stream(zero, n, one);
    phase = iv + 1;
    e = identityRing(b, phase, start);
    Value next = b.later();
    Value ring = b.carry(phase, start, next, ctlType);
    Value lanes = b.demux(phase, ring, ctlType);
    order = lanes + 1;
    if (place == Place::Crowded || place == Place::CrowdedConst) {
      captures.push_back(
          capture(b, phase, b.compute(Op::IntToPtr, {n}, ptr, i64), ptr));
      for (int k = 0; k < 12; ++k)
        captures.push_back(capture(
            b, phase, b.constant(start, i64, 0x123456789u * unsigned(k)), i64));
      // Constants are operands of their own.
      for (int k = 0; k < 6; ++k)
        captures.push_back(capture(
            b, phase,
            b.compute(Op::AddI, {n, b.constant(start, i64, U(k))}, i64), i64));
      for (int k = 0; k < 18; ++k)
        floats.push_back(capture(
            b, phase, b.compute(Op::SIToFP, {captures[0] ? n : n}, f64, i64),
            f64));
    }
    std::vector<Value> operands;
    bool carries = place >= Place::CarryFirst && place <= Place::CarryCapture;
    Value carriedNext = 0, carriedExit = 0;
    if (carries) {
      carriedNext = b.later();
      Value carried = b.carry(phase, inputs[0], carriedNext, shape.type);
      Value out = b.demux(phase, carried, shape.type);
      carriedExit = out;
      Value other =
          place == Place::CarryCapture
              ? capture(b, phase, inputs[1 % inputs.size()], shape.type)
          : place == Place::CarryBoth ? out + 1
                                      : load(1, shape.type);
      operands.assign(shape.from.size(), other);
      operands[place == Place::CarryFirst ? 0 : operands.size() - 1] = out + 1;
    } else {
      unsigned fixed = place >= Place::Constant0 && place <= Place::Constant2
                           ? unsigned(place) - unsigned(Place::Constant0)
                       : place >= Place::Captured0 && place <= Place::Captured2
                           ? unsigned(place) - unsigned(Place::Captured0)
                       : place == Place::CrowdedConst
                           ? unsigned(shape.from.size() - 1)
                           : 99;
      for (unsigned k = 0; k < shape.from.size(); ++k) {
        if (k != fixed)
          operands.push_back(load(k, shape.from[k]));
        else if (place >= Place::Captured0 && place <= Place::Captured2)
          operands.push_back(capture(b, phase, inputs[k], shape.from[k]));
        else
          operands.push_back(b.constant(e.body, shape.from[k],
                                        constantBits & maskOf(shape.from[k])));
      }
    }
    if (place == Place::Outer) {
      // An empty loop inside.
      Value none = b.constant(e.body, i64, 0), by = b.constant(e.body, i64, 1);
      Value inner = b.stream(none, by, by);
      Ring ring2 = identityRing(b, inner + 1, order);
      order = ring2.exit;
    }
    Value result = apply(operands);
    if (place == Place::Crowded || place == Place::CrowdedConst) {
      // All of it is alive here.
      Value mix = crowd(n);
      Value eight = b.constant(e.body, i64, 8);
      Value offset = b.compute(Op::MulI, {iv, eight}, i64);
      order = b.store(mems[0], offset, mix, order, i64);
    }
    if (carries)
      b.bind(carriedNext, result);
    if (place == Place::Branches) {
      Value lane = b.demux(result, e.body, ctlType);
      Value no = b.constant(lane, Type::I8, 3);
      Value yes = b.constant(lane + 1, Type::I8, 200);
      store(b.mux(result, {no, yes}, Type::I8), Type::I8);
    } else if (place != Place::CarryCapture && place != Place::CarryBoth) {
      store(result, shape.type);
    }
    b.bind(next, order);
    b.exitZero();
    if (carries)
      b.output(carriedExit, shape.type);
    b.complete(b.sync({e.exit, lanes}));
  }
};

} // namespace rttest

#endif
