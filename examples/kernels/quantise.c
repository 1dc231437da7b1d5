// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converting samples between number formats. Shows: float to integer and back,
// 8-, 16- and 64-bit data, a reciprocal, an absolute error as a live-out.

#include <stdint.h>
#include <stdio.h>

#define N 2500

static float In[N], Back[N];
static int8_t Codes[N];

__attribute__((noinline)) static double quantise(const float *restrict in,
                                                 int8_t *restrict codes,
                                                 float *restrict back,
                                                 float scale) {
  double error = 0.0;
  for (int i = 0; i < N; i++) {
    float v = in[i] * scale;
    v = v < -127.0f ? -127.0f : v > 127.0f ? 127.0f : v;
    int32_t q = (int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);
    codes[i] = (int8_t)q;
    back[i] = (float)q / scale;
    double e = (double)back[i] - (double)in[i];
    error += e < 0.0 ? -e : e;
  }
  return error;
}

int main(int argc, char **argv) {
  uint32_t seed = 39u + (uint32_t)argc;
  for (int i = 0; i < N; i++) {
    seed = seed * 1664525u + 1013904223u;
    In[i] = (float)(int32_t)seed / 2.0e9f;
  }
  double error = quantise(In, Codes, Back, 127.0f * (float)argc);
  uint32_t check = 0;
  for (int i = 0; i < N; i++)
    check = check * 31u + (uint8_t)Codes[i];
  printf("quantise %08x error=%a back=%a\n", check, error, (double)Back[9]);
  return 0;
}
