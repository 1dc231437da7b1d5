// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functional gate, end to end: graphs that agree with their host code pass,
// planted defects are named, and the program stays right.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: clang -O2 %s -o %t/plain
// RUN: %t/plain > %t/want
//
// RUN: env LOOM_GATE=1 loom-cc -O2 %s -o %t/good
// RUN: loom report %t/good | FileCheck %s
// CHECK-DAG: offloaded total {{.*}}region total.0, {{.*}}, gate: equal on 6 of 6 inputs
// CHECK-DAG: offloaded mix {{.*}}region mix.0, guarded against aliases, {{.*}}, gate: equal on 6 of 6 inputs
// CHECK-DAG: offloaded chain {{.*}}region chain.0, {{.*}}, gate: equal on {{[1-6]}} of 6 inputs; not tested: input {{[1-6]}}: the host code
//
// The same without the gate.
// RUN: loom-cc -O2 %s -o %t/none
// RUN: loom extract %t/good -o %t/a > %t/log
// RUN: loom extract %t/none -o %t/b > %t/log
// RUN: cmp %t/a/total.0.structured.mlir %t/b/total.0.structured.mlir
// RUN: loom report %t/none | FileCheck %s --check-prefix=OFF
// OFF-NOT: , gate:
//
// An addition that subtracts: wherever there is one, on some input it shows.
// RUN: env LOOM_GATE=1 LOOM_GATE_DEFECT=add LOOM_REPORT=%t/report loom-cc -O2 %s -o %t/add
// RUN: loom report %t/report | FileCheck %s --check-prefix=ADD
// ADD: gate total {{.*}}the graph gave another result than the host code when the compiler tried both: input {{[0-9]}}: output 1 (i32): host 0x{{[0-9a-f]+}}, graph 0x
// RUN: %t/add > %t/got
// RUN: cmp %t/want %t/got
//
// An address far outside.
// RUN: env LOOM_GATE=1 LOOM_GATE_DEFECT=address LOOM_REPORT=%t/far loom-cc -O2 %s -o %t/address
// RUN: loom report %t/far | FileCheck %s --check-prefix=FAR
// FAR: gate mix {{.*}}: input {{[0-9]}}: the graph crashes
// RUN: %t/address > %t/got
// RUN: cmp %t/want %t/got
//
// Nothing made up walks the list of `chain`; a captured launch does.
// RUN: env LOOM_CAPTURE=%t/captures %t/none > %t/got
// RUN: env LOOM_GATE=1 LOOM_GATE_INPUTS=%t/captures loom-cc -O2 %s -o %t/captured
// RUN: loom report %t/captured | FileCheck %s --check-prefix=CAPTURED
// CAPTURED: region chain.0, {{.*}}, gate: equal on {{[2-7]}} of 7 inputs
// RUN: env LOOM_GATE=1 LOOM_GATE_INPUTS=%t/captures LOOM_GATE_DEFECT=add LOOM_REPORT=%t/found loom-cc -O2 %s -o %t/found
// RUN: loom report %t/found | FileCheck %s --check-prefix=FOUND
// FOUND: gate chain {{.*}}: chain.0.1.loomcap: output 1 (i64): host 0x1356, graph 0x
//
// A damaged capture is no input.
// RUN: echo x > %t/captures/total.0.1.loomcap
// RUN: env LOOM_GATE=1 LOOM_GATE_INPUTS=%t/captures loom-cc -O2 %s -o %t/damaged
// RUN: loom report %t/damaged | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: region total.0, {{.*}}, gate: equal on 6 of 7 inputs; not tested: total.0.1.loomcap: the capture is damaged: truncated
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

__attribute__((noinline)) int total(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}

__attribute__((noinline)) void mix(float *y, const float *x, long n, float a) {
  for (long i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

__attribute__((noinline)) long chain(struct node *n) {
  long s = 0;
  for (; n; n = n->next)
    s += n->value;
  return s;
}

int main(int argc, char **argv) {
  struct node *head = 0;
  int cells[50];
  float x[50], y[50];
  for (int i = 0; i < 100; ++i) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = i * argc;
    head = node;
  }
  for (int i = 0; i < 50; ++i) {
    cells[i] = i * argc;
    x[i] = i;
    y[i] = 1;
  }
  mix(y, x, 40, 0.5f);
  printf("%d %g %ld\n", total(cells, 50), y[39], chain(head));
}
