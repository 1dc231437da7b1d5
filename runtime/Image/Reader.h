// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a sealed image: seal, FlatBuffers verifier, decoding, structural
// checks.

#ifndef LOOM_RUNTIME_IMAGE_READER_H
#define LOOM_RUNTIME_IMAGE_READER_H

#include "Image/ImageError.h"
#include "Image/Region.h"

namespace loom::rt {

/// Limits of what the runtime is willing to load.
constexpr uint32_t maxActors = 1u << 22;
constexpr uint32_t maxOperands = 1u << 24;
constexpr uint32_t maxSlots = 1u << 16;
constexpr uint32_t maxGuardNodes = 256;
constexpr uint32_t maxGuardRanges = 256;
constexpr uint32_t maxGuardPairs = 1024;
constexpr uint32_t maxGuardMemories = 64;

/// Header, hash and FlatBuffers verifier.
ImageVerdict checkSeal(const void *image, uint64_t size);

/// The number of regions, of an image that passed checkSeal.
uint32_t imageRegionCount(const void *image);

/// Decodes one region of an image that passed checkSeal, and checks every rule
/// of the schema. On an error `region` is left empty.
ImageVerdict loadRegion(const void *image, uint32_t index,
                        LoadedRegion &region);

/// The structural checks of interface and graph alone; fills `region.types`.
ImageVerdict checkRegion(LoadedRegion &region);

/// The checks of the guard of a region that passed checkRegion.
ImageVerdict checkGuard(const LoadedRegion &region);

/// Whether an integer width belongs to the type.
bool validType(ValueType value);

} // namespace loom::rt

#endif
