// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU factorisation in place, without pivoting. Shows: triangular loops whose
// bounds depend on an outer counter, and a division on the way.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 36

static double A[N][N];

__attribute__((noinline)) static void lu(void) {
  for (int k = 0; k < N; k++)
    for (int i = k + 1; i < N; i++) {
      double f = A[i][k] / A[k][k];
      A[i][k] = f;
      for (int j = k + 1; j < N; j++)
        A[i][j] -= f * A[k][j];
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 33u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      A[i][j] = (double)(seed >> 16) / 65536.0 + (i == j ? (double)N : 0.0);
    }
  lu();
  uint64_t check = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      uint64_t bits;
      memcpy(&bits, &A[i][j], sizeof bits);
      check = (check ^ bits) * 0x100000001b3u;
    }
  printf("lu %016llx %a %a\n", (unsigned long long)check, A[1][0],
         A[N - 1][N - 1]);
  return 0;
}
