// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binomial blur.

#include "filters.h"

static int clamp(int v, int lo, int hi) {
  return v < lo ? lo : v > hi ? hi : v;
}

void filter_blur(const struct image *in, struct image *out) {
  static const int weight[3] = {1, 2, 1};
  int w = in->width, h = in->height;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum = 8;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int sx = clamp(x + dx, 0, w - 1), sy = clamp(y + dy, 0, h - 1);
          sum += weight[dy + 1] * weight[dx + 1] * in->pixels[sy * w + sx];
        }
      out->pixels[y * w + x] = (uint8_t)(sum >> 4);
    }
}
