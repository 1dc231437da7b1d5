// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes and checks the target of an image, and finds the row of an actor.

#include "Image/Target.h"
#include "Image/Flat.h"
#include "Image/Signature.h"
#include "loom/Image/loom_image_seal.h"

namespace loom::rt {

static_assert(sizeof(image::TimingRow) == 8, "TimingRow layout");

/// False when the text doesn't fit; a text with a zero byte becomes a shorter
/// one, which the checks then refuse or not like any other.
template <size_t size>
static bool copyText(const flatbuffers::String *from, char (&to)[size]) {
  size_t length = from ? from->size() : 0;
  if (length >= size || (length && memchr(from->c_str(), 0, length)))
    return false;
  memset(to, 0, size);
  if (length)
    memcpy(to, from->c_str(), length);
  return true;
}

ImageVerdict loadTarget(const void *image, TargetInfo &target) {
  const auto *from =
      flatbuffers::GetRoot<image::Image>(static_cast<const uint8_t *>(image) +
                                         LOOM_IMAGE_HEADER_SIZE)
          ->target();
  target = TargetInfo();
  const TargetInfo &fallback = defaultTarget();
  uint32_t count = from ? (from->rows() ? from->rows()->size() : 0)
                        : uint32_t(fallback.rows.size);
  if (count > maxTargetRows)
    return {ImageError::TargetRows};
  Vec<TimingRow> rows;
  if (!rows.assignZero(count))
    return {ImageError::NoMemory};
  if (!from) {
    memcpy(rows.data, fallback.rows.data, count * sizeof(TimingRow));
    target = fallback;
    target.rows = rows;
    return {};
  }
  target.rows = rows;
  ImageVerdict verdict;
  if (!copyText(from->name(), target.name) ||
      !copyText(from->identity(), target.identity))
    verdict = {ImageError::TargetName};
  for (uint32_t i = 0; i < count && verdict.ok(); ++i) {
    const image::TimingRow *row = from->rows()->Get(i);
    if (row->reserved() != 0)
      verdict = {ImageError::Reserved, i};
    target.rows[i] = {
        row->latency(), row->interval(), static_cast<Kind>(row->kind()),
        static_cast<uint8_t>(row->op()), static_cast<Ty>(row->type())};
  }
  target.queueCapacity = from->queue_capacity();
  target.ports = from->ports();
  target.memoryBytes = from->memory_bytes();
  target.launchCycles = from->launch_cycles();
  target.transferCycles = from->transfer_cycles();
  target.localCapacity = from->local_capacity();
  target.localPorts = from->local_ports();
  target.localBytes = from->local_bytes();
  target.clockKHz = from->clock_khz();
  target.cores = from->cores();
  if (verdict.ok())
    verdict = checkTarget(target);
  if (!verdict.ok())
    target.release();
  return verdict;
}

static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

static bool isHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// Rows in ascending order have ascending keys.
static uint32_t keyOf(Kind kind, uint8_t op, Ty type) {
  return uint32_t(kind) << 16 | uint32_t(op) << 8 | uint32_t(type);
}
static uint32_t keyOf(const TimingRow &row) {
  return keyOf(row.kind, row.op, row.type);
}

static bool checkRow(const TimingRow &row) {
  if (row.interval == 0 || row.kind > Kind::Compute || row.type > Ty::Ptr)
    return false;
  if (row.op == 0)
    return true;
  return row.kind == Kind::Compute  ? signatureOf(row.op).form != Form::None
         : row.kind == Kind::Stream ? isStepKind(row.op)
                                    : false;
}

ImageVerdict checkTarget(const TargetInfo &target) {
  size_t length = strlen(target.name);
  for (const char *c = target.name; *c; ++c)
    if (!isNameCharacter(*c))
      return {ImageError::TargetName};
  if (length == 0 || strlen(target.identity) != 64)
    return {ImageError::TargetName};
  for (const char *c = target.identity; *c; ++c)
    if (!isHexDigit(*c))
      return {ImageError::TargetName};
  if (target.rows.size > maxTargetRows)
    return {ImageError::TargetRows};
  for (size_t i = 0; i < target.rows.size; ++i)
    if (!checkRow(target.rows[i]) ||
        (i && keyOf(target.rows[i - 1]) >= keyOf(target.rows[i])))
      return {ImageError::TargetRows, int64_t(i)};
  if (target.queueCapacity == 0 || target.queueCapacity > maxQueueCapacity ||
      target.ports > maxPorts || target.memoryBytes > maxMemoryBytes ||
      target.localCapacity > maxLocalCapacity ||
      target.localPorts > maxLocalPorts || target.localBytes > maxLocalBytes ||
      target.clockKHz == 0 || target.clockKHz > maxClockKHz ||
      target.cores == 0 || target.cores > maxCores)
    return {ImageError::TargetSystem};
  return {};
}

static const TimingRow *findRow(const Vec<TimingRow> &rows, uint32_t key) {
  size_t low = 0, high = rows.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (keyOf(rows[middle]) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rows.size && keyOf(rows[low]) == key ? &rows[low] : nullptr;
}

const TimingRow *timingRowOf(const TargetInfo &target, const ActorInfo &actor) {
  Form form =
      actor.kind == Kind::Compute ? signatureOf(actor.op).form : Form::None;
  bool compares = form == Form::CompareInt || form == Form::CompareFloat;
  Ty type = compares ? actor.from : actor.type;
  const TimingRow *row =
      findRow(target.rows, keyOf(actor.kind, actor.op, type));
  if (!row)
    row = findRow(target.rows, keyOf(actor.kind, actor.op, Ty::None));
  if (!row)
    row = findRow(target.rows, keyOf(actor.kind, 0, type));
  if (!row)
    row = findRow(target.rows, keyOf(actor.kind, 0, Ty::None));
  return row;
}

} // namespace loom::rt
