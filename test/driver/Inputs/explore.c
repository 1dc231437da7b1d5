// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two nests: one whose pointers may overlap for all the compiler knows, one whose
// outer iterations depend on each other.
#include <stdio.h>

__attribute__((noinline)) void spread(int *a, const int *b) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 4; ++j)
      a[4 * i + j] += b[i] * j;
}

__attribute__((noinline)) void chain(int *a) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 4; ++j)
      a[j] = a[j] * 3 + i;
}

int main(void) {
  static int a[24], b[6] = {1, 2, 3, 4, 5, 6};
  spread(a, b);
  chain(a);
  printf("%d %d\n", a[4], a[23]);
  return 0;
}
