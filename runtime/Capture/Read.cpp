// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks, from the outside in: seal, counts, then part by part.

#include "Capture/Read.h"
#include "Image/Reader.h"
#include "Support/Text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loom::rt {

const char *captureErrorName(CaptureError error) {
  static const char *const names[] = {
#define X(name, text) text,
      LOOM_CAPTURE_ERRORS(X)
#undef X
  };
  unsigned index = static_cast<unsigned>(error);
  return index < sizeof(names) / sizeof(names[0]) ? names[index] : "?";
}

void Capture::release() {
  free(name);
  free(function);
  free(file);
  free(program);
  slots.release();
  outputs.release();
  memories.release();
  lines.release();
  *this = Capture();
}

namespace {

struct CaptureReader {
  const uint8_t *at;
  uint64_t left;
  Capture &capture;

  template <typename T>
  bool take(T &value) {
    if (left < sizeof(T))
      return false;
    memcpy(&value, at, sizeof(T));
    at += sizeof(T);
    left -= sizeof(T);
    return true;
  }

  CaptureError seal();
  CaptureError head();
  CaptureError texts();
  CaptureError values(uint32_t count, Vec<CapturedValue> &to,
                      CaptureError error);
  CaptureError memories();
  CaptureError lines();
  CaptureError all();
};

} // namespace

CaptureError CaptureReader::seal() {
  if (left > maxCaptureBytes)
    return CaptureError::Size;
  CaptureHeader header;
  if (!take(header))
    return CaptureError::Truncated;
  if (memcmp(header.magic, captureMagic, sizeof(header.magic)) != 0)
    return CaptureError::Magic;
  if (header.version != captureVersion)
    return CaptureError::Version;
  if (header.headerSize != sizeof(CaptureHeader))
    return CaptureError::HeaderSize;
  if (header.reserved != 0)
    return CaptureError::Reserved;
  if (header.payloadSize > left)
    return CaptureError::Truncated;
  if (header.payloadSize != left)
    return CaptureError::Size;
  XXH128_hash_t hash = XXH3_128bits_withSeed(at, left, header.version);
  return hash.low64 == header.hashLo && hash.high64 == header.hashHi
             ? CaptureError::None
             : CaptureError::Hash;
}

/// Every part is as long as the counts say, and there is nothing else.
CaptureError CaptureReader::head() {
  CaptureHead &head = capture.head;
  if (!take(head))
    return CaptureError::Truncated;
  if (head.slots > maxSlots || head.outputs > maxSlots || head.outputs == 0 ||
      head.memories > maxSlots || head.lines > maxRecordedLines ||
      head.textBytes > maxCaptureText || head.textBytes % 8 != 0 ||
      head.packedBytes > maxCaptureBytes || head.launch == 0)
    return CaptureError::Counts;
  uint64_t wanted =
      head.textBytes +
      sizeof(CaptureValue) * (uint64_t(head.slots) + head.outputs) +
      sizeof(CaptureMemory) * uint64_t(head.memories) +
      sizeof(CaptureLine) * uint64_t(head.lines) + head.packedBytes;
  if (wanted != left)
    return CaptureError::Counts;
  uint32_t source = head.flags & (CaptureTouched | CaptureFootprint);
  bool known = (head.flags & ~uint32_t(CaptureTouched | CaptureFootprint |
                                       CaptureApart | CaptureHostResult)) == 0;
  return known && (source == CaptureTouched || source == CaptureFootprint)
             ? CaptureError::None
             : CaptureError::Flags;
}

CaptureError CaptureReader::texts() {
  const char *text = reinterpret_cast<const char *>(at);
  uint64_t size = capture.head.textBytes;
  char **to[] = {&capture.name, &capture.function, &capture.file,
                 &capture.program};
  uint64_t begin = 0;
  for (char **copy : to) {
    uint64_t length = size > begin ? strnlen(text + begin, size - begin) : 0;
    if (begin + length >= size)
      return CaptureError::Text;
    *copy = copyString(text + begin, length);
    if (!*copy)
      return CaptureError::NoMemory;
    begin += length + 1;
  }
  if (capture.name[0] == 0 || size - begin >= 8)
    return CaptureError::Text;
  for (; begin < size; ++begin)
    if (text[begin] != 0)
      return CaptureError::Text;
  at += size;
  left -= size;
  return CaptureError::None;
}

CaptureError CaptureReader::values(uint32_t count, Vec<CapturedValue> &to,
                                   CaptureError error) {
  for (uint32_t i = 0; i < count; ++i) {
    CaptureValue value;
    if (!take(value))
      return CaptureError::Truncated;
    ValueType type = {static_cast<Ty>(value.type), value.width};
    if (value.type == 0 || value.type > uint8_t(Ty::Ptr) || !validType(type) ||
        value.reserved != 0 || (value.bits & ~typeMask(type)) != 0 ||
        (&to == &capture.slots && value.exit != -1))
      return error;
    if (!to.push({type, value.exit, value.bits}))
      return CaptureError::NoMemory;
  }
  return CaptureError::None;
}

CaptureError CaptureReader::memories() {
  for (uint32_t i = 0; i < capture.head.memories; ++i) {
    CaptureMemory memory;
    if (!take(memory))
      return CaptureError::Truncated;
    if (memory.slot >= capture.head.slots ||
        capture.slots[memory.slot].type.type != Ty::Ptr ||
        (memory.flags & ~uint32_t(MemoryReads | MemoryWrites | MemoryKnown)) ||
        ((memory.flags & MemoryKnown) && memory.lo > memory.hi))
      return CaptureError::Memory;
    if (!capture.memories.push(memory))
      return CaptureError::NoMemory;
  }
  return CaptureError::None;
}

CaptureError CaptureReader::lines() {
  uint32_t count = capture.head.lines;
  if (!capture.lines.assignZero(count))
    return CaptureError::NoMemory;
  uint64_t packed = 0;
  uint64_t least = firstLineAddress;
  for (RecordedLine &to : capture.lines) {
    CaptureLine line;
    if (!take(line))
      return CaptureError::Truncated;
    if (line.address < least || line.address > lastLineAddress ||
        line.address % 64 != 0)
      return CaptureError::LineAddress;
    if (line.known == 0 || (line.written & ~line.known) != 0)
      return CaptureError::LineMask;
    least = line.address + 64;
    to.address = line.address;
    to.known = line.known;
    to.written = line.written;
    packed += static_cast<uint64_t>(__builtin_popcountll(line.known) +
                                    __builtin_popcountll(line.written));
  }
  if (packed != left || packed != capture.head.packedBytes)
    return CaptureError::LineBytes;
  for (RecordedLine &line : capture.lines) {
    for (unsigned b = 0; b < 64; ++b)
      if (line.known >> b & 1)
        line.before[b] = *at++;
    for (unsigned b = 0; b < 64; ++b)
      if (line.written >> b & 1)
        line.after[b] = *at++;
  }
  return CaptureError::None;
}

CaptureError CaptureReader::all() {
  CaptureError error = seal();
  if (error == CaptureError::None)
    error = head();
  if (error == CaptureError::None)
    error = texts();
  if (error == CaptureError::None)
    error = values(capture.head.slots, capture.slots, CaptureError::SlotValue);
  if (error == CaptureError::None)
    error = values(capture.head.outputs, capture.outputs,
                   CaptureError::OutputValue);
  if (error == CaptureError::None)
    error = memories();
  if (error == CaptureError::None)
    error = lines();
  return error;
}

CaptureError readCapture(const uint8_t *data, uint64_t size, Capture &capture) {
  CaptureReader reader = {data, size, capture};
  CaptureError error = reader.all();
  if (error != CaptureError::None)
    capture.release();
  return error;
}

} // namespace loom::rt
