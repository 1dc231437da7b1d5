// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of mechanical dispositions: what raising does with each
// construct, in a whole module (S0) and in a region of the spatial core. The
// speller looks every operation up here and has no other list, so the page
// docs/dispositions.md, generated from this file, can't disagree with it.
//
// A construct without a row is preserved in a module and refused in a region.

include "llvm/TableGen/SearchableTable.td"

class DispositionName {}
def Preserve  : DispositionName; // the operation stays, with all it means
def Normalize : DispositionName; // an exact equal in another spelling
def Project   : DispositionName; // its provenance is kept, the carrier erased
def Refuse    : DispositionName; // fail closed

// How the equal is built.
class RuleName {}
def Keep     : RuleName; // not at all
def Rename   : RuleName; // same operands and types, every flag carried over
def Compare  : RuleName; // Rename, and the predicate
def Choose   : RuleName; // select
def Recast   : RuleName; // bitcast
def Literal  : RuleName; // constants
def Deferred : RuleName; // poison
def AnyValue : RuleName; // undef
def Jump     : RuleName; // br, cond_br, switch to cf
def DeadEnd  : RuleName; // unreachable
def Address  : RuleName; // getelementptr
def ToInt    : RuleName; // ptrtoint
def FromInt  : RuleName; // inttoptr
def Variable : RuleName; // debug records
def Transfer : RuleName; // calls

class Construct<string op, DispositionName inModule, DispositionName inRegion,
                RuleName rule, string result, string why> {
  string Op = op;
  DispositionName InModule = inModule;
  DispositionName InRegion = inRegion;
  RuleName Rule = rule;
  string Result = result;
  string Why = why;
}

// The two usual rows.
class Equal<string op, string result, RuleName rule = Rename>
    : Construct<op, Normalize, Normalize, rule, result,
                "one identity for one computation">;
class Kept<string op, string why>
    : Construct<op, Preserve, Preserve, Keep, "", why>;
// Exact in a module; a region has no actor for it.
class ModuleOnly<string op, string result>
    : Construct<op, Normalize, Refuse, Rename, result,
                "no actor computes it to the last bit">;
class HostOnly<string op, string why>
    : Construct<op, Preserve, Refuse, Keep, "", why>;

// Integers.
foreach pair = [["add", "addi"], ["sub", "subi"], ["mul", "muli"],
                ["shl", "shli"], ["lshr", "shrui"], ["ashr", "shrsi"],
                ["udiv", "divui"], ["sdiv", "divsi"], ["urem", "remui"],
                ["srem", "remsi"], ["and", "andi"], ["or", "ori"],
                ["xor", "xori"], ["intr.smin", "minsi"], ["intr.smax", "maxsi"],
                ["intr.umin", "minui"], ["intr.umax", "maxui"],
                ["trunc", "trunci"], ["sext", "extsi"], ["zext", "extui"],
                ["sitofp", "sitofp"], ["uitofp", "uitofp"],
                ["fptosi", "fptosi"], ["fptoui", "fptoui"]] in
  def : Equal<"llvm." # pair[0], "arith." # pair[1]>;
foreach pair = [["ctlz", "ctlz"], ["cttz", "cttz"], ["ctpop", "ctpop"],
                ["abs", "absi"]] in
  def : Equal<"llvm.intr." # pair[0], "math." # pair[1]>;

// Floating point.
foreach pair = [["fadd", "addf"], ["fsub", "subf"], ["fmul", "mulf"],
                ["fdiv", "divf"], ["frem", "remf"], ["fneg", "negf"],
                ["fpext", "extf"], ["fptrunc", "truncf"],
                ["intr.minnum", "minnumf"], ["intr.maxnum", "maxnumf"],
                ["intr.minimum", "minimumf"], ["intr.maximum", "maximumf"]] in
  def : Equal<"llvm." # pair[0], "arith." # pair[1]>;
foreach pair = [["fabs", "absf"], ["copysign", "copysign"], ["sqrt", "sqrt"],
                ["floor", "floor"], ["ceil", "ceil"], ["trunc", "trunc"],
                ["round", "round"], ["roundeven", "roundeven"],
                ["fma", "fma"]] in
  def : Equal<"llvm.intr." # pair[0], "math." # pair[1]>;
foreach name = ["rint", "nearbyint"] in
  def : Construct<"llvm.intr." # name, Normalize, Normalize, Rename,
                  "math.roundeven",
                  "equal in the default floating-point environment, the only one "
                  "that a function with standard spelling has">;
foreach pair = [["sin", "sin"], ["cos", "cos"], ["tan", "tan"],
                ["asin", "asin"], ["acos", "acos"], ["atan", "atan"],
                ["atan2", "atan2"], ["sinh", "sinh"], ["cosh", "cosh"],
                ["tanh", "tanh"], ["exp", "exp"], ["exp2", "exp2"],
                ["log", "log"], ["log2", "log2"], ["log10", "log10"],
                ["pow", "powf"], ["powi", "fpowi"]] in
  def : ModuleOnly<"llvm.intr." # pair[0], "math." # pair[1]>;
def : HostOnly<"llvm.intr.exp10", "no exact standard equal">;
def : HostOnly<"llvm.intr.ldexp", "no exact standard equal">;
def : HostOnly<"llvm.intr.frexp", "no exact standard equal">;
def : HostOnly<"llvm.intr.is.fpclass", "no exact standard equal">;
def : HostOnly<"llvm.intr.fmuladd",
    "fused or not is a choice; it stays open until a decision makes it (for a "
    "region the plugin takes the one that the host code has)">;

// Neither has a standard equal.
foreach name = ["sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "fshl", "fshr",
                "bswap", "bitreverse"] in
  def : Kept<"llvm.intr." # name, "no standard operation states it exactly">;
foreach name = ["sshl.sat", "ushl.sat", "scmp", "ucmp", "sadd.with.overflow",
                "uadd.with.overflow", "ssub.with.overflow",
                "usub.with.overflow", "smul.with.overflow",
                "umul.with.overflow"] in
  def : HostOnly<"llvm.intr." # name, "no standard operation states it exactly">;
def : HostOnly<"llvm.call_intrinsic",
    "the intrinsic's full name and type stay (fptosi.sat, fptoui.sat, ...)">;

// Comparison, choice, constants, exceptional values.
def : Equal<"llvm.icmp", "arith.cmpi", Compare>;
def : Equal<"llvm.fcmp", "arith.cmpf", Compare>;
def : Equal<"llvm.select", "arith.select", Choose>;
def : Equal<"llvm.bitcast", "arith.bitcast", Recast>;
def : Equal<"llvm.mlir.constant", "arith.constant", Literal>;
def : Construct<"llvm.mlir.poison", Normalize, Normalize, Deferred, "ub.poison",
                "poison stays poison; pointers and aggregates keep the LLVM "
                "spelling">;
def : Construct<"llvm.mlir.undef", Preserve, Normalize, AnyValue,
                "arith.constant",
                "stays undef in a module; a device computes with one value that "
                "undef may have, zero">;
def : Kept<"llvm.freeze", "no standard equal">;
def : Kept<"llvm.mlir.zero", "a null pointer or a zero aggregate">;

// Addresses and memory.
def : Construct<"llvm.getelementptr", Preserve, Normalize, Address,
                "llvm.getelementptr",
                "types of the path are kept in a module; a region addresses "
                "bytes: base plus one 64-bit offset">;
def : Construct<"llvm.ptrtoint", Preserve, Normalize, ToInt, "llvm.ptrtoint",
                "64 bits in a region, then truncated or extended">;
def : Construct<"llvm.inttoptr", Preserve, Normalize, FromInt, "llvm.inttoptr",
                "64 bits in a region, extended or truncated before">;
def : Kept<"llvm.load", "memory semantics stay with the LLVM operation">;
def : Kept<"llvm.store", "memory semantics stay with the LLVM operation">;
foreach name = ["atomicrmw", "cmpxchg", "fence"] in
  def : HostOnly<"llvm." # name, "atomic order">;
foreach name = ["alloca", "intr.memcpy", "intr.memmove", "intr.memset",
                "intr.stacksave", "intr.stackrestore", "intr.lifetime.start",
                "intr.lifetime.end", "addrspacecast"] in
  def : HostOnly<"llvm." # name, "storage that a region does not own">;
foreach name = ["extractvalue", "insertvalue", "extractelement",
                "insertelement", "shufflevector", "intr.vscale"] in
  def : HostOnly<"llvm." # name, "aggregate or vector value">;
foreach name = ["intr.assume", "intr.expect", "intr.expect.with.probability",
                "intr.experimental.noalias.scope.decl"] in
  def : HostOnly<"llvm." # name, "a fact about the program">;
foreach name = ["mlir.addressof", "blockaddress"] in
  def : HostOnly<"llvm." # name, "a region refers to no symbol">;

// Control.
def : Equal<"llvm.br", "cf.br", Jump>;
def : Equal<"llvm.cond_br", "cf.cond_br", Jump>;
def : Equal<"llvm.switch", "cf.switch", Jump>;
def : Construct<"llvm.unreachable", Normalize, Refuse, DeadEnd,
                "llvm.intr.assume",
                "reaching it is undefined, as assuming false is; only in "
                "functions that also return, where one exit has to be left">;
def : Kept<"llvm.return", "the envelope is the LLVM function">;
def : Construct<"llvm.call", Preserve, Preserve, Transfer, "",
                "a call stays a call, whatever its name; a region has only the "
                "marker of its results">;
foreach name = ["invoke", "landingpad", "resume"] in
  def : HostOnly<"llvm." # name, "exceptional control flow keeps its CFG">;
foreach name = ["indirectbr", "blocktag"] in
  def : HostOnly<"llvm." # name, "computed jumps keep their CFG">;
foreach name = ["inline_asm", "va_arg", "intr.vastart", "intr.vaend",
                "intr.vacopy", "intr.trap"] in
  def : HostOnly<"llvm." # name, "outside of what the program text defines">;

// Debug records.
foreach name = ["dbg.value", "dbg.declare", "dbg.label"] in
  def : Construct<"llvm.intr." # name, Project, Project, Variable, "",
                  "a variable's name goes into the location of its value">;

def Disposition : GenericEnum { let FilterClass = "DispositionName"; }
def SpellingRule : GenericEnum { let FilterClass = "RuleName"; }
def ConstructRows : GenericTable {
  let FilterClass = "Construct";
  let CppTypeName = "ConstructRow";
  let Fields = ["Op", "InModule", "InRegion", "Rule", "Result", "Why"];
  string TypeOf_InModule = "Disposition";
  string TypeOf_InRegion = "Disposition";
  string TypeOf_Rule = "SpellingRule";
}
