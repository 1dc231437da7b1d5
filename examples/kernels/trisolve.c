// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward substitution for several right-hand sides. Shows: a triangular inner
// loop that reads what earlier iterations of the outer loop wrote.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 40
#define RHS 12

static float L[N][N], B[RHS][N], X[RHS][N];

__attribute__((noinline)) static void trisolve(void) {
  for (int r = 0; r < RHS; r++)
    for (int i = 0; i < N; i++) {
      float s = B[r][i];
      for (int j = 0; j < i; j++)
        s -= L[i][j] * X[r][j];
      X[r][i] = s / L[i][i];
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 5u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      seed = seed * 1664525u + 1013904223u;
      L[i][j] = (float)(seed >> 20) / 4096.0f + (i == j ? 1.0f : -0.5f);
    }
  for (int r = 0; r < RHS; r++)
    for (int i = 0; i < N; i++) {
      seed = seed * 1664525u + 1013904223u;
      B[r][i] = (float)(seed >> 22);
    }
  trisolve();
  uint32_t check = 0;
  for (int r = 0; r < RHS; r++)
    for (int i = 0; i < N; i++) {
      uint32_t bits;
      memcpy(&bits, &X[r][i], sizeof bits);
      check = (check ^ bits) * 16777619u;
    }
  printf("trisolve %08x %a %a\n", check, (double)X[0][N - 1],
         (double)X[RHS - 1][N - 1]);
  return 0;
}
