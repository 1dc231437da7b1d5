// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures: a directory per launch with slots.txt, mem<k>.in.bin,
// mem<k>.out.bin and out.txt (docs/environment.md).

#include "Capture/Capture.h"
#include "Support/Text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loom::rt {

static constexpr uint64_t mostBytes = uint64_t(64) << 20;

/// Only regions whose memories all have known footprints can be captured.
static bool capturable(const LoadedRegion &region, const uint64_t *in) {
  uint64_t total = 0;
  for (const MemoryInfo &memory : region.memories) {
    if (!memory.reads && !memory.writes)
      continue;
    if (!memory.known)
      return false;
    total += static_cast<uint64_t>(memory.hi - memory.lo);
    if (total > mostBytes || (memory.hi != memory.lo && in[memory.slot] < 4096))
      return false;
  }
  // An access through a pointer has no root.
  for (const ActorInfo &actor : region.actors)
    if ((actor.kind == Kind::Load || actor.kind == Kind::Store) &&
        actor.mem == noMemory)
      return false;
  return true;
}

static void directoryOf(Text &path, const RegionState &state, uint64_t number) {
  path.str(options().capture).str("/");
  path.fileName(state.name()).str(".").num(number);
}

static bool writeFile(const RegionState &state, uint64_t number,
                      const char *name, const void *data, uint64_t size) {
  Text path;
  directoryOf(path, state, number);
  path.str("/").str(name);
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = fd >= 0 && writeAll(fd, data, size);
  if (fd >= 0)
    close(fd);
  path.release();
  return good;
}

/// "0 i64 0x0000000000000003 3"
static void appendValue(Text &text, uint64_t index, ValueType type,
                        uint64_t bits) {
  text.num(index).str(" ").str(typeName(type.type));
  text.str(" 0x").hex(bits, 16).str(" ");
  if (isInteger(type.type) && type.width < 64 && type.width > 1 &&
      (bits >> (type.width - 1) & 1))
    text.snum(static_cast<int64_t>(bits | ~typeMask(type)));
  else if (isInteger(type.type))
    text.snum(static_cast<int64_t>(bits));
  else
    text.num(bits);
  text.str("\n");
}

static bool writeMemories(RegionState &state, const uint64_t *in,
                          uint64_t number, const char *when) {
  const LoadedRegion &region = state.region;
  bool good = true;
  for (size_t m = 0; m < region.memories.size; ++m) {
    const MemoryInfo &memory = region.memories[m];
    if (!memory.reads && !memory.writes)
      continue;
    Text name;
    name.str("mem").num(m).str(".").str(when).str(".bin");
    uint64_t begin = in[memory.slot] + static_cast<uint64_t>(memory.lo);
    good = writeFile(state, number, name.c_str(), UndoLog::pointer(begin),
                     static_cast<uint64_t>(memory.hi - memory.lo)) &&
           good;
    name.release();
  }
  return good;
}

/// One message for the first failure.
static void complain(bool good) {
  static uint32_t said;
  if (good || __atomic_exchange_n(&said, 1u, __ATOMIC_RELAXED) != 0)
    return;
  Text line;
  line.str("can't write captures to ").str(options().capture);
  sayLine(line);
}

bool captureBefore(RegionState &state, const uint64_t *in, uint64_t &number) {
  const Options &set = options();
  if (!set.capture ||
      __atomic_load_n(&state.captured, __ATOMIC_RELAXED) >=
          set.captureLaunches ||
      !capturable(state.region, in))
    return false;
  number = __atomic_fetch_add(&state.captured, 1u, __ATOMIC_RELAXED);
  if (number >= set.captureLaunches)
    return false;
  int saved = errno;
  Text path;
  directoryOf(path, state, number);
  mkdir(set.capture, 0777);
  bool good = mkdir(path.c_str(), 0777) == 0 || errno == EEXIST;
  path.release();
  const LoadedRegion &region = state.region;
  Text slots;
  for (size_t i = 0; i < region.slots.size; ++i) {
    ValueType type = {region.slots[i], 0};
    for (const InputInfo &input : region.inputs)
      if (input.slot == i)
        type = input.type;
    appendValue(slots, i, type, in[i]);
  }
  good = good &&
         writeFile(state, number, "slots.txt", slots.bytes.data,
                   slots.bytes.size) &&
         writeMemories(state, in, number, "in");
  slots.release();
  complain(good);
  errno = saved;
  return good;
}

void captureAfter(RegionState &state, const uint64_t *in, const uint64_t *out,
                  uint64_t number) {
  int saved = errno;
  const LoadedRegion &region = state.region;
  Text text;
  for (size_t i = 0; i < region.outputInfos.size; ++i)
    appendValue(text, i, region.outputInfos[i].type,
                out[i] & typeMask(region.outputInfos[i].type));
  bool good =
      writeMemories(state, in, number, "out") &&
      writeFile(state, number, "out.txt", text.bytes.data, text.bytes.size);
  text.release();
  complain(good);
  errno = saved;
}

} // namespace loom::rt
