// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target of an image: each rule refused by its name, which row an actor
// takes, regions that can't be timed, and the default.

#include "Core/Regions.h"
#include "Devices/Sim/ResolveTiming.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"
#include <functional>

using namespace rttest;
using loom::rt::ActorInfo;
using loom::rt::ImageError;
using loom::rt::Kind;
using loom::rt::TargetInfo;
using loom::rt::Ty;

namespace {

TargetFields sampleTarget() {
  TargetFields target;
  target.row(ActorKind::Load, Op::None, Type::None, 4)
      .row(ActorKind::Load, Op::None, Type::F64, 6)
      .row(ActorKind::Compute, Op::None, Type::None, 9)
      .row(ActorKind::Compute, Op::None, Type::I32, 8)
      .row(ActorKind::Compute, Op::AddI, Type::None, 7)
      .row(ActorKind::Compute, Op::AddI, Type::I32, 5, 2);
  return target;
}

struct LoadedTarget {
  TargetInfo info;
  loom::rt::ImageVerdict verdict;
  explicit LoadedTarget(const TargetFields *fields) {
    RegionBuilder region = saxpy(64);
    Bytes bytes = seal({&region}, fields);
    verdict = loom::rt::checkSeal(bytes.data(), bytes.size());
    EXPECT_TRUE(verdict.ok());
    verdict = loom::rt::loadTarget(bytes.data(), info);
  }
  ~LoadedTarget() { info.release(); }
};

TEST(Target, Decoded) {
  TargetFields fields = sampleTarget();
  LoadedTarget target(&fields);
  ASSERT_TRUE(target.verdict.ok());
  EXPECT_EQ(target.info.name, fields.name);
  EXPECT_EQ(target.info.identity, fields.identity);
  EXPECT_EQ(target.info.rows.size, 6u);
  EXPECT_EQ(target.info.queueCapacity, 3u);
  EXPECT_EQ(target.info.ports, 2u);
  EXPECT_EQ(target.info.memoryBytes, 16u);
  EXPECT_EQ(target.info.launchCycles, 70u);
  EXPECT_EQ(target.info.transferCycles, 5u);
  EXPECT_EQ(target.info.clockKHz, 800000u);
  EXPECT_EQ(target.info.cores, 4u);
  EXPECT_EQ(target.info.localCapacity, 4096u);
  EXPECT_EQ(target.info.localPorts, 6u);
  EXPECT_EQ(target.info.localBytes, 48u);
}

TEST(Target, EachRuleByName) {
  auto after = [](const std::function<void(TargetFields &)> &change) {
    TargetFields fields = sampleTarget();
    change(fields);
    return LoadedTarget(&fields).verdict.error;
  };
  using F = TargetFields;
  EXPECT_EQ(after([](F &) {}), ImageError::None);
  EXPECT_EQ(after([](F &f) { f.rows.clear(); }), ImageError::None);
  EXPECT_EQ(after([](F &f) { f.name = ""; }), ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.name = "a b"; }), ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.name = std::string("a\0b", 3); }),
            ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.name = std::string(64, 'a'); }),
            ImageError::None);
  EXPECT_EQ(after([](F &f) { f.name = std::string(65, 'a'); }),
            ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.identity.pop_back(); }), ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.identity += '0'; }), ImageError::TargetName);
  EXPECT_EQ(after([](F &f) { f.identity[7] = 'A'; }), ImageError::TargetName);
  auto row = [&](ActorKind kind, Op op, Type type, unsigned interval = 1,
                 unsigned reserved = 0) {
    return after([&](F &f) {
      f.rows.clear();
      f.row(kind, op, type, 1, interval, reserved);
    });
  };
  const Op none = Op::None;
  EXPECT_EQ(row(ActorKind::Compute, Op::Copy, Type::Ptr), ImageError::None);
  EXPECT_EQ(row(ActorKind::Stream, Op::ShrUI, Type::None), ImageError::None);
  EXPECT_EQ(row(ActorKind::Compute, none, Type::None, 0),
            ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind(11), none, Type::None), ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind::Load, none, Type(9)), ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind::Load, Op::AddI, Type::None), ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind::Stream, Op::AndI, Type::None),
            ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind::Compute, Op(200), Type::None),
            ImageError::TargetRows);
  EXPECT_EQ(row(ActorKind::Load, none, Type::None, 1, 1), ImageError::Reserved);
  EXPECT_EQ(after([](F &f) { std::swap(f.rows[0], f.rows[1]); }),
            ImageError::TargetRows);
  EXPECT_EQ(after([](F &f) { f.rows.push_back(f.rows.back()); }),
            ImageError::TargetRows); // twice
  EXPECT_EQ(after([](F &f) { f.rows.resize(1025, f.rows.back()); }),
            ImageError::TargetRows);
  EXPECT_EQ(after([](F &f) { f.queueCapacity = 0; }), ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.queueCapacity = 4097; }),
            ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.ports = 1025; }), ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.memoryBytes = (1u << 20) + 1; }),
            ImageError::TargetSystem);
  auto local = [&](uint64_t capacity, uint32_t ports, uint64_t bytes) {
    return after([&](F &f) {
      f.localCapacity = capacity;
      f.localPorts = ports;
      f.localBytes = bytes;
    });
  };
  const uint64_t one = 1;
  EXPECT_EQ(local(one << 60, 1u << 22, one << 40), ImageError::None);
  EXPECT_EQ(local(0, 0, 0), ImageError::None);
  EXPECT_EQ(local((one << 60) + 1, 0, 0), ImageError::TargetSystem);
  EXPECT_EQ(local(0, (1u << 22) + 1, 0), ImageError::TargetSystem);
  EXPECT_EQ(local(0, 0, (one << 40) + 1), ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.clockKHz = 0; }), ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.clockKHz = 100000001; }),
            ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.cores = 0; }), ImageError::TargetSystem);
  EXPECT_EQ(after([](F &f) { f.cores = 4097; }), ImageError::TargetSystem);
}

ActorInfo actor(Kind kind, Op op, Ty type, Ty from = Ty::None) {
  ActorInfo info = {};
  info.kind = kind;
  info.op = uint8_t(op);
  info.type = type;
  info.from = from;
  return info;
}

TEST(Target, MostSpecificRow) {
  TargetFields fields = sampleTarget();
  LoadedTarget target(&fields);
  auto latency = [&](const ActorInfo &a) {
    const loom::rt::TimingRow *row = timingRowOf(target.info, a);
    return row ? int(row->latency) : -1;
  };
  EXPECT_EQ(latency(actor(Kind::Compute, Op::AddI, Ty::I32)), 5);
  EXPECT_EQ(latency(actor(Kind::Compute, Op::AddI, Ty::I64)), 7);
  EXPECT_EQ(latency(actor(Kind::Compute, Op::SubI, Ty::I32)), 8);
  EXPECT_EQ(latency(actor(Kind::Compute, Op::SubI, Ty::I64)), 9);
  EXPECT_EQ(latency(actor(Kind::Load, Op::None, Ty::F64)), 6);
  EXPECT_EQ(latency(actor(Kind::Load, Op::None, Ty::F32)), 4);
  EXPECT_EQ(latency(actor(Kind::Store, Op::None, Ty::F32)), -1);
  // A comparison is of the type that it compares.
  EXPECT_EQ(latency(actor(Kind::Compute, Op::CmpI, Ty::I1, Ty::I32)), 8);
  EXPECT_EQ(latency(actor(Kind::Compute, Op::CmpI, Ty::I1, Ty::I64)), 9);
}

TEST(Target, RegionsAreTimedOrUnmodelled) {
  Loaded loaded(saxpy(64));
  loom::rt::RegionTiming timing;
  uint32_t missing = 0;
  ASSERT_TRUE(
      resolveTiming(targetOf(loaded.region), loaded.region, timing, missing));
  EXPECT_EQ(timing.queueCapacity, 4u);
  EXPECT_EQ(timing.ports, 0u);
  ASSERT_EQ(timing.costs.size, loaded.region.actors.size);
  uint32_t firstLoad = loom::rt::noActor;
  for (uint32_t i = 0; i < timing.costs.size; ++i) {
    if (loaded.region.actors[i].kind != Kind::Load)
      continue;
    EXPECT_EQ(timing.costs[i].latency, 4);
    EXPECT_EQ(timing.costs[i].interval, 1);
    if (firstLoad == loom::rt::noActor)
      firstLoad = i;
  }
  ASSERT_NE(firstLoad, loom::rt::noActor);

  TargetInfo without = loom::rt::defaultTarget();
  without.rows = {};
  for (const loom::rt::TimingRow &row : loom::rt::defaultTarget().rows)
    if (row.kind != Kind::Load)
      without.rows.push(row);
  EXPECT_FALSE(resolveTiming(without, loaded.region, timing, missing));
  EXPECT_EQ(missing, firstLoad);
  EXPECT_EQ(timing.costs.size, 0u);
  without.rows.release();
  timing.costs.release();
}

/// Without a target an image has the default; everything a graph may hold has
/// a row in it.
TEST(Target, Default) {
  LoadedTarget target(nullptr);
  ASSERT_TRUE(target.verdict.ok());
  EXPECT_STREQ(target.info.name, "default");
  EXPECT_STREQ(target.info.identity, "");
  EXPECT_EQ(target.info.rows.size, loom::rt::defaultTarget().rows.size);
  EXPECT_NE(target.info.rows.data, loom::rt::defaultTarget().rows.data);
  TargetInfo named = loom::rt::defaultTarget();
  memset(named.identity, '0', 64);
  EXPECT_TRUE(checkTarget(named).ok());
  for (unsigned op = 1; op <= unsigned(Op::Copy); ++op)
    EXPECT_TRUE(timingRowOf(named, actor(Kind::Compute, Op(op), Ty::I32)))
        << op;
  for (uint8_t kind = 0; kind <= uint8_t(Kind::Store); ++kind)
    EXPECT_TRUE(timingRowOf(
        named,
        actor(Kind(kind), Kind(kind) == Kind::Stream ? Op::MulI : Op::None,
              Ty::I64)))
        << unsigned(kind);
}

TEST(Target, RegionsReachIt) {
  RegionBuilder region = saxpy(64);
  TargetFields fields = sampleTarget();
  Bytes good = seal({&region, &region}, &fields);
  loom_rt_region first = guardOf(good, 0), second = guardOf(good, 1);
  loom::rt::RegionState *state = loom::rt::stateOf(&first);
  ASSERT_TRUE(state && state->usable());
  EXPECT_EQ(targetOf(state->region).name, fields.name);
  EXPECT_EQ(state->region.target, loom::rt::stateOf(&second)->region.target);
  fields.cores = 0;
  Bytes bad = seal({&region}, &fields);
  loom_rt_region refused = guardOf(bad);
  state = loom::rt::stateOf(&refused);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->verdict.error, ImageError::TargetSystem);
}

} // namespace
