// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First occurrence of a pattern in a text. Shows: a nest with several exits
// (found, not found), the inner loop leaving early.

#include <stdint.h>
#include <stdio.h>

#define LEN 3000
#define PAT 7

static char Text[LEN], Pattern[PAT];

__attribute__((noinline)) int strsearch(const char *text, int len,
                                        const char *pattern, int plen) {
  for (int i = 0; i + plen <= len; i++) {
    int k = 0;
    while (k < plen && text[i + k] == pattern[k])
      k++;
    if (k == plen)
      return i;
  }
  return -1;
}

int main(int argc, char **argv) {
  uint32_t seed = 6u + (uint32_t)argc;
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    Text[i] = (char)('a' + (seed >> 31));
  }
  for (int k = 0; k < PAT; k++)
    Pattern[k] = Text[LEN - 40 + k];
  int found = strsearch(Text, LEN, Pattern, PAT);
  Pattern[PAT - 1] = 'z';
  int missing = strsearch(Text, LEN, Pattern, PAT);
  printf("strsearch found=%d missing=%d\n", found, missing);
  return 0;
}
