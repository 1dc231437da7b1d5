// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error diffusion: every pixel's rounding error goes to the pixels after it.

#include "filters.h"
#include <stdlib.h>

void filter_dither(const struct image *in, struct image *out) {
  int w = in->width, h = in->height;
  int *err = calloc((size_t)2 * (w + 2), sizeof *err);
  if (!err)
    abort();
  for (int y = 0; y < h; y++) {
    int *now = err + (y & 1) * (w + 2) + 1;
    int *next = err + (~y & 1) * (w + 2) + 1;
    for (int x = -1; x <= w; x++)
      next[x] = 0;
    for (int x = 0; x < w; x++) {
      int want = in->pixels[y * w + x] + now[x] / 16;
      int got = want < 128 ? 0 : 255;
      int e = want - got;
      now[x + 1] += 7 * e;
      next[x - 1] += 3 * e;
      next[x] += 5 * e;
      next[x + 1] += e;
      out->pixels[y * w + x] = (uint8_t)got;
    }
  }
  free(err);
}
