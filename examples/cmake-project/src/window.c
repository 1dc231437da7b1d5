// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parabolic (Welch) window.

#include "dsp.h"

void dsp_window(double *samples, int n) {
  double half = (double)(n - 1) / 2.0;
  for (int i = 0; i < n; i++) {
    double t = ((double)i - half) / half;
    samples[i] *= 1.0 - t * t;
  }
}
