// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge strength by two Sobel kernels.

#include "filters.h"
#include <string.h>

void filter_edges(const struct image *in, struct image *out) {
  int w = in->width, h = in->height;
  const uint8_t *restrict p = in->pixels;
  uint8_t *restrict q = out->pixels;
  memset(q, 0, (size_t)w * h);
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++) {
      int i = y * w + x;
      int gx = p[i - w + 1] + 2 * p[i + 1] + p[i + w + 1] - p[i - w - 1] -
               2 * p[i - 1] - p[i + w - 1];
      int gy = p[i + w - 1] + 2 * p[i + w] + p[i + w + 1] - p[i - w - 1] -
               2 * p[i - w] - p[i - w + 1];
      int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
      q[i] = (uint8_t)(g > 255 ? 255 : g);
    }
}
