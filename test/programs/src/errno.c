/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sqrt, fmod and fdim in nests: errno must be set as the library sets it, and memory
 * must be as the host code leaves it, also when a launch was declined halfway. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

static double a[64];

__attribute__((noinline)) static double norms(double *p, int n, double m) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    p[i] = fmod(sqrt(p[i]), m);
    s += p[i];
  }
  return s;
}

__attribute__((noinline)) static double gaps(double *p, int n, double m) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    p[i] = fdim(p[i], m);
    s += p[i];
  }
  return s;
}

static void apart(double bad, double m) {
  for (int i = 0; i < 64; i++)
    a[i] = i * 1.25;
  a[40] = bad;
  errno = 0;
  double s = gaps(a, 64, m);
  printf("%d %a %a %a\n", errno, s != s ? 0.0 : s, a[39],
         a[40] != a[40] ? 1.0 : a[40]);
}

static void run(double bad, double m) {
  for (int i = 0; i < 64; i++)
    a[i] = i * 1.25;
  a[40] = bad;
  errno = 0;
  double s = norms(a, 64, m);
  printf("%d %a %a %a\n", errno, s != s ? 0.0 : s, a[39],
         a[41] != a[41] ? 0.0 : a[41]);
}

int main(void) {
  run(40.0, 3.0);
  run(-40.0, 3.0);
  run(-0.0, 3.0);
  run(NAN, 3.0);
  run(INFINITY, 3.0);
  run(40.0, 0.0);
  run(40.0, INFINITY);
  apart(40.0, 3.0);
  apart(-40.0, 3.0);
  apart(NAN, 3.0);
  apart(INFINITY, 3.0);
  apart(INFINITY, INFINITY);
  apart(-INFINITY, INFINITY);
  apart(1.7e308, -1.7e308);
  apart(-1.7e308, 1.7e308);
  return 0;
}
