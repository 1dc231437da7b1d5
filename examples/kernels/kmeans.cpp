// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of k-means in C++. Shows: a small class with inlined operators, an
// inner arg-min with live values of three types, and sums gathered by cluster.

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr int Points = 500;
constexpr int Clusters = 6;

struct Vec {
  float x, y;
  Vec operator-(const Vec &o) const { return {x - o.x, y - o.y}; }
  float norm2() const { return x * x + y * y; }
};

Vec points[Points], centres[Clusters];
float sumX[Clusters], sumY[Clusters];
int32_t members[Clusters], label[Points];

} // namespace

extern "C" __attribute__((noinline)) float kmeans() {
  float cost = 0.0f;
  for (int p = 0; p < Points; p++) {
    float best = 3.0e38f;
    int at = 0;
    for (int c = 0; c < Clusters; c++) {
      float d = (points[p] - centres[c]).norm2();
      if (d < best) {
        best = d;
        at = c;
      }
    }
    label[p] = at;
    members[at]++;
    sumX[at] += points[p].x;
    sumY[at] += points[p].y;
    cost += best;
  }
  return cost;
}

int main(int argc, char **argv) {
  uint32_t seed = 91u + (uint32_t)argc;
  for (Vec &p : points) {
    seed = seed * 1664525u + 1013904223u;
    p.x = (float)(seed >> 20) / 64.0f;
    p.y = (float)(seed >> 8 & 4095) / 64.0f;
  }
  for (int c = 0; c < Clusters; c++)
    centres[c] = points[c * 17];
  float cost = kmeans();
  uint32_t check = 0;
  for (int p = 0; p < Points; p++)
    check = check * 31u + (uint32_t)label[p];
  for (int c = 0; c < Clusters; c++) {
    uint32_t bits;
    std::memcpy(&bits, &sumX[c], sizeof bits);
    check = (check ^ bits) * 16777619u + (uint32_t)members[c];
  }
  std::printf("kmeans %08x cost=%a n0=%d y0=%a\n", check, (double)cost,
              members[0], (double)sumY[0]);
  return 0;
}
