// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin in its other two hosts, and the link modes it leaves alone.
//
// Full LTO in the linker, by the wrapper; remarks for what was taken.
// RUN: loom-cc -O2 -Rpass=loom %s -o %t.lto 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: hosts.c:[[@LINE+25]]:{{.*}} loop nest offloaded
// RUN: env LOOM_STATS=%t.lto.json %t.lto
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.lto.json
// STATS: "region":"scale.0"{{.*}}"file":"{{.*}}hosts.c","line":[[@LINE+22]],"device":"sim","launches":1
//
// clang -fpass-plugin without LTO.
// RUN: clang -O2 -fpass-plugin=%loom_plugin %s -o %t.plain %loom_lib/libloom_rt.a -lm
// RUN: rm -f %t.plain.json
// RUN: env LOOM_STATS=%t.plain.json %t.plain
// RUN: FileCheck %s --check-prefix=NOLTO --input-file=%t.plain.json
// NOLTO: "region":"scale.0"{{.*}}"device":"sim","launches":1
//
// A compile step of an LTO build does nothing.
// RUN: clang -O2 -flto=full -fpass-plugin=%loom_plugin -c %s -o %t.bc
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=PRELINK
// PRELINK-NOT: loom.image
//
// ThinLTO: one line, and an ordinary program.
// RUN: loom-cc -O2 -flto=thin %s -o %t.thin 2>&1 | FileCheck %s --check-prefix=THIN --allow-empty
// THIN-NOT: error
// RUN: %t.thin

#include <stdlib.h>
int data[100];
__attribute__((noinline)) void scale(int factor) {
  for (int i = 0; i < 100; ++i)
    data[i] = data[i] * factor + i;
}
int main(int argc, char **argv) {
  scale(argc);
  return data[99] == 99 ? EXIT_SUCCESS : EXIT_FAILURE;
}
