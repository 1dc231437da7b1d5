// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters: each reads `in` and writes `out`, two images of the same size.

#ifndef FILTERS_H
#define FILTERS_H

#include "image.h"

/// Three-by-three binomial blur; the border repeats the edge pixels.
void filter_blur(const struct image *in, struct image *out);
/// Strength of the gradient (Sobel), clamped to 255; the border is zero.
void filter_edges(const struct image *in, struct image *out);
/// Stretches the levels so that one pixel in 100 is black and one white.
void filter_levels(const struct image *in, struct image *out);
/// Black and white by error diffusion (Floyd-Steinberg).
void filter_dither(const struct image *in, struct image *out);

#endif
