// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests of fixed vectors are offloaded as scalars and give what plain clang
// gives, to the bit; the host code keeps its vectors.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: clang -O2 %s -o %t/plain
// RUN: %t/plain > %t/want
// RUN: loom-cc -O2 %s -o %t/vectors
// RUN: loom report %t/vectors | FileCheck %s --check-prefix=REPORT
// REPORT-NOT: vector{{$}}
// RUN: env LOOM_DEVICE=host %t/vectors | cmp %t/want -
// RUN: env LOOM_STATS=%t/stats LOOM_OFFLOAD=mandatory %t/vectors | cmp %t/want -
// RUN: FileCheck %s --input-file=%t/stats
// CHECK-DAG: "region":"carried.0",{{.*}}"device":"sim","launches":2,{{.*}}"fallbacks":{}
// CHECK-DAG: "region":"floats.0",{{.*}}"device":"sim","launches":1,{{.*}}"fallbacks":{}
// CHECK-DAG: "region":"shuffles.0",{{.*}}"device":"sim","launches":1,{{.*}}"fallbacks":{}
// CHECK-DAG: "region":"lookup.0",{{.*}}"device":"sim","launches":1,{{.*}}"fallbacks":{}
// CHECK-DAG: "region":"casts.0",{{.*}}"device":"sim","launches":1,{{.*}}"fallbacks":{}
// CHECK-DAG: "region":"find.0",{{.*}}"device":"sim","launches":3,{{.*}}"fallbacks":{}
// RUN: env LOOM_VERIFY=1 LOOM_STATS=%t/verified %t/vectors | cmp %t/want -
// RUN: FileCheck %s --check-prefix=VERIFY --input-file=%t/verified
// VERIFY-NOT: "mismatches":{{[1-9]}}
// VERIFY: "region":"find.0"
// VERIFY-NOT: "mismatches":{{[1-9]}}
//
// The same with the lowered S0 in place of the nests.
// RUN: env LOOM_ROUNDTRIP=1 loom-cc -O2 %s -o %t/roundtrip
// RUN: %t/roundtrip | cmp %t/want -

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint32_t v4u __attribute__((vector_size(16)));
typedef int32_t v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef uint64_t v2q __attribute__((vector_size(16)));
typedef uint16_t v4h __attribute__((vector_size(8)));
typedef uint8_t v8b __attribute__((vector_size(8)));

#define N 37
static v4u In[N], Out[N];
static v4f F[N];
static uint64_t Words[N];

/// Vectors go in, are carried and come out. A prefetch is a hint, which a device
/// may ignore.
__attribute__((noinline)) static v4u carried(const v4u *p, int n, v4u seed,
                                             uint32_t *last) {
  v4u sum = seed;
  uint32_t top = 0;
  for (int i = 0; i < n; i++) {
    __builtin_prefetch(p + i + 8);
    sum = (sum << 3 | sum >> 29) ^ (p[i] * seed);
    top += sum[1];
  }
  *last = top;
  return sum;
}

__attribute__((noinline)) static void floats(v4f *p, int n, v4f by) {
  for (int i = 0; i < n; i++) {
    v4f x = p[i] * by - (v4f){1.5f, -0.0f, 3e38f, 1e-40f};
    v4i more = x > by;
    p[i] = (v4f)(((v4i)(x / by) & more) | ((v4i)(x * x) & ~more));
  }
}

__attribute__((noinline)) static void shuffles(v4u *to, const v4u *p, int n) {
  for (int i = 0; i < n; i++) {
    v4u turned = __builtin_shufflevector(p[i], p[n - 1 - i], 3, 4, 1, 6);
    to[i] = turned + (v4u){1, 10, 100, 1000};
  }
}

/// A lane that the data names.
__attribute__((noinline)) static void lookup(v4u *to, const v4u *p, int n) {
  for (int i = 0; i < n; i++) {
    v4u x = p[i];
    x[x[0] & 3] ^= x[x[1] & 3];
    to[i] = x;
  }
}

/// Lanes of other widths, and scalars seen as vectors.
__attribute__((noinline)) static void casts(uint64_t *p, int n) {
  for (int i = 0; i < n; i++) {
    v4h halves;
    memcpy(&halves, &p[i], 8);
    halves = halves * halves + (v4h){1, 2, 3, 4};
    v8b bytes = (v8b)halves;
    bytes ^= bytes << 1;
    memcpy(&p[i], &bytes, 8);
#ifdef __SSE2__
    __m128i wide = _mm_set1_epi64x((long long)p[i]);
    wide = _mm_add_epi64(_mm_mul_epu32(wide, _mm_srli_epi64(wide, 32)),
                         _mm_shuffle_epi32(wide, 0xb1));
    p[i] = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(
        wide, _mm_unpackhi_epi64(_mm_slli_epi32(wide, 5), wide)));
#endif
  }
}

/// Two exits, each with vectors of its own.
__attribute__((noinline)) static v2q find(const v4u *p, int n, uint32_t what) {
  v2q seen = {what, 7};
  for (int i = 0; i < n; i++) {
    if (p[i][2] == what)
      return seen * 3 + (v2q)p[i];
    seen += (v2q)p[i];
  }
  return seen;
}

static void show(const char *name, const void *data, size_t size) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const uint8_t *)data)[i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

int main(int argc, char **argv) {
  uint32_t x = (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 4; k++) {
      In[i][k] = x = x * 1664525u + 1013904223u;
      F[i][k] = (float)(int32_t)x * 0.37f;
    }
    Words[i] = (uint64_t)x * 0x9e3779b97f4a7c15u;
  }
  uint32_t last;
  for (int n = N - 1; n <= N; n++) {
    v4u sum = carried(In, n, (v4u){3, 5, 7, 11} + x, &last);
    show("carried", &sum, sizeof sum);
    show("last", &last, sizeof last);
  }
  floats(F, N, (v4f){0.5f, -2.0f, 1.25f, 3.0f} * (float)argc);
  show("floats", F, sizeof F);
  shuffles(Out, In, N);
  show("shuffles", Out, sizeof Out);
  lookup(Out, In, N);
  show("lookup", Out, sizeof Out);
  casts(Words, N);
  show("casts", Words, sizeof Words);
  uint32_t wanted[] = {In[20][2], 12345, In[0][2]};
  for (int i = 0; i < 3; i++) {
    v2q found = find(In, N, wanted[i]);
    show("find", &found, sizeof found);
  }
  return 0;
}
