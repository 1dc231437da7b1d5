# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finalises modules that are no structured programs; prints the codes."""

import os
import subprocess
import sys

FUNCTION = "llvm.func @f(%%a: i32%s) -> i32 { %s llvm.return %%a : i32 }"


def body(text):
    return "module { " + FUNCTION % ("", text) + " }"


CASES = {
    "unverified": 'module { "llvm.func"() : () -> () }',
    "unpinned-dialect": body('"foo.bar"() : () -> ()'),
    "unresolved-hint": body('%0 = llvm.add %a, %a {loom.source_hint = "unroll"} : i32'),
    "unresolved-hint on an argument": "module { llvm.func @f(%a: i32 {loom.source_hint}) { llvm.return } }",
    "unresolved-plan": body('%0 = llvm.add %a, %a {loom.plan.tile = 4 : i64} : i32'),
    "placeholder attribute": body('%0 = llvm.add %a, %a {loom.todo} : i32'),
    "placeholder cast": body("%0 = builtin.unrealized_conversion_cast %a : i32 to index"),
    "target-annotation": body("%0 = llvm.add %a, %a {nvvm.kernel} : i32"),
    "target operation": body('"gpu.barrier"() : () -> ()'),
    "unowned-attribute": body("%0 = llvm.add %a, %a {mark} : i32"),
    "nested-symbols": "module { module { } }",
    "unresolved-symbol": "module attributes {llvm.note = @nowhere} { }",
    "external-resource": "module attributes {llvm.note = dense_resource<blob> : tensor<1xi32>} { }"
    ' {-# dialect_resources: { builtin: { blob: "0x0400000001000000" } } #-}',
    "distinct-payload": "module attributes {llvm.note = distinct[0]<42 : i32>} { }",
    "weights of a raised branch": "module { llvm.func @f(%c: i1) { scf.if %c { } {branch_weights = array<i32: 1, 2>}"
    " llvm.return } }",
    "nothing wrong": body(""),
}

os.makedirs(sys.argv[1], exist_ok=True)
for name, text in CASES.items():
    path = os.path.join(sys.argv[1], "case.mlir")
    with open(path, "w") as file:
        file.write(text)
    run = subprocess.run(["loom-artifact", "finalize", path], capture_output=True, text=True)
    # A crash is no refusal.
    assert run.returncode in (0, 1), (name, run.returncode, run.stderr)
    code = "none" if run.returncode == 0 else run.stderr.split("loom-artifact: ")[-1].split(":")[0]
    print(f"{name}: {code}")
