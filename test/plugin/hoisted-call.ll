; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call that preparing moves out of a loop keeps a location in a function with
; debug information: without one the module would not verify, and an inliner
; would take the locations of the callee for those of the caller.
; RUN: %opt_loom -passes=loom,verify -S %s | FileCheck %s
; CHECK: @loom.image
; CHECK-LABEL: define i32 @f(
; CHECK: call i32 @g({{.*}}), !dbg

define internal i32 @g(i32 %x) memory(none) nounwind willreturn noinline !dbg !5 {
  %y = udiv i32 %x, 255, !dbg !6
  ret i32 %y, !dbg !6
}

define i32 @f(ptr %p, i32 %x, i64 %n) !dbg !7 {
entry:
  br label %loop, !dbg !8

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %c = call i32 @g(i32 %x), !dbg !8
  %a = getelementptr i32, ptr %p, i64 %i, !dbg !8
  %v = load i32, ptr %a, !dbg !8
  %m = mul i32 %v, %c, !dbg !8
  %t = add i32 %s, %m, !dbg !8
  %next = add nuw nsw i64 %i, 1, !dbg !8
  %more = icmp ult i64 %next, %n, !dbg !8
  br i1 %more, label %loop, label %second, !dbg !8

second:
  %j = phi i64 [ 0, %loop ], [ %k, %second ]
  %b = getelementptr i32, ptr %p, i64 %j, !dbg !8
  store i32 %t, ptr %b, !dbg !8
  %k = add nuw nsw i64 %j, 1, !dbg !8
  %again = icmp ult i64 %k, %n, !dbg !8
  br i1 %again, label %second, label %exit, !dbg !8

exit:
  ret i32 %t, !dbg !8
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = !DILocation(line: 2, scope: !5)
!7 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 5, type: !3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!8 = !DILocation(line: 6, scope: !7)
