// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of refusals: why something stayed on the host, or why a Spatial
// app was not printed. `Code` is what users see and what tests assert; it never
// changes its meaning. docs/refusals.md is generated from this file.

include "llvm/TableGen/SearchableTable.td"

class RefusalName {}
class Refusal<RefusalName kind, string spelling, string stage, string text> {
  RefusalName Kind = kind;
  string Code = spelling;
  string Stage = stage;
  string Text = text;
}
multiclass Row<string spelling, string stage, string text> {
  def NAME : RefusalName;
  def _row : Refusal<!cast<RefusalName>(NAME), spelling, stage, text>;
}

// Candidate selection, on LLVM IR.
defm Call         : Row<"call", "prepare", "a call to a function that was not inlined">;
defm CallIndirect : Row<"call-indirect", "prepare", "a call through a pointer">;
defm InlineAsm    : Row<"inline-asm", "prepare", "inline assembly">;
defm Volatile     : Row<"volatile", "prepare", "a volatile access">;
defm Atomic       : Row<"atomic", "prepare", "an atomic access or a fence">;
defm EH           : Row<"eh", "prepare", "exception handling inside the nest">;
defm SetJmp       : Row<"setjmp", "prepare", "the function calls a function that returns twice">;
defm VarArgs      : Row<"varargs", "prepare", "access to variable arguments">;
defm TLS          : Row<"tls", "prepare", "access to a thread-local variable">;
defm Vector       : Row<"vector", "prepare", "a vector of unknown length or that does not become scalars">;
defm IntWidth     : Row<"int-width", "prepare", "an integer wider than 64 bits that is not done by halves">;
defm FloatType    : Row<"float-type", "prepare", "a floating-point type other than float and double">;
defm Aggregate    : Row<"aggregate", "prepare", "a struct or array used as a value">;
defm AddressSpace : Row<"address-space", "prepare", "a pointer outside address space 0">;
defm Alloca       : Row<"alloca", "prepare", "stack allocation inside the nest">;
defm IndirectBr   : Row<"indirectbr", "prepare", "a computed goto or an address-taken label in the function">;
defm Irreducible  : Row<"irreducible", "prepare", "control flow that is not reducible">;
defm NoExit       : Row<"no-exit", "prepare", "the nest has no exit">;
defm Outline      : Row<"outline", "prepare", "the nest could not be cut out of its function">;
defm Intrinsic    : Row<"intrinsic", "prepare", "an intrinsic without an exact equivalent">;
defm MathCall     : Row<"math-call", "prepare", "a math library call without an exact equivalent">;
defm FastMath     : Row<"fast-math", "prepare", "floating-point arithmetic that may be reassociated or approximated">;
defm StrictFP     : Row<"strict-fp", "prepare", "the function observes the floating-point environment">;
defm MemoryWidth  : Row<"memory-width", "prepare", "a memory access whose type is not a whole number of 1, 2, 4 or 8 bytes">;
defm OptNone      : Row<"optnone", "prepare", "the function is compiled without optimisation">;
defm Coroutine    : Row<"coroutine", "prepare", "the function is a coroutine or has no prologue">;
defm Sanitizer    : Row<"sanitizer", "prepare", "the function is instrumented by a sanitizer">;
defm Size         : Row<"size", "prepare", "the nest is larger than the limit">;

// Raising, in MLIR.
defm Import       : Row<"import", "raise", "the nest could not be imported into MLIR">;
defm Structure    : Row<"structure", "raise", "the control flow could not be structured">;
defm RaiseOp      : Row<"raise-op", "raise", "an operation without a canonical spelling">;

// Lowering to dataflow.
defm DataflowOp   : Row<"dataflow-op", "lower", "an operation that no dataflow actor represents">;
defm DataflowPhase: Row<"dataflow-phase", "lower", "the lowered graph failed the phase verifier">;
defm DataflowCompletion : Row<"dataflow-completion", "lower", "the graph may complete before everything that it does is done">;
defm DataflowSize : Row<"dataflow-size", "lower", "the dataflow graph is larger than the image format allows">;

// The functional gate.
defm Gate         : Row<"gate", "gate", "the graph gave another result than the host code when the compiler tried both">;
// Admission by the target (LOOM_TARGET).
defm Target       : Row<"target", "admit", "the target has no unit for an actor of the graph">;
defm TargetFile   : Row<"target-file", "admit", "the target that was asked for can't be used">;

// Printing as a Spatial app. The region is offloaded all the same.
defm SpatialFootprint : Row<"spatial-footprint", "spatial", "a memory root whose footprint is not a compile-time constant">;
defm SpatialAlias     : Row<"spatial-alias", "spatial", "memory roots that may overlap">;
defm SpatialElement   : Row<"spatial-element", "spatial", "a memory root accessed with more than one element type or off its element grid">;
defm SpatialPointer   : Row<"spatial-pointer", "spatial", "a pointer used as data">;
defm SpatialType      : Row<"spatial-type", "spatial", "a type that Spatial has no equivalent for">;
defm SpatialOp        : Row<"spatial-op", "spatial", "an operation that has no exact Spatial spelling">;
defm SpatialLoop      : Row<"spatial-loop", "spatial", "a loop that Spatial can't count">;
defm SpatialSize      : Row<"spatial-size", "spatial", "the app is larger than Spatial's limits">;

def RefusalKind : GenericEnum {
  let FilterClass = "RefusalName";
}
def RefusalRows : GenericTable {
  let FilterClass = "Refusal";
  let CppTypeName = "RefusalRow";
  let Fields = ["Kind", "Code", "Stage", "Text"];
  string TypeOf_Kind = "RefusalKind";
  let PrimaryKey = ["Kind"];
  let PrimaryKeyName = "lookupRefusal";
}
