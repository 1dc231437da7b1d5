// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L*D*L^T factorisation of a symmetric matrix (a Cholesky without square
// roots). Shows: two triangular loops inside one another, two output arrays.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 32

static double A[N * N], L[N * N], D[N];

__attribute__((noinline)) static void
ldlt(const double *restrict a, double *restrict l, double *restrict d) {
  for (int j = 0; j < N; j++) {
    double dj = a[j * N + j];
    for (int k = 0; k < j; k++)
      dj -= l[j * N + k] * l[j * N + k] * d[k];
    d[j] = dj;
    for (int i = j + 1; i < N; i++) {
      double s = a[i * N + j];
      for (int k = 0; k < j; k++)
        s -= l[i * N + k] * l[j * N + k] * d[k];
      l[i * N + j] = s / dj;
    }
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 77u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      seed = seed * 1664525u + 1013904223u;
      double v = (double)(seed >> 20) / 4096.0 + (i == j ? 2.0 * N : 0.0);
      A[i * N + j] = v;
      A[j * N + i] = v;
    }
  ldlt(A, L, D);
  uint64_t check = 0;
  for (int i = 0; i < N; i++) {
    uint64_t bits;
    memcpy(&bits, &D[i], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("ldlt %016llx %a %a\n", (unsigned long long)check, D[N - 1],
         L[(N - 1) * N]);
  return 0;
}
