// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic on tokens: exact, and without undefined behaviour where the
// operation itself has none or only poison.

#ifndef LOOM_RUNTIME_DEVICES_SIM_SCALARS_H
#define LOOM_RUNTIME_DEVICES_SIM_SCALARS_H

#include <stdint.h>
#include <string.h>

namespace loom::rt {

inline float asF32(uint64_t bits) {
  uint32_t low = static_cast<uint32_t>(bits);
  float value;
  memcpy(&value, &low, sizeof(value));
  return value;
}
inline double asF64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}
inline uint64_t bitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
inline uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}
template <typename F>
F asFloat(uint64_t bits);
template <>
inline float asFloat<float>(uint64_t bits) {
  return asF32(bits);
}
template <>
inline double asFloat<double>(uint64_t bits) {
  return asF64(bits);
}

/// Sign-extends a value whose width is 64 - shift.
inline int64_t sext(uint64_t value, unsigned shift) {
  return static_cast<int64_t>(value << shift) >> shift;
}

/// Shifts; an amount of the width or more is poison and gives 0.
inline uint64_t shiftLeft(uint64_t a, uint64_t b, unsigned width) {
  return b >= width ? 0 : a << b;
}
inline uint64_t shiftRight(uint64_t a, uint64_t b, unsigned width) {
  return b >= width ? 0 : a >> b;
}
inline uint64_t shiftRightSigned(int64_t a, uint64_t b, unsigned width) {
  return b >= width ? 0 : static_cast<uint64_t>(a >> b);
}

inline unsigned leadingZeros(uint64_t value, unsigned width) {
  return value ? static_cast<unsigned>(__builtin_clzll(value)) - (64 - width)
               : width;
}
inline unsigned trailingZeros(uint64_t value, unsigned width) {
  return value ? static_cast<unsigned>(__builtin_ctzll(value)) : width;
}
inline uint64_t swapBytes(uint64_t value, unsigned width) {
  return __builtin_bswap64(value) >> (64 - width);
}
inline uint64_t reverseBits(uint64_t value, unsigned width) {
  value = __builtin_bswap64(value);
  value = ((value >> 4) & 0x0F0F0F0F0F0F0F0Full) |
          ((value & 0x0F0F0F0F0F0F0F0Full) << 4);
  value = ((value >> 2) & 0x3333333333333333ull) |
          ((value & 0x3333333333333333ull) << 2);
  value = ((value >> 1) & 0x5555555555555555ull) |
          ((value & 0x5555555555555555ull) << 1);
  return value >> (64 - width);
}

/// Funnel shifts: `a` is the high half, the amount counts modulo the width.
inline uint64_t funnelLeft(uint64_t a, uint64_t b, uint64_t amount,
                           unsigned width) {
  unsigned by = static_cast<unsigned>(amount % width);
  return by == 0 ? a : (a << by) | (b >> (width - by));
}
inline uint64_t funnelRight(uint64_t a, uint64_t b, uint64_t amount,
                            unsigned width) {
  unsigned by = static_cast<unsigned>(amount % width);
  return by == 0 ? b : (a << (width - by)) | (b >> by);
}

inline uint64_t addSatSigned(int64_t a, int64_t b, unsigned width) {
  __int128 sum = static_cast<__int128>(a) + b;
  __int128 top = (static_cast<__int128>(1) << (width - 1)) - 1;
  return static_cast<uint64_t>(sum > top        ? top
                               : sum < -top - 1 ? -top - 1
                                                : sum);
}
inline uint64_t subSatSigned(int64_t a, int64_t b, unsigned width) {
  __int128 sum = static_cast<__int128>(a) - b;
  __int128 top = (static_cast<__int128>(1) << (width - 1)) - 1;
  return static_cast<uint64_t>(sum > top        ? top
                               : sum < -top - 1 ? -top - 1
                                                : sum);
}
inline uint64_t addSatUnsigned(uint64_t a, uint64_t b, uint64_t mask) {
  return a > mask - b ? mask : a + b;
}

/// A comparison by its arith.cmpi number. Operands are zero-extended.
inline bool compareInt(unsigned predicate, uint64_t a, uint64_t b,
                       unsigned fromShift) {
  switch (predicate) {
#define LOOM_COMPARE(number, expression)                                       \
  case number:                                                                 \
    return (expression);
#include "Devices/Sim/Operations.def"
  default:
    return false;
  }
}

/// arith.cmpf predicates as the set of outcomes that satisfy them:
/// bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
inline unsigned compareFloatSet(unsigned predicate) {
  static const uint8_t sets[16] = {
      0,     1,     2,     3,     4,     5,     6, 7, // false, o.., ord
      8 | 1, 8 | 2, 8 | 3, 8 | 4, 8 | 5, 8 | 6, 8, 15};
  return sets[predicate & 15];
}
template <typename F>
bool compareFloat(unsigned set, F a, F b) {
  unsigned outcome = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
  return (set & outcome) != 0;
}

/// Float to integer, truncating. Out of range is poison; these give what the
/// x86 conversion instructions give.
inline uint64_t floatToSigned(double value, unsigned width) {
  if (width <= 32) {
    if (value > -2147483649.0 && value < 2147483648.0)
      return static_cast<uint64_t>(static_cast<int64_t>(value));
    return 0x80000000u;
  }
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  return uint64_t(1) << 63;
}
inline uint64_t floatToUnsigned(double value, unsigned width) {
  if (width < 32)
    return floatToSigned(value, 32);
  if (width == 32)
    return floatToSigned(value, 64);
  if (value >= 9223372036854775808.0)
    return floatToSigned(value - 9223372036854775808.0, 64) ^
           (uint64_t(1) << 63);
  return floatToSigned(value, 64);
}

/// A result that is a NaN is the first operand's if that is one, then the
/// second's, as the x86 instructions have it. Said here because a compiler may
/// exchange the operands of a sum or a product.
template <typename F>
F firstNaN(F result, F a, F b) {
  if (__builtin_expect(result == result, 1))
    return result;
  return a != a ? a + a : b != b ? b + b : result;
}
template <typename F>
F sumOf(F a, F b) {
  return firstNaN<F>(a + b, a, b);
}
template <typename F>
F productOf(F a, F b) {
  return firstNaN<F>(a * b, a, b);
}

/// minnum/maxnum: a NaN operand loses. Zeros of both signs compare equal and
/// the first operand wins, which is what the x86 lowering does.
template <typename F>
F minNum(F a, F b) {
  return a != a ? b : b < a ? b : a;
}
template <typename F>
F maxNum(F a, F b) {
  return a != a ? b : b > a ? b : a;
}
/// minimum/maximum: a NaN operand wins, -0 is less than +0.
template <typename F>
F minimum(F a, F b) {
  if (a != a || b != b)
    return sumOf(a, b);
  if (a == b)
    return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename F>
F maximum(F a, F b) {
  if (a != a || b != b)
    return sumOf(a, b);
  if (a == b)
    return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}

inline float fmaOf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
inline double fmaOf(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
inline float modOf(float a, float b) { return __builtin_fmodf(a, b); }
inline double modOf(double a, double b) { return __builtin_fmod(a, b); }
inline float sqrtOf(float a) { return __builtin_sqrtf(a); }
inline double sqrtOf(double a) { return __builtin_sqrt(a); }
inline float floorOf(float a) { return __builtin_floorf(a); }
inline double floorOf(double a) { return __builtin_floor(a); }
inline float ceilOf(float a) { return __builtin_ceilf(a); }
inline double ceilOf(double a) { return __builtin_ceil(a); }
inline float truncOf(float a) { return __builtin_truncf(a); }
inline double truncOf(double a) { return __builtin_trunc(a); }
inline float roundOf(float a) { return __builtin_roundf(a); }
inline double roundOf(double a) { return __builtin_round(a); }
inline float roundEvenOf(float a) { return __builtin_roundevenf(a); }
inline double roundEvenOf(double a) { return __builtin_roundeven(a); }

} // namespace loom::rt

#endif
