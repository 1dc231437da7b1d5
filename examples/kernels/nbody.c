// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairwise forces in two dimensions, with an inverse-square-like law that needs
// no root. Shows: arrays of structs, field accesses, `continue` in the middle.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BODIES 40
#define STEPS 4

struct body {
  double x, y, vx, vy, mass;
};

static struct body Bodies[BODIES];

__attribute__((noinline)) static void nbody(double dt) {
  for (int s = 0; s < STEPS; s++) {
    for (int i = 0; i < BODIES; i++) {
      double ax = 0.0, ay = 0.0;
      for (int j = 0; j < BODIES; j++) {
        if (j == i)
          continue;
        double dx = Bodies[j].x - Bodies[i].x;
        double dy = Bodies[j].y - Bodies[i].y;
        double f = Bodies[j].mass / (dx * dx + dy * dy + 0.01);
        ax += f * dx;
        ay += f * dy;
      }
      Bodies[i].vx += dt * ax;
      Bodies[i].vy += dt * ay;
    }
    for (int i = 0; i < BODIES; i++) {
      Bodies[i].x += dt * Bodies[i].vx;
      Bodies[i].y += dt * Bodies[i].vy;
    }
  }
}

int main(int argc, char **argv) {
  uint32_t seed = 13u + (uint32_t)argc;
  for (int i = 0; i < BODIES; i++) {
    seed = seed * 1664525u + 1013904223u;
    Bodies[i].x = (double)(seed >> 20) / 256.0;
    Bodies[i].y = (double)(seed >> 8 & 4095) / 256.0;
    Bodies[i].mass = 1.0 + (double)(seed & 15);
  }
  nbody(0.001);
  uint64_t check = 0;
  for (int i = 0; i < BODIES; i++) {
    uint64_t a, b;
    memcpy(&a, &Bodies[i].x, sizeof a);
    memcpy(&b, &Bodies[i].vy, sizeof b);
    check = (check ^ a) * 0x100000001b3u ^ b;
  }
  printf("nbody %016llx %a %a\n", (unsigned long long)check, Bodies[0].x,
         Bodies[BODIES - 1].vy);
  return 0;
}
