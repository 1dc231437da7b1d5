; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The loop runs at least once, so its trip count needs an intrinsic that the host function
; does not have: it is recomputed inside the region, and the intrinsic itself is
; no live-in.
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_DUMP=%t %opt_loom -passes=loom,verify -S %s | FileCheck %s
; RUN: FileCheck %s --check-prefix=REGION --input-file=%t/f.0.1-structured.mlir
; CHECK: alloca [3 x i64]
; CHECK: call {{.*}} @loom.launch(ptr @loom.region.f.0, ptr
; REGION: arith.minui
; REGION: scf.for

define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  %left = phi i64 [ %n, %entry ], [ %left.next, %loop ]
  store i64 %left, ptr %q
  %q.next = getelementptr i8, ptr %q, i64 16
  %left.next = add i64 %left, -16
  %more = icmp ugt i64 %left.next, 15
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
