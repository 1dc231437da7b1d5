// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One array whose footprint is known.
#include <stdio.h>

static int cells[64];

__attribute__((noinline)) void grow(int *p) {
  for (int i = 0; i < 64; ++i)
    p[i] += 5;
}

int main(void) {
  for (int i = 0; i < 64; ++i)
    cells[i] = i + 1;
  grow(cells);
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += cells[i] - i - 1;
  printf("%d\n", sum);
}
