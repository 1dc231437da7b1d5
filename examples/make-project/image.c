// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making, painting and printing images.

#include "image.h"
#include <stdio.h>
#include <stdlib.h>

struct image image_new(int width, int height) {
  struct image img = {width, height, calloc((size_t)width * height, 1)};
  if (!img.pixels)
    abort();
  return img;
}

void image_free(struct image *img) {
  free(img->pixels);
  img->pixels = NULL;
}

void image_paint(struct image *img, uint32_t seed) {
  int w = img->width, h = img->height;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int v = 40 + 120 * x / w;
      int dx = x - w / 3, dy = y - h / 2;
      if (dx * dx + dy * dy < h * h / 9)
        v += 70;
      dx = x - 3 * w / 4;
      dy = y - h / 3;
      if (dx * dx + dy * dy < h * h / 25)
        v = 20;
      seed = seed * 1664525u + 1013904223u;
      v += (int)(seed >> 29);
      img->pixels[y * w + x] = (uint8_t)(v > 255 ? 255 : v);
    }
}

uint32_t image_checksum(const struct image *img) {
  uint32_t a = 1, b = 0;
  int n = img->width * img->height;
  for (int i = 0; i < n; i++) {
    a = (a + img->pixels[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void image_print(const struct image *img, int columns, int rows) {
  static const char shades[] = " .:-=+*#%@";
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < columns; c++) {
      int x = c * img->width / columns, y = r * img->height / rows;
      putchar(shades[img->pixels[y * img->width + x] * 10 / 256]);
    }
    putchar('\n');
  }
}
