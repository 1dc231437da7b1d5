// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The round trip: the raised nests, lowered back to LLVM IR, run in place of
// the host code, and no runtime is asked.
//
// RUN: env LOOM_ROUNDTRIP=1 loom-cc -O2 %s %loom_src/test/fuzz/counts.c -o %t 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: round trip
// RUN: rm -f %t.counts %t.stats
// RUN: env LOOM_ROUNDTRIP_STATS=%t.counts LOOM_STATS=%t.stats %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNTS --input-file=%t.counts
// RUN: not ls %t.stats
//
// CHECK: 1240 5 -2 7
// COUNTS-DAG: {"region":"sum.0","calls":1}
// COUNTS-DAG: {"region":"find.0","calls":1}
// COUNTS-DAG: {"region":"classify.0","calls":1}
//
// A planted defect shows: counted loops that begin one step late.
// RUN: env LOOM_ROUNDTRIP=1 LOOM_ROUNDTRIP_DEFECT=lower-bound loom-cc -O2 %s -o %t.bad
// RUN: not %t.bad
//
// What is called: the S0, by its inputs, and all outputs come back.
// RUN: clang -O2 -flto -c -fno-vectorize -fno-unroll-loops %s -o %t.bc
// RUN: env LOOM_ROUNDTRIP=1 %opt_loom -passes=loom,verify -S %t.bc -o - | FileCheck %s --check-prefix=IR
// IR-DAG: @loom.roundtrip.row = internal global { ptr, i64 } { ptr @loom.roundtrip.name, i64 0 }, section "loom_roundtrip"
// IR-DAG: define internal { i32, i64 } @loom.roundtrip.sum.0(
// IR-LABEL: define internal {{.*}} @loom.launch.sum.0(
// IR-NOT: @loom_rt_launch
// IR: call { i32, i64 } @loom.roundtrip.sum.0(
// IR: insertvalue {{.*}} i32 0, 0

#include <stdio.h>
long data[32];
__attribute__((noinline)) long sum(const long *p, int n) {
  long s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * (i + 1);
  return s;
}
__attribute__((noinline)) int find(const long *p, int n, long key) {
  for (int i = 0; i < n; ++i) {
    if (p[i] == key)
      return i;
    if (p[i] < 0)
      return -2;
  }
  return -1;
}
// A 64-bit switch: cases that agree in their lower halves are different.
__attribute__((noinline)) int classify(const long *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    switch (p[i]) {
    case 1: s += 1; data[s] = 1; break;
    case 0x100000001: s += 2; data[s] ^= 2; break;
    case -4294967295: s *= 4; data[s & 31] += 3; break;
    default: data[i] -= s; break;
    }
  return s;
}
int main(void) {
  long values[15], odd[] = {1, 0x100000001, 5, 0x100000001, 0x200000001, 0x100000001};
  for (int i = 0; i < 15; ++i)
    values[i] = i + 1;
  values[12] = -1;
  long a = sum(values, 15) + 182;
  int b = find(values, 15, 6), c = classify(odd, 6);
  int d = sum(values, 0) == 0 ? -2 : 0;
  printf("%ld %d %d %d\n", a, b, d, c);
  return a == 1240 && b == 5 && c == 7 ? 0 : 1;
}
