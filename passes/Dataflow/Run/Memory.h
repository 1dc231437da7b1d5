// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memories of an execution: byte buffers with a poison bit for each byte,
// and who wrote and read a byte last.

#ifndef LOOM_DATAFLOW_RUN_MEMORY_H
#define LOOM_DATAFLOW_RUN_MEMORY_H

#include "Order.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace loom::run {

/// A place in a buffer; what a memory input is bound to.
struct Place {
  unsigned buffer = 0;
  uint64_t offset = 0;
};

/// What an access found wrong.
enum class AccessFault { None, Bounds, Order };

class Memory {
public:
  struct Buffer {
    std::vector<uint8_t> bytes;
    std::vector<bool> poison;
  };

  unsigned make(std::vector<uint8_t> bytes);
  /// As loads of a program see it: poison until it is written.
  unsigned makeUndefined(uint64_t size);
  const Buffer &operator[](unsigned buffer) const { return buffers[buffer]; }
  uint64_t size() const { return total; }
  size_t count() const { return buffers.size(); }
  /// How many reads are remembered.
  uint64_t remembered() const { return numReads; }

  /// Addresses are made up, so that runs are the same: buffer k is at
  /// (k + 1) << 40, and nothing is elsewhere.
  static uint64_t address(Place place) {
    return (uint64_t(place.buffer + 1) << 40) + place.offset;
  }
  /// A place that may be outside of everything.
  static Place placeOf(uint64_t address);

  /// Reads or writes `count` bytes at a place, as `event`, knowing `order`.
  /// On a conflict `other` is the event that isn't ordered.
  AccessFault read(Place place, unsigned count, Event event, const Order &order,
                   Lane &lane, Event &other);
  AccessFault write(Place place, unsigned count, Event event,
                    const Order &order, Lane lane, Event &other);

private:
  /// The last write of a byte, and the reads since that none of them knows.
  struct History {
    std::optional<Event> write;
    llvm::SmallVector<Event, 2> reads;
    size_t nextPruning = 16; // of the reads that others know
  };

  void noteRead(History &history, Event event, const Order &order);
  bool inside(Place place, unsigned count) const;

  std::vector<Buffer> buffers;
  std::vector<llvm::DenseMap<uint64_t, History>> histories;
  uint64_t total = 0, numReads = 0;
};

} // namespace loom::run

#endif
