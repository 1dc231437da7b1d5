// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of launch guards: pairs of functions that differ in `restrict` only.
// With it the compiler knows that the pointers are apart and leaves no guard;
// without it the guard picks the same graph. Prints, for each pair, medians of
// nanoseconds a launch, the two taking turns.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SCALE                                                                  \
  {                                                                            \
    for (long i = 0; i < n; i++)                                               \
      d[i] = s[i] * 3;                                                         \
  }
__attribute__((noinline)) void scale_plain(int *restrict d,
                                           const int *restrict s, long n) SCALE
    __attribute__((noinline)) void scale_guard(int *d, const int *s,
                                               long n) SCALE

#define FILTER                                                                 \
  {                                                                            \
    for (long y = 1; y < h - 1; y++)                                           \
      for (long x = 1; x < w - 1; x++)                                         \
        o[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] +                 \
                       in[(y - 1) * w + x] + in[(y + 1) * w + x];              \
  }
    __attribute__((noinline)) void filter_plain(int *restrict o,
                                                const int *restrict in, long w,
                                                long h) FILTER
    __attribute__((noinline)) void filter_guard(int *o, const int *in, long w,
                                                long h) FILTER

    static int a[64],
    b[64];
static void scaleP(void) { scale_plain(a, b, 1); }
static void scaleG(void) { scale_guard(a, b, 1); }
static void filterP(void) { filter_plain(a, b, 3, 3); }
static void filterG(void) { filter_guard(a, b, 3, 3); }

static double once(void (*call)(void), int calls) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int i = 0; i < calls; i++)
    call();
  clock_gettime(CLOCK_MONOTONIC, &to);
  return ((double)(to.tv_sec - from.tv_sec) * 1e9 +
          (double)(to.tv_nsec - from.tv_nsec)) /
         calls;
}

static int compare(const void *x, const void *y) {
  double d = *(const double *)x - *(const double *)y;
  return d < 0 ? -1 : d > 0;
}

static void pair(const char *name, void (*plain)(void), void (*guard)(void)) {
  enum { rounds = 401, calls = 500 };
  static double p[rounds], g[rounds], difference[rounds];
  once(plain, calls);
  once(guard, calls);
  for (int r = 0; r < rounds; r++) {
    if (r % 2) {
      p[r] = once(plain, calls);
      g[r] = once(guard, calls);
    } else {
      g[r] = once(guard, calls);
      p[r] = once(plain, calls);
    }
    difference[r] = g[r] - p[r];
  }
  qsort(p, rounds, sizeof *p, compare);
  qsort(g, rounds, sizeof *g, compare);
  qsort(difference, rounds, sizeof *difference, compare);
  printf("%s %.1f %.1f %.1f\n", name, p[rounds / 2], g[rounds / 2],
         difference[rounds / 2]);
}

int main(void) {
  pair("scale", scaleP, scaleG);
  pair("filter", filterP, filterG);
  return 0;
}
