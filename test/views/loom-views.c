// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loom views: from an executable, by way of the loom-opt beside it.
// RUN: rm -rf %t && mkdir -p %t
// RUN: loom-cc -O2 -g %s -o %t/prog
// RUN: loom views %t/prog | FileCheck %s
// RUN: loom views %t/prog smooth | FileCheck %s --check-prefix=ONE
// RUN: not loom views %t/prog none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not loom views %t/prog smooth -o x 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: clang -O2 -c %s -o %t/plain.o
// RUN: not loom views %t/plain.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// The graph that loom extract lowers again is the one of the link.
// RUN: mkdir -p %t/dump && env LOOM_DUMP=%t/dump loom-cc -O2 -g %s -o %t/again
// RUN: loom extract %t/prog -o %t/parts
// RUN: sed '1d;s/^  //' %t/parts/smooth.0.dataflow.mlir | head -n -2 > %t/lowered.mlir
// RUN: diff %t/lowered.mlir %t/dump/smooth.0.2-dataflow.mlir
// RUN: mkdir -p %t/bin && cp %loom_build/bin/loom %t/bin/loom
// RUN: not %t/bin/loom views %t/prog 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK-DAG: views smooth.0
// CHECK-DAG: views scale.0
// ONE-NOT: views scale.0
// ONE: views smooth.0
// ONE: ProvenDependent
// ONE: flow A{{[0-9]+}} -> A{{[0-9]+}}: carried by L0, distance (1), proven
// ONE-NOT: views scale.0
// NONE: has no region 'none'
// USAGE: usage: loom views EXE [REGION]
// PLAIN: has no Loom image
// ALONE: loom-opt is missing

#include <stdio.h>
#include <stdlib.h>

static int data[100];

__attribute__((noinline)) void smooth(int n) {
  for (int i = 0; i < n; i++)
    data[2 * i + 2] = data[2 * i] + data[2 * i + 1];
}

__attribute__((noinline)) void scale(int n) {
  for (int i = 0; i < n; i++)
    data[i] *= 3;
}

int main(int argc, char **argv) {
  scale(argc * 10);
  smooth(argc * 10);
  printf("%d\n", data[20]);
}
