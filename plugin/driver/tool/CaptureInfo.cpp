// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom capture: what is in a captured launch, as text and as files.

#include "CaptureFile.h"
#include "Commands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

/// "0 i64 0x0000000000000003 3"
static void printValue(raw_ostream &out, size_t index,
                       const rt::CapturedValue &value) {
  out << index << " " << rt::typeName(value.type.type) << " "
      << format_hex(value.bits, 18) << " ";
  unsigned width = value.type.width;
  if (rt::isInteger(value.type.type) && width > 1 &&
      (value.bits >> (width - 1) & 1))
    out << static_cast<int64_t>(value.bits | ~rt::typeMask(value.type));
  else
    out << value.bits;
  out << "\n";
}

static std::string valueLines(const rt::Vec<rt::CapturedValue> &values) {
  std::string text;
  raw_string_ostream out(text);
  for (size_t i = 0; i < values.size; ++i)
    printValue(out, i, values[i]);
  return text;
}

static void describe(const rt::Capture &capture) {
  uint64_t known = 0, written = 0;
  for (const rt::RecordedLine &line : capture.lines) {
    known += static_cast<uint64_t>(popcount(line.known));
    written += static_cast<uint64_t>(popcount(line.written));
  }
  uint32_t flags = capture.head.flags;
  outs() << nameOf(capture) << " (" << printable(capture.function) << ", "
         << printable(capture.file) << ":" << capture.head.line << ")\n"
         << "program " << printable(capture.program) << "\n"
         << (flags & rt::CaptureTouched ? "the bytes that were touched: "
                                        : "the bytes of the footprints: ")
         << known << " before, " << written << " after, in "
         << capture.lines.size << " lines\n"
         << "results of " << (flags & rt::CaptureHostResult ? "host" : "sim");
  if (capture.head.firings)
    outs() << ", " << capture.head.firings << " firings";
  if (flags & rt::CaptureApart)
    outs() << ", graph for disjoint roots";
  outs() << "\nslots\n"
         << valueLines(capture.slots) << "outputs\n"
         << valueLines(capture.outputs);
}

/// The bytes of a footprint, zero where the launch didn't go.
static std::string bytesOf(const rt::Capture &capture, uint64_t begin,
                           uint64_t size, bool after) {
  std::string bytes(size, '\0');
  for (const rt::RecordedLine &line : capture.lines)
    for (unsigned b = 0; b < 64; ++b) {
      uint64_t offset = line.address + b - begin;
      if (!(line.known >> b & 1) || offset >= size)
        continue;
      bool changed = after && (line.written >> b & 1);
      bytes[offset] =
          static_cast<char>(changed ? line.after[b] : line.before[b]);
    }
  return bytes;
}

/// slots.txt, out.txt, mem<k>.in.bin and mem<k>.out.bin of every memory whose
/// footprint is known.
static Error unpack(const rt::Capture &capture, StringRef directory) {
  auto write = [&](const Twine &name, StringRef contents) {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    return writeFile(path, contents);
  };
  if (Error error = write("slots.txt", valueLines(capture.slots)))
    return error;
  if (Error error = write("out.txt", valueLines(capture.outputs)))
    return error;
  uint64_t total = 0;
  for (size_t m = 0; m < capture.memories.size; ++m) {
    const rt::CaptureMemory &memory = capture.memories[m];
    bool used = memory.flags & (rt::MemoryReads | rt::MemoryWrites);
    if (!used || !(memory.flags & rt::MemoryKnown))
      continue;
    uint64_t size =
        static_cast<uint64_t>(memory.hi) - static_cast<uint64_t>(memory.lo);
    if (size > rt::maxCaptureBytes || (total += size) > rt::maxCaptureBytes)
      return createStringError("the footprints have more than 64 MiB");
    uint64_t begin =
        capture.slots[memory.slot].bits + static_cast<uint64_t>(memory.lo);
    for (bool after : {false, true})
      if (Error error =
              write("mem" + Twine(m) + (after ? ".out.bin" : ".in.bin"),
                    bytesOf(capture, begin, size, after)))
        return error;
  }
  return Error::success();
}

int loom::tool::capture(Words words) {
  auto arguments = parseArguments("capture", "CAPTURE [-o DIR]", words, 1, 1);
  if (!arguments)
    return Failed;
  StringRef path = arguments->positional[0];
  Expected<CaptureFile> file = CaptureFile::read(path);
  if (!file)
    return fail("capture", printable(path) + ": " + toString(file.takeError()));
  if (arguments->output.empty()) {
    describe(**file);
    return Done;
  }
  if (std::error_code error = sys::fs::create_directories(arguments->output))
    return fail("capture",
                "can't make " + arguments->output + ": " + error.message());
  if (Error error = unpack(**file, arguments->output))
    return fail("capture", toString(std::move(error)));
  return Done;
}
