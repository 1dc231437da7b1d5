// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C part of the program: windows and single-bin spectra.

#ifndef DSP_H
#define DSP_H

#ifdef __cplusplus
extern "C" {
#endif

/// Multiplies `n` samples by a parabolic window that is 0 at both ends.
void dsp_window(double *samples, int n);
/// Power of one frequency; `coeff` is 2*cos of the angle per sample.
double dsp_goertzel(const double *samples, int n, double coeff);

#ifdef __cplusplus
}
#endif

#endif
