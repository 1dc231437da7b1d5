// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per-thread state of a verified launch, and what is kept between its halves.

#include "Support/OwnMemory.h"
#include "Verify/Verify.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>

namespace loom::rt {

static thread_local Pending *ownPending;
static pthread_key_t pendingKey;
static pthread_once_t pendingOnce = PTHREAD_ONCE_INIT;
static bool pendingKeyMade;

static void dropPending(void *data) {
  auto *pending = static_cast<Pending *>(data);
  clearPending(*pending);
  pending->in.release();
  pending->out.release();
  pending->now.release();
  pending->before.release();
  pending->whole.release();
  pending->snapshots.release();
  free(pending);
  ownPending = nullptr;
}

static void makeKey() {
  pendingKeyMade = pthread_key_create(&pendingKey, dropPending) == 0;
}

Pending *existingPending() { return ownPending; }

Pending *pendingOfThread() {
  if (ownPending)
    return ownPending;
  ownPending = static_cast<Pending *>(calloc(1, sizeof(Pending)));
  pthread_once(&pendingOnce, makeKey);
  if (ownPending && pendingKeyMade)
    pthread_setspecific(pendingKey, ownPending);
  return ownPending;
}

void clearPending(Pending &pending) {
  if (pending.bench)
    giveBench(*pending.state, pending.bench);
  for (Snapshot &snapshot : pending.snapshots)
    munmap(snapshot.bytes, snapshot.size);
  pending.snapshots.clear();
  pending.region = nullptr;
  pending.state = nullptr;
  pending.bench = nullptr;
  pending.captureNumber = 0;
  pending.recording.release();
}

/// Copies without a sanitizer looking: a line may hold other objects.
__attribute__((no_sanitize("address"), noinline)) static void
copyLine(uint8_t *to, uint64_t address) {
  const volatile uint8_t *from =
      static_cast<const volatile uint8_t *>(UndoLog::pointer(address));
  for (unsigned i = 0; i < 64; ++i)
    to[i] = from[i];
}

/// Bounds of the stack of this thread. Near it the host code keeps values of
/// its own, so that only written bytes can be compared.
static void stackBounds(uint64_t &low, uint64_t &high) {
  static thread_local uint64_t ownLow, ownHigh;
  auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  if (!ownHigh) {
    pthread_attr_t attributes;
    void *base = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &base, &size) == 0) {
        ownLow = reinterpret_cast<uint64_t>(base);
        ownHigh = ownLow + size;
      }
      pthread_attr_destroy(&attributes);
    }
  }
  low = ownLow;
  high = ownHigh;
  if (here < low || here >= high) { // a stack that nobody told us about
    low = here - (64 << 10);
    high = here + (1 << 20);
  }
}

void snapshotFootprints(Pending &pending, const RegionState &state,
                        const uint64_t *in) {
  constexpr uint64_t most = uint64_t(16) << 20;
  if (!__libc_single_threaded)
    return;
  uint64_t low = 0;
  uint64_t high = 0;
  stackBounds(low, high);
  uint64_t total = 0;
  const LoadedRegion &region = state.region;
  // No growth between two snapshots: the array is on the heap.
  if (!pending.snapshots.reserve(region.memories.size))
    return;
  for (size_t m = 0; m < region.memories.size; ++m) {
    const MemoryInfo &memory = region.memories[m];
    uint64_t size = static_cast<uint64_t>(memory.hi - memory.lo);
    uint64_t base = in[memory.slot];
    uint64_t begin = base + static_cast<uint64_t>(memory.lo);
    // A null base belongs to a nest that turns out not to run.
    if (!memory.known || !memory.writes || size == 0 || base < 4096 ||
        (begin + size > low && begin < high))
      continue;
    total += size;
    if (total > most)
      return;
    void *bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
      return;
    auto address = reinterpret_cast<uint64_t>(bytes);
    bool itself = address < begin + size && begin < address + size;
    Snapshot snapshot = {static_cast<uint32_t>(m), begin, size,
                         static_cast<uint8_t *>(bytes)};
    if (itself || !readOwn(bytes, begin, size) ||
        !pending.snapshots.push(snapshot))
      munmap(bytes, size);
  }
}

bool keepAndRollBack(Pending &pending) {
  UndoLog &undo = pending.bench->undo;
  size_t count = undo.lines.size;
  if (!pending.now.assignZero(count * 64) ||
      !pending.before.assignZero(count * 64) ||
      !pending.whole.assignZero(count))
    return false;
  for (size_t i = 0; i < count; ++i) {
    const UndoLine &line = undo.lines[i];
    uint8_t *now = pending.now.data + i * 64;
    for (unsigned b = 0; b < 64; ++b)
      if (line.mask >> b & 1)
        memcpy(now + b, UndoLog::pointer(line.address + b), 1);
  }
  undo.rollBack();
  return true;
}

/// Whether a line has bytes of an array.
template <typename T>
static bool touches(const UndoLine &line, const Vec<T> &array) {
  auto begin = reinterpret_cast<uint64_t>(array.data);
  return line.address < begin + array.capacity * sizeof(T) &&
         begin < line.address + 64;
}

void keepLines(Pending &pending) {
  const UndoLog &undo = pending.bench->undo;
  uint64_t low = 0;
  uint64_t high = 0;
  stackBounds(low, high);
  bool alone = __libc_single_threaded;
  for (size_t i = 0; i < undo.lines.size; ++i) {
    const UndoLine &line = undo.lines[i];
    bool onStack = line.address + 64 > low && line.address < high;
    // What is written here may lie next to the program's memory.
    bool own = touches(line, pending.before) || touches(line, pending.whole);
    if (!alone || onStack || own || line.mask == ~uint64_t(0))
      continue;
    copyLine(pending.before.data + i * 64, line.address);
    pending.whole[i] = 1;
  }
  // What was written just now may lie in a footprint.
  for (Snapshot &snapshot : pending.snapshots)
    readOwn(snapshot.bytes, snapshot.begin, snapshot.size);
}

} // namespace loom::rt
