// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_STRUCTURED_IR_LOOMOPS_TD
#define LOOM_STRUCTURED_IR_LOOMOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Loom_Dialect : Dialect {
  let name = "loom";
  let cppNamespace = "::loom";
  let summary = "Structured programs: what was raised, before it is scheduled";
  let description = [{
    The dialect of the structured program (contract: structured frontend). Its
    operations mark ownership on top of `scf`, `arith`, `math` and `llvm`; they
    compute nothing themselves.

    `loom.special_math_accuracy` on a special function of `math` is the selected
    tier, from the strongest: "CorrectlyRounded", "Max1Ulp", "Max2Ulp",
    "Max4Ulp". Less than correct rounding needs the fast-math flag `afn`.
  }];
  let hasOperationAttrVerify = 1;
}

def Loom_SpatialRegionOp : Op<Loom_Dialect, "spatial_region",
    [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a loop nest owned by the spatial core";
  let description = [{
    Holds one raised nest. The operands are the live-ins of the nest, the block
    arguments stand for them one to one; there are no captures. The results are
    the exit selector (i32: which exit of the nest was taken, from 0) and the
    live-outs. `exits` has one entry per result: the exit for which the result
    is meaningful, -1 for all of them.

    `partitions` has one entry per operand: for a pointer the order partition
    of the memory reached from it, -1 for any other type. Two pointers are in
    different partitions only if the memory reached from them was proven
    distinct; an access whose address is not `argument + byte offset` touches
    every partition.

    Inside: `scf.for` (i64, signed), `scf.while`, `scf.if`,
    `scf.index_switch`, `arith`, `math`, and of the LLVM dialect `load`,
    `store`, `getelementptr` in byte form (`i8` element, one dynamic i64 index),
    `ptrtoint`, `inttoptr`, `mlir.zero`, `mlir.poison`, `freeze` and the
    registered integer intrinsics.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$region_name,
                       DenseI32ArrayAttr:$partitions, DenseI32ArrayAttr:$exits);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $region_name `(` $inputs `)` `partitions` $partitions `exits` $exits
    `:` functional-type($inputs, $outputs) $body attr-dict
  }];
  let hasVerifier = 1;
}

def Loom_SpatialYieldOp : Op<Loom_Dialect, "spatial_yield",
    [Pure, Terminator, HasParent<"SpatialRegionOp">]> {
  let summary = "ends a spatial region with its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
