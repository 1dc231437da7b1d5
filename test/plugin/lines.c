// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Actors name the lines of the region's file; code that was inlined from
// another file has the line of the call.
//
// RUN: loom-cc -O2 -I%S/Inputs %s -o %t
// RUN: loom graph %t blend.0 | FileCheck %s
// CHECK-DAG: label="load : i32",tooltip="line [[@LINE+12]]"
// CHECK-DAG: label="muli : i32",tooltip="line [[@LINE+12]]"
// CHECK-DAG: label="xori : i32",tooltip="line [[@LINE+12]]"
// CHECK-DAG: label="store : i32",tooltip="line [[@LINE+12]]"

#include "lines.h"
#include <stdio.h>

static int a[64], b[64];

__attribute__((noinline)) static void blend(int n, int f) {
  for (int i = 0; i < n; i++) {
    int v = a[i];
    v = v * f;
    v = mix(v);
    b[i] = v;
  }
}

int main(int argc, char **argv) {
  for (int i = 0; i < 64; i++)
    a[i] = i * argc;
  blend(64, argc);
  printf("%d\n", b[63]);
  return 0;
}
