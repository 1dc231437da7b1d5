// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The capture of one launch as a file (docs/captures.md): a sealed header, then
//
//   CaptureHead
//   text        region, function, file, program; each ends with a zero byte,
//               padded with zero bytes to `textBytes`
//   slots       CaptureValue, one per launch slot
//   outputs     CaptureValue, one per output
//   memories    CaptureMemory, one per root
//   lines       CaptureLine, addresses rising
//   bytes       per line: the known bytes before the launch, the written bytes
//               after it; both by rising address
//
// Little-endian words. Everything between the parts is accounted for: a reader
// refuses a file with a byte too many.

#ifndef LOOM_RUNTIME_CAPTURE_FORMAT_H
#define LOOM_RUNTIME_CAPTURE_FORMAT_H

#include <stdint.h>

namespace loom::rt {

constexpr char captureMagic[9] = "LOOMCAP1";
constexpr uint32_t captureVersion = 1;
/// The largest file, header included.
constexpr uint64_t maxCaptureBytes = uint64_t(64) << 20;
constexpr uint64_t maxCaptureText = 64 << 10;

struct CaptureHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;
  uint64_t payloadSize; // bytes after the header, all of the file
  uint64_t hashLo;      // XXH3-128 of the payload, seed = version
  uint64_t hashHi;
  uint64_t reserved; // zero
};
static_assert(sizeof(CaptureHeader) == 48, "header layout");

enum CaptureFlags : uint32_t {
  CaptureTouched = 1,   // lines are what the launch touched, byte by byte
  CaptureFootprint = 2, // lines are the footprints of the roots
  CaptureApart = 4,     // the graph of the launch guard ran
  CaptureHostResult = 8 // outputs and bytes after are those of the host code
};

struct CaptureHead {
  uint64_t graphLo; // regionIdentity() of the region
  uint64_t graphHi;
  uint64_t launch;  // of the region in its process, from 1
  uint64_t firings; // 0: no device ran
  uint64_t textBytes;
  uint64_t packedBytes;
  uint32_t flags;
  uint32_t line; // source line
  uint32_t slots;
  uint32_t outputs;
  uint32_t memories;
  uint32_t lines;
};
static_assert(sizeof(CaptureHead) == 72, "head layout");

struct CaptureValue {
  uint64_t bits; // none above the type's width
  int32_t exit;  // outputs: as in the image; slots: -1
  uint8_t type;  // Ty
  uint8_t width;
  uint16_t reserved;
};
static_assert(sizeof(CaptureValue) == 16, "value layout");

enum CaptureMemoryFlags : uint32_t {
  MemoryReads = 1,
  MemoryWrites = 2,
  MemoryKnown = 4
};

struct CaptureMemory {
  int64_t lo;
  int64_t hi;
  uint32_t slot;
  uint32_t flags;
};
static_assert(sizeof(CaptureMemory) == 24, "memory layout");

struct CaptureLine {
  uint64_t address; // a multiple of 64
  uint64_t known;   // bytes whose value before the launch is known
  uint64_t written; // of those: bytes whose value after it is recorded
};
static_assert(sizeof(CaptureLine) == 24, "line layout");

/// Addresses that lines may have: those of programs.
constexpr uint64_t firstLineAddress = 4096;
constexpr uint64_t lastLineAddress = (uint64_t(1) << 56) - 64;

} // namespace loom::rt

#endif
