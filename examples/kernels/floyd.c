// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All shortest paths (Floyd-Warshall). Shows: a three-deep nest that updates
// one array in place under a condition.

#include <stdint.h>
#include <stdio.h>

#define N 28

static int32_t D[N][N];

__attribute__((noinline)) static void floyd(void) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (D[i][k] + D[k][j] < D[i][j])
          D[i][j] = D[i][k] + D[k][j];
}

int main(int argc, char **argv) {
  uint32_t seed = 45u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      D[i][j] = i == j            ? 0
                : seed >> 29 == 0 ? (int32_t)(seed >> 12 & 1023) + 1
                                  : 1000000;
    }
  floyd();
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      check = check * 31u + (uint32_t)D[i][j];
  printf("floyd %08x d[0][27]=%d d[13][4]=%d\n", check, D[0][27], D[13][4]);
  return 0;
}
