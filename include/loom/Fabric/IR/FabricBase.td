// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fabric` dialect: its type and enumerations.

#ifndef LOOM_FABRIC_IR_FABRICBASE_TD
#define LOOM_FABRIC_IR_FABRICBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Fabric_Dialect : Dialect {
  let name = "fabric";
  let cppNamespace = "::loom::fabric";
  let summary = "Targets: what a device can do and what it costs";
  let description = [{
    A file holds one `fabric.target`. Its rows state *capability*: which actors the
    device implements, on which types and lanes, how often, and how long they
    take. Nothing here says what a program uses, and no program holds a row: the
    compiler derives a removable view from the one target of a link and asks it.

    A row stands for `count` units each of which implements everything that the
    row lists; one unit serves one actor of a graph at a time. An actor is
    admitted when some row lists its operation, type, lanes and the rest. Counts
    are no mapping: only an actor without any unit in the whole target is
    refused for them.

    Integers are `i1`, `i8`, `i16`, `i32`, `i64`; an integer of another width
    needs the next wider one. `index` stands for addresses of the widths that
    `fabric.abi` lists. `lanes` are the fixed lengths of vectors that a row
    accepts, 1 being a scalar.

    `latency` is the number of cycles from the firing of an actor to the arrival
    of its results, `interval` that between two firings. Timing and counts are
    facts for cost models; admission does not read latencies.

    The identity of a target is the SHA-256 of its canonical form: neither its
    name, locations, the order of rows and list entries, nor whether two equal
    rows are written as one with the sum of their counts makes a difference.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Fabric_PointerType : TypeDef<Fabric_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "a pointer of an address space, as a stable integer";
  let description = "`!fabric.ptr<0, 64>`: address space 0, 64 bits.";
  let parameters = (ins "unsigned":$space, "unsigned":$bits);
  let assemblyFormat = "`<` $space `,` $bits `>`";
  let genVerifyDecl = 1;
}

class Fabric_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::loom::fabric";
}

def Fabric_Endianness : Fabric_Enum<"Endianness", "order of bytes", [
    I32EnumAttrCase<"Little", 0, "little">, I32EnumAttrCase<"Big", 1, "big">]>;

def Fabric_TokenKind : Fabric_Enum<"TokenKind", "a token actor", [
    I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Sync", 1, "sync">,
    I32EnumAttrCase<"Mux", 2, "mux">, I32EnumAttrCase<"Demux", 3, "demux">,
    I32EnumAttrCase<"Carry", 4, "carry">, I32EnumAttrCase<"Invariant", 5, "invariant">,
    I32EnumAttrCase<"Gate", 6, "gate">]>;

// The numbers are those of dataflow.stream.
def Fabric_StepKind : Fabric_Enum<"StepKind", "how a stream advances", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"SDiv", 3, "sdiv">,
    I32EnumAttrCase<"UDiv", 4, "udiv">, I32EnumAttrCase<"Shl", 5, "shl">,
    I32EnumAttrCase<"AShr", 6, "ashr">, I32EnumAttrCase<"LShr", 7, "lshr">]>;

def Fabric_AccessKind : Fabric_Enum<"AccessKind", "direction of an access", [
    I32EnumAttrCase<"Load", 0, "load">, I32EnumAttrCase<"Store", 1, "store">]>;

def Fabric_AccessForm : Fabric_Enum<"AccessForm", "how lanes are addressed", [
    I32EnumAttrCase<"Element", 0, "element">,
    I32EnumAttrCase<"Contiguous", 1, "contiguous">,
    I32EnumAttrCase<"Indexed", 2, "indexed">]>;

def Fabric_AddressForm : Fabric_Enum<"AddressForm", "what an address is", [
    I32EnumAttrCase<"Root", 0, "root">, I32EnumAttrCase<"Pointer", 1, "pointer">]>;

def Fabric_Ordering : Fabric_Enum<"Ordering", "what an access promises", [
    I32EnumAttrCase<"Plain", 0, "plain">, I32EnumAttrCase<"Volatile", 1, "volatile">,
    I32EnumAttrCase<"Atomic", 2, "atomic">]>;

// The tiers of loom.special_math_accuracy, from the strongest guarantee.
def Fabric_Accuracy : Fabric_Enum<"Accuracy", "a guarantee of accuracy", [
    I32EnumAttrCase<"CorrectlyRounded", 0>, I32EnumAttrCase<"Max1Ulp", 1>,
    I32EnumAttrCase<"Max2Ulp", 2>, I32EnumAttrCase<"Max4Ulp", 3>]>;

#endif
