// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level stretching: a histogram, two percentiles, a table, the mapping.

#include "filters.h"

void filter_levels(const struct image *in, struct image *out) {
  uint32_t hist[256] = {0};
  uint8_t map[256];
  int n = in->width * in->height;
  for (int i = 0; i < n; i++)
    hist[in->pixels[i]]++;

  int lo = 0, hi = 255;
  uint32_t below = 0, above = 0, cut = (uint32_t)n / 100;
  while (lo < 255 && below + hist[lo] < cut)
    below += hist[lo++];
  while (hi > lo + 1 && above + hist[hi] < cut)
    above += hist[hi--];

  for (int v = 0; v < 256; v++) {
    int s = (v - lo) * 255 / (hi > lo ? hi - lo : 1);
    map[v] = (uint8_t)(s < 0 ? 0 : s > 255 ? 255 : s);
  }
  for (int i = 0; i < n; i++)
    out->pixels[i] = map[in->pixels[i]];
}
