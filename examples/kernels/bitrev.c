// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bit reversal: of every word by swapping halves, and as the permutation that
// an in-place FFT needs. Shows: shifts and masks, a scatter to computed places.

#include <stdint.h>
#include <stdio.h>

#define BITS 11
#define N (1 << BITS)

static uint32_t In[N], Out[N];

__attribute__((noinline)) static void bitrev(const uint32_t *restrict in,
                                             uint32_t *restrict out) {
  for (uint32_t i = 0; i < N; i++) {
    uint32_t r = 0, x = i;
    for (int b = 0; b < BITS; b++) {
      r = r << 1 | (x & 1);
      x >>= 1;
    }
    uint32_t v = in[i];
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    out[r & (N - 1)] = v >> 16 | v << 16;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 2u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    In[i] = seed;
  }
  bitrev(In, Out);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + Out[i];
  printf("bitrev %08x out[1]=%08x out[1024]=%08x\n", check, Out[1], Out[1024]);
  return 0;
}
