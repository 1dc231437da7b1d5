/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The seal around an image in an executable: a fixed header, then the
 * FlatBuffers bytes. Both the compiler and the runtime include this file; it is
 * all they share beside the schema. */
#ifndef LOOM_IMAGE_SEAL_H
#define LOOM_IMAGE_SEAL_H

#include <stdint.h>

/* Section of the executable that holds the sealed image. */
#define LOOM_IMAGE_SECTION ".loom.image"
#define LOOM_IMAGE_MAGIC "LOOMIMG1"
#define LOOM_IMAGE_VERSION 1u
/* FlatBuffers bytes start here (and are 16-byte aligned). */
#define LOOM_IMAGE_HEADER_SIZE 48u

typedef struct loom_image_header {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint64_t payload_size; /* bytes after the header */
  uint64_t hash_lo;      /* XXH3-128 of the payload, seed = version */
  uint64_t hash_hi;
  uint64_t reserved; /* zero */
} loom_image_header;

#endif
