// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random structured graphs in the shape that the lowering gives them, and in
// shapes that it does not. Accesses of the written memory follow one token, so
// that every engine must see the same bytes.

#ifndef LOOM_TEST_UNIT_RUNTIME_GRAPH_GENERATOR_H
#define LOOM_TEST_UNIT_RUNTIME_GRAPH_GENERATOR_H

#include "runtime_kernels.h"
#include "runtime_planes.h"

namespace rttest {

class GraphGenerator {
public:
  static constexpr uint64_t memoryBytes = 256; // footprint [-64, 192)
  static constexpr int64_t lo = -64;
  RegionBuilder b;
  /// Without known footprints some accesses have pointer addresses.
  bool known = true;

  GraphGenerator(uint64_t seed, bool pointers) : known(!pointers), dice(seed) {
    build();
  }

  /// The launch slots; the memory's base is behind its first 64 bytes.
  std::vector<uint64_t> inputs(uint64_t base, Dice &values) const {
    std::vector<uint64_t> in = {base + 64};
    for (size_t k = 0; k < b.inputs.size(); ++k)
      in.push_back(b.inputs[k].type.type == Type::Ptr ? base + 64
                   : values.once(2)                   ? values.below(9)
                                                      : values.next());
    return in;
  }

private:
  struct Held {
    Value value;
    T type;
  };
  /// What a phase has at hand.
  struct Scope {
    Value ctl;
    Value order; // of the accesses
    std::vector<Held> values;
    std::vector<Held> selectors; // chosen by before
    unsigned depth;
  };
  Dice dice;
  uint32_t mem = 0;
  int left = 0; // statements that may still come

  T anyType() {
    static const T types[] = {T(Type::I64),     T(Type::I64), T(Type::I32),
                              T(Type::I8),      T(Type::I1),  T(Type::F64),
                              T(Type::I32, 24), T(Type::F32), T(Type::I64, 33)};
    return types[dice.below(9)];
  }
  static bool same(T a, T b) { return a.type == b.type && a.width == b.width; }
  static bool isReal(T type) {
    return type.type == Type::F32 || type.type == Type::F64;
  }
  Held keep(Scope &s, Value value, T type) {
    s.values.push_back({value, type});
    return s.values.back();
  }
  Value constantOf(Scope &s, T type, uint64_t bits) {
    uint64_t mask = type.type == Type::F32 ? 0xffffffffu
                    : type.width && type.width < 64
                        ? (uint64_t(1) << type.width) - 1
                        : ~uint64_t(0);
    return b.constant(s.ctl, type, bits & mask);
  }
  /// A value of a type, made when there is none.
  Value want(Scope &s, T type) {
    std::vector<Value> found;
    for (const Held &held : s.values)
      if (same(held.type, type))
        found.push_back(held.value);
    if (found.empty() || dice.once(8)) {
      Value made =
          constantOf(s, type, dice.once(2) ? dice.below(10) : dice.next());
      keep(s, made, type);
      return made;
    }
    // The newest ones more often.
    size_t back = dice.below(dice.once(2) ? 3 : unsigned(found.size()));
    return found[found.size() - 1 - std::min(back, found.size() - 1)];
  }

  void compute(Scope &s) {
    T type = anyType();
    if (isReal(type)) {
      static const Op ops[] = {Op::AddF, Op::SubF, Op::MulF,     Op::DivF,
                               Op::NegF, Op::Fma,  Op::MinimumF, Op::Floor};
      Op op = ops[dice.below(8)];
      std::vector<Value> from = {want(s, type)};
      if (op != Op::NegF && op != Op::Floor)
        from.push_back(want(s, type));
      if (op == Op::Fma)
        from.push_back(want(s, type));
      keep(s, b.compute(op, from, type), type);
      return;
    }
    switch (dice.below(6)) {
    case 0: {
      T from = anyType();
      if (isReal(from))
        keep(s,
             b.compute(Op::CmpF, {want(s, from), want(s, from)}, Type::I1, from,
                       dice.below(16)),
             Type::I1);
      else
        keep(s,
             b.compute(Op::CmpI, {want(s, from), want(s, from)}, Type::I1, from,
                       dice.below(10)),
             Type::I1);
      return;
    }
    case 1: {
      T from = anyType();
      if (isReal(from))
        keep(s, b.compute(Op::FPToSI, {want(s, from)}, type, from), type);
      else if (from.width < type.width)
        keep(s,
             b.compute(dice.once(2) ? Op::ExtSI : Op::ExtUI, {want(s, from)},
                       type, from),
             type);
      else if (from.width > type.width)
        keep(s, b.compute(Op::TruncI, {want(s, from)}, type, from), type);
      else
        keep(s, b.compute(Op::Copy, {want(s, type)}, type), type);
      return;
    }
    case 2:
      keep(s,
           b.compute(Op::Select,
                     {want(s, Type::I1), want(s, type), want(s, type)}, type),
           type);
      return;
    default: {
      static const Op ops[] = {Op::AddI,  Op::SubI,  Op::MulI,  Op::XorI,
                               Op::AndI,  Op::ShlI,  Op::ShrSI, Op::ShrUI,
                               Op::MinSI, Op::MaxUI, Op::OrI,   Op::AddSatS};
      Op op = dice.once(60) ? Op::DivSI : ops[dice.below(12)];
      keep(s, b.compute(op, {want(s, type), want(s, type)}, type), type);
    }
    }
  }

  void access(Scope &s) {
    static const T types[] = {T(Type::I8),  T(Type::I16), T(Type::I32),
                              T(Type::I64), T(Type::F32), T(Type::F64)};
    T type = types[dice.below(6)];
    int64_t bytes = type.type == Type::F32   ? 4
                    : type.type == Type::F64 ? 8
                                             : type.width / 8;
    T i64 = Type::I64;
    Value offset;
    if (dice.once(4)) {
      int64_t most = int64_t(memoryBytes) + lo - bytes;
      offset = constantOf(
          s, i64, uint64_t(lo + int64_t(dice.below(unsigned(most - lo + 1)))));
    } else {
      Value any = want(s, i64);
      any = b.compute(Op::AndI, {any, constantOf(s, i64, 127)}, i64);
      offset = b.compute(Op::SubI, {any, constantOf(s, i64, 64)}, i64);
    }
    if (known && dice.once(150))
      offset = want(s, i64); // likely outside
    uint32_t root = mem;
    if (!known && dice.once(2)) {
      Value base = 0;
      for (const Held &held : s.values)
        if (held.type.type == Type::Ptr)
          base = held.value;
      if (base) {
        offset = b.compute(Op::PtrAdd, {base, offset}, Type::Ptr);
        root = noMemory;
      }
    }
    if (dice.once(2)) {
      Value data = b.load(root, offset, s.order, type);
      s.order = data + 1;
      keep(s, data, type);
    } else {
      s.order = b.store(root, offset, want(s, type), s.order, type);
    }
  }

  void select(Scope &s) {
    Held selector = {0, Type::I1};
    unsigned lanes = 2;
    if (!s.selectors.empty() && dice.once(2)) {
      selector = s.selectors[dice.below(unsigned(s.selectors.size()))];
      lanes = selector.type.type == Type::I1 ? 2 : 3;
    } else if (dice.once(3)) {
      lanes = 3;
      T type = Type::I32;
      Value by = constantOf(s, type, dice.once(40) ? 4 : 3);
      selector = {b.compute(Op::RemUI, {want(s, type), by}, type), type};
      s.selectors.push_back(selector);
    } else {
      selector = {want(s, Type::I1), Type::I1};
      s.selectors.push_back(selector);
    }
    Value by = selector.value;
    if (dice.once(6))
      by = b.sync({by, s.ctl});
    Value ctl = b.demux(by, s.ctl, ctlType, lanes);
    Value order = b.demux(by, s.order, ctlType, lanes);
    std::vector<Scope> inner;
    for (unsigned k = 0; k < lanes; ++k)
      inner.push_back({ctl + k, order + k, {}, {}, s.depth + 1});
    for (const Held &held : s.values) {
      if (!dice.once(2))
        continue;
      Value split = b.demux(by, held.value, held.type, lanes);
      for (unsigned k = 0; k < lanes; ++k)
        inner[k].values.push_back({split + k, held.type});
    }
    for (Scope &lane : inner)
      if (!dice.once(3))
        statements(lane, 1 + dice.below(4));
    std::vector<Value> orders;
    for (Scope &lane : inner)
      orders.push_back(lane.order);
    s.order = b.mux(by, orders, ctlType);
    for (unsigned count = dice.below(4); count-- > 0;) {
      T type = anyType();
      std::vector<Value> from;
      for (Scope &lane : inner)
        from.push_back(want(lane, type));
      keep(s, b.mux(by, from, type), type);
    }
  }

  /// A counting loop's stream, or nothing.
  Value counter(Scope &s, T type) {
    struct Kind {
      Op op;
      unsigned pred;
      uint64_t init, limit, step;
    };
    static const Kind kinds[] = {
        {Op::AddI, 2, 0, 4, 1},   {Op::AddI, 6, 1, 9, 3},
        {Op::AddI, 1, 0, 6, 2},   {Op::SubI, 4, 5, 0, 1},
        {Op::SubI, 5, 7, 2, 2},   {Op::MulI, 7, 1, 100, 3},
        {Op::ShlI, 3, 1, 60, 1},  {Op::ShrUI, 8, 100, 3, 1},
        {Op::ShrSI, 9, 90, 4, 2}, {Op::DivUI, 8, 120, 2, 3},
        {Op::DivSI, 4, 99, 0, 5}, {Op::AddI, 0, 3, 3, 1},
        {Op::DivUI, 8, 9, 2, 0},  {Op::DivSI, 1, 1, 0, ~uint64_t(0)},
        {Op::AddI, 2, 5, 3, 1}};
    const Kind &kind = kinds[dice.below(dice.once(12) ? 15 : 11)];
    Value init = constantOf(s, type, kind.init);
    Value limit = constantOf(s, type, kind.limit);
    Value step = constantOf(s, type, kind.step);
    if (dice.once(3)) {
      Value some =
          b.compute(Op::AndI, {want(s, type), constantOf(s, type, 3)}, type);
      if (kind.op == Op::AddI && kind.pred != 1)
        limit = some;
      else if (kind.op == Op::SubI)
        init = some;
    }
    return b.stream(init, limit, step, type, kind.op, kind.pred);
  }

  void loop(Scope &s) {
    static const T counts[] = {T(Type::I64), T(Type::I32), T(Type::I8),
                               T(Type::I64, 33), T(Type::I32, 24)};
    bool counted = dice.once(2);
    T type = counts[dice.below(5)];
    Value phase, iv = 0;
    Scope head = {0, 0, {}, {}, s.depth + 1};
    Scope body = {0, 0, {}, {}, s.depth + 1};
    struct Ring {
      Value next, value;
      T type;
    };
    std::vector<Ring> rings;
    phase = b.later();
    // Carried values and captures, seen by the head.
    auto carry = [&](Value init, T ringType) {
      Value next = b.later();
      Value value = b.carry(phase, init, next, ringType);
      rings.push_back({next, value, ringType});
      return value;
    };
    if (counted) {
      iv = counter(s, type);
      b.bind(phase, iv + 1);
    }
    bool ctlCarried = dice.once(2);
    head.ctl =
        ctlCarried ? carry(s.ctl, ctlType) : b.invariant(phase, s.ctl, ctlType);
    head.order = carry(s.order, ctlType);
    size_t firstData = rings.size();
    for (const Held &held : s.values)
      if (dice.once(3))
        keep(head, b.invariant(phase, held.value, held.type), held.type);
    for (unsigned count = dice.below(5); count-- > 0;) {
      T ringType = anyType();
      keep(head, carry(want(s, ringType), ringType), ringType);
    }
    Value left = 0;
    if (!counted) {
      // A while loop over a value that falls.
      Value many =
          b.compute(Op::AndI, {want(s, type), constantOf(s, type, 7)}, type);
      left = carry(many, type);
    }
    bool worksInHead = dice.once(2);
    if (worksInHead)
      statements(head, 1 + dice.below(3));
    Value leftNext = 0;
    if (!counted) {
      Value one = constantOf(head, type, 1);
      leftNext = b.compute(Op::SubI, {left, one}, type);
      Value cond = b.compute(Op::CmpI, {left, constantOf(head, type, 0)},
                             Type::I1, type, 1);
      if (dice.once(3))
        cond = b.compute(Op::AndI, {cond, want(head, Type::I1)}, Type::I1);
      b.bind(phase, cond);
      if (dice.once(2)) // stepped in the head
        keep(head, leftNext, type);
    }
    // Into the body, and out.
    Value by = phase;
    if (dice.once(5))
      by = b.sync({phase, head.ctl});
    Value ctl = b.demux(by, head.ctl, ctlType);
    Value order = b.demux(by, head.order, ctlType);
    body.ctl = ctl + 1;
    body.order = order + 1;
    s.order = order;
    for (const Held &held : head.values) {
      Value lanes = b.demux(by, held.value, held.type);
      keep(body, lanes + 1, held.type);
      if (dice.once(2))
        keep(s, lanes, held.type);
    }
    if (!counted) {
      Value lanes = b.demux(by, leftNext, type);
      b.bind(rings.back().next, lanes + 1);
    }
    if (counted)
      keep(body, iv, type);
    if (dice.once(3)) {
      Value lanes = b.demux(by, phase, Type::I1);
      keep(body, lanes + 1, Type::I1);
      keep(s, lanes, Type::I1);
    }
    if (!dice.once(6))
      statements(body, 1 + dice.below(6));
    if (ctlCarried)
      b.bind(rings[0].next,
             dice.once(2) ? ctl + 1 : b.sync({ctl + 1, ctl + 1}));
    b.bind(rings[ctlCarried ? 1 : 0].next, body.order);
    for (size_t r = firstData; r < rings.size() - (counted ? 0 : 1); ++r)
      b.bind(rings[r].next, want(body, rings[r].type));
  }

  void statements(Scope &s, unsigned count) {
    while (count-- > 0 && left > 0) {
      --left;
      unsigned what = dice.below(10);
      if (what < 4 || s.depth >= 4)
        compute(s);
      else if (what < 6)
        access(s);
      else if (what < 8)
        select(s);
      else
        loop(s);
    }
  }

  void build() {
    uint32_t slot = b.slot(Type::Ptr, "p");
    mem = b.memory({slot, 0, Type::I8, true, true, known, lo,
                    lo + int64_t(memoryBytes), "p"});
    Scope root = {RegionBuilder::start, RegionBuilder::start, {}, {}, 0};
    for (T type : {T(Type::I64), T(Type::I32), T(Type::I1), T(Type::F64),
                   T(Type::F32), T(Type::I8)})
      keep(root, b.input(type), type);
    if (!known)
      keep(root, b.input(Type::Ptr), Type::Ptr);
    left = 10 + int(dice.below(40));
    statements(root, 12);
    b.exitZero();
    for (const Held &held : root.values)
      if (dice.once(2))
        b.output(held.value, held.type);
    b.complete(root.order);
  }
};

} // namespace rttest

#endif
