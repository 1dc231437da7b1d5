// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C library that are loops over bytes, each inside of a loop.

#include <stdio.h>
#include <string.h>

static const char *words[] = {"",      "a",      "ab",    "abc",   "abd",
                              "\x80z", "loom",   "looms", "lo\xffm", "heddle",
                              "weft",  "shuttle"};
#define COUNT (int)(sizeof words / sizeof *words)

static char table[16][16];
static long out[12][16];

static int sign(int value) { return value < 0 ? -1 : value > 0; }

#define EACH __attribute__((noinline)) static void

EACH lengths(int n) {
  for (int i = 0; i < n; ++i)
    out[0][i] = (long)strlen(words[i]);
}
EACH bounded(int n, size_t most) {
  for (int i = 0; i < n; ++i)
    out[1][i] = (long)strnlen(words[i], most);
}
EACH finds(int n, int what) {
  for (int i = 0; i < n; ++i) {
    const char *found = strchr(words[i], what);
    out[2][i] = found ? found - words[i] : -1;
  }
}
EACH lasts(int n, int what) {
  for (int i = 0; i < n; ++i) {
    const char *found = strrchr(words[i], what);
    out[3][i] = found ? found - words[i] : -1;
  }
}
EACH bytes(int n, int what, size_t most) {
  for (int i = 0; i < n; ++i) {
    const char *found = memchr(table[i], what, most);
    out[4][i] = found ? found - table[i] : -1;
  }
}
EACH orders(int n, const char *with) {
  for (int i = 0; i < n; ++i)
    out[5][i] = strcmp(words[i], with) < 0;
}
EACH equals(int n, const char *with, size_t most) {
  for (int i = 0; i < n; ++i)
    out[6][i] = strncmp(words[i], with, most) == 0;
}
EACH compares(int n, const char *with, size_t most) {
  for (int i = 0; i < n; ++i)
    out[7][i] = memcmp(table[i], with, most) > 0;
}
EACH same(int n, const char *with, size_t most) {
  for (int i = 0; i < n; ++i)
    out[8][i] = memcmp(table[i], with, most) != 0;
}
EACH copies(int n) {
  for (int i = 0; i < n; ++i)
    strcpy(table[i], words[i]);
}
EACH ends(int n) {
  for (int i = 0; i < n; ++i)
    out[9][i] = stpcpy(table[i] + 1, words[i]) - table[i];
}

int main(void) {
  copies(COUNT);
  lengths(COUNT);
  bounded(COUNT, 3);
  bounded(COUNT - 4, 0);
  finds(COUNT, 'o');
  finds(COUNT - 4, 0);
  lasts(COUNT, 'o');
  lasts(COUNT - 4, 256); // as a character: the end
  bytes(COUNT, 'e', 16);
  bytes(COUNT - 4, 0x180, 4);
  orders(COUNT, "loom");
  equals(COUNT, "lo", 2);
  equals(COUNT - 4, "abcd", 0);
  compares(COUNT, "abc\0\0", 5);
  same(COUNT, "loo", 3);
  ends(COUNT);
  for (int k = 0; k < 10; ++k)
    for (int i = 0; i < COUNT; ++i)
      printf("%ld%c", out[k][i], i + 1 < COUNT ? ' ' : '\n');
  for (int i = 0; i < COUNT; ++i)
    printf("%d %s\n", sign(strcmp(table[i], words[i])), table[i]);
  return 0;
}
