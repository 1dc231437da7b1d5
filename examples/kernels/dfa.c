// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written scanner that counts words, numbers and comments. Shows: a
// `switch` on a state that is carried around the loop, several live-outs.

#include <stdint.h>
#include <stdio.h>

#define LEN 4000

enum { SPACE, WORD, NUMBER, SLASH, COMMENT };

struct counts {
  int32_t words, numbers, comments, lines;
};

static char Text[LEN];

__attribute__((noinline)) static void dfa(const char *restrict text, int len,
                                          struct counts *restrict out) {
  int state = SPACE;
  int32_t words = 0, numbers = 0, comments = 0, lines = 0;
  for (int i = 0; i < len; i++) {
    char c = text[i];
    if (c == '\n')
      lines++;
    switch (state) {
    case SPACE:
      if (c >= 'a' && c <= 'z') {
        state = WORD;
        words++;
      } else if (c >= '0' && c <= '9') {
        state = NUMBER;
        numbers++;
      } else if (c == '/')
        state = SLASH;
      break;
    case WORD:
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
        state = c == '/' ? SLASH : SPACE;
      break;
    case NUMBER:
      if (c < '0' || c > '9')
        state = c == '/' ? SLASH : SPACE;
      break;
    case SLASH:
      if (c == '/') {
        state = COMMENT;
        comments++;
      } else
        state = SPACE;
      break;
    case COMMENT:
      if (c == '\n')
        state = SPACE;
      break;
    }
  }
  out->words = words;
  out->numbers = numbers;
  out->comments = comments;
  out->lines = lines;
}

int main(int argc, char **argv) {
  static const char alphabet[34] = "abcdefghij 0123456789 //// \n\n  z ";
  uint32_t seed = 88u + (uint32_t)argc;
  for (int i = 0; i < LEN; i++) {
    seed = seed * 1664525u + 1013904223u;
    Text[i] = alphabet[seed >> 27];
  }
  struct counts n;
  dfa(Text, LEN, &n);
  printf("dfa words=%d numbers=%d comments=%d lines=%d\n", n.words, n.numbers,
         n.comments, n.lines);
  return 0;
}
