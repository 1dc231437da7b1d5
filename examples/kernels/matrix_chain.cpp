// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cheapest order of a chain of matrix products. Shows: dynamic programming by
// diagonals (three triangular loops), a reduction with an arg-min inside.

#include <array>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int N = 40;
std::array<int32_t, N + 1> dims;
std::array<std::array<int64_t, N>, N> cost;
std::array<std::array<int32_t, N>, N> split;

} // namespace

extern "C" __attribute__((noinline)) void matrix_chain() {
  for (int len = 1; len < N; len++)
    for (int i = 0; i < N - len; i++) {
      int j = i + len;
      int64_t best = INT64_MAX;
      int at = i;
      for (int k = i; k < j; k++) {
        int64_t c = cost[i][k] + cost[k + 1][j] +
                    (int64_t)dims[i] * dims[k + 1] * dims[j + 1];
        if (c < best) {
          best = c;
          at = k;
        }
      }
      cost[i][j] = best;
      split[i][j] = at;
    }
}

int main(int argc, char **argv) {
  uint32_t seed = 52u + (uint32_t)argc;
  for (int32_t &d : dims) {
    seed = seed * 1664525u + 1013904223u;
    d = 5 + (int32_t)(seed >> 26);
  }
  matrix_chain();
  uint64_t check = 0;
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++)
      check = (check ^ (uint64_t)cost[i][j]) * 0x100000001b3u +
              (uint64_t)split[i][j];
  std::printf("matrix_chain %016llx cost=%lld split=%d\n",
              (unsigned long long)check, (long long)cost[0][N - 1],
              split[0][N - 1]);
  return 0;
}
