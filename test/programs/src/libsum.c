// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function with a nest, for a library.

#include "libsum.h"

uint64_t weighted_sum(const uint32_t *values, int n, int rounds) {
  uint64_t sum = 0;
  for (int r = 1; r <= rounds; r++)
    for (int i = 0; i < n; i++)
      sum += (uint64_t)values[i] * (uint32_t)(r ^ i);
  return sum;
}
