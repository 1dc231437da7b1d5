// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captures of launches on the engine, without the environment.

#ifndef LOOM_TEST_UNIT_RUNTIME_CAPTURE_HARNESS_H
#define LOOM_TEST_UNIT_RUNTIME_CAPTURE_HARNESS_H

#include "Capture/Rerun.h"
#include "runtime_harness.h"
#include "runtime_kernels.h"

namespace rttest {

/// Runs one launch and gives the bytes of its capture.
inline Bytes captureOf(Machine &machine, const std::vector<uint64_t> &in,
                       uint32_t flags = 0) {
  using namespace loom::rt;
  const LoadedRegion &region = machine.loaded.region;
  std::vector<uint64_t> out(region.outputInfos.size);
  ReadLog reads;
  LaunchContext context = {in.data(), out.data(), 1u << 20, &machine.undo};
  context.reads = &reads;
  Outcome outcome = machine.engine.run(region, context);
  EXPECT_STREQ(reasonName(outcome.reason), "none");
  Recording recording;
  recording.launch = 1;
  recording.firings = outcome.firings;
  recording.flags = CaptureTouched | flags;
  recording.program = "/tmp/program";
  EXPECT_TRUE(recording.addTouched(machine.undo, reads));
  Vec<uint8_t> file = recording.encode(region, in.data(), out.data());
  Bytes bytes(file.begin(), file.end());
  file.release();
  recording.release();
  reads.release();
  machine.undo.clear();
  return bytes;
}

/// Recomputes the hash, and the size where a file was cut or extended.
inline void resealCapture(Bytes &bytes) {
  loom::rt::CaptureHeader header;
  if (bytes.size() < sizeof(header))
    return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.payloadSize = bytes.size() - sizeof(header);
  XXH128_hash_t hash = XXH3_128bits_withSeed(
      bytes.data() + sizeof(header), header.payloadSize, header.version);
  header.hashLo = hash.low64;
  header.hashHi = hash.high64;
  std::memcpy(bytes.data(), &header, sizeof(header));
}

/// A capture that was read, or the error.
struct ReadBack {
  loom::rt::Capture capture;
  loom::rt::CaptureError error;
  explicit ReadBack(const Bytes &bytes) {
    error = loom::rt::readCapture(bytes.data(), bytes.size(), capture);
  }
  ~ReadBack() { capture.release(); }
  ReadBack(const ReadBack &) = delete;
  ReadBack &operator=(const ReadBack &) = delete;
  std::string errorName() const { return loom::rt::captureErrorName(error); }
};

} // namespace rttest

#endif
