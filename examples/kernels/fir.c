// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixed-point FIR filter with rounding and saturation. Shows: 16-bit loads and
// stores, sign extension, shifts, and clamping by conditions.

#include <stdint.h>
#include <stdio.h>

#define TAPS 16
#define LEN 600

static int16_t X[LEN + TAPS], H[TAPS], Y[LEN];

__attribute__((noinline)) static void
fir(const int16_t *restrict x, const int16_t *restrict h, int16_t *restrict y) {
  for (int i = 0; i < LEN; i++) {
    int32_t acc = 1 << 10;
    for (int k = 0; k < TAPS; k++)
      acc += (int32_t)x[i + k] * h[k];
    acc >>= 11;
    if (acc > 32767)
      acc = 32767;
    else if (acc < -32768)
      acc = -32768;
    y[i] = (int16_t)acc;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 8u + (uint32_t)argc;
  for (int i = 0; i < LEN + TAPS; i++) {
    seed = seed * 1664525u + 1013904223u;
    X[i] = (int16_t)(seed >> 16);
  }
  for (int k = 0; k < TAPS; k++)
    H[k] = (int16_t)((k < TAPS / 2 ? k + 1 : TAPS - k) * 150 - 300 * argc);
  fir(X, H, Y);
  uint32_t check = 0;
  for (int i = 0; i < LEN; i++)
    check = check * 31u + (uint16_t)Y[i];
  printf("fir %08x %d %d %d\n", check, Y[0], Y[1], Y[LEN - 1]);
  return 0;
}
