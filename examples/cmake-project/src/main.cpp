// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a signal of two tones and noise, and looks for the tones.

#include "dsp.h"
#include "filterbank.h"
#include <cstdint>
#include <cstdio>
#include <vector>

/// 2*cos(2*pi*k/32) for the bins that are looked at.
static const double Coeffs[] = {2.0,
                                1.9615705608064609,
                                1.8477590650225735,
                                1.6629392246050905,
                                1.4142135623730951,
                                1.1111404660392044,
                                0.76536686473017956,
                                0.39018064403225661};

static std::vector<double> makeSignal(int n, std::uint32_t seed) {
  std::vector<double> signal(n);
  // Two tones by their own recurrences, so that no libm is needed.
  double a0 = 0.0, a1 = 0.92387953251128674; // bin 6
  double b0 = 0.0, b1 = 0.38268343236508977; // bin 2
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    signal[i] = a0 + 0.4 * b0 + (double)(seed >> 16) / 655360.0;
    double a2 = Coeffs[6] * a1 - a0, b2 = Coeffs[2] * b1 - b0;
    a0 = a1;
    a1 = a2;
    b0 = b1;
    b1 = b2;
  }
  return signal;
}

int main(int argc, char **) {
  std::vector<double> signal = makeSignal(512, (std::uint32_t)argc);
  FilterBank bank;
  auto energy = bank.energies(signal);
  for (int b = 0; b < FilterBank::Bands; b++)
    std::printf("band %d energy %a\n", b, energy[b]);

  dsp_window(signal.data(), (int)signal.size());
  int loudest = 1;
  double best = 0.0;
  for (int k = 1; k < 8; k++) {
    double p = dsp_goertzel(signal.data(), (int)signal.size(), Coeffs[k]);
    std::printf("bin %d power %a\n", k, p);
    if (p > best) {
      best = p;
      loudest = k;
    }
  }
  std::printf("loudest bin %d\n", loudest);
  return 0;
}
