// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small nest that runs in no time, for tests that start a program often.

#include <stdint.h>
#include <stdio.h>

#define N 12

static int32_t A[N][N], Sum[N];

__attribute__((noinline)) static int tiny(void) {
  int most = 0;
  for (int i = 0; i < N; i++) {
    int32_t s = i;
    for (int j = 0; j < N; j++)
      if (A[i][j] > 3)
        s += A[i][j] * j;
    Sum[i] = s;
    if (s > Sum[most])
      most = i;
  }
  return most;
}

int main(int argc, char **argv) {
  (void)argv;
  uint32_t seed = (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      A[i][j] = (int32_t)(seed >> 28);
    }
  int most = tiny();
  printf("%d %d %d\n", most, Sum[most], Sum[N - 1]);
  return 0;
}
