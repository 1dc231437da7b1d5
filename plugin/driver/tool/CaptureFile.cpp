// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaptureFile.h"
#include "Commands.h"
#include "Image/Reader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace loom::tool;
namespace rt = loom::rt;

Expected<CaptureFile> CaptureFile::read(StringRef path) {
  uint64_t size = 0;
  if (!sys::fs::is_regular_file(path))
    return createStringError("this is no file");
  if (std::error_code error = sys::fs::file_size(path, size))
    return createStringError(error, "can't be read");
  if (size > rt::maxCaptureBytes)
    return createStringError("the capture is damaged (%s)",
                             rt::captureErrorName(rt::CaptureError::Size));
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!buffer)
    return createStringError(buffer.getError(), "can't be read");
  StringRef bytes = (*buffer)->getBuffer();
  CaptureFile result;
  rt::CaptureError verdict =
      rt::readCapture(reinterpret_cast<const uint8_t *>(bytes.data()),
                      bytes.size(), result.capture);
  if (verdict != rt::CaptureError::None)
    return createStringError("the capture is damaged (%s)",
                             rt::captureErrorName(verdict));
  return std::move(result);
}

static std::vector<int64_t> partitionsApart(const loom::image::Region &region) {
  const loom::image::Guard *guard = region.guard();
  if (!guard || !guard->partitions() || !region.memories() || !region.slots())
    return {};
  std::vector<int64_t> partitions(region.slots()->size(), -1);
  unsigned count =
      std::min(guard->partitions()->size(), region.memories()->size());
  for (unsigned m = 0; m < count; ++m)
    if (const loom::image::Memory *memory = region.memories()->Get(m);
        memory && memory->slot() < partitions.size())
      partitions[memory->slot()] = guard->partitions()->Get(m);
  return partitions;
}

Expected<Region> Region::find(const rt::Capture &capture, StringRef path) {
  if (path.empty())
    path = capture.program;
  if (path.empty())
    return createStringError("the capture names no program; use --image");
  std::string shown = printable(path);
  // The capture could name a device that never ends.
  if (!sys::fs::is_regular_file(path))
    return createStringError(shown + " is no file; --image names another");
  Expected<ImageFile> file = ImageFile::read(path);
  if (!file)
    return createStringError(shown + ": " + toString(file.takeError()));
  Region best;
  bool found = false;
  std::string why;
  for (const RegionRef &ref : file->regions()) {
    if (text(ref.region->name()) != capture.name)
      continue;
    Region candidate;
    const uint8_t *image = ref.image->bytes().data();
    rt::ImageVerdict verdict =
        rt::loadRegion(image, ref.index, candidate.region);
    if (verdict.ok())
      verdict = rt::loadTarget(image, candidate.timing);
    rt::RegionIdentity identity;
    if (!verdict.ok()) {
      why = rt::imageErrorName(verdict.error);
      continue;
    }
    if (!rt::regionIdentity(candidate.region, identity))
      return createStringError("no memory");
    candidate.same = identity == capture.identity();
    if (found && !candidate.same)
      continue;
    std::swap(best.region, candidate.region);
    std::swap(best.timing, candidate.timing);
    best.same = candidate.same;
    best.mlir = text(ref.region->structured()).str();
    best.partitions = partitionsApart(*ref.region);
    found = true;
    if (best.same)
      break;
  }
  if (found)
    return std::move(best);
  std::string region = printable(capture.name);
  if (!why.empty())
    return createStringError(shown + ": the graph of " + region +
                             " is damaged (" + why + ")");
  return createStringError(shown + " has no region " + region +
                           "; --image names another file");
}

std::string loom::tool::nameOf(const rt::Capture &capture) {
  return printable(capture.name) + " launch " +
         std::to_string(capture.head.launch);
}

std::optional<CapturedLaunch> loom::tool::openLaunch(StringRef command,
                                                     StringRef path,
                                                     StringRef image,
                                                     bool sameGraph) {
  Expected<CaptureFile> file = CaptureFile::read(path);
  if (!file) {
    fail(command, printable(path) + ": " + toString(file.takeError()));
    return std::nullopt;
  }
  Expected<Region> region = Region::find(**file, image);
  if (!region) {
    fail(command, toString(region.takeError()));
    return std::nullopt;
  }
  if (!region->isCaptured()) {
    std::string text =
        nameOf(**file) + ": the graph is another than the captured one";
    if (sameGraph) {
      fail(command, text);
      return std::nullopt;
    }
    outs() << "note: " << text << "\n";
  }
  return CapturedLaunch{std::move(*file), std::move(*region)};
}
