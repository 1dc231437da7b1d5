// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer Haar wavelet, all levels. Shows: an outer loop whose counter halves
// (a `while`, not a counted loop) around two counted loops with its bound.

#include <stdint.h>
#include <stdio.h>

#define N 2048

static int32_t Data[N], Tmp[N];

__attribute__((noinline)) static void haar(int32_t *restrict a,
                                           int32_t *restrict t) {
  for (int len = N; len > 1; len >>= 1) {
    int half = len >> 1;
    for (int i = 0; i < half; i++) {
      int32_t p = a[2 * i], q = a[2 * i + 1];
      t[i] = (p + q) >> 1;
      t[half + i] = p - q;
    }
    for (int i = 0; i < len; i++)
      a[i] = t[i];
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 61u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    Data[i] = (int32_t)(seed >> 18) + i * 3;
  }
  haar(Data, Tmp);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + (uint32_t)Data[i];
  printf("haar %08x mean=%d d1=%d\n", check, Data[0], Data[1]);
  return 0;
}
