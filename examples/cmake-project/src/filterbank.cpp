// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The filter bank: moving averages and their differences.

#include "filterbank.h"

FilterBank::FilterBank() {
  for (int b = 0; b < Bands; b++)
    for (int t = 0; t < Taps; t++)
      taps[b][t] = (t >> b & 1 ? -1.0 : 1.0) / Taps;
}

std::array<double, FilterBank::Bands>
FilterBank::energies(const std::vector<double> &signal) const {
  std::array<double, Bands> sum{};
  const double *x = signal.data();
  std::size_t n = signal.size() < Taps ? 0 : signal.size() - Taps + 1;
  for (int b = 0; b < Bands; b++) {
    double energy = 0.0;
    for (std::size_t i = 0; i < n; i++) {
      double y = 0.0;
      for (int t = 0; t < Taps; t++)
        y += taps[b][t] * x[i + t];
      energy += y * y;
    }
    sum[b] = energy;
  }
  return sum;
}
