// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list, which has no footprint, and two arrays, which a guard compares.
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

__attribute__((noinline)) long sum(struct node *n) {
  long s = 0;
  for (; n; n = n->next)
    s += n->value;
  return s;
}

__attribute__((noinline)) void scale(float *y, const float *x, long n, float a) {
  for (long i = 0; i < n; ++i)
    y[i] = a * x[i] + FIRST;
}

int main(int argc, char **argv) {
  struct node *head = 0;
  for (int i = 0; i < 100; ++i) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = i * argc;
    head = node;
  }
  static float x[100], y[100];
  for (int i = 0; i < 100; ++i)
    x[i] = i;
  for (int i = 0; i < 4; ++i)
    scale(y, x, 90, 0.5f);
  printf("%ld %g\n", sum(head), y[89]);
}
