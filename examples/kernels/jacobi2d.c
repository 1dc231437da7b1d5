// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five-point relaxation of a plate in single precision. Shows: a
// two-dimensional stencil with a copy back, on global arrays, in one nest.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 34
#define STEPS 8

static float A[N][N], B[N][N];

__attribute__((noinline)) static void jacobi2d(void) {
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] +
                          A[i + 1][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = B[i][j];
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 900u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      A[i][j] = (float)(seed >> 16) / 17.0f;
    }
  jacobi2d();
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      uint32_t bits;
      memcpy(&bits, &A[i][j], sizeof bits);
      check = (check ^ bits) * 16777619u;
    }
  printf("jacobi2d %08x %a %a\n", check, (double)A[1][1],
         (double)A[N / 2][N / 2]);
  return 0;
}
