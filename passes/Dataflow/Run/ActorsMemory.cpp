// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores in all their forms. All lanes of a firing are one event.

#include "Activation.h"

using namespace mlir;
using namespace loom;
using namespace loom::dataflow;
using namespace loom::run;

namespace {
/// One access: where its lanes are.
class Access {
public:
  Access(Actor &actor, Type data, Type address)
      : actor(actor), bytes((laneWidth(data) + 7) / 8),
        count(laneCount(data).value_or(0)), indexed(isa<VectorType>(address)) {}

  /// Takes the address and the mask. False: a failure.
  bool take(unsigned address, std::optional<unsigned> mask) {
    where = actor.take(address);
    if (mask)
      active = actor.take(*mask);
    for (const Lane &lane : active.lanes)
      if (lane.poison)
        return actor.fail(RunFault::Poison, "a mask");
    return true;
  }

  bool isActive(unsigned lane) const {
    return active.lanes.empty() || active.lanes[lane].bits;
  }

  /// The place of an active lane; nullopt: a failure.
  std::optional<Place> place(unsigned lane) {
    const Lane &address = where.lanes[indexed ? lane : 0];
    if (address.poison) {
      actor.fail(RunFault::Poison, "an address");
      return std::nullopt;
    }
    uint64_t offset = indexed ? 0 : uint64_t(lane) * bytes;
    if (actor.plan.memory < 0)
      return Memory::placeOf(address.bits + offset);
    Place base = actor.activation.memories[unsigned(actor.plan.memory)];
    base.offset += address.bits + offset;
    return base;
  }

  /// Says what was wrong with an access. True: nothing.
  bool check(AccessFault fault, unsigned lane, Place at, Event other) {
    std::string text =
        count > 1 ? " in lane " + std::to_string(lane) : std::string();
    if (fault == AccessFault::Bounds)
      return actor.fail(RunFault::Bounds,
                        std::to_string(bytes) + " bytes at memory " +
                            std::to_string(at.buffer) + " + " +
                            std::to_string(int64_t(at.offset)) + text);
    if (fault == AccessFault::Order)
      return actor.fail(RunFault::Order, "not ordered against " +
                                             actor.machine().siteText(other) +
                                             text);
    return true;
  }

  Actor &actor;
  unsigned bytes, count;
  bool indexed;
  Token where, active;
};
} // namespace

static bool fireLoad(Actor &actor) {
  auto op = cast<LoadOp>(actor.op());
  unsigned first = op.getMemory() ? 1 : 0; // address, ctrl, mask
  bool masked = bool(op.getMask());
  if (!actor.has(first, first + (masked ? 2 : 1)))
    return false;
  Access access(actor, op.getData().getType(), op.getAddress().getType());
  if (!access.take(first, masked ? std::optional(first + 2) : std::nullopt))
    return false;
  actor.take(first + 1);
  Event event = actor.access(), other;
  SmallVector<Lane> lanes(access.count);
  uint64_t mask = laneMask(laneWidth(op.getData().getType()));
  for (unsigned i = 0; i < access.count; ++i) {
    if (!access.isActive(i))
      continue;
    std::optional<Place> place = access.place(i);
    if (!place)
      return false;
    AccessFault fault = actor.machine().memory.read(
        *place, access.bytes, event, actor.order, lanes[i], other);
    if (!access.check(fault, i, *place, other))
      return false;
    lanes[i].bits &= mask;
  }
  actor.order = with(actor.order, event);
  actor.emit(0, lanes);
  actor.emit(1, {});
  return true;
}

static bool fireStore(Actor &actor) {
  auto op = cast<StoreOp>(actor.op());
  unsigned first = op.getMemory() ? 1 : 0; // address, data, ctrl, mask
  bool masked = bool(op.getMask());
  if (!actor.has(first, first + (masked ? 3 : 2)))
    return false;
  Access access(actor, op.getData().getType(), op.getAddress().getType());
  if (!access.take(first, masked ? std::optional(first + 3) : std::nullopt))
    return false;
  Token data = actor.take(first + 1);
  actor.take(first + 2);
  Event event = actor.access(), other;
  for (unsigned i = 0; i < access.count; ++i) {
    if (!access.isActive(i))
      continue;
    std::optional<Place> place = access.place(i);
    if (!place)
      return false;
    AccessFault fault = actor.machine().memory.write(
        *place, access.bytes, event, actor.order, data.lanes[i], other);
    // Nobody but an earlier lane has this event.
    if (fault == AccessFault::Order && other == event)
      return actor.fail(RunFault::Lanes,
                        "lane " + Twine(i) + " and an earlier one");
    if (!access.check(fault, i, *place, other))
      return false;
  }
  actor.order = with(actor.order, event);
  actor.emit(0, {});
  return true;
}

Rule loom::run::memoryRule(Operation *op) {
  if (isa<LoadOp>(op))
    return fireLoad;
  if (isa<StoreOp>(op))
    return fireStore;
  return nullptr;
}
