// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 0/1 knapsack on one row, walked backwards. Shows: a loop that counts down to
// a bound loaded from memory, and a maximum written in place.

#include <stdint.h>
#include <stdio.h>

#define ITEMS 30
#define CAP 500

static int32_t Weight[ITEMS], Value[ITEMS], Best[CAP + 1];

__attribute__((noinline)) static void knapsack(const int32_t *restrict weight,
                                               const int32_t *restrict value,
                                               int32_t *restrict best) {
  for (int i = 0; i < ITEMS; i++) {
    int32_t w = weight[i], v = value[i];
    for (int c = CAP; c >= w; c--) {
      int32_t with = best[c - w] + v;
      if (with > best[c])
        best[c] = with;
    }
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 19u + (uint32_t)argc;
  for (int i = 0; i < ITEMS; i++) {
    seed = seed * 1664525u + 1013904223u;
    Weight[i] = 5 + (int32_t)(seed >> 26);
    Value[i] = 10 + (int32_t)(seed >> 8 & 127);
  }
  knapsack(Weight, Value, Best);
  uint32_t check = 0;
  for (int c = 0; c <= CAP; c++)
    check = check * 31u + (uint32_t)Best[c];
  printf("knapsack %08x best=%d half=%d\n", check, Best[CAP], Best[CAP / 2]);
  return 0;
}
