// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 128-bit integers inside of loops: every operation that is done by halves.

#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 wide;
typedef __int128 swide;

enum { N = 64 };
static uint64_t a[N], b[N], out[12][N];
static wide store[N];

#define EACH __attribute__((noinline)) static void

EACH fold(int n, uint64_t with) {
  for (int i = 0; i < n; ++i) {
    wide p = (wide)a[i] * (b[i] ^ with);
    out[0][i] = (uint64_t)p ^ (uint64_t)(p >> 64);
  }
}
EACH sums(int n) {
  wide s = 0;
  for (int i = 0; i < n; ++i) {
    s += (wide)a[i] << (i & 63);
    s -= b[i];
    out[1][i] = (uint64_t)s;
    out[2][i] = (uint64_t)(s >> 64);
  }
}
EACH shifts(int n) {
  for (int i = 0; i < n; ++i) {
    wide v = (wide)a[i] << 64 | b[i];
    int by = (int)(b[i] % 128);
    wide l = v << by, r = v >> by;
    swide s = (swide)v >> by;
    out[3][i] = (uint64_t)l ^ (uint64_t)(l >> 64) * 3;
    out[4][i] = (uint64_t)r ^ (uint64_t)(r >> 64) * 5;
    out[5][i] = (uint64_t)s ^ (uint64_t)(s >> 64) * 7;
  }
}
EACH orders(int n) {
  for (int i = 0; i < n; ++i) {
    wide v = (wide)a[i] << 64 | b[i], w = (wide)a[i] << 64 | a[i & 7];
    swide s = (swide)v, t = (swide)((wide)b[i] << 64 | a[i]);
    out[6][i] = (uint64_t)((v < w) | (v <= w) << 1 | (v == w) << 2 |
                           (s < t) << 3 | (s >= t) << 4 | (v != w) << 5);
    wide m = s < t ? v : w, p = store[i], q = store[i / 2]; // often equal above
    out[6][i] += (uint64_t)((p < q) << 6 | ((swide)p <= (swide)q) << 7);
    out[7][i] = (uint64_t)m + (uint64_t)(m >> 64);
  }
}
EACH signs(int n) {
  for (int i = 0; i < n; ++i) {
    swide v = (swide)(int64_t)a[i] * (int64_t)b[i];
    out[8][i] = (uint64_t)v;
    out[9][i] = (uint64_t)((wide)v >> 64);
  }
}
EACH turns(int n, unsigned by) {
  for (int i = 0; i < n; ++i) {
    wide v = (wide)a[i] << 64 | b[i];
    unsigned k = (by + (unsigned)a[i]) % 128, c = 128 - k;
    wide l = v << k | v >> (c & 127), r = v >> k | v << (c & 127);
    out[10][i] = (uint64_t)l ^ (uint64_t)(l >> 64) * 3;
    out[11][i] = (uint64_t)r ^ (uint64_t)(r >> 64) * 5;
  }
}
EACH bytes(int n) {
  for (int i = 0; i < n; ++i) {
    wide v = (wide)a[i] << 64 | b[i], w = 0;
    for (int k = 0; k < 16; ++k)
      w = w << 8 | (v >> 8 * k & 255);
    store[i] ^= w;
  }
}
EACH memory(int n) {
  for (int i = 0; i < n; ++i)
    store[i] = store[i] * 3 + ((wide)a[i] << 60 ^ b[i]) + (store[i] & ~(wide)a[i]);
}

int main(void) {
  uint64_t x = 88172645463325252u;
  for (int i = 0; i < N; ++i) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    a[i] = i % 9 == 4 ? 0 : i % 7 == 3 ? UINT64_MAX : x;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    b[i] = i % 5 == 2 ? a[i] : i % 11 == 1 ? (uint64_t)i * 64 : x;
    store[i] = (wide)(i % 3 ? 5 : x) << 64 | a[i];
  }
  fold(N, 0x9e3779b97f4a7c15u);
  sums(N);
  shifts(N);
  orders(N);
  signs(N);
  turns(N, 5);
  bytes(N);
  for (int r = 0; r < 3; ++r)
    memory(N);
  for (int k = 0; k < 12; ++k)
    for (int i = 0; i < N; ++i)
      printf("%016llx%c", (unsigned long long)out[k][i], i + 1 < N ? ' ' : '\n');
  for (int i = 0; i < N; ++i)
    printf("%016llx%016llx\n", (unsigned long long)(store[i] >> 64),
           (unsigned long long)store[i]);
  return 0;
}
