// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sorting network. Shows: two outer loops whose counters double and
// halve, and partners found by exclusive or.

#include <stdint.h>
#include <stdio.h>

#define N 256

static uint32_t A[N];

__attribute__((noinline)) static void bitonic_sort(uint32_t *a) {
  for (int k = 2; k <= N; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1)
      for (int i = 0; i < N; i++) {
        int p = i ^ j;
        if (p > i) {
          uint32_t x = a[i], y = a[p];
          if ((i & k) == 0 ? x > y : x < y) {
            a[i] = y;
            a[p] = x;
          }
        }
      }
}

int main(int argc, char **argv) {
  uint32_t seed = 58u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = seed;
  }
  bitonic_sort(A);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + A[i];
  printf("bitonic_sort %08x min=%08x max=%08x\n", check, A[0], A[N - 1]);
  return 0;
}
