// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha*A*B + beta*C in double precision. Shows: `restrict` parameters,
// scalar live-ins, a floating-point reduction whose order matters to the bit.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 28

static double A[N * N], B[N * N], C[N * N];

__attribute__((noinline)) static void gemm_double(const double *restrict a,
                                                  const double *restrict b,
                                                  double *restrict c,
                                                  double alpha, double beta) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0.0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = alpha * sum + beta * c[i * N + j];
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 7u + (uint32_t)argc;
  for (int i = 0; i < N * N; i++) {
    seed = seed * 1664525u + 1013904223u;
    A[i] = (double)(int32_t)seed / 65536.0;
    seed = seed * 1664525u + 1013904223u;
    B[i] = (double)(int32_t)seed / 3.0e9;
    C[i] = (double)i;
  }
  gemm_double(A, B, C, 1.0 / 3.0 * argc, 0.7);
  uint64_t check = 0;
  for (int i = 0; i < N * N; i++) {
    uint64_t bits;
    memcpy(&bits, &C[i], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("gemm_double %016llx %a %a\n", (unsigned long long)check, C[0],
         C[N * N - 1]);
  return 0;
}
