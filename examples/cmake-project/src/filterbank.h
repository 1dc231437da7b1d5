// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ part of the program: a bank of FIR filters of one length.

#ifndef FILTERBANK_H
#define FILTERBANK_H

#include <array>
#include <cstddef>
#include <vector>

class FilterBank {
public:
  static constexpr int Taps = 16;
  static constexpr int Bands = 4;

  FilterBank();
  /// Energy of each band of the signal.
  std::array<double, Bands> energies(const std::vector<double> &signal) const;

private:
  std::array<std::array<double, Taps>, Bands> taps;
};

#endif
