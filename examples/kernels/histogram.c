// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram and its running total. Shows: read-modify-write at an address that
// comes from data, so that order between iterations must be kept.

#include <stdint.h>
#include <stdio.h>

#define PIXELS 6000

static uint8_t Image[PIXELS];
static uint32_t Hist[256], Total[256];

__attribute__((noinline)) static void histogram(const uint8_t *restrict image,
                                                uint32_t *restrict hist) {
  for (int i = 0; i < PIXELS; i++)
    hist[image[i]]++;
}

__attribute__((noinline)) static void running_total(void) {
  uint32_t sum = 0;
  for (int v = 0; v < 256; v++) {
    sum += Hist[v];
    Total[v] = sum;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 47u + (uint32_t)argc;
  for (int i = 0; i < PIXELS; i++) {
    seed = seed * 1664525u + 1013904223u;
    Image[i] = (uint8_t)((seed >> 25) + (seed >> 17 & 127));
  }
  histogram(Image, Hist);
  running_total();
  uint32_t check = 0;
  for (int v = 0; v < 256; v++)
    check = check * 31u + Hist[v] * 3u + Total[v];
  printf("histogram %08x h[128]=%u total=%u\n", check, Hist[128], Total[255]);
  return 0;
}
