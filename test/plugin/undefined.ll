; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A live-out that is undefined on one way out is no mismatch: host and device
; may each have their own idea of it. Found by the fuzzer.
; RUN: mkdir -p %t.d
; RUN: env LOOM_DUMP=%t.d %opt_loom -passes=loom -disable-output %s
; RUN: FileCheck %s --input-file=%t.d/search.0.1-structured.mlir
; The selector, the position (always defined), what was found (never compared).
; CHECK: loom.spatial_region "search.0"
; CHECK-SAME: exits [-1, -1, 2147483647]

define i64 @search(ptr %p, i64 %n, i64 %key) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = and i64 %i, 1
  %skip = icmp eq i64 %odd, 0
  br i1 %skip, label %latch, label %look

look:
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  %hit = icmp sgt i64 %v, %key
  br i1 %hit, label %exit, label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %at = phi i64 [ %i, %look ], [ %n, %latch ]
  %found = phi i64 [ %v, %look ], [ undef, %latch ]
  %known = icmp ult i64 %at, %n
  %r = select i1 %known, i64 %found, i64 -1
  ret i64 %r
}
