// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base64 encoding with padding. Shows: three bytes in and four out an
// iteration, a table of characters, and a tail behind conditions.

#include <stdint.h>
#include <stdio.h>

#define LEN 3001

static const char Digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz0123456789+/";
static uint8_t In[LEN + 2];
static char Out[(LEN + 2) / 3 * 4 + 1];

__attribute__((noinline)) static int base64(const uint8_t *restrict in, int len,
                                            char *restrict out) {
  int o = 0;
  for (int i = 0; i < len; i += 3) {
    uint32_t v = (uint32_t)in[i] << 16;
    if (i + 1 < len)
      v |= (uint32_t)in[i + 1] << 8;
    if (i + 2 < len)
      v |= in[i + 2];
    out[o] = Digits[v >> 18 & 63];
    out[o + 1] = Digits[v >> 12 & 63];
    out[o + 2] = i + 1 < len ? Digits[v >> 6 & 63] : '=';
    out[o + 3] = i + 2 < len ? Digits[v & 63] : '=';
    o += 4;
  }
  return o;
}

int main(int argc, char **argv) {
  uint32_t seed = 12u + (uint32_t)argc;
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    In[i] = (uint8_t)(seed >> 21);
  }
  int n = base64(In, LEN, Out);
  uint32_t check = 0;
  for (int i = 0; i < n; i++)
    check = check * 31u + (uint8_t)Out[i];
  printf("base64 %08x n=%d head=%.20s tail=%s\n", check, n, Out, Out + n - 8);
  return 0;
}
