; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A conversion that is computed where it is not needed may be poison, which a
; select behind the nest drops: such a live-out is no mismatch. Sums are
; compared. Found by the fuzzer.
; RUN: mkdir -p %t.d
; RUN: env LOOM_DUMP=%t.d %opt_loom -passes=loom -disable-output %s
; RUN: FileCheck %s --input-file=%t.d/last.0.1-structured.mlir
; The selector, the last value as an integer, the sum, it shifted, its zeros.
; CHECK: loom.spatial_region "last.0"
; CHECK-SAME: exits [-1, 2147483647, -1, 2147483647, 2147483647]

define i64 @last(ptr %p, ptr %q, i64 %n, i64 %by) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  %to = fptosi float %v to i64
  %sum = add i64 %s, %to
  %moved = shl i64 %sum, %i
  %zeros = call i64 @llvm.cttz.i64(i64 %sum, i1 true)
  %mix = xor i64 %moved, %zeros
  store i64 %mix, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %s.out = phi i64 [ %sum, %loop ]
  %to.out = phi i64 [ %to, %loop ]
  %moved.out = phi i64 [ %moved, %loop ]
  %zeros.out = phi i64 [ %zeros, %loop ]
  %fits = icmp ult i64 %by, 64
  %x = select i1 %fits, i64 %moved.out, i64 %to.out
  %none = icmp eq i64 %s.out, 0
  %y = select i1 %none, i64 %x, i64 %zeros.out
  ret i64 %y
}
declare i64 @llvm.cttz.i64(i64, i1)
