// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Longest common subsequence, whole table. Shows: dynamic programming with
// dependences in both directions and a data-dependent choice.

#include <stdint.h>
#include <stdio.h>

#define N 120
#define M 100

static uint8_t A[N], B[M];
static int32_t T[N + 1][M + 1];

__attribute__((noinline)) static void lcs(void) {
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= M; j++) {
      if (A[i - 1] == B[j - 1])
        T[i][j] = T[i - 1][j - 1] + 1;
      else
        T[i][j] = T[i - 1][j] > T[i][j - 1] ? T[i - 1][j] : T[i][j - 1];
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 14u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (uint8_t)('a' + (seed >> 29));
  }
  for (int j = 0; j < M; j++) {
    seed = seed * 1664525u + 1013904223u;
    B[j] = (uint8_t)('a' + (seed >> 29));
  }
  lcs();
  uint32_t check = 0;
  for (int i = 0; i <= N; i++)
    for (int j = 0; j <= M; j++)
      check = check * 31u + (uint32_t)T[i][j];
  printf("lcs %08x length=%d\n", check, T[N][M]);
  return 0;
}
