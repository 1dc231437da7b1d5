// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program without a loop.

#include <stdio.h>

static int twice(int v) { return 2 * v; }

int main(int argc, char **argv) {
  (void)argv;
  printf("%d\n", twice(argc));
  return 0;
}
