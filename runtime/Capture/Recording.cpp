// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Touched lines: from the logs of a simulated launch, or from footprints.

#include "Capture/Recording.h"
#include "Support/OwnMemory.h"

namespace loom::rt {

static int byAddress(const void *a, const void *b) {
  uint64_t x = static_cast<const RecordedLine *>(a)->address;
  uint64_t y = static_cast<const RecordedLine *>(b)->address;
  return x < y ? -1 : x > y;
}

/// Sorts lines and makes one of those with equal addresses. For a byte that two
/// of them know the one that was written counts: it was logged first.
static void sortAndJoin(Vec<RecordedLine> &lines) {
  if (lines.size)
    qsort(lines.data, lines.size, sizeof(RecordedLine), byAddress);
  size_t kept = 0;
  for (size_t i = 0; i < lines.size; ++i) {
    const RecordedLine &line = lines[i];
    if (kept == 0 || lines[kept - 1].address != line.address) {
      lines[kept++] = line;
      continue;
    }
    RecordedLine &into = lines[kept - 1];
    for (unsigned b = 0; b < 64; ++b) {
      uint64_t bit = uint64_t(1) << b;
      if (!(line.known & bit) || ((into.known & bit) && !(line.written & bit)))
        continue;
      into.before[b] = line.before[b];
      into.after[b] = line.after[b];
    }
    into.known |= line.known;
    into.written |= line.written;
  }
  lines.size = kept;
}

bool Recording::addTouched(const UndoLog &undo, const ReadLog &reads) {
  if (reads.full || undo.lines.size + reads.lines.size > 2 * maxRecordedLines ||
      !lines.reserve(undo.lines.size + reads.lines.size))
    return false;
  for (const UndoLine &from : undo.lines) {
    RecordedLine line = {from.address, from.mask, from.mask, {}, {}};
    memcpy(line.before, from.old, sizeof(line.before));
    for (unsigned b = 0; b < 64; ++b)
      if (from.mask >> b & 1)
        memcpy(line.after + b, UndoLog::pointer(from.address + b), 1);
    lines.push(line);
  }
  for (const UndoLine &from : reads.lines) {
    RecordedLine line = {from.address, from.mask, 0, {}, {}};
    memcpy(line.before, from.old, sizeof(line.before));
    lines.push(line);
  }
  sortAndJoin(lines);
  return lines.size <= maxRecordedLines;
}

static uint64_t maskOf(uint64_t address, uint64_t begin, uint64_t end) {
  uint64_t from = address < begin ? begin - address : 0;
  uint64_t to = end - address < 64 ? end - address : 64;
  uint64_t upTo = to == 64 ? ~uint64_t(0) : (uint64_t(1) << to) - 1;
  return upTo & ~((uint64_t(1) << from) - 1);
}

bool Recording::addRange(uint64_t begin, uint64_t size) {
  uint64_t end = begin + size;
  for (uint64_t at = begin & ~uint64_t(63); at < end; at += 64) {
    RecordedLine line = {at, maskOf(at, begin, end), 0, {}, {}};
    uint64_t from = at < begin ? begin : at;
    uint64_t to = end - at < 64 ? end : at + 64;
    if (lines.size >= maxRecordedLines ||
        !readOwn(line.before + (from - at), from, to - from) ||
        !lines.push(line))
      return false;
  }
  return true;
}

void Recording::joinRanges() { sortAndJoin(lines); }

bool Recording::finishRange(uint64_t begin, uint64_t size) {
  uint64_t end = begin + size;
  size_t low = 0;
  size_t high = lines.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (lines[middle].address + 64 <= begin)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < lines.size && lines[low].address < end; ++low) {
    RecordedLine &line = lines[low];
    uint64_t at = line.address;
    uint64_t from = at < begin ? begin : at;
    uint64_t to = end - at < 64 ? end : at + 64;
    if (!readOwn(line.after + (from - at), from, to - from))
      return false;
    line.written |= maskOf(at, begin, end);
  }
  return true;
}

} // namespace loom::rt
