// RUN: loom-opt %S/lower-for.mlir --loom-lower-to-dataflow --dataflow-write-image=path=%t.a -o /dev/null
// RUN: loom-opt %S/lower-for.mlir --loom-lower-to-dataflow --dataflow-write-image=path=%t.b -o /dev/null
// RUN: cmp %t.a %t.b
// RUN: head -c 8 %t.a | FileCheck %s --match-full-lines --check-prefix=MAGIC
// RUN: not loom-opt %s --dataflow-write-image=path=/nonexistent/file 2>&1 | FileCheck %s
// The same graphs give the same bytes.
// MAGIC: LOOMIMG1
// CHECK: can't write '/nonexistent/file'
module {}
