// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit heat flow in a cube. Shows: a three-dimensional stencil over flat
// arrays with constant strides, and boundary cells told apart by a condition.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 16
#define AT(i, j, k) (((i) * N + (j)) * N + (k))

static double T0[N * N * N], T1[N * N * N];

__attribute__((noinline)) static void heat3d(const double *restrict in,
                                             double *restrict out, double r) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) {
        double c = in[AT(i, j, k)];
        if (i > 0 && i < N - 1 && j > 0 && j < N - 1 && k > 0 && k < N - 1)
          c += r * (in[AT(i - 1, j, k)] + in[AT(i + 1, j, k)] +
                    in[AT(i, j - 1, k)] + in[AT(i, j + 1, k)] +
                    in[AT(i, j, k - 1)] + in[AT(i, j, k + 1)] - 6.0 * c);
        out[AT(i, j, k)] = c;
      }
}

int main(int argc, char **argv) {
  uint32_t seed = 3u + (uint32_t)argc;
  for (int i = 0; i < N * N * N; i++) {
    seed = seed * 1664525u + 1013904223u;
    T0[i] = (double)(seed >> 12) / 1000.0;
  }
  double r = 0.1 * argc;
  heat3d(T0, T1, r);
  uint64_t check = 0;
  for (int i = 0; i < N * N * N; i++) {
    uint64_t bits;
    memcpy(&bits, &T1[i], sizeof bits);
    check = (check ^ bits) * 0x100000001b3u;
  }
  printf("heat3d %016llx %a %a\n", (unsigned long long)check, T1[AT(1, 1, 1)],
         T1[AT(8, 8, 8)]);
  return 0;
}
