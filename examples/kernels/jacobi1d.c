// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-dimensional three-point smoothing, repeated. Shows: a time loop around
// two sweeps, so that one sweep must wait for the stores of the other.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 512
#define STEPS 16

static double A[N], B[N];

__attribute__((noinline)) static void jacobi1d(double *restrict a,
                                               double *restrict b) {
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < N - 1; i++)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
    for (int i = 1; i < N - 1; i++)
      a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3.0;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 11u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (double)(int32_t)seed / 1048576.0;
    B[i] = A[i] * 0.5;
  }
  jacobi1d(A, B);
  uint64_t check = 0;
  for (int i = 0; i < N; i++) {
    uint64_t bits;
    memcpy(&bits, &A[i], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("jacobi1d %016llx %a %a\n", (unsigned long long)check, A[1], A[N / 2]);
  return 0;
}
