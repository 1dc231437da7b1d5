// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sieve of Eratosthenes. Shows: an inner loop with a run-time step inside a
// condition, byte stores, and the primes gathered by a running index.

#include <stdint.h>
#include <stdio.h>

#define N 8000

static uint8_t Composite[N];
static int32_t Primes[N];

__attribute__((noinline)) static int sieve(uint8_t *restrict composite,
                                           int32_t *restrict primes, int n) {
  int count = 0;
  for (int i = 2; i < n; i++)
    if (!composite[i]) {
      primes[count++] = i;
      for (int j = i + i; j < n; j += i)
        composite[j] = 1;
    }
  return count;
}

int main(int argc, char **argv) {
  int count = sieve(Composite, Primes, N - argc);
  uint32_t check = 0;
  for (int i = 0; i < count; i++)
    check = check * 31u + (uint32_t)Primes[i];
  printf("sieve %08x count=%d last=%d\n", check, count, Primes[count - 1]);
  return 0;
}
