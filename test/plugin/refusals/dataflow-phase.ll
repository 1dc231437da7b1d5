; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: env LOOM_GRAPH_DEFECT=lower-phase %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s
; RUN: rm -rf %t && mkdir %t
; RUN: env LOOM_GRAPH_DEFECT=rewrite-phase LOOM_REPORT=%t/report.json LOOM_DUMP=%t %opt_loom -passes=loom -disable-output %s
; RUN: FileCheck %s --check-prefix=LOWERED --input-file=%t/report.json
; RUN: ls %t/f.0.2-refused.mlir %t/f.0.2-dataflow.mlir
; RUN: env LOOM_INJECT_REFUSAL=dataflow-phase %opt_loom -passes=loom -pass-remarks-missed=loom -disable-output %s 2>&1 | FileCheck %s --check-prefix=INJECT
; CHECK: loop nest not offloaded: dataflow-phase: 'dataflow.graph.return{{.*}} of phase body({{.*}}expected root
; INJECT: loop nest not offloaded: dataflow-phase: injected{{$}}

; LOWERED: "code":"offloaded","detail":"graph not rewritten: dataflow-phase"

; The defect is planted after the lowering, or after the rewrites, where the graph
; as it was lowered takes its place: the
; completion waits for a token of the body of the loop.
target triple = "x86_64-unknown-linux-gnu"

define void @f(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 0, ptr %a
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
