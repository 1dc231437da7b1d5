// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashing records by xor, shift and multiply. Shows: 64-bit integer arithmetic
// with rotates, a running state through both loops of a nest.

#include <stdint.h>
#include <stdio.h>

#define RECORDS 250
#define WORDS 8

static uint64_t In[RECORDS * WORDS], Out[RECORDS];

__attribute__((noinline)) static uint64_t
xorshift_hash(const uint64_t *restrict in, uint64_t *restrict out,
              uint64_t state) {
  for (int r = 0; r < RECORDS; r++) {
    uint64_t h = state ^ (uint64_t)r * 0x9e3779b97f4a7c15u;
    for (int w = 0; w < WORDS; w++) {
      h ^= in[r * WORDS + w];
      h ^= h << 13;
      h ^= h >> 7;
      h ^= h << 17;
      h = (h << 29 | h >> 35) * 0xbf58476d1ce4e5b9u;
    }
    out[r] = h;
    state += h >> 32;
  }
  return state;
}

int main(int argc, char **argv) {
  uint64_t seed = 1u + (uint64_t)argc;
  for (int i = 0; i < RECORDS * WORDS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    In[i] = seed ^ (uint64_t)i;
  }
  uint64_t state = xorshift_hash(In, Out, (uint64_t)argc);
  uint64_t check = 0;
  for (int r = 0; r < RECORDS; r++)
    check = (check ^ Out[r]) * 0x100000001b3u;
  printf("xorshift_hash %016llx state=%016llx\n", (unsigned long long)check,
         (unsigned long long)state);
  return 0;
}
