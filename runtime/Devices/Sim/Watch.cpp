// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recorded bytes in place of memory, and the loads and stores of watched
// launches.

#include "Devices/Sim/Watch.h"
#include "Devices/Sim/Engine.h"
#include "Devices/Sim/Fire.h"

namespace loom::rt {

OverlayLine *Overlay::find(uint64_t address) {
  if (last < lines.size && lines[last].address == address)
    return &lines[last];
  size_t low = 0;
  size_t high = lines.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lines[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == lines.size || lines[low].address != address)
    return nullptr;
  last = low;
  return &lines[low];
}

bool Overlay::load(uint64_t address, unsigned bytes, uint64_t &value) {
  value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    OverlayLine *line = find((address + i) & ~uint64_t(63));
    unsigned at = (address + i) & 63;
    if (!line || !(line->known >> at & 1))
      return false;
    value |= uint64_t(line->bytes[at]) << (8 * i);
  }
  return true;
}

bool Overlay::store(uint64_t address, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; ++i) {
    OverlayLine *line = find((address + i) & ~uint64_t(63));
    unsigned at = (address + i) & 63;
    if (!line || !(line->known >> at & 1))
      return false;
    line->bytes[at] = static_cast<uint8_t>(value >> (8 * i));
    line->written |= uint64_t(1) << at;
  }
  return true;
}

bool watchedLoad(Engine &engine, const Actor &actor, uint64_t address,
                 uint64_t &value) {
  if (engine.overlay) {
    if (engine.overlay->load(address, actor.bytes, value))
      return true;
    engine.raise(Reason::Internal, "a load outside the recorded bytes", actor);
    return false;
  }
  if (engine.reads)
    engine.reads->read(address, actor.bytes);
  value = loadBytes(address, actor.bytes);
  return true;
}

bool watchedStore(Engine &engine, const Actor &actor, uint64_t address,
                  uint64_t value) {
  if (engine.overlay) {
    if (engine.overlay->store(address, actor.bytes, value))
      return true;
    engine.raise(Reason::Internal, "a store outside the recorded bytes", actor);
    return false;
  }
  if (!engine.undo->note(address, actor.bytes)) {
    engine.raise(Reason::Memory, "the undo log is full", actor);
    return false;
  }
  storeBytes(address, value, actor.bytes);
  return true;
}

} // namespace loom::rt
