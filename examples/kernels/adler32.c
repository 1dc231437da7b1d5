// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adler-32 in runs, so that the remainder is taken once a run. Shows: a
// `while` over what is left, an inner loop with a computed bound, remainders.

#include <stdint.h>
#include <stdio.h>

#define LEN 9000
#define RUN 552

static uint8_t Buf[LEN];

__attribute__((noinline)) uint32_t adler32(uint32_t adler, const uint8_t *p,
                                           int left) {
  uint32_t a = adler & 0xffff, b = adler >> 16;
  while (left > 0) {
    int n = left < RUN ? left : RUN;
    left -= n;
    for (int i = 0; i < n; i++) {
      a += p[i];
      b += a;
    }
    p += n;
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

int main(int argc, char **argv) {
  uint32_t seed = 31u + (uint32_t)argc;
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    Buf[i] = (uint8_t)(seed >> 23);
  }
  uint32_t whole = adler32(1, Buf, LEN - argc);
  uint32_t half = adler32(1, Buf, LEN / 2);
  printf("adler32 %08x half=%08x\n", whole, half);
  return 0;
}
