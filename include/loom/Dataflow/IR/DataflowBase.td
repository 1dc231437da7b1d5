// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: types and enumerations.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWBASE_TD
#define LOOM_DATAFLOW_IR_DATAFLOWBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Dataflow_Dialect : Dialect {
  let name = "dataflow";
  let cppNamespace = "::loom::dataflow";
  let summary = "token graphs: the form that devices execute";
  let useDefaultTypePrinterParser = 1;
  let description = [{
    A `dataflow.graph` is a set of actors joined by ordered token streams. Every
    SSA value is such a stream; every use of it sees the whole stream on its own
    (a value with two uses is a broadcast, a value without a use is dropped
    where it is made). The order of operations in the text means nothing, and
    values may be used before they are defined: that is how loops are written.

    A token carries a scalar (`i1` to `i64`, `f32`, `f64`, `!llvm.ptr`), a vector
    of such scalars with a fixed shape of rank 1 or more, an `index` (a position
    in a vector), or nothing (`none`: permission to execute, memory order,
    completion). Lanes are counted row by row, lane 0 first. An actor
    fires when the operands that its table names have a token; it consumes them
    and emits on its results. Which operands these are depends at most on the
    actor's own state and on one selecting token, so the streams don't depend on
    the order in which ready actors fire.

    *Phase.* A loop that runs K bodies is described by a stream of K `true` and
    one closing `false`. Values that live at the head of the loop have K+1
    tokens, values of the body K, values outside one. The phase verifier
    (`--dataflow-verify-phases`) proves for a whole graph that these counts
    match.

    *Compute actors* are the operations of `arith`, `math`, `vector` and `llvm`
    listed in dataflow-actors.md. They fire when all operands have a token.
    `arith.select` is one of them: it consumes both values. `dataflow.mux`
    consumes only the selected one.

    *Memory.* A memory input of a graph is `memref<?xi8>`, a run of bytes whose
    base the launch binds. It is not a stream. An access either names a memory
    input and a byte offset (`i64`), or has a pointer as its address.

    *Threads* are stored programs that launch graphs. Host code launches a
    `dataflow.thread` over a dense domain; its instances launch graphs, wait for
    them, and are joined by channels. A completion is an event (`none`) inside a
    thread and a `!dataflow.thread_token` outside. Neither is the other.
  }];
}

def Dataflow_Token : Type<CPred<"::loom::dataflow::isTokenType($_self)">,
    "a token: none, a scalar (i1 to i64, f32, f64, !llvm.ptr), a vector of "
    "scalars, or index">;
def Dataflow_Integer : Type<And<[
    CPred<"::loom::dataflow::isTokenType($_self)">,
    CPred<"$_self.isSignlessInteger()">]>, "a signless integer of 1 to 64 bits">;
def Dataflow_Data : Type<
    CPred<"::loom::dataflow::isMemoryDataType($_self)">,
    "what one access moves: i8, i16, i32, i64, f32, f64, !llvm.ptr, or a "
    "vector of one of them">;
def Dataflow_Address : Type<
    CPred<"::loom::dataflow::isAddressType($_self)">,
    "an i64 byte offset, a !llvm.ptr, or a vector of one of them">;
def Dataflow_Mask : Type<
    CPred<"::loom::dataflow::isMaskType($_self)">, "i1 or a vector of i1">;
def Dataflow_Lanes : Type<
    CPred<"::loom::dataflow::isVectorTokenType($_self)">,
    "a vector of scalars, of fixed shape and rank 1 or more">;
def Dataflow_Bool : Type<CPred<"$_self.isSignlessInteger(1)">, "i1">,
    BuildableType<"$_builder.getI1Type()">;
def Dataflow_Control : Type<CPred<"::llvm::isa<::mlir::NoneType>($_self)">,
    "none">, BuildableType<"$_builder.getNoneType()">;
def Dataflow_Memory : Type<
    CPred<"$_self == ::loom::dataflow::getMemoryType($_self.getContext())">,
    "memref<?xi8>">,
    BuildableType<"::loom::dataflow::getMemoryType($_builder.getContext())">;

class Dataflow_Type<string cppName, string mnem>
    : TypeDef<Dataflow_Dialect, cppName> {
  let mnemonic = mnem;
}

def Dataflow_ChannelType : Dataflow_Type<"Channel", "channel"> {
  let summary = "an ordered connection between threads";
  let description = [{
    The messages have type `payload`: a token type other than `none` and
    `index`. It is a handle, not a stream: a graph never sees it.
  }];
  let parameters = (ins "::mlir::Type":$payload);
  let assemblyFormat = "`<` $payload `>`";
  let genVerifyDecl = 1;
}

def Dataflow_ThreadTokenType : Dataflow_Type<"ThreadToken", "thread_token"> {
  let summary = "the retirement of a thread launch";
  let description = [{
    Not `none`: events of a thread and completions of launches never mix.
  }];
}

def Dataflow_StepKind : I32EnumAttr<"StepKind", "how a stream advances", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"SDiv", 3, "sdiv">,
    I32EnumAttrCase<"UDiv", 4, "udiv">, I32EnumAttrCase<"Shl", 5, "shl">,
    I32EnumAttrCase<"AShr", 6, "ashr">, I32EnumAttrCase<"LShr", 7, "lshr">]> {
  let cppNamespace = "::loom::dataflow";
}

// The numbers are those of arith.cmpi.
def Dataflow_Predicate : I32EnumAttr<"Predicate", "an integer comparison", [
    I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
    I32EnumAttrCase<"SLT", 2, "slt">, I32EnumAttrCase<"SLE", 3, "sle">,
    I32EnumAttrCase<"SGT", 4, "sgt">, I32EnumAttrCase<"SGE", 5, "sge">,
    I32EnumAttrCase<"ULT", 6, "ult">, I32EnumAttrCase<"ULE", 7, "ule">,
    I32EnumAttrCase<"UGT", 8, "ugt">, I32EnumAttrCase<"UGE", 9, "uge">]> {
  let cppNamespace = "::loom::dataflow";
}

#endif
