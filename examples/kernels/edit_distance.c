// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edit distance with two rows. Shows: the minimum of three, two row buffers
// that take turns by the parity of the outer counter, a scalar diagonal.

#include <stdint.h>
#include <stdio.h>

#define N 100
#define M 110

static uint8_t A[N], B[M];
static int32_t Row[2][M + 1];

__attribute__((noinline)) static int edit_distance(void) {
  for (int j = 0; j <= M; j++)
    Row[0][j] = j;
  for (int i = 1; i <= N; i++) {
    int now = i & 1, old = 1 - now;
    int32_t left = i;
    Row[now][0] = i;
    for (int j = 1; j <= M; j++) {
      int32_t d = Row[old][j - 1] + (A[i - 1] != B[j - 1]);
      if (Row[old][j] + 1 < d)
        d = Row[old][j] + 1;
      if (left + 1 < d)
        d = left + 1;
      Row[now][j] = d;
      left = d;
    }
  }
  return Row[N & 1][M];
}

int main(int argc, char **argv) {
  uint32_t seed = 71u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (uint8_t)(seed >> 30);
  }
  for (int j = 0; j < M; j++) {
    seed = seed * 1664525u + 1013904223u;
    B[j] = (uint8_t)(j % 3 ? A[j % N] : seed >> 30);
  }
  int d = edit_distance();
  uint32_t check = 0;
  for (int j = 0; j <= M; j++)
    check = check * 31u + (uint32_t)(Row[0][j] * 7 + Row[1][j]);
  printf("edit_distance %08x d=%d\n", check, d);
  return 0;
}
