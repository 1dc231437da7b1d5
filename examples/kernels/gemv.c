// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix-vector product and its transpose in single precision. Shows: two
// nests in one function, one of them reading the matrix by columns.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROWS 96
#define COLS 80

static float M[ROWS * COLS], X[COLS], Y[ROWS], Z[COLS];

__attribute__((noinline)) static void gemv(const float *restrict m,
                                           const float *restrict x,
                                           float *restrict y,
                                           float *restrict z) {
  for (int i = 0; i < ROWS; i++) {
    float sum = 0.0f;
    for (int j = 0; j < COLS; j++)
      sum += m[i * COLS + j] * x[j];
    y[i] = sum;
  }
  for (int j = 0; j < COLS; j++) {
    float sum = 0.0f;
    for (int i = 0; i < ROWS; i++)
      sum += m[i * COLS + j] * y[i];
    z[j] = sum;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 21u + (uint32_t)argc;
  for (int i = 0; i < ROWS * COLS; i++) {
    seed = seed * 1664525u + 1013904223u;
    M[i] = (float)(int32_t)(seed >> 12) / 4097.0f - 100.0f;
  }
  for (int j = 0; j < COLS; j++)
    X[j] = 1.0f / (float)(j + argc);
  gemv(M, X, Y, Z);
  uint32_t check = 0;
  for (int j = 0; j < COLS; j++) {
    uint32_t bits;
    memcpy(&bits, &Z[j], sizeof bits);
    check = (check ^ bits) * 16777619u;
  }
  printf("gemv %08x %a %a\n", check, (double)Y[ROWS - 1], (double)Z[0]);
  return 0;
}
