/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "harness.h"
#include <math.h>
#include <stdio.h>

#define DEFINE(T) T g_##T[64], b_##T[160];
TYPES(DEFINE)
struct rec g_rec[16], b_rec[40];
i32 m_i32[12][16];
f64 m_f64[10][10];
u8 m_u8[6][5][8];
u16 next16[64];

static u64 state;
static u64 next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  u64 x = state ^ (state >> 33);
  return x * 0xff51afd7ed558ccdu ^ (x >> 29);
}

/* Small numbers are frequent: loops and comparisons depend on them. */
static u64 integer(void) {
  u64 x = next();
  switch (x & 7) {
  case 0: return 0;
  case 1: return (x >> 8) & 3;
  case 2:
  case 3: return (x >> 8) & 31;
  case 4: return 0 - ((x >> 8) & 15);
  default: return next();
  }
}

static f64 real(void) {
  u64 x = next();
  switch (x & 31) {
  case 0: return 0.0;
  case 1: return -0.0;
  case 2: return 1e300;
  case 3: return NAN;
  case 4: return -INFINITY;
  default: return (f64)(i64)((x >> 8) & 0xffff) / 64.0 - 300.0;
  }
}

static f64 value_f(void) { return real(); }
#define VALUE(T) _Generic((T)0, f32: value_f(), f64: value_f(), default: integer())

static void records(struct rec *r, int n) {
  memset(r, 0, sizeof *r * (unsigned)n);
  for (int i = 0; i < n; ++i) {
    r[i].c = (u8)integer();
    r[i].i = (i32)integer();
    r[i].d = real();
    for (int k = 0; k < 4; ++k) r[i].s[k] = (i16)integer();
    for (int k = 0; k < 2; ++k) { r[i].p[k].c = (i8)integer(); r[i].p[k].i = (i32)integer(); }
    r[i].w = integer();
    r[i].h = (u16)integer();
  }
}

void h_reset(u64 seed) {
  state = seed * 2654435761u + 99;
#define FILL(T) \
  for (int i = 0; i < 64; ++i) g_##T[i] = (T)VALUE(T); \
  for (int i = 0; i < 160; ++i) b_##T[i] = (T)VALUE(T);
  TYPES(FILL)
  records(g_rec, 16);
  records(b_rec, 40);
  for (int i = 0; i < 12 * 16; ++i) m_i32[i / 16][i % 16] = (i32)integer();
  for (int i = 0; i < 100; ++i) m_f64[i / 10][i % 10] = real();
  for (int i = 0; i < 240; ++i) m_u8[i / 40][i / 8 % 5][i % 8] = (u8)integer();
  for (int i = 0; i < 64; ++i) next16[i] = (u16)i;
  for (int i = 63; i > 0; --i) {
    int j = (int)(next() >> 20) % (i + 1);
    if (j < 0) j = -j;
    u16 t = next16[i];
    next16[i] = next16[j];
    next16[j] = t;
  }
}

u64 h_f64(u64 h, f64 value) {
  u64 bits = 0x7ff8000000000000u;
  if (value == value) memcpy(&bits, &value, 8);
  return h_mix(h, bits);
}

u64 h_bytes(u64 h, const void *bytes, unsigned long size) {
  for (unsigned long i = 0; i < size; ++i) h = h_mix(h, ((const u8 *)bytes)[i]);
  return h;
}

static u64 hash_records(u64 h, const struct rec *r, int n) {
  for (int i = 0; i < n; ++i) {
    h = h_mix(h_f64(h_mix(h_mix(h, r[i].c), (u64)r[i].i), r[i].d), r[i].w);
    h = h_mix(h, r[i].h);
    for (int k = 0; k < 4; ++k) h = h_mix(h, (u64)r[i].s[k]);
    for (int k = 0; k < 2; ++k) h = h_mix(h_mix(h, (u64)r[i].p[k].c), (u64)r[i].p[k].i);
  }
  return h;
}

u64 h_hash(u64 h) {
#define HASH(T) h = h_bytes(h_bytes(h, g_##T, sizeof g_##T), b_##T, sizeof b_##T);
  INT_TYPES(HASH)
  for (int i = 0; i < 64; ++i) h = h_f64(h_f64(h, g_f32[i]), g_f64[i]);
  for (int i = 0; i < 160; ++i) h = h_f64(h_f64(h, b_f32[i]), b_f64[i]);
  h = hash_records(hash_records(h, g_rec, 16), b_rec, 40);
  h = h_bytes(h_bytes(h, m_i32, sizeof m_i32), m_u8, sizeof m_u8);
  for (int i = 0; i < 100; ++i) h = h_f64(h, m_f64[i / 10][i % 10]);
  return h_bytes(h, next16, sizeof next16);
}

i64 h_value(i64 value) { return value; }

void h_print(int nest, u64 h) {
  printf("nest %d %016llx\n", nest, (unsigned long long)h);
  fflush(stdout);
}
