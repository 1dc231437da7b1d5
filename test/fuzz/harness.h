/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every generated program uses: the arrays that its nests work on, filled
 * afresh before each call and hashed after it. harness.c is compiled without
 * LTO: its loops are not candidates, and what it returns is not known. */
#ifndef LOOM_FUZZ_HARNESS_H
#define LOOM_FUZZ_HARNESS_H

#include <stdint.h>
#include <string.h>

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

#define TYPES(X) X(i8) X(u8) X(i16) X(u16) X(i32) X(u32) X(i64) X(u64) X(f32) X(f64)
#define INT_TYPES(X) X(i8) X(u8) X(i16) X(u16) X(i32) X(u32) X(i64) X(u64)

/* g_T: reached by name. b_T: passed by pointer, at offsets that may overlap. */
#define DECLARE(T) extern T g_##T[64], b_##T[160];
TYPES(DECLARE)
#undef DECLARE

struct pair { i8 c; i32 i; };
struct rec {
  u8 c;
  i32 i;
  f64 d;
  i16 s[4];
  struct pair p[2];
  u64 w;
  u16 h;
};
extern struct rec g_rec[16], b_rec[40];
extern i32 m_i32[12][16];
extern f64 m_f64[10][10];
extern u8 m_u8[6][5][8];
extern u16 next16[64]; /* a permutation of 0 .. 63 */

/* Fills all of the above from a seed. */
void h_reset(u64 seed);
/* Hash of all of the above; any NaN counts as the same. */
u64 h_hash(u64 h);
u64 h_bytes(u64 h, const void *bytes, unsigned long size);
u64 h_f64(u64 h, f64 value);
/* Its argument, of which the compiler knows nothing. */
i64 h_value(i64 value);
/* Prints the checksum of a nest. */
void h_print(int nest, u64 h);

static inline u64 h_mix(u64 h, u64 x) { return (h ^ x) * 0x9e3779b97f4a7c15u + (h >> 29); }

/* Conversions that are defined for every value. */
#define F2I(x) ((x) > -2.0e9 && (x) < 2.0e9 ? (i32)(x) : 77)
#define F2U(x) ((x) > -0.5 && (x) < 4.0e9 ? (u32)(x) : 5u)
#define F2L(x) ((x) > -9.0e18 && (x) < 9.0e18 ? (i64)(x) : (i64)-3)

#endif
