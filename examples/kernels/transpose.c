// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocked matrix transpose. Shows: a four-deep nest whose inner counters start
// at the outer ones.

#include <stdint.h>
#include <stdio.h>

#define N 96
#define BLOCK 16

static int32_t In[N * N], Out[N * N];

__attribute__((noinline)) static void transpose(const int32_t *restrict in,
                                                int32_t *restrict out) {
  for (int bi = 0; bi < N; bi += BLOCK)
    for (int bj = 0; bj < N; bj += BLOCK)
      for (int i = bi; i < bi + BLOCK; i++)
        for (int j = bj; j < bj + BLOCK; j++)
          out[j * N + i] = in[i * N + j];
}

int main(int argc, char **argv) {
  uint32_t seed = 29u + (uint32_t)argc;
  for (int i = 0; i < N * N; i++) {
    seed = seed * 1664525u + 1013904223u;
    In[i] = (int32_t)seed;
  }
  transpose(In, Out);
  uint32_t check = 0;
  for (int i = 0; i < N * N; i++)
    check = check * 31u + (uint32_t)Out[i];
  printf("transpose %08x %d %d\n", check, Out[1], Out[N * N - 2]);
  return 0;
}
