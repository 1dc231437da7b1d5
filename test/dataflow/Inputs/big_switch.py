# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A region with a switch of 60001 cases.
print("llvm.func @f(%a0: i64) {")
print('  %r = loom.spatial_region "big" (%a0) partitions [-1] exits [-1] : (i64) -> i32 {')
print("  ^bb0(%x: i64):")
print("    %z = arith.constant 0 : i32")
print("    %i = arith.index_castui %x : i64 to index")
print("    scf.index_switch %i")
for n in range(60001):
    print("    case %d {\n      scf.yield\n    }" % n)
print("    default {\n    }\n    loom.spatial_yield %z : i32\n  }\n  llvm.return\n}")
