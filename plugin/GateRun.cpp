// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GateRun.h"
#include "Devices/Sim/Engine.h"
#include "Guard/Guard.h"
#include "Verify/Verify.h"
#include "loom/Runtime/loom_rt.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace loom;
using rt::LoadedRegion;
using rt::Reason;
using rt::Ty;

/// A few seconds.
static constexpr uint64_t budget = 30000000;

void GateRecord::say(GateVerdict result, const char *text) {
  snprintf(detail, sizeof(detail), "%s", text);
  verdict = result;
}

namespace {

using Bytes = std::vector<std::vector<uint8_t>>;

class Comparison {
public:
  Comparison(const LoadedRegion &region, const GateInput &input,
             GateRecord &record)
      : region(region), input(input), record(record) {}

  void run(GateFunction host);

private:
  Bytes save() const;
  void putBack(const Bytes &bytes) const;
  bool runHost(GateFunction host);
  bool runGraph(const LoadedRegion &graph, const char *name);
  bool compare(const char *name, const std::vector<uint64_t> &out);
  bool sameWord(const uint8_t *host, const uint8_t *graph, uint64_t at,
                uint64_t size) const;
  const char *text(const char *format, ...)
      __attribute__((format(printf, 2, 3)));

  const LoadedRegion &region;
  const GateInput &input;
  GateRecord &record;
  Bytes before, after;
  std::vector<uint64_t> hostOut;
  char line[200];
};

} // namespace

const char *Comparison::text(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  return line;
}

Bytes Comparison::save() const {
  Bytes bytes;
  for (const GateBuffer &buffer : input.buffers) {
    auto *at = reinterpret_cast<const uint8_t *>(buffer.begin);
    bytes.emplace_back(at, at + buffer.size);
  }
  return bytes;
}

void Comparison::putBack(const Bytes &bytes) const {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (!bytes[i].empty())
      memcpy(reinterpret_cast<void *>(input.buffers[i].begin), bytes[i].data(),
             bytes[i].size());
}

bool Comparison::runHost(GateFunction host) {
  hostOut.assign(region.outputInfos.size, 0);
  uint8_t broken = 0;
  before = save();
  host(input.slots.data(), hostOut.data(), &broken);
  after = save();
  putBack(before);
  if (broken)
    record.say(GateVerdict::Untested, "an assumption of the code is broken");
  else if (uint32_t(hostOut[0]) == LOOM_RT_DECLINED)
    record.say(GateVerdict::Untested, "a math function reports an error");
  else
    return true;
  return false;
}

/// Whether the float around a differing byte is a NaN on both sides.
bool Comparison::sameWord(const uint8_t *host, const uint8_t *graph,
                          uint64_t at, uint64_t size) const {
  auto both = [&](uint64_t bytes, Ty type) {
    uint64_t start = at & ~(bytes - 1);
    uint64_t a = 0, b = 0;
    if (start + bytes > size)
      return false;
    memcpy(&a, host + start, bytes);
    memcpy(&b, graph + start, bytes);
    return rt::sameValue(a, b, type);
  };
  for (const rt::ActorInfo &actor : region.actors)
    if (actor.kind == rt::Kind::Store &&
        ((actor.type == Ty::F32 && both(4, Ty::F32)) ||
         (actor.type == Ty::F64 && both(8, Ty::F64))))
      return true;
  return false;
}

bool Comparison::compare(const char *name, const std::vector<uint64_t> &out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const rt::OutputInfo &info = region.outputInfos[i];
    if (info.exit != -1 && uint32_t(info.exit) != uint32_t(hostOut[0]))
      continue;
    uint64_t mask = rt::typeMask(info.type);
    if (rt::sameValue(hostOut[i] & mask, out[i] & mask, info.type.type))
      continue;
    record.say(GateVerdict::Different,
               text("output %zu (%s)%s: host 0x%llx, graph 0x%llx", i,
                    rt::typeName(info.type.type), name,
                    (unsigned long long)(hostOut[i] & mask),
                    (unsigned long long)(out[i] & mask)));
    return false;
  }
  for (size_t i = 0; i < input.buffers.size(); ++i) {
    const GateBuffer &buffer = input.buffers[i];
    auto *now = reinterpret_cast<const uint8_t *>(buffer.begin);
    if (buffer.size == 0 || memcmp(now, after[i].data(), buffer.size) == 0)
      continue;
    for (uint64_t at = 0; at < buffer.size; ++at) {
      if (now[at] == after[i][at] ||
          sameWord(after[i].data(), now, at, buffer.size))
        continue;
      // Near which slot, since addresses differ from run to run.
      size_t slot = 0;
      uint64_t least = ~uint64_t(0);
      for (size_t s = 0; s < input.slots.size(); ++s) {
        int64_t offset = int64_t(buffer.begin + at - input.slots[s]);
        uint64_t distance = uint64_t(offset < 0 ? -offset : offset);
        if (region.slots[s] == Ty::Ptr && distance < least) {
          least = distance;
          slot = s;
        }
      }
      record.say(GateVerdict::Different,
                 text("byte %lld of slot %zu%s: host 0x%x, graph 0x%x",
                      (long long)(buffer.begin + at - input.slots[slot]), slot,
                      name, after[i][at], now[at]));
      return false;
    }
  }
  return true;
}

/// False: the verdict is there.
bool Comparison::runGraph(const LoadedRegion &graph, const char *name) {
  const rt::Device &device = rt::simDevice();
  rt::Engine *engine = device.prepare(graph);
  if (!engine) {
    record.say(GateVerdict::Untested, "no memory");
    return false;
  }
  std::vector<uint64_t> out(region.outputInfos.size, 0);
  rt::UndoLog undo;
  rt::LaunchContext context = {input.slots.data(), out.data(), budget, &undo};
  rt::Outcome outcome = device.run(graph, engine, context);
  bool good = false;
  switch (outcome.reason) {
  case Reason::None:
    good = compare(name, out);
    break;
  case Reason::Deadlock:
  case Reason::Residue:
  case Reason::Internal:
    record.say(
        GateVerdict::Different,
        text("%s%s: %s", rt::reasonName(outcome.reason), name, outcome.detail));
    break;
  default: // what ends on the host at run time, too
    record.say(GateVerdict::Untested,
               text("%s: %s", rt::reasonName(outcome.reason), outcome.detail));
    break;
  }
  undo.release();
  device.discard(engine);
  putBack(before);
  return good;
}

void Comparison::run(GateFunction host) {
  if (!runHost(host))
    return;
  record.inGraph = 1;
  bool apart = region.apart && rt::evaluateGuard(region, input.slots.data()) ==
                                   rt::GuardVerdict::NoAlias;
  // The token engine works from the actors as they are, the other one is what
  // runs launches.
  const rt::SimEngine usual = rt::simEngine;
  for (bool tokens : {true, false}) {
    rt::simEngine = tokens ? rt::SimEngine::Tokens : usual;
    if (!runGraph(region, tokens ? "" : ", compiled graph"))
      return;
    if (apart && !runGraph(*region.apart,
                           tokens ? ", graph for disjoint roots"
                                  : ", compiled graph for disjoint roots"))
      return;
  }
  record.say(GateVerdict::Equal, "");
}

void loom::gateRun(GateFunction host, const LoadedRegion &region,
                   const GateInput &input, GateRecord &record) {
  Comparison(region, input, record).run(host);
}
