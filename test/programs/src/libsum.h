// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library of one function.

#ifndef LIBSUM_H
#define LIBSUM_H

#include <stdint.h>

uint64_t weighted_sum(const uint32_t *values, int n, int rounds);

#endif
