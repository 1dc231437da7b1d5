// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums of integers and of doubles in one pass. Shows: two scalars
// carried around a loop, with every intermediate value stored.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 4000

static int32_t A[N];
static int64_t SumI[N];
static double SumF[N];

__attribute__((noinline)) static void prefix_sum(const int32_t *restrict a,
                                                 int64_t *restrict si,
                                                 double *restrict sf) {
  int64_t i64 = 0;
  double f64 = 0.0;
  for (int i = 0; i < N; i++) {
    i64 += a[i];
    f64 += (double)a[i] * 0.1;
    si[i] = i64;
    sf[i] = f64;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 4u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (int32_t)seed;
  }
  prefix_sum(A, SumI, SumF);
  uint64_t check = 0;
  for (int i = 0; i < N; i++) {
    uint64_t bits;
    memcpy(&bits, &SumF[i], sizeof bits);
    check = (check ^ bits ^ (uint64_t)SumI[i]) * 0x100000001b3u;
  }
  printf("prefix_sum %016llx %lld %a\n", (unsigned long long)check,
         (long long)SumI[N - 1], SumF[N - 1]);
  return 0;
}
