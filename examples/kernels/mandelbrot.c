// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mandelbrot set. Shows: an inner loop that ends on a floating-point condition
// or on a limit, inside two counted loops.

#include <stdint.h>
#include <stdio.h>

#define W 32
#define H 24
#define LIMIT 60

static uint8_t Iter[H][W];

__attribute__((noinline)) static uint32_t mandelbrot(double x0, double y0,
                                                     double step) {
  uint32_t total = 0;
  for (int py = 0; py < H; py++)
    for (int px = 0; px < W; px++) {
      double cx = x0 + step * px, cy = y0 + step * py;
      double x = 0.0, y = 0.0;
      int n = 0;
      while (x * x + y * y <= 4.0 && n < LIMIT) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        n++;
      }
      Iter[py][px] = (uint8_t)n;
      total += (uint32_t)n;
    }
  return total;
}

int main(int argc, char **argv) {
  uint32_t total = mandelbrot(-2.0 - 0.001 * argc, -1.15, 0.09375);
  uint32_t check = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      check = check * 31u + Iter[y][x];
  printf("mandelbrot %08x total=%u\n", check, total);
  return 0;
}
