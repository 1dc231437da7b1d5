// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of refusals: why something stayed on the host, or why a Spatial
// app was not printed. `Code` is what users see and what tests assert; it never
// changes its meaning. docs/refusals.md is generated from this file.

include "llvm/TableGen/SearchableTable.td"

class Refusal<string code, string stage, string text> {
  string Name = NAME;
  string Code = code;
  string Stage = stage;
  string Text = text;
}

// Candidate selection, on LLVM IR.
def Call         : Refusal<"call", "prepare", "a call to a function that was not inlined">;
def CallIndirect : Refusal<"call-indirect", "prepare", "a call through a pointer">;
def InlineAsm    : Refusal<"inline-asm", "prepare", "inline assembly">;
def Volatile     : Refusal<"volatile", "prepare", "a volatile access">;
def Atomic       : Refusal<"atomic", "prepare", "an atomic access or a fence">;
def EH           : Refusal<"eh", "prepare", "exception handling inside the nest">;
def SetJmp       : Refusal<"setjmp", "prepare", "the function calls a function that returns twice">;
def VarArgs      : Refusal<"varargs", "prepare", "access to variable arguments">;
def TLS          : Refusal<"tls", "prepare", "access to a thread-local variable">;
def Vector       : Refusal<"vector", "prepare", "a vector value">;
def IntWidth     : Refusal<"int-width", "prepare", "an integer wider than 64 bits">;
def FloatType    : Refusal<"float-type", "prepare", "a floating-point type other than float and double">;
def Aggregate    : Refusal<"aggregate", "prepare", "a struct or array used as a value">;
def AddressSpace : Refusal<"address-space", "prepare", "a pointer outside address space 0">;
def Alloca       : Refusal<"alloca", "prepare", "stack allocation inside the nest">;
def IndirectBr   : Refusal<"indirectbr", "prepare", "a computed goto or an address-taken label in the function">;
def Irreducible  : Refusal<"irreducible", "prepare", "control flow that is not reducible">;
def Unreachable  : Refusal<"unreachable", "prepare", "a path of the nest ends in unreachable code">;
def NoExit       : Refusal<"no-exit", "prepare", "the nest has no exit">;
def LoopForm     : Refusal<"loop-form", "prepare", "the loop can't be put into simplified form">;
def Intrinsic    : Refusal<"intrinsic", "prepare", "an intrinsic without an exact equivalent">;
def MathCall     : Refusal<"math-call", "prepare", "a math library call without an exact equivalent">;
def FastMath     : Refusal<"fast-math", "prepare", "floating-point arithmetic that may be reassociated or approximated">;
def StrictFP     : Refusal<"strict-fp", "prepare", "the function observes the floating-point environment">;
def MemoryWidth  : Refusal<"memory-width", "prepare", "a memory access whose type is not a whole number of 1, 2, 4 or 8 bytes">;
def OptNone      : Refusal<"optnone", "prepare", "the function is compiled without optimisation">;
def Coroutine    : Refusal<"coroutine", "prepare", "the function is a coroutine or has no prologue">;
def Sanitizer    : Refusal<"sanitizer", "prepare", "the function is instrumented by a sanitizer">;
def Size         : Refusal<"size", "prepare", "the nest is larger than the limit">;

// Raising, in MLIR.
def Import       : Refusal<"import", "raise", "the nest could not be imported into MLIR">;
def Structure    : Refusal<"structure", "raise", "the control flow could not be structured">;
def RaiseOp      : Refusal<"raise-op", "raise", "an operation without a canonical spelling">;

// Lowering to dataflow.
def DataflowOp   : Refusal<"dataflow-op", "lower", "an operation that no dataflow actor represents">;
def DataflowPhase: Refusal<"dataflow-phase", "lower", "the lowered graph failed the phase verifier">;
def DataflowSize : Refusal<"dataflow-size", "lower", "the dataflow graph is larger than the image format allows">;

// Printing as a Spatial app. The region is offloaded all the same.
def SpatialFootprint : Refusal<"spatial-footprint", "spatial", "a memory root whose footprint is not a compile-time constant">;
def SpatialAlias     : Refusal<"spatial-alias", "spatial", "memory roots that may overlap">;
def SpatialElement   : Refusal<"spatial-element", "spatial", "a memory root accessed with more than one element type or off its element grid">;
def SpatialPointer   : Refusal<"spatial-pointer", "spatial", "a pointer used as data">;
def SpatialType      : Refusal<"spatial-type", "spatial", "a type that Spatial has no equivalent for">;
def SpatialOp        : Refusal<"spatial-op", "spatial", "an operation that has no exact Spatial spelling">;
def SpatialLoop      : Refusal<"spatial-loop", "spatial", "a loop that Spatial can't count">;
def SpatialSize      : Refusal<"spatial-size", "spatial", "the app is larger than Spatial's limits">;

def RefusalKind : GenericEnum {
  let FilterClass = "Refusal";
  let NameField = "Name";
}
def RefusalRows : GenericTable {
  let FilterClass = "Refusal";
  let CppTypeName = "RefusalRow";
  let Fields = ["Name", "Code", "Stage", "Text"];
  string TypeOf_Name = "RefusalKind";
  let PrimaryKey = ["Name"];
  let PrimaryKeyName = "lookupRefusal";
}
