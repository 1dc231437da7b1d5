// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goertzel's recurrence: the power of one frequency without a transform.

#include "dsp.h"

double dsp_goertzel(const double *samples, int n, double coeff) {
  double s1 = 0.0, s2 = 0.0;
  for (int i = 0; i < n; i++) {
    double s0 = samples[i] + coeff * s1 - s2;
    s2 = s1;
    s1 = s0;
  }
  return s1 * s1 + s2 * s2 - coeff * s1 * s2;
}
