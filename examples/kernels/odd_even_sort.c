// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Odd-even transposition sort of floats, a fixed number of rounds. Shows: a
// counted nest with a conditional swap and a start that alternates.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 128

static float A[N];

__attribute__((noinline)) static void odd_even_sort(float *a) {
  for (int round = 0; round < N; round++)
    for (int p = 0; p < N / 2 - 1; p++) {
      int i = 2 * p + (round & 1);
      float x = a[i], y = a[i + 1];
      if (x > y) {
        a[i] = y;
        a[i + 1] = x;
      }
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 27u + (uint32_t)argc;
  for (int i = 0; i < N - 1; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (float)(int32_t)seed / 12345.0f;
  }
  A[N - 1] = 4.0e5f;
  odd_even_sort(A);
  uint32_t check = 0;
  for (int i = 0; i < N; i++) {
    uint32_t bits;
    memcpy(&bits, &A[i], sizeof bits);
    check = (check ^ bits) * 16777619u;
  }
  printf("odd_even_sort %08x %a %a\n", check, (double)A[0], (double)A[N - 2]);
  return 0;
}
