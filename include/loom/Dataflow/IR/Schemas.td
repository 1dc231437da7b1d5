// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of actors. An operation may be in a graph if it has a row here
// that isn't `Refused`, its types have the form of the row, and every attribute
// on it is classified for it below. The image writer takes the number of the
// operation from the row; a row without one can't be executed yet. The page
// docs/reference/dataflow-actors.md is generated from this file.
//
// An id never changes its meaning and is never used again.

include "llvm/TableGen/SearchableTable.td"

class FormName {}
def Actor       : FormName; // of this dialect: the operation's verifier decides
def Elementwise : FormName; // numbers, or equal shapes of vectors of them
def Address     : FormName; // getelementptr: bytes, one i64
def PointerCast : FormName; // between a pointer and i64
def IndexCast   : FormName; // between i64 and index
def WholeBytes  : FormName; // Elementwise, of a multiple of 16 bits
def Lanes       : FormName; // moves lanes of vectors, positions may be index
def Refused     : FormName; // named only to say why

// `Kind` and `ImageOp` are the image's words for the actor. An actor without an
// image form can't be executed yet: the image writer refuses it by name.
class Schema<int id, string op, FormName form, string kind, string imageOp,
             bit hasImage, string text> {
  bits<16> Id = id;
  string Op = op;
  FormName Form = form;
  string Kind = "loom::image::ActorKind::" # kind;
  string ImageOp = "loom::image::Op::" # imageOp;
  bit HasImage = hasImage;
  string Text = text;
}

// An actor of this dialect.
class Own<int id, string op, string kind>
    : Schema<id, "dataflow." # op, Actor, kind, "None", 1, "">;
class OwnLater<int id, string op>
    : Schema<id, "dataflow." # op, Actor, "Compute", "None", 0, "">;
// A computation.
class Compute<int id, string op, string imageOp, FormName form = Elementwise>
    : Schema<id, op, form, "Compute", imageOp, 1, "">;
class ComputeLater<int id, string op, FormName form>
    : Schema<id, op, form, "Compute", "None", 0, "">;
class Never<string op, string text>
    : Schema<0, op, Refused, "Compute", "None", 0, text>;

def : Own<1, "constant", "Constant">;
def : Own<2, "sync", "Sync">;
def : Own<3, "mux", "Mux">;
def : Own<4, "demux", "Demux">;
def : Own<5, "stream", "Stream">;
def : Own<6, "carry", "Carry">;
def : Own<7, "invariant", "Invariant">;
def : Own<8, "gate", "Gate">;
def : Own<9, "load", "Load">;
def : Own<10, "store", "Store">;
def : OwnLater<11, "parallelize">;
def : OwnLater<12, "serialize">;
def : OwnLater<13, "pack">;
def : OwnLater<14, "unpack">;

def : Compute<32, "arith.addi", "AddI">;
def : Compute<33, "arith.subi", "SubI">;
def : Compute<34, "arith.muli", "MulI">;
def : Compute<35, "arith.divsi", "DivSI">;
def : Compute<36, "arith.divui", "DivUI">;
def : Compute<37, "arith.remsi", "RemSI">;
def : Compute<38, "arith.remui", "RemUI">;
def : Compute<39, "arith.andi", "AndI">;
def : Compute<40, "arith.ori", "OrI">;
def : Compute<41, "arith.xori", "XorI">;
def : Compute<42, "arith.shli", "ShlI">;
def : Compute<43, "arith.shrsi", "ShrSI">;
def : Compute<44, "arith.shrui", "ShrUI">;
def : Compute<45, "arith.minsi", "MinSI">;
def : Compute<46, "arith.maxsi", "MaxSI">;
def : Compute<47, "arith.minui", "MinUI">;
def : Compute<48, "arith.maxui", "MaxUI">;
def : Compute<49, "arith.cmpi", "CmpI">;
def : Compute<50, "arith.select", "Select">;
def : Compute<51, "arith.extsi", "ExtSI">;
def : Compute<52, "arith.extui", "ExtUI">;
def : Compute<53, "arith.trunci", "TruncI">;
def : Compute<54, "arith.addf", "AddF">;
def : Compute<55, "arith.subf", "SubF">;
def : Compute<56, "arith.mulf", "MulF">;
def : Compute<57, "arith.divf", "DivF">;
def : Compute<58, "arith.remf", "RemF">;
def : Compute<59, "arith.negf", "NegF">;
def : Compute<60, "arith.cmpf", "CmpF">;
def : Compute<61, "arith.minnumf", "MinNumF">;
def : Compute<62, "arith.maxnumf", "MaxNumF">;
def : Compute<63, "arith.minimumf", "MinimumF">;
def : Compute<64, "arith.maximumf", "MaximumF">;
def : Compute<65, "arith.sitofp", "SIToFP">;
def : Compute<66, "arith.uitofp", "UIToFP">;
def : Compute<67, "arith.fptosi", "FPToSI">;
def : Compute<68, "arith.fptoui", "FPToUI">;
def : Compute<69, "arith.extf", "ExtF">;
def : Compute<70, "arith.truncf", "DemoteF">;
def : Compute<71, "arith.bitcast", "Bitcast">;
def : ComputeLater<72, "arith.index_cast", IndexCast>;
def : ComputeLater<73, "arith.index_castui", IndexCast>;

def : Compute<96, "math.absi", "AbsI">;
def : Compute<97, "math.ctpop", "CtPop">;
def : Compute<98, "math.ctlz", "CtLz">;
def : Compute<99, "math.cttz", "CtTz">;
def : Compute<100, "math.absf", "AbsF">;
def : Compute<101, "math.sqrt", "Sqrt">;
def : Compute<102, "math.floor", "Floor">;
def : Compute<103, "math.ceil", "Ceil">;
def : Compute<104, "math.trunc", "TruncF">;
def : Compute<105, "math.round", "Round">;
def : Compute<106, "math.roundeven", "RoundEven">;
def : Compute<107, "math.copysign", "CopySign">;
def : Compute<108, "math.fma", "Fma">;

def : Compute<128, "llvm.intr.fshl", "FShl">;
def : Compute<129, "llvm.intr.fshr", "FShr">;
def : Compute<130, "llvm.intr.bswap", "BSwap", WholeBytes>;
def : Compute<131, "llvm.intr.bitreverse", "BitReverse">;
def : Compute<132, "llvm.intr.sadd.sat", "AddSatS">;
def : Compute<133, "llvm.intr.uadd.sat", "AddSatU">;
def : Compute<134, "llvm.intr.ssub.sat", "SubSatS">;
def : Compute<135, "llvm.intr.usub.sat", "SubSatU">;
def : Compute<136, "llvm.getelementptr", "PtrAdd", Address>;
def : Compute<137, "llvm.ptrtoint", "PtrToInt", PointerCast>;
def : Compute<138, "llvm.inttoptr", "IntToPtr", PointerCast>;

def : ComputeLater<160, "vector.extract", Lanes>;
def : ComputeLater<161, "vector.insert", Lanes>;
def : ComputeLater<162, "vector.shuffle", Lanes>;

// What a graph never has, and no plain access stands in for.
foreach op = ["llvm.atomicrmw", "llvm.cmpxchg", "llvm.fence",
              "memref.atomic_rmw", "memref.generic_atomic_rmw"] in
  def : Never<op, "an atomic access or a fence">;
foreach op = ["llvm.load", "llvm.store", "memref.load", "memref.store",
              "memref.copy", "llvm.intr.memcpy", "llvm.intr.memmove",
              "llvm.intr.memset"] in
  def : Never<op, "an access without a control token">;
foreach op = ["arith.constant", "llvm.mlir.constant", "ub.poison",
              "llvm.mlir.zero", "llvm.mlir.poison", "llvm.mlir.undef"] in
  def : Never<op, "a constant that no token triggers">;
foreach op = ["llvm.call", "llvm.invoke", "func.call"] in
  def : Never<op, "a call">;
foreach op = ["llvm.alloca", "memref.alloc", "memref.alloca"] in
  def : Never<op, "storage that no launch binds">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class UseName {}
def Decides : UseName; // which token is emitted
def Promise : UseName; // for which operands the token is defined
def Freedom : UseName; // which other tokens would be right too
def Layout  : UseName; // how the operands are stored

class Attribute<string op, string name, UseName use> {
  string Op = op;
  string Name = name;
  UseName Use = use;
}

def : Attribute<"dataflow.constant", "value", Decides>;
def : Attribute<"dataflow.stream", "kind", Decides>;
def : Attribute<"dataflow.stream", "pred", Decides>;
foreach op = ["load", "store"] in
  def : Attribute<"dataflow." # op, "operandSegmentSizes", Layout>;
foreach op = ["addi", "subi", "muli", "shli", "trunci"] in
  def : Attribute<"arith." # op, "overflowFlags", Promise>;
foreach op = ["divsi", "divui", "shrsi", "shrui"] in
  def : Attribute<"arith." # op, "isExact", Promise>;
foreach op = ["cmpi", "cmpf"] in
  def : Attribute<"arith." # op, "predicate", Decides>;
foreach op = ["arith.addf", "arith.subf", "arith.mulf", "arith.divf",
              "arith.remf", "arith.negf", "arith.cmpf", "arith.minnumf",
              "arith.maxnumf", "arith.minimumf", "arith.maximumf",
              "arith.extf", "arith.truncf", "math.absf", "math.sqrt",
              "math.floor", "math.ceil", "math.trunc", "math.round",
              "math.roundeven", "math.copysign", "math.fma"] in
  def : Attribute<op, "fastmath", Freedom>;
def : Attribute<"llvm.getelementptr", "rawConstantIndices", Decides>;
def : Attribute<"llvm.getelementptr", "elem_type", Decides>;
def : Attribute<"llvm.getelementptr", "noWrapFlags", Promise>;
def : Attribute<"llvm.inttoptr", "dereferenceable", Promise>;
foreach op = ["extract", "insert"] in
  def : Attribute<"vector." # op, "static_position", Decides>;
def : Attribute<"vector.shuffle", "mask", Decides>;

def SchemaForm : GenericEnum { let FilterClass = "FormName"; }
def AttributeUse : GenericEnum { let FilterClass = "UseName"; }
def SchemaRows : GenericTable {
  let FilterClass = "Schema";
  let CppTypeName = "SchemaRow";
  let Fields = ["Op", "Id", "Form", "Kind", "ImageOp", "HasImage", "Text"];
  string TypeOf_Form = "SchemaForm";
  string TypeOf_Kind = "code";
  string TypeOf_ImageOp = "code";
}
def AttributeRows : GenericTable {
  let FilterClass = "Attribute";
  let CppTypeName = "AttributeRow";
  let Fields = ["Op", "Name", "Use"];
  string TypeOf_Use = "AttributeUse";
}
