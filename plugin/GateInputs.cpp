// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GateInputs.h"
#include <cmath>
#include <cstring>
#include <map>
#include <sys/mman.h>

using namespace loom;
using rt::Kind;
using rt::LoadedRegion;
using rt::MemoryInfo;
using rt::Ty;

namespace {

constexpr uint64_t page = 4096;
constexpr uint64_t mostBytes = uint64_t(16) << 20;
/// Of a root whose footprint isn't known: bytes before and after the pointer.
constexpr uint64_t roomBefore = 16 << 10;
constexpr uint64_t roomAfter = 64 << 10;

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }

private:
  uint64_t state;
};

/// The flavours of an input.
enum Variant : unsigned { Zeros, Small, Wild, Aliased, Special, Negative };

class Maker {
public:
  Maker(const LoadedRegion &region, const std::vector<GateSlot> &facts,
        unsigned variant, GateInput &input, std::string &why)
      : region(region), facts(facts), variant(variant), input(input), why(why),
        random(seedOf(region.name) + variant) {}
  bool run();

private:
  static uint64_t seedOf(const char *name) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (; *name; ++name)
      hash = (hash ^ uint8_t(*name)) * 0x100000001b3ull;
    return hash;
  }
  bool pointer(size_t slot);
  uint64_t integer(size_t slot, rt::ValueType type);
  uint64_t floating(Ty type);
  void fill(const GateBuffer &buffer, Ty type);
  Ty elementOf(uint32_t memory) const;
  bool guarded(uint64_t before, uint64_t after, uint64_t &base);

  const LoadedRegion &region;
  const std::vector<GateSlot> &facts;
  unsigned variant;
  GateInput &input;
  std::string &why;
  Random random;
  std::map<uint32_t, uint64_t> ofPartition; // base of the first root
};

} // namespace

/// Bytes [base - before, base + after) between pages that can't be touched. The
/// end is as near to the next one as an alignment of 64 of the base allows.
bool Maker::guarded(uint64_t before, uint64_t after, uint64_t &base) {
  uint64_t begin = (before + 63) & ~uint64_t(63);
  uint64_t size = (begin + after + page - 1) & ~(page - 1);
  void *all = mmap(nullptr, size + 2 * page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  auto first = reinterpret_cast<uint64_t>(all) + page;
  if (all == MAP_FAILED ||
      (size && mprotect(reinterpret_cast<void *>(first), size,
                        PROT_READ | PROT_WRITE) != 0)) {
    why = "no memory";
    return false;
  }
  uint64_t slack = (size - begin - after) & ~uint64_t(63);
  base = first + begin + slack;
  input.buffers.push_back({first, size});
  return true;
}

/// What the accesses of a root find there.
Ty Maker::elementOf(uint32_t memory) const {
  Ty stored = Ty::None;
  for (const rt::ActorInfo &actor : region.actors) {
    if (actor.mem != memory)
      continue;
    if (actor.kind == Kind::Load)
      return actor.type;
    if (actor.kind == Kind::Store)
      stored = actor.type;
  }
  return stored;
}

uint64_t Maker::floating(Ty type) {
  static const double specials[] = {
      0.0,  -0.0,   INFINITY, -INFINITY,          NAN,
      1e30, -1e-30, 1e-310,   4503599627370497.5, -2.5};
  double value = (double(random.below(65)) - 32) / 4;
  if (variant == Special && random.below(3) == 0)
    value = specials[random.below(10)];
  if (variant == Zeros)
    value = 0;
  uint64_t bits = 0;
  if (type == Ty::F32) {
    float narrow = float(value);
    memcpy(&bits, &narrow, sizeof(narrow));
  } else {
    memcpy(&bits, &value, sizeof(value));
  }
  return bits;
}

uint64_t Maker::integer(size_t slot, rt::ValueType type) {
  uint64_t mask = rt::typeMask(type);
  uint64_t value = 0;
  switch (variant) {
  case Zeros:
    value = 1;
    break;
  case Small:
    value = 3 + random.below(6);
    break;
  case Wild:
    value = random.below(3);
    break;
  case Aliased:
    value = 8 + random.below(13);
    break;
  case Special:
    value = 5;
    break;
  default:
    value = 4 - random.below(9);
    break;
  }
  const GateSlot &fact = facts[slot];
  if (fact.size && ((value - fact.low) & mask) >= fact.size)
    value = fact.low + random.below(fact.size < 24 ? fact.size : 24);
  return value & mask;
}

void Maker::fill(const GateBuffer &buffer, Ty type) {
  unsigned bytes = rt::typeBytes(type) ? rt::typeBytes(type) : 4;
  auto *at = reinterpret_cast<uint8_t *>(buffer.begin);
  for (uint64_t i = 0; i + bytes <= buffer.size; i += bytes) {
    uint64_t value = 0;
    if (rt::isFloat(type))
      value = floating(type);
    else if (type == Ty::Ptr) // null ends a chain, itself goes on
      value = variant == Aliased ? buffer.begin + buffer.size / 2 : 0;
    else if (variant == Wild)
      value = random.next();
    else if (variant == Negative)
      value = random.below(33) - 16;
    else if (variant != Zeros)
      value = random.below(12);
    memcpy(at + i, &value, bytes);
  }
}

bool Maker::pointer(size_t slot) {
  uint64_t before = roomBefore;
  uint64_t after = roomAfter;
  const MemoryInfo *root = nullptr;
  uint32_t number = 0;
  for (uint32_t m = 0; m < region.memories.size && !root; ++m)
    if (region.memories[m].slot == slot) {
      root = &region.memories[m];
      number = m;
    }
  if (root && root->known) {
    before = root->lo < 0 ? uint64_t(0) - uint64_t(root->lo) : 0;
    after = root->hi > 0 ? uint64_t(root->hi) : 0;
  }
  if (facts[slot].dereferenceable > after)
    after = facts[slot].dereferenceable;
  if (before > mostBytes || after > mostBytes) {
    why = "a footprint has more than 16 MiB";
    return false;
  }
  // Roots that may overlap do so in one of the inputs.
  if (root && variant == Aliased && !root->known) {
    auto found = ofPartition.find(root->partition);
    if (found != ofPartition.end()) {
      input.slots[slot] = found->second + 64;
      return true;
    }
  }
  if (!guarded(before, after, input.slots[slot]))
    return false;
  fill(input.buffers.back(), root ? elementOf(number) : Ty::I32);
  if (root)
    ofPartition.emplace(root->partition, input.slots[slot]);
  return true;
}

bool Maker::run() {
  input.slots.assign(region.slots.size, 0);
  std::vector<rt::ValueType> types(region.slots.size);
  for (size_t i = 0; i < types.size(); ++i)
    types[i] = {region.slots[i],
                uint8_t(rt::isInteger(region.slots[i])
                            ? region.slots[i] == Ty::I1
                                  ? 1
                                  : 8 * rt::typeBytes(region.slots[i])
                            : 0)};
  for (const rt::InputInfo &info : region.inputs)
    types[info.slot] = info.type;
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i].type == Ty::Ptr) {
      if (!pointer(i))
        return false;
    } else if (rt::isFloat(types[i].type)) {
      input.slots[i] = floating(types[i].type);
    } else {
      input.slots[i] = integer(i, types[i]);
    }
  }
  return true;
}

bool loom::synthesise(const LoadedRegion &region,
                      const std::vector<GateSlot> &facts, unsigned variant,
                      GateInput &input, std::string &why) {
  return Maker(region, facts, variant, input, why).run();
}

bool loom::restore(const rt::Capture &capture, const LoadedRegion &region,
                   GateInput &input, std::string &why) {
  bool fits = capture.slots.size == region.slots.size;
  for (size_t i = 0; i < region.slots.size && fits; ++i)
    fits = capture.slots[i].type.type == region.slots[i];
  if (!fits) {
    why = "the capture has other slots";
    return false;
  }
  for (const rt::CapturedValue &slot : capture.slots)
    input.slots.push_back(slot.bits);
  for (const rt::RecordedLine &line : capture.lines) {
    uint64_t begin = line.address & ~(page - 1);
    if (input.buffers.empty() ||
        input.buffers.back().begin + input.buffers.back().size <= begin) {
      void *wanted = reinterpret_cast<void *>(begin);
      void *got =
          mmap(wanted, page, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got != wanted) {
        why = "the addresses of the capture are taken";
        return false;
      }
      input.buffers.push_back({begin, page});
    }
    for (unsigned b = 0; b < 64; ++b)
      if (line.known >> b & 1)
        memcpy(reinterpret_cast<void *>(line.address + b), line.before + b, 1);
  }
  return true;
}
