// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grey image of 8-bit pixels, rows one after another.

#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

struct image {
  int width, height;
  uint8_t *pixels;
};

/// Allocates a picture; the pixels are zero. Aborts when memory runs out.
struct image image_new(int width, int height);
void image_free(struct image *img);
/// Paints a test pattern: a gradient, a few discs, some noise.
void image_paint(struct image *img, uint32_t seed);
uint32_t image_checksum(const struct image *img);
/// Prints the picture small, in characters.
void image_print(const struct image *img, int columns, int rows);

#endif
