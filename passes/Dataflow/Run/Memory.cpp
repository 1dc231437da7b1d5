// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace loom::run;

unsigned Memory::make(std::vector<uint8_t> bytes) {
  total += bytes.size();
  std::vector<bool> poison(bytes.size(), false);
  buffers.push_back({std::move(bytes), std::move(poison)});
  histories.emplace_back();
  return unsigned(buffers.size() - 1);
}

unsigned Memory::makeUndefined(uint64_t size) {
  unsigned buffer = make(std::vector<uint8_t>(size));
  buffers[buffer].poison.assign(size, true);
  return buffer;
}

Place Memory::placeOf(uint64_t address) {
  // Address 0 to 1 << 40 belongs to nobody: a buffer that doesn't exist.
  return {unsigned(address >> 40) - 1, address & ((uint64_t(1) << 40) - 1)};
}

bool Memory::inside(Place place, unsigned count) const {
  if (place.buffer >= buffers.size())
    return false;
  uint64_t size = buffers[place.buffer].bytes.size();
  return place.offset <= size && count <= size - place.offset;
}

void Memory::noteRead(History &history, Event event, const Order &order) {
  if (!history.reads.empty() && history.reads.back() == event)
    return; // another lane of the same firing
  history.reads.push_back(event);
  ++numReads;
  if (history.reads.size() < history.nextPruning)
    return;
  // Who knows this read knows those that it knew. Not every time: a byte that
  // nobody writes is read very often.
  size_t before = history.reads.size();
  llvm::erase_if(history.reads, [&](Event e) { return knows(order, e); });
  numReads -= before - history.reads.size();
  history.nextPruning = std::max<size_t>(16, 2 * history.reads.size());
}

AccessFault Memory::read(Place place, unsigned count, Event event,
                         const Order &order, Lane &lane, Event &other) {
  if (!inside(place, count))
    return AccessFault::Bounds;
  const Buffer &buffer = buffers[place.buffer];
  lane = {};
  for (unsigned i = 0; i < count; ++i) {
    uint64_t at = place.offset + i;
    lane.bits |= uint64_t(buffer.bytes[at]) << (8 * i);
    lane.poison |= buffer.poison[at];
    History &history = histories[place.buffer][at];
    if (history.write && !knows(order, *history.write)) {
      other = *history.write;
      return AccessFault::Order;
    }
    noteRead(history, event, order);
  }
  if (lane.poison)
    lane.bits = 0;
  return AccessFault::None;
}

AccessFault Memory::write(Place place, unsigned count, Event event,
                          const Order &order, Lane lane, Event &other) {
  if (!inside(place, count))
    return AccessFault::Bounds;
  Buffer &buffer = buffers[place.buffer];
  for (unsigned i = 0; i < count; ++i) {
    uint64_t at = place.offset + i;
    History &history = histories[place.buffer][at];
    if (history.write && !knows(order, *history.write)) {
      other = *history.write;
      return AccessFault::Order;
    }
    for (Event read : history.reads)
      if (!knows(order, read)) {
        other = read;
        return AccessFault::Order;
      }
    numReads -= history.reads.size();
    history.reads.clear();
    history.write = event;
    buffer.bytes[at] = uint8_t(lane.bits >> (8 * i));
    buffer.poison[at] = lane.poison;
  }
  return AccessFault::None;
}
