// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Autocorrelation of a signal, and the strongest lag. Shows: an inner loop that
// gets shorter with the outer counter, live-outs of two types (argmax, max).

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 300
#define LAGS 60

static double X[N], R[LAGS];

__attribute__((noinline)) static int
autocorr(const double *restrict x, double *restrict r, double *peak) {
  double best = -1.0e300;
  int at = 0;
  for (int l = 0; l < LAGS; l++) {
    double sum = 0.0;
    for (int i = 0; i < N - l; i++)
      sum += x[i] * x[i + l];
    r[l] = sum;
    if (l >= 5 && sum > best) {
      best = sum;
      at = l;
    }
  }
  *peak = best;
  return at;
}

int main(int argc, char **argv) {
  uint32_t seed = 40u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    X[i] = (double)((i % 23) - 11) + (double)(seed >> 20) / 2048.0 - 1.0;
  }
  double peak = 0.0;
  int lag = autocorr(X, R, &peak);
  uint64_t check = 0;
  for (int l = 0; l < LAGS; l++) {
    uint64_t bits;
    memcpy(&bits, &R[l], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("autocorr %016llx lag=%d peak=%a\n", (unsigned long long)check, lag,
         peak);
  return 0;
}
