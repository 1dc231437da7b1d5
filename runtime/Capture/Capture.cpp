// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are captured, from where, and the files.

#include "Capture/Capture.h"
#include "Capture/Format.h"
#include "Support/Text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loom::rt {

/// All captures of one process.
static constexpr uint64_t maxProcessBytes = uint64_t(1) << 30;
static uint64_t processBytes;

uint64_t captureNumber(RegionState &state) {
  if (!options().capture || !state.usable())
    return 0;
  uint64_t number =
      __atomic_add_fetch(&state.captureLaunches, 1u, __ATOMIC_RELAXED);
  bool wanted = number <= options().captureLaunches ||
                (options().captureLaunches && (number & (number - 1)) == 0);
  return wanted && counted(processBytes) < maxProcessBytes ? number : 0;
}

/// One line for the first launch of a region that can't be captured.
static void complain(RegionState &state, const char *reason) {
  if (__atomic_exchange_n(&state.captureSaid, 1u, __ATOMIC_RELAXED) != 0)
    return;
  Text line;
  line.str("no capture of region ").str(state.name()).str(": ").str(reason);
  sayLine(line);
}

/// The file that `address` was mapped from: the program or library that the
/// region is in. Empty when the system doesn't say.
static void fileOfAddress(Text &path, const void *address) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return;
  auto wanted = reinterpret_cast<uintptr_t>(address);
  char line[4096 + 128];
  while (fgets(line, sizeof(line), maps)) {
    char *rest = nullptr;
    uint64_t begin = strtoull(line, &rest, 16);
    uint64_t end = *rest == '-' ? strtoull(rest + 1, &rest, 16) : 0;
    if (wanted < begin || wanted >= end)
      continue;
    if (const char *name = strchr(rest, '/'))
      path.str(name, strcspn(name, "\n"));
    break;
  }
  fclose(maps);
}

/// Under a name of its own first, so that nobody meets half a file.
static bool writeFile(const RegionState &state, uint64_t number,
                      const Vec<uint8_t> &bytes) {
  const char *directory = options().capture;
  mkdir(directory, 0777);
  Text path, temporary;
  path.str(directory).str("/").fileName(state.name()).str(".").num(number);
  path.str(".loomcap");
  temporary.str(path.c_str()).str(".").num(uint64_t(getpid()));
  int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = fd >= 0 && writeAll(fd, bytes.data, bytes.size);
  if (fd >= 0)
    good = close(fd) == 0 && good;
  good = good && rename(temporary.c_str(), path.c_str()) == 0;
  if (!good && fd >= 0)
    unlink(temporary.c_str());
  path.release();
  temporary.release();
  return good;
}

static void keep(loom_rt_region *region, RegionState &state, const uint64_t *in,
                 const uint64_t *out, Recording &recording) {
  Text program;
  fileOfAddress(program, region->image);
  recording.program = program.c_str();
  Vec<uint8_t> bytes = recording.encode(state.region, in, out);
  if (bytes.size == 0)
    complain(state, "a launch needs more than 64 MiB");
  else if (!writeFile(state, recording.launch, bytes))
    complain(state, "the file can't be written");
  else
    count(processBytes, bytes.size);
  bytes.release();
  program.release();
}

void captureTouched(loom_rt_region *region, RegionState &state,
                    const Bench &bench, uint64_t number, uint64_t firings,
                    const uint64_t *in, const uint64_t *out, uint32_t flags) {
  int saved = errno;
  Recording recording;
  recording.launch = number;
  recording.firings = firings;
  recording.flags = CaptureTouched | flags;
  if (recording.addTouched(bench.undo, bench.reads))
    keep(region, state, in, out, recording);
  else
    complain(state, "a launch needs more than 64 MiB");
  recording.release();
  errno = saved;
}

/// Why the footprints don't say all that a launch may touch; null when they do.
static const char *notByFootprint(const LoadedRegion &region,
                                  const uint64_t *in) {
  uint64_t total = 0;
  for (const MemoryInfo &memory : region.memories) {
    if (!memory.reads && !memory.writes)
      continue;
    if (!memory.known)
      return "a memory has no known footprint; LOOM_DEVICE=sim needs none";
    total += static_cast<uint64_t>(memory.hi - memory.lo);
    if (total > maxCaptureBytes)
      return "the footprints have more than 64 MiB";
    if (memory.hi != memory.lo && in[memory.slot] < firstLineAddress)
      return "a memory is null";
  }
  for (const ActorInfo &actor : region.actors)
    if ((actor.kind == Kind::Load || actor.kind == Kind::Store) &&
        actor.mem == noMemory)
      return "it uses pointers that are no roots; LOOM_DEVICE=sim needs none";
  return nullptr;
}

bool captureFootprints(RegionState &state, const uint64_t *in, uint64_t number,
                       Recording &recording) {
  int saved = errno;
  const LoadedRegion &region = state.region;
  const char *reason = notByFootprint(region, in);
  recording.lines.clear();
  recording.launch = number;
  recording.firings = 0;
  recording.flags = CaptureFootprint | CaptureHostResult;
  for (size_t m = 0; m < region.memories.size && !reason; ++m) {
    const MemoryInfo &memory = region.memories[m];
    if ((memory.reads || memory.writes) &&
        !recording.addRange(in[memory.slot] + static_cast<uint64_t>(memory.lo),
                            static_cast<uint64_t>(memory.hi - memory.lo)))
      reason = "a footprint is more than what is mapped";
  }
  if (reason) {
    complain(state, reason);
    recording.release();
  } else {
    recording.joinRanges();
  }
  errno = saved;
  return !reason;
}

void finishFootprints(loom_rt_region *region, RegionState &state,
                      const uint64_t *in, const uint64_t *out,
                      Recording &recording) {
  int saved = errno;
  bool good = true;
  for (const MemoryInfo &memory : state.region.memories)
    if (memory.writes)
      good = recording.finishRange(
                 in[memory.slot] + static_cast<uint64_t>(memory.lo),
                 static_cast<uint64_t>(memory.hi - memory.lo)) &&
             good;
  if (good)
    keep(region, state, in, out, recording);
  else
    complain(state, "the launch unmapped a footprint");
  recording.release();
  errno = saved;
}

} // namespace loom::rt
