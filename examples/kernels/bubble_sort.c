// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bubble sort that stops when a pass swaps nothing. Shows: a `do`-`while`
// around a counted loop, with a flag that the inner loop sets.

#include <stdint.h>
#include <stdio.h>

#define N 120

static int16_t A[N];

__attribute__((noinline)) static int bubble_sort(void) {
  int passes = 0, swapped;
  int last = N - 1;
  do {
    swapped = 0;
    for (int i = 0; i < last; i++)
      if (A[i] > A[i + 1]) {
        int16_t t = A[i];
        A[i] = A[i + 1];
        A[i + 1] = t;
        swapped = 1;
      }
    last--;
    passes++;
  } while (swapped);
  return passes;
}

int main(int argc, char **argv) {
  uint32_t seed = 10u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (int16_t)(seed >> 16);
  }
  int passes = bubble_sort();
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + (uint16_t)A[i];
  printf("bubble_sort %08x passes=%d min=%d max=%d\n", check, passes, A[0],
         A[N - 1]);
  return 0;
}
