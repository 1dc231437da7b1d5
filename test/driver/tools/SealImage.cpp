// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test helper: puts the seal around FlatBuffers bytes.
//   loom-seal-image PAYLOAD SEALED [VERSION]

#include "loom/Image/loom_image_seal.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  FILE *in = std::fopen(argv[1], "rb");
  FILE *out = std::fopen(argv[2], "wb");
  if (!in || !out)
    return 1;
  std::string payload;
  for (int c; (c = std::fgetc(in)) != EOF;)
    payload += char(c);

  loom_image_header header = {};
  std::memcpy(header.magic, LOOM_IMAGE_MAGIC, sizeof header.magic);
  header.version = argc > 3 ? uint32_t(std::atoi(argv[3])) : LOOM_IMAGE_VERSION;
  header.header_size = LOOM_IMAGE_HEADER_SIZE;
  header.payload_size = payload.size();
  XXH128_hash_t hash =
      XXH3_128bits_withSeed(payload.data(), payload.size(), header.version);
  header.hash_lo = hash.low64;
  header.hash_hi = hash.high64;
  bool good =
      std::fwrite(&header, sizeof header, 1, out) == 1 &&
      std::fwrite(payload.data(), 1, payload.size(), out) == payload.size();
  good &= std::fclose(out) == 0;
  std::fclose(in);
  return good ? 0 : 1;
}
