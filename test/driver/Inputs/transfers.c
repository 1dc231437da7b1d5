// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three arrays of six lines of 64 bytes each: two are read, one is written.
// Bytes, because plasticine has no product of 64 bits for an address.
#include <stdio.h>

#define N 384

__attribute__((noinline)) void add(unsigned char *restrict y,
                                   const unsigned char *restrict x,
                                   const unsigned char *restrict z, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] + z[i];
}

int main(void) {
  static _Alignas(64) unsigned char x[N], y[N], z[N];
  for (int i = 0; i < N; ++i) {
    x[i] = i;
    z[i] = 1;
  }
  add(y, x, z, N);
  printf("%d\n", y[N - 1]);
}
