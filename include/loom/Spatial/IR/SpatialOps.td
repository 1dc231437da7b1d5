// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_SPATIAL_IR_SPATIALOPS_TD
#define LOOM_SPATIAL_IR_SPATIALOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Spatial_Dialect : Dialect {
  let name = "spatial";
  let cppNamespace = "::loom::spatial";
  let summary = "the program of one Spatial app";
  let description = [{
    One `spatial.app` is one Spatial app object: host memories that are read
    from files and written to files, and one accelerator block that loads them
    into on-chip memories, computes and stores them back. Everything on chip is
    sequential; a value that lives longer than one iteration is in a register.

    Values are i1, i8, i16, i32, i64, f32 and f64. They are computed with
    `arith` and `math` operations, each with the meaning it has there: how an
    operation is spelled so that Spatial agrees is the emitter's business.
  }];
  let useDefaultTypePrinterParser = 1;
}

class Spatial_Type<string cppName, string mnem> : TypeDef<Spatial_Dialect, cppName> {
  let mnemonic = mnem;
}

class Spatial_Memory<string cppName, string mnem> : Spatial_Type<cppName, mnem> {
  let parameters = (ins "int64_t":$size, "::mlir::Type":$element);
  let assemblyFormat = "`<` $size `x` $element `>`";
  let genVerifyDecl = 1;
}

def Spatial_DramType : Spatial_Memory<"Dram", "dram"> {
  let summary = "a host memory of `size` elements";
}
def Spatial_SramType : Spatial_Memory<"Sram", "sram"> {
  let summary = "an on-chip memory of `size` elements";
}
def Spatial_RegType : Spatial_Type<"Reg", "reg"> {
  let summary = "a register; keeps its value until it is written";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}

/// The scalar types of an app.
def Spatial_Scalar : AnyTypeOf<[I1, I8, I16, I32, I64, F32, F64]>;

class Spatial_Op<string mnem, list<Trait> traits = []> : Op<Spatial_Dialect, mnem, traits>;

//===- Host side -----------------------------------------------------------===//

def Spatial_AppOp : Spatial_Op<"app", [IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "one app object";
  let description = [{
    Holds the host memories and registers, then exactly one `spatial.accel`.
    `object` is the name of the Scala object, `region` the name of the spatial
    region it was derived from, `slots` the number of launch slots of that
    region. `exits` has one entry per output, as in `loom.spatial_region`;
    `floats` has the width of each output that is a floating-point number, 0
    for the others.
  }];
  let arguments = (ins StrAttr:$object, StrAttr:$region, I64Attr:$slots,
                       DenseI32ArrayAttr:$exits, DenseI32ArrayAttr:$floats);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $object `of` $region `slots` $slots `exits` $exits `floats` $floats
    $body attr-dict
  }];
  let hasVerifier = 1;
}

def Spatial_DramOp : Spatial_Op<"dram", [HasParent<"AppOp">]> {
  let summary = "a host memory";
  let description = [{
    `role` says which file fills it or receives it: "slots" (the launch slots,
    64 bits each), "memory" (bytes `lo` to `hi` of memory root `index`, which
    is the pointer in launch slot `slot`) or "outputs" (the results, 64 bits
    each). A written memory is written back to a file.
  }];
  let arguments = (ins StrAttr:$role, I64Attr:$index, I64Attr:$slot, I64Attr:$lo,
                       UnitAttr:$written);
  let results = (outs Spatial_DramType:$memory);
  let assemblyFormat = [{
    $role `index` $index `slot` $slot `at` $lo (`written` $written^)? `:` type($memory) attr-dict
  }];
  let hasVerifier = 1;
}

def Spatial_ArgInOp : Spatial_Op<"arg_in", [HasParent<"AppOp">]> {
  let summary = "a host register that holds a constant";
  let description = [{
    For constants that Spatial must not see as constants (its rewrite rules get
    them wrong).
  }];
  let arguments = (ins I64Attr:$value);
  let results = (outs Spatial_RegType:$reg);
  let assemblyFormat = "$value `:` type($reg) attr-dict";
  let hasVerifier = 1;
}

def Spatial_AccelOp : Spatial_Op<"accel", [SingleBlock, NoTerminator, HasParent<"AppOp">]> {
  let summary = "what runs on the accelerator";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

//===- On-chip memories ----------------------------------------------------===//

def Spatial_SramOp : Spatial_Op<"sram"> {
  let summary = "an on-chip memory, contents undefined";
  let results = (outs Spatial_SramType:$memory);
  let assemblyFormat = "`:` type($memory) attr-dict";
}

def Spatial_RegOp : Spatial_Op<"reg"> {
  let summary = "a register";
  let description = [{
    Not initialised on entry to the block it stands in: every use is preceded by
    a write. With `keep` its writes survive Spatial's dead-write analysis, which
    does not see that the next step of a state machine reads them.
  }];
  let arguments = (ins UnitAttr:$keep);
  let results = (outs Spatial_RegType:$reg);
  let assemblyFormat = "(`keep` $keep^)? `:` type($reg) attr-dict";
}

def Spatial_LoadOp : Spatial_Op<"load", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies a whole host memory into an on-chip memory";
  let arguments = (ins Spatial_DramType:$dram, Spatial_SramType:$sram);
  let assemblyFormat = "$dram `to` $sram `:` type($dram) `to` type($sram) attr-dict";
  let hasVerifier = 1;
}

def Spatial_StoreOp : Spatial_Op<"store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copies a whole on-chip memory into a host memory";
  let arguments = (ins Spatial_SramType:$sram, Spatial_DramType:$dram);
  let assemblyFormat = "$sram `to` $dram `:` type($sram) `to` type($dram) attr-dict";
  let hasVerifier = 1;
}

def Spatial_ReadOp : Spatial_Op<"read", [MemoryEffects<[MemRead]>]> {
  let summary = "an element of an on-chip memory";
  let arguments = (ins Spatial_SramType:$memory, I32:$index);
  let results = (outs Spatial_Scalar:$value);
  let assemblyFormat = "$memory `[` $index `]` `:` type($memory) `->` type($value) attr-dict";
  let hasVerifier = 1;
}

def Spatial_WriteOp : Spatial_Op<"write", [MemoryEffects<[MemWrite]>]> {
  let summary = "replaces an element of an on-chip memory";
  let arguments = (ins Spatial_Scalar:$value, Spatial_SramType:$memory, I32:$index);
  let assemblyFormat = "$value `to` $memory `[` $index `]` `:` type($value) `to` type($memory) attr-dict";
  let hasVerifier = 1;
}

def Spatial_RegReadOp : Spatial_Op<"reg_read", [MemoryEffects<[MemRead]>]> {
  let summary = "the value of a register";
  let arguments = (ins Spatial_RegType:$reg);
  let results = (outs Spatial_Scalar:$value);
  let assemblyFormat = "$reg `:` type($reg) `->` type($value) attr-dict";
  let hasVerifier = 1;
}

def Spatial_RegWriteOp : Spatial_Op<"reg_write", [MemoryEffects<[MemWrite]>]> {
  let summary = "sets a register";
  let arguments = (ins Spatial_Scalar:$value, Spatial_RegType:$reg);
  let assemblyFormat = "$value `to` $reg `:` type($value) `to` type($reg) attr-dict";
  let hasVerifier = 1;
}

//===- Control -------------------------------------------------------------===//

def Spatial_PipeOp : Spatial_Op<"pipe", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a stage of its own: ends before the next statement starts";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Spatial_ForeachOp : Spatial_Op<"foreach", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a counted loop, one iteration after the other";
  let description = [{
    Runs the body with the 32-bit iterator `lb`, `lb + step`, ... as long as it
    is below `ub` (signed). `step` is positive and the iterator never leaves the
    32-bit range.
  }];
  let arguments = (ins I32:$lb, I32:$ub, I32:$step);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$lb `to` $ub `step` $step $body attr-dict";
  let hasVerifier = 1;
}

def Spatial_FsmOp : Spatial_Op<"fsm", [RecursiveMemoryEffects]> {
  let summary = "a state machine: the loop whose trip count is not known";
  let description = [{
    Each region has the state as its block argument. While `condition` yields
    true, `action` runs and `next` yields the next state. `next` sees what the
    action wrote.
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$init);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$action,
                        SizedRegion<1>:$next);
  let assemblyFormat = [{
    $init `:` type($init) `while` $condition `do` $action `next` $next attr-dict
  }];
  let hasVerifier = 1;
}

def Spatial_IfOp : Spatial_Op<"if", [NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a branch; results travel through registers";
  let arguments = (ins I1:$condition);
  let regions = (region MaxSizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = "$condition $thenRegion `else` $elseRegion attr-dict";
}

def Spatial_YieldOp : Spatial_Op<"yield", [Pure, Terminator, HasParent<"FsmOp">]> {
  let summary = "ends a region of a state machine";
  let arguments = (ins Optional<Spatial_Scalar>:$value);
  let assemblyFormat = "($value^ `:` type($value))? attr-dict";
}

#endif
