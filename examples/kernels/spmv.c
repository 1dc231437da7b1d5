// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix-vector product, compressed rows. Shows: an inner loop whose
// bounds are loaded from memory, and an indirect read x[col[k]].

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROWS 400
#define MAXNZ (ROWS * 12)

static int32_t RowStart[ROWS + 1], Col[MAXNZ];
static double Val[MAXNZ], X[ROWS], Y[ROWS];

__attribute__((noinline)) static void
spmv(int rows, const int32_t *restrict start, const int32_t *restrict col,
     const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0.0;
    for (int32_t k = start[i]; k < start[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 64u + (uint32_t)argc;
  int32_t nz = 0;
  for (int i = 0; i < ROWS; i++) {
    RowStart[i] = nz;
    X[i] = (double)(i - 200) / 7.0;
    seed = seed * 1664525u + 1013904223u;
    int n = (int)(seed >> 16) % 12; /* some rows are empty */
    for (int k = 0; k < n; k++) {
      seed = seed * 1664525u + 1013904223u;
      Col[nz] = (int32_t)((seed >> 8) % ROWS);
      Val[nz++] = (double)(int32_t)seed / 1.0e9;
    }
  }
  RowStart[ROWS] = nz;
  spmv(ROWS, RowStart, Col, Val, X, Y);
  uint64_t check = 0;
  for (int i = 0; i < ROWS; i++) {
    uint64_t bits;
    memcpy(&bits, &Y[i], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("spmv %016llx nz=%d %a\n", (unsigned long long)check, nz, Y[17]);
  return 0;
}
