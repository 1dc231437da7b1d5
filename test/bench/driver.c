// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls an example kernel (its main, renamed) again and again and prints the
// nanoseconds of a call to standard error: the median of the rounds. With a
// third argument the calls differ in their argc, by which the kernels make their
// data.

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int kernel_main(int argc, char **argv);

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  int calls = argc > 2 ? atoi(argv[2]) : 1;
  int vary = argc > 3;
  double *ns = calloc((size_t)rounds, sizeof *ns);
  if (!ns)
    return 1;
  for (int r = 0; r < rounds; r++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int c = 0; c < calls; c++)
      if (kernel_main(vary ? 1 + c : 1, argv))
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &b);
    ns[r] = ((double)(b.tv_sec - a.tv_sec) * 1e9 +
             (double)(b.tv_nsec - a.tv_nsec)) /
            calls;
  }
  qsort(ns, (size_t)rounds, sizeof *ns, compare);
  fprintf(stderr, "%.0f\n", ns[rounds / 2]);
  free(ns);
  return 0;
}
