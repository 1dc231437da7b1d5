// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose limit is known: a sum, a cell of memory, a list.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) float sum(const float *x, long n) {
  float s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i];
  return s;
}

__attribute__((noinline)) void prefix(int *p, long n) {
  for (long i = 1; i < n; ++i)
    p[i] += p[i - 1];
}

struct node {
  struct node *next;
  int value;
};

__attribute__((noinline)) long chase(struct node *n) {
  long s = 0;
  for (; n; n = n->next)
    s += n->value;
  return s;
}

__attribute__((noinline)) void add(float *restrict y, const float *restrict x,
                                   const float *restrict z, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] + z[i];
}

int main(void) {
  static float x[100], y[100];
  static int p[100];
  static struct node nodes[100];
  for (int i = 0; i < 100; ++i) {
    x[i] = i;
    p[i] = i;
    nodes[i].value = i;
    nodes[i].next = i < 99 ? &nodes[i + 1] : 0;
  }
  prefix(p, 100);
  add(y, x, x, 100);
  printf("%g %d %ld %g\n", sum(x, 100), p[99], chase(nodes), y[99]);
}
