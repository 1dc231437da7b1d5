// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer matrix product. Shows: a perfect three-deep counted nest with a
// reduction in the innermost loop, on global arrays.

#include <stdint.h>
#include <stdio.h>

#define N 32

static int32_t A[N][N], B[N][N], C[N][N];

__attribute__((noinline)) static void gemm_int(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int32_t sum = 0;
      for (int k = 0; k < N; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 100u + (uint32_t)argc;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      A[i][j] = (int32_t)(seed >> 20) - 2048;
      B[i][j] = (int32_t)(seed >> 8 & 4095) - 2048;
    }
  gemm_int();
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      check = check * 31u + (uint32_t)C[i][j];
  printf("gemm_int %08x c[0][0]=%d c[31][31]=%d\n", check, C[0][0], C[31][31]);
  return 0;
}
