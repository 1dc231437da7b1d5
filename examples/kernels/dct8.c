// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-dimensional 8x8 cosine transform of the blocks of a picture, integer
// arithmetic. Shows: a five-deep nest with a small local buffer in it.

#include <stdint.h>
#include <stdio.h>

#define BLOCKS 12

/* round(4096 * cos((2*x+1) * u * pi / 16)), the row u = 0 scaled by 1/sqrt(2)
 */
static const int32_t Cos8[8][8] = {
    {2896, 2896, 2896, 2896, 2896, 2896, 2896, 2896},
    {4017, 3406, 2276, 799, -799, -2276, -3406, -4017},
    {3784, 1567, -1567, -3784, -3784, -1567, 1567, 3784},
    {3406, -799, -4017, -2276, 2276, 4017, 799, -3406},
    {2896, -2896, -2896, 2896, 2896, -2896, -2896, 2896},
    {2276, -4017, 799, 3406, -3406, -799, 4017, -2276},
    {1567, -3784, 3784, -1567, -1567, 3784, -3784, 1567},
    {799, -2276, 3406, -4017, 4017, -3406, 2276, -799}};

static uint8_t Pixels[BLOCKS][8][8];
static int32_t Coeffs[BLOCKS][8][8];
static int32_t Rows[8][8];

__attribute__((noinline)) static void dct8(void) {
  for (int b = 0; b < BLOCKS; b++) {
    for (int y = 0; y < 8; y++)
      for (int u = 0; u < 8; u++) {
        int32_t sum = 0;
        for (int x = 0; x < 8; x++)
          sum += Cos8[u][x] * ((int32_t)Pixels[b][y][x] - 128);
        Rows[y][u] = (sum + 1024) >> 11;
      }
    for (int v = 0; v < 8; v++)
      for (int u = 0; u < 8; u++) {
        int32_t sum = 0;
        for (int y = 0; y < 8; y++)
          sum += Cos8[v][y] * Rows[y][u];
        Coeffs[b][v][u] = (sum + 8192) >> 14;
      }
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 17u + (uint32_t)argc;
  for (int b = 0; b < BLOCKS; b++)
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++) {
        seed = seed * 1664525u + 1013904223u;
        Pixels[b][y][x] = (uint8_t)(x * 20 + y * 7 + b + (int)(seed >> 28));
      }
  dct8();
  uint32_t check = 0;
  for (int b = 0; b < BLOCKS; b++)
    for (int v = 0; v < 8; v++)
      for (int u = 0; u < 8; u++)
        check = check * 31u + (uint32_t)Coeffs[b][v][u];
  printf("dct8 %08x dc=%d ac=%d,%d\n", check, Coeffs[0][0][0], Coeffs[0][0][1],
         Coeffs[BLOCKS - 1][1][0]);
  return 0;
}
