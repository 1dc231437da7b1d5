// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seal of an image.

#include "Image/Flat.h"
#include "Image/Reader.h"
#include "loom/Image/loom_image_seal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loom::rt {

ImageVerdict checkSeal(const void *image, uint64_t size) {
  loom_image_header header;
  static_assert(sizeof(header) == LOOM_IMAGE_HEADER_SIZE, "header layout");
  if (!image || size < sizeof(header))
    return {ImageError::Truncated};
  memcpy(&header, image, sizeof(header));
  if (memcmp(header.magic, LOOM_IMAGE_MAGIC, sizeof(header.magic)) != 0)
    return {ImageError::Magic};
  if (header.version != LOOM_IMAGE_VERSION)
    return {ImageError::Version};
  if (header.header_size != LOOM_IMAGE_HEADER_SIZE)
    return {ImageError::HeaderSize};
  if (header.reserved != 0)
    return {ImageError::Reserved};
  if (header.payload_size > size - sizeof(header) || header.payload_size < 8)
    return {ImageError::Truncated};
  if (reinterpret_cast<uintptr_t>(image) % 16 != 0)
    return {ImageError::Alignment};
  const uint8_t *payload =
      static_cast<const uint8_t *>(image) + LOOM_IMAGE_HEADER_SIZE;
  XXH128_hash_t hash =
      XXH3_128bits_withSeed(payload, header.payload_size, header.version);
  if (hash.low64 != header.hash_lo || hash.high64 != header.hash_hi)
    return {ImageError::Hash};
  if (header.payload_size > FLATBUFFERS_MAX_BUFFER_SIZE)
    return {ImageError::FlatBuffer};
  flatbuffers::Verifier verifier(payload, header.payload_size, 16, 1u << 26);
  if (!verifier.VerifyBuffer<image::Image>("LOOM"))
    return {ImageError::FlatBuffer};
  if (flatbuffers::GetRoot<image::Image>(payload)->version() !=
      LOOM_IMAGE_VERSION)
    return {ImageError::Version};
  return {};
}

} // namespace loom::rt
