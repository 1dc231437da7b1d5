// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the library.

#include "libsum.h"
#include <stdio.h>

int main(int argc, char **argv) {
  (void)argv;
  uint32_t values[5] = {3, 1, 4, 1, 5u + (uint32_t)argc};
  printf("%llu\n", (unsigned long long)weighted_sum(values, 5, 20));
  return 0;
}
