// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertion sort. Shows: an inner `while` with two conditions, one of them on
// data that the loop itself moves.

#include <stdint.h>
#include <stdio.h>

#define N 160

static int32_t A[N];

__attribute__((noinline)) static int insertion_sort(int32_t *a, int n) {
  int moves = 0;
  for (int i = 1; i < n; i++) {
    int32_t v = a[i];
    int j = i;
    while (j > 0 && a[j - 1] > v) {
      a[j] = a[j - 1];
      j--;
      moves++;
    }
    a[j] = v;
  }
  return moves;
}

int main(int argc, char **argv) {
  uint32_t seed = 81u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (int32_t)seed >> 12;
  }
  int moves = insertion_sort(A, N);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + (uint32_t)A[i];
  printf("insertion_sort %08x moves=%d min=%d max=%d\n", check, moves, A[0],
         A[N - 1]);
  return 0;
}
