// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recording as the bytes of a file.

#include "Capture/Format.h"
#include "Capture/Identity.h"
#include "Capture/Recording.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loom::rt {

namespace {

/// Appends to memory of a known size.
struct Sink {
  uint8_t *at;
  template <typename T>
  void put(const T &value) {
    memcpy(at, &value, sizeof(value));
    at += sizeof(value);
  }
  void text(const char *text) {
    size_t length = strlen(text) + 1;
    memcpy(at, text, length);
    at += length;
  }
  void bytes(const uint8_t *from, uint64_t mask) {
    for (unsigned b = 0; b < 64; ++b)
      if (mask >> b & 1)
        *at++ = from[b];
  }
};

} // namespace

/// The type that a slot has for the graph, the widest when it has several; one
/// that is no input has its full width.
static ValueType slotType(const LoadedRegion &region, size_t slot) {
  ValueType widest;
  for (const InputInfo &input : region.inputs)
    if (input.slot == slot &&
        (widest.type == Ty::None || input.type.width > widest.width))
      widest = input.type;
  if (widest.type != Ty::None)
    return widest;
  Ty type = region.slots[slot];
  unsigned width = !isInteger(type) ? 0
                   : type == Ty::I1 ? 1
                                    : 8 * typeBytes(type);
  return {type, static_cast<uint8_t>(width)};
}

Vec<uint8_t> Recording::encode(const LoadedRegion &region, const uint64_t *in,
                               const uint64_t *out) const {
  Vec<uint8_t> file;
  RegionIdentity identity;
  if (!regionIdentity(region, identity))
    return file;
  const char *texts[] = {region.name, region.function, region.file, program};
  uint64_t textBytes = 0;
  for (const char *text : texts)
    textBytes += strlen(text) + 1;
  textBytes = (textBytes + 7) & ~uint64_t(7);
  uint64_t packed = 0;
  for (const RecordedLine &line : lines)
    packed += static_cast<uint64_t>(__builtin_popcountll(line.known) +
                                    __builtin_popcountll(line.written));
  uint64_t payload =
      sizeof(CaptureHead) + textBytes +
      sizeof(CaptureValue) * (region.slots.size + region.outputInfos.size) +
      sizeof(CaptureMemory) * region.memories.size +
      sizeof(CaptureLine) * lines.size + packed;
  if (textBytes > maxCaptureText ||
      sizeof(CaptureHeader) + payload > maxCaptureBytes ||
      !file.assignZero(sizeof(CaptureHeader) + payload))
    return file;

  Sink sink = {file.data + sizeof(CaptureHeader)};
  sink.put(CaptureHead{identity.lo, identity.hi, launch, firings, textBytes,
                       packed, flags, region.line,
                       static_cast<uint32_t>(region.slots.size),
                       static_cast<uint32_t>(region.outputInfos.size),
                       static_cast<uint32_t>(region.memories.size),
                       static_cast<uint32_t>(lines.size)});
  uint8_t *afterText = sink.at + textBytes;
  for (const char *text : texts)
    sink.text(text);
  sink.at = afterText;
  for (size_t i = 0; i < region.slots.size; ++i) {
    ValueType type = slotType(region, i);
    sink.put(CaptureValue{in[i] & typeMask(type), -1,
                          static_cast<uint8_t>(type.type), type.width, 0});
  }
  for (size_t i = 0; i < region.outputInfos.size; ++i) {
    const OutputInfo &info = region.outputInfos[i];
    sink.put(CaptureValue{out[i] & typeMask(info.type), info.exit,
                          static_cast<uint8_t>(info.type.type), info.type.width,
                          0});
  }
  for (const MemoryInfo &memory : region.memories)
    sink.put(CaptureMemory{memory.lo, memory.hi, memory.slot,
                           (memory.reads ? MemoryReads : 0u) |
                               (memory.writes ? MemoryWrites : 0u) |
                               (memory.known ? MemoryKnown : 0u)});
  for (const RecordedLine &line : lines)
    sink.put(CaptureLine{line.address, line.known, line.written});
  for (const RecordedLine &line : lines) {
    sink.bytes(line.before, line.known);
    sink.bytes(line.after, line.written);
  }

  XXH128_hash_t hash = XXH3_128bits_withSeed(file.data + sizeof(CaptureHeader),
                                             payload, captureVersion);
  CaptureHeader header = {{},      captureVersion, sizeof(CaptureHeader),
                          payload, hash.low64,     hash.high64,
                          0};
  memcpy(header.magic, captureMagic, sizeof(header.magic));
  memcpy(file.data, &header, sizeof(header));
  return file;
}

} // namespace loom::rt
