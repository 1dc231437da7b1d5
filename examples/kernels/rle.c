// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-length encoding. Shows: a `while` around a `while`, both bounded by data,
// with two cursors that live on after the nest.

#include <stdint.h>
#include <stdio.h>

#define LEN 5000

static uint8_t In[LEN], Out[2 * LEN];

__attribute__((noinline)) int rle(const uint8_t *restrict in, int len,
                                  uint8_t *restrict out) {
  int i = 0, o = 0;
  while (i < len) {
    uint8_t v = in[i];
    int run = 1;
    while (i + run < len && run < 255 && in[i + run] == v)
      run++;
    out[o++] = (uint8_t)run;
    out[o++] = v;
    i += run;
  }
  return o;
}

int main(int argc, char **argv) {
  uint32_t seed = 23u + (uint32_t)argc;
  uint8_t v = 0;
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    if (seed >> 28 == 0)
      v = (uint8_t)(seed >> 16);
    In[i] = v;
  }
  int n = rle(In, LEN, Out);
  uint32_t check = 0;
  for (int i = 0; i < n; i++)
    check = check * 31u + Out[i];
  printf("rle %08x n=%d first=%d*%d\n", check, n, Out[0], Out[1]);
  return 0;
}
