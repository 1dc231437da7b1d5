// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch guards, end to end: one function called with overlapping and with
// disjoint arguments gives what plain clang gives, on the conservative graph in
// the first case and on the one without aliases in the second.
//
// RUN: rm -rf %t && mkdir -p %t/dump
// RUN: clang -O2 %s -o %t/plain
// RUN: %t/plain > %t/want
// RUN: env LOOM_DUMP=%t/dump loom-cc -O2 %s -o %t/guard
// RUN: env LOOM_STATS=%t/stats LOOM_OFFLOAD=mandatory %t/guard > %t/got
// RUN: cmp %t/want %t/got
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t/stats
// STATS-DAG: "region":"shift.0",{{.*}}"device":"sim","launches":4,{{.*}}"fallbacks":{},"mismatches":0,"guard":{"noalias":2,"alias":2,"unknown":0}
// STATS-DAG: "region":"filter.0",{{.*}}"device":"sim","launches":3,{{.*}}"guard":{"noalias":1,"alias":2,"unknown":0}
// STATS-DAG: "region":"reverse.0",{{.*}}"device":"sim","launches":2,{{.*}}"guard":{"noalias":1,"alias":1,"unknown":0}
// STATS-DAG: "region":"count.0",{{.*}}"device":"sim","launches":2,{{.*}}"guard":{"noalias":2,"alias":0,"unknown":0}
// STATS-DAG: "region":"look.0",{{.*}}"device":"sim","launches":1,{{.*}}"guard":null
// STATS-DAG: "region":"chase.0",{{.*}}"device":"sim","launches":1,{{.*}}"guard":null
//
// What a launch says.
// RUN: env LOOM_INFO=launch,summary %t/guard 2>&1 >/dev/null | FileCheck %s --check-prefix=INFO
// INFO-DAG: launch of region shift.0 {{.*}} firings, {{[0-9]+}} cycles, {{.*}}, guard: noalias
// INFO-DAG: launch of region shift.0 {{.*}} firings, {{[0-9]+}} cycles, {{.*}}, guard: alias
// INFO-DAG: region shift.0 {{.*}} firings, {{[0-9]+}} cycles, {{.*}}, guard 2 noalias 2 alias{{$}}
//
// Both graphs under verification, in random orders, and in captures.
// RUN: rm %t/stats
// RUN: env LOOM_VERIFY=1 LOOM_STATS=%t/stats %t/guard > %t/got
// RUN: cmp %t/want %t/got
// RUN: FileCheck %s --check-prefix=VERIFY --input-file=%t/stats
// VERIFY-NOT: "mismatches":{{[1-9]}}
// VERIFY: "guard":{"noalias":2,"alias":2,"unknown":0}
// RUN: env LOOM_SIM_ORDER=random:1 LOOM_VERIFY=1 LOOM_STATS=%t/random %t/guard > %t/got
// RUN: env LOOM_SIM_ORDER=random:2 LOOM_VERIFY=1 LOOM_STATS=%t/random %t/guard >> %t/got
// RUN: cat %t/want %t/want | cmp - %t/got
// RUN: FileCheck %s --check-prefix=VERIFY --input-file=%t/random
// RUN: env LOOM_CAPTURE=%t/capture LOOM_CAPTURE_LAUNCHES=2 %t/guard > %t/got
// RUN: cmp %t/want %t/got
// RUN: loom capture %t/capture/table.0.1.loomcap -o %t/first
// RUN: loom capture %t/capture/table.0.2.loomcap -o %t/second
// RUN: cmp %t/first/mem1.out.bin %t/second/mem1.out.bin
//
// The report tells which regions have a guard.
// RUN: loom report %t/guard | FileCheck %s --check-prefix=REPORT
// REPORT-DAG: offloaded  shift {{.*}} region shift.0, guarded against aliases,
// REPORT-DAG: offloaded  look {{.*}} region look.0, no Spatial app
//
// The guard of `shift`, and the two graphs: apart, a load waits for no store.
// RUN: FileCheck %s --check-prefix=SHIFT --input-file=%t/dump/shift.0.3-guard.txt
// SHIFT: partitions 0 1 -1
// SHIFT-NEXT: n0 = slot 2 signed 64
// SHIFT-NEXT: n1 = 0
// SHIFT-NEXT: n2 = n0 * 4
// SHIFT-NEXT: range 0: slot 0 + [n1, n2) reads
// SHIFT-NEXT: range 1: slot 1 + [n1, n2) writes
// SHIFT-NEXT: disjoint 0 1
// RUN: cat %t/dump/shift.0.2-dataflow.mlir %t/dump/shift.0.3-apart.mlir | FileCheck %s --check-prefix=GRAPHS
// GRAPHS: partitions [0, 0]
// GRAPHS: [[RING:%.*]] = dataflow.carry %phase, %start, [[DONE:%.*]] : none
// GRAPHS: [[LANES:%.*]]:2 = dataflow.demux %phase, [[RING]]
// GRAPHS: %data, %done = dataflow.load {{.*}} [[LANES]]#1 : i64 -> i32
// GRAPHS: [[DONE]] = dataflow.store {{.*}} %done
// GRAPHS: partitions [0, 1]
// GRAPHS: [[EACH:%.*]] = dataflow.invariant %phase, %start : none
// GRAPHS: [[LANES2:%.*]]:2 = dataflow.demux %phase, [[EACH]]
// GRAPHS: dataflow.load {{.*}} [[LANES2]]#1 : i64 -> i32
//
// A loop whose end may read as smaller than its start: the access that moves
// proves the count, which is a difference modulo 2^64.
// RUN: FileCheck %s --check-prefix=COUNT --input-file=%t/dump/count.0.3-guard.txt
// COUNT: n4 = n3 wrap signed 64
// No guard where nothing is written, and where an address comes from memory.
// RUN: not ls %t/dump/look.0.3-guard.txt
// RUN: not ls %t/dump/chase.0.3-guard.txt

#include <stdio.h>

typedef unsigned char byte;

__attribute__((noinline)) void shift(int *d, const int *s, long n) {
  for (long i = 0; i < n; i++)
    d[i] = s[i] * 3 + 1;
}
__attribute__((noinline)) void filter(float *o, const float *in, int w, int h) {
  for (int y = 1; y < h - 1; y++)
    for (int x = 1; x < w - 1; x++)
      o[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] +
                     in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
__attribute__((noinline)) void reverse(short *d, const short *s, int n) {
  for (int i = n - 1; i >= 0; i--)
    d[n - 1 - i] = s[i];
}
__attribute__((noinline)) void count(byte *d, const byte *s, unsigned long b,
                                     unsigned long e) {
  do
    d[b] = (byte)(s[b] + 1);
  while (++b != e);
}
__attribute__((noinline)) void table(unsigned (*h)[256], const byte (*s)[64]) {
  for (int i = 0; i < 64; i++)
    (*h)[(*s)[i]]++;
}
__attribute__((noinline)) int look(const int *a, const int *b, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] ^ b[i];
  return sum;
}
struct node {
  struct node *next;
  int value;
};
__attribute__((noinline)) void chase(struct node *n, int *out) {
  for (; n; n = n->next)
    *out += n->value;
}

static unsigned hash(const void *p, unsigned long bytes) {
  unsigned h = 0;
  for (unsigned long i = 0; i < bytes; i++)
    h = h * 31 + ((const byte *)p)[i];
  return h;
}

int main(void) {
  static int a[200], b[200];
  static float f[2000], g[2000];
  static short s[300];
  static byte c[300], d[300], text[64];
  static unsigned h[512];
  for (int i = 0; i < 200; i++)
    a[i] = i * 7;
  for (int i = 0; i < 2000; i++)
    f[i] = (float)i / 3;
  for (int i = 0; i < 300; i++)
    s[i] = (short)(i * i), c[i] = (byte)(i * 5);
  for (int i = 0; i < 64; i++)
    text[i] = (byte)(i * i);
  shift(b, a, 200);      // disjoint
  shift(a + 1, a, 150);  // overlapping, one ahead
  shift(a, a + 1, 150);  // overlapping, one behind
  shift(a + 100, a, 100); // adjacent
  printf("%x %x\n", hash(a, sizeof a), hash(b, sizeof b));
  filter(g, f, 40, 50);
  filter(f + 39, f, 40, 48);
  filter(f, f + 1, 40, 40);
  printf("%x %x\n", hash(f, sizeof f), hash(g, sizeof g));
  reverse(s, s + 150, 150); // adjacent
  reverse(s, s + 10, 150);
  printf("%x\n", hash(s, sizeof s));
  count(d, c, 5, 290);
  // Indices from 2^64 - 4 to 3: small numbers when they are read as signed.
  count(d + 8, c + 8, (unsigned long)-4, 4);
  printf("%x\n", hash(d, sizeof d));
  table((void *)h, (void *)text);
  table((void *)(h + 256), (void *)text);
  printf("%x %d\n", hash(h, sizeof h), look(a, b, 200));
  struct node list[20];
  for (int i = 0; i < 20; i++)
    list[i].next = i < 19 ? &list[i + 1] : 0, list[i].value = i;
  chase(list, &b[3]);
  printf("%d\n", b[3]);
  return 0;
}
