// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second half of a verified launch: the comparison.

#include "Devices/Sim/Scalars.h"
#include "Stats/Stats.h"
#include "Verify/Verify.h"

namespace loom::rt {

static bool isNan32(uint64_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
static bool isNan64(uint64_t bits) {
  return (bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

bool sameValue(uint64_t a, uint64_t b, Ty type) {
  return a == b || (type == Ty::F32 && isNan32(a) && isNan32(b)) ||
         (type == Ty::F64 && isNan64(a) && isNan64(b));
}

namespace {

struct Difference {
  bool found = false;
  int64_t output = -1; // live-out, -1: memory
  uint64_t address = 0;
  uint64_t host = 0;
  uint64_t device = 0;
  bool untouched = false; // the device didn't write there
};

struct Comparison {
  Pending &pending;
  const LoadedRegion &region;
  bool storesF32 = false;
  bool storesF64 = false;
  Difference first;

  explicit Comparison(Pending &pending)
      : pending(pending), region(pending.state->region) {
    for (const ActorInfo &actor : region.actors) {
      if (actor.kind != Kind::Store)
        continue;
      storesF32 |= actor.type == Ty::F32;
      storesF64 |= actor.type == Ty::F64;
    }
  }

  void report(uint64_t address, uint64_t host, uint64_t device,
              bool untouched) {
    if (!first.found)
      first = {true, -1, address, host, device, untouched};
  }

  void outputs(const uint64_t *host);
  void lines();
  void footprints();
  bool excusedNan(const UndoLine &line, const uint8_t *now, const uint8_t *host,
                  unsigned byte) const;
  void say();
  void sayAddress(Text &text);
};

} // namespace

void Comparison::outputs(const uint64_t *host) {
  const Vec<uint64_t> &device = pending.out;
  for (size_t i = 0; i < region.outputInfos.size && !first.found; ++i) {
    const OutputInfo &info = region.outputInfos[i];
    if (info.exit != -1 &&
        static_cast<uint64_t>(static_cast<uint32_t>(info.exit)) != device[0])
      continue;
    uint64_t mask = typeMask(info.type);
    if (!sameValue(host[i] & mask, device[i] & mask, info.type.type))
      first = {true,           static_cast<int64_t>(i), 0,
               host[i] & mask, device[i] & mask,        false};
  }
}

/// Reads without a sanitizer looking: a line may hold other objects.
__attribute__((no_sanitize("address"), noinline)) static uint8_t
byteAt(uint64_t address) {
  return *static_cast<const volatile uint8_t *>(UndoLog::pointer(address));
}

/// Whether the float around a differing byte is a NaN on both sides. Which NaN
/// an operation makes is not defined.
bool Comparison::excusedNan(const UndoLine &line, const uint8_t *now,
                            const uint8_t *host, unsigned byte) const {
  auto both = [&](unsigned size, bool (*isNan)(uint64_t)) {
    unsigned start = byte & ~(size - 1);
    uint64_t written = (size == 8 ? 0xffull : 0xfull) << start;
    if ((line.mask & written) != written)
      return false;
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, now + start, size);
    memcpy(&b, host + start, size);
    return isNan(a) && isNan(b);
  };
  return (storesF32 && both(4, isNan32)) || (storesF64 && both(8, isNan64));
}

void Comparison::lines() {
  const UndoLog &undo = pending.bench->undo;
  for (size_t i = 0; i < undo.lines.size && !first.found; ++i) {
    const UndoLine &line = undo.lines[i];
    const uint8_t *now = pending.now.data + i * 64;
    const uint8_t *before = pending.before.data + i * 64;
    uint8_t host[64] = {};
    for (unsigned b = 0; b < 64; ++b)
      if ((line.mask >> b & 1) || pending.whole[i])
        host[b] = byteAt(line.address + b);
    for (unsigned b = 0; b < 64 && !first.found; ++b) {
      if (line.mask >> b & 1) {
        if (host[b] != now[b] && !excusedNan(line, now, host, b))
          report(line.address + b, host[b], now[b], false);
      } else if (pending.whole[i] && host[b] != before[b]) {
        report(line.address + b, host[b], before[b], true);
      }
    }
  }
}

/// Every byte of a known footprint that the device left alone.
void Comparison::footprints() {
  UndoLog &undo = pending.bench->undo;
  for (const Snapshot &snapshot : pending.snapshots) {
    // What the device wrote was compared: take the host's bytes for it.
    for (const UndoLine &line : undo.lines) {
      if (line.address + 64 <= snapshot.begin ||
          line.address >= snapshot.begin + snapshot.size)
        continue;
      for (unsigned b = 0; b < 64; ++b) {
        uint64_t offset = line.address + b - snapshot.begin;
        if ((line.mask >> b & 1) && offset < snapshot.size)
          snapshot.bytes[offset] = byteAt(line.address + b);
      }
    }
    if (first.found || memcmp(snapshot.bytes, UndoLog::pointer(snapshot.begin),
                              snapshot.size) == 0)
      continue;
    for (uint64_t i = 0; i < snapshot.size && !first.found; ++i) {
      uint8_t host = byteAt(snapshot.begin + i);
      if (host != snapshot.bytes[i])
        report(snapshot.begin + i, host, snapshot.bytes[i], true);
    }
  }
}

/// The root that the address most likely belongs to.
void Comparison::sayAddress(Text &text) {
  const MemoryInfo *best = nullptr;
  uint64_t bestBase = 0;
  for (const MemoryInfo &memory : region.memories) {
    uint64_t base = pending.in[memory.slot];
    bool inside = memory.known &&
                  first.address >= base + static_cast<uint64_t>(memory.lo) &&
                  first.address < base + static_cast<uint64_t>(memory.hi);
    if (!inside && (memory.known || base > first.address || base < bestBase))
      continue;
    best = &memory;
    bestBase = base;
    if (inside)
      break;
  }
  text.str("memory ");
  if (best) {
    text.str(best->name[0] ? best->name : "root").str("+");
    text.snum(static_cast<int64_t>(first.address - bestBase)).str(" ");
  }
  text.str("at 0x").hex(first.address);
}

void Comparison::say() {
  Text text;
  text.str("mismatch in ");
  appendPlace(text, *pending.state);
  text.str(": ");
  unsigned digits = 2;
  if (first.output >= 0) {
    const OutputInfo &info =
        region.outputInfos[static_cast<size_t>(first.output)];
    if (first.output == 0)
      text.str("exit selector");
    else
      text.str("live-out ").num(static_cast<uint64_t>(first.output));
    text.str(" (").str(typeName(info.type.type)).str(")");
    digits = 1;
  } else {
    sayAddress(text);
  }
  text.str(": host 0x").hex(first.host, digits);
  text.str(first.untouched ? ", sim leaves 0x" : ", sim 0x");
  text.hex(first.device, digits);
  text.str("; the host's result stays");
  sayLine(text);
}

bool compareWithHost(Pending &pending, const uint64_t *hostOut) {
  Comparison comparison(pending);
  comparison.outputs(hostOut);
  comparison.lines();
  comparison.footprints();
  if (!comparison.first.found)
    return true;
  if (__atomic_exchange_n(&pending.state->mismatchSaid, 1u, __ATOMIC_RELAXED) ==
      0)
    comparison.say();
  return false;
}

} // namespace loom::rt
