// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting bits three ways. Shows: a data-dependent `while`, a masked
// divide-and-conquer count in 64 bits, and reductions that leave the nest.

#include <stdint.h>
#include <stdio.h>

#define N 700

static uint64_t Words[N];
static uint8_t Counts[N];

__attribute__((noinline)) static uint32_t popcount(const uint64_t *restrict w,
                                                   uint8_t *restrict out) {
  uint32_t total = 0;
  for (int i = 0; i < N; i++) {
    uint64_t x = w[i];
    uint32_t slow = 0;
    while (x) {
      x = x & (x - 1);
      slow++;
    }
    x = w[i];
    x = x - (x >> 1 & 0x5555555555555555u);
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    uint32_t fast = (uint32_t)(x * 0x0101010101010101u >> 56);
    out[i] = (uint8_t)(slow == fast ? fast : 255);
    total += slow;
  }
  return total;
}

int main(int argc, char **argv) {
  uint64_t seed = 99u + (uint64_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    Words[i] = i % 3 ? seed : seed & seed << 7 & seed >> 5;
  }
  uint32_t total = popcount(Words, Counts);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + Counts[i];
  printf("popcount %08x total=%u\n", check, total);
  return 0;
}
