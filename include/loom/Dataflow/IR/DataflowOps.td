// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: graphs, control and loop actors, and the other
// families by inclusion. docs/reference/dataflow-dialect.md is generated from
// the descriptions here.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWOPS_TD
#define LOOM_DATAFLOW_IR_DATAFLOWOPS_TD

include "loom/Dataflow/IR/DataflowBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Dataflow_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dataflow_Dialect, mnemonic, traits>;

// An actor: only inside a graph.
class Dataflow_Actor<string mnemonic, list<Trait> traits = []>
    : Dataflow_Op<mnemonic, traits # [HasParent<"GraphOp">]>;

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

def Dataflow_GraphOp : Dataflow_Op<"graph", [
    HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, SingleBlock, Symbol,
    RegionKindInterface, HasOnlyGraphRegion, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a token graph";
  let description = [{
    The entry block has the start token (`none`, exactly one per launch), then
    the value inputs (one token per launch each), the stream inputs (as many
    tokens as the graph takes), and the memory inputs (`memref<?xi8>`).
    `function_type` lists the inputs without the start token, and the results in
    the same order: values, streams, memories. `input_segments` and
    `result_segments` count the three; without them there are no streams, and
    the memories are what has type `memref<?xi8>`.

    A graph with `slots`, `partitions` and `exits` is a region of an image: the
    runtime launches it. `slots` has one entry per input: the launch slot that
    holds the value, or the base pointer of the memory. `partitions` has one
    entry per memory input: its order partition. Accesses to different
    partitions are not ordered against each other. `exits` has one entry per
    result: the exit for which the result is meaningful, -1 for all of them.
    Result 0 is the exit selector (`i32`); there are no streams and no memory
    results.

    A graph without them is launched by threads, with `dataflow.graph.launch`,
    and private.

    ```mlir
    dataflow.graph @copy(%start: none, %n: i64, %x: memref<?xi8>, %y: memref<?xi8>) -> i32
        slots [0, 1, 2] partitions [0, 1] exits [-1] {
      ...
      dataflow.graph.return values(%exit : i32) complete(%done)
    }
    dataflow.graph private @square(%start: none, %x: f32) -> f32
        input_segments [0, 1, 0] result_segments [0, 1, 0] {
      %t:2 = dataflow.sync %start, %x : none, f32
      %y = arith.mulf %t#1, %t#1 : f32
      %u:2 = dataflow.sync %t#0, %y : none, f32
      dataflow.graph.return values() streams(%u#1 : f32) complete(%u#0)
    }
    ```
  }];
  let arguments = (ins
      SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
      DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">:$slots,
      DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">:$partitions,
      DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">:$exits,
      OptionalAttr<StrAttr>:$sym_visibility,
      OptionalAttr<DenseI32ArrayAttr>:$input_segments,
      OptionalAttr<DenseI32ArrayAttr>:$result_segments);
  // A region of an image.
  let builders = [OpBuilder<(ins
      "::mlir::StringAttr":$name, "::mlir::TypeAttr":$type,
      "::mlir::DenseI32ArrayAttr":$slots,
      "::mlir::DenseI32ArrayAttr":$partitions,
      "::mlir::DenseI32ArrayAttr":$exits, "::mlir::StringAttr":$visibility), [{
    build($_builder, $_state, name, type, slots, partitions, exits, visibility,
          ::mlir::DenseI32ArrayAttr(), ::mlir::DenseI32ArrayAttr());
  }]>];
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getStart() { return getBlock().getArgument(0); }
    unsigned getNumValueInputs() { return getInputCounts().values; }
    unsigned getNumMemories() { return getInputCounts().memories; }
    Segments getInputCounts();
    Segments getResultCounts();
    /// Whether it is a region of an image, with launch slots.
    bool isRegion() { return getSlotsAttr() != nullptr; }
    /// The value inputs (block arguments without start, streams, memories).
    ::llvm::ArrayRef<::mlir::BlockArgument> getValueInputs();
    ::llvm::ArrayRef<::mlir::BlockArgument> getStreamInputs();
    ::llvm::ArrayRef<::mlir::BlockArgument> getMemories();
    /// The terminator.
    GraphReturnOp getReturn();
  }];
}

def Dataflow_GraphReturnOp : Dataflow_Op<"graph.return", [
    HasParent<"GraphOp">, Terminator, AttrSizedOperandSegments]> {
  let summary = "ends a graph: its results and its completion";
  let description = [{
    `values` are the results with one token per launch each, `streams` those
    with any number, `memories` are memory inputs that the launch hands on.
    `complete` is the completion frontier: a launch has completed when every one
    of these tokens and every value has arrived. There is at least one, and all
    accesses and stream results come before one of them
    (`--dataflow-verify-completion`). The start token alone may complete a graph
    only if the graph accesses no memory and no stream.
  }];
  let arguments = (ins Variadic<Dataflow_Token>:$values,
                       Variadic<Dataflow_Token>:$streams,
                       Variadic<Dataflow_Memory>:$memories,
                       Variadic<Dataflow_Control>:$complete);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$values,
                                 "::mlir::ValueRange":$complete), [{
    build($_builder, $_state, values, {}, {}, complete);
  }]>];
  let assemblyFormat = [{
    `values` `(` ($values^ `:` type($values))? `)`
    (`streams` `(` $streams^ `:` type($streams) `)`)?
    (`memories` `(` $memories^ `)`)?
    `complete` `(` $complete `)` attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control actors
//===----------------------------------------------------------------------===//

def Dataflow_ConstantOp : Dataflow_Actor<"constant"> {
  let summary = "emits a constant for every control token";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | ctrl  | ctrl     | the constant |

    There is no token without a control token. A pointer is written as the
    integer of its address: `dataflow.constant %start 0 : i64 as !llvm.ptr`; a
    vector as `dense<[1, 2]> : vector<2xi32>`.
  }];
  let arguments = (ins Dataflow_Control:$ctrl, TypedAttrInterface:$value);
  let results = (outs Dataflow_Token:$result);
  let assemblyFormat = [{
    $ctrl custom<TypedConstant>($value, type($result)) attr-dict
  }];
  let hasVerifier = 1;
}

def Dataflow_SyncOp : Dataflow_Op<"sync", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "waits for all operands";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | every operand | one of each | all of them, in place, at once |

    Operands that never have tokens in the same activation (the two lanes of a
    selection) must not meet in a `sync`. In a thread it joins events: all
    operands are `none`.
  }];
  let arguments = (ins Variadic<Dataflow_Token>:$inputs);
  let results = (outs Variadic<Dataflow_Token>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def Dataflow_MuxOp : Dataflow_Actor<"mux"> {
  let summary = "takes the token of the selected lane";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | sel and lane sel | these two | the token of the lane |

    The tokens of the other lanes stay where they are. With two lanes the
    selector is `i1` (false: lane 0); with more it is `i32` or `i64` and names
    the lane; a number that is no lane is an error.
  }];
  let arguments = (ins Dataflow_Integer:$selector,
                       Variadic<Dataflow_Token>:$lanes);
  let results = (outs Dataflow_Token:$result);
  let assemblyFormat = [{
    $selector `,` $lanes attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dataflow_DemuxOp : Dataflow_Actor<"demux"> {
  let summary = "sends a token to the selected lane";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | sel and value | both | the value, on lane sel only |

    Selectors as in `dataflow.mux`.
  }];
  let arguments = (ins Dataflow_Integer:$selector, Dataflow_Token:$value);
  let results = (outs Variadic<Dataflow_Token>:$lanes);
  let assemblyFormat = [{
    $selector `,` $value attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loop actors
//===----------------------------------------------------------------------===//

def Dataflow_StreamOp : Dataflow_Actor<"stream", [
    AllTypesMatch<["init", "limit", "step", "iv"]>]> {
  let summary = "counts a loop";
  let description = [{
    | state  | needs | consumes | emits | next |
    |--------|-------|----------|-------|------|
    | idle   | init, limit, step | all three | - (cur = init) | active |
    | active, `cur pred limit` | - | - | iv = cur, phase = true; cur = cur kind step | active |
    | active, otherwise        | - | - | phase = false | idle |

    Arithmetic is modulo 2^width. `init 0, limit 3, step 1 add while slt` emits
    iv 0 1 2 and phase T T T F. A loop that doesn't run emits F.
  }];
  let arguments = (ins Dataflow_Integer:$init, Dataflow_Integer:$limit,
                       Dataflow_Integer:$step, Dataflow_StepKind:$kind,
                       Dataflow_Predicate:$pred);
  let results = (outs Dataflow_Integer:$iv, Dataflow_Bool:$phase);
  let assemblyFormat = [{
    $init `,` $limit `,` $step $kind `while` $pred attr-dict `:` type($iv)
  }];
}

def Dataflow_CarryOp : Dataflow_Actor<"carry", [
    AllTypesMatch<["init", "next", "result"]>]> {
  let summary = "a value carried around a loop";
  let description = [{
    | state | phase | consumes | emits | next |
    |-------|-------|----------|-------|------|
    | init  | not looked at | init | init | carry |
    | carry | true  | phase, next | next | carry |
    | carry | false | phase | - | init |

    K iterations: one init, K next, K+1 phase, K+1 results.
  }];
  let arguments = (ins Dataflow_Bool:$phase, Dataflow_Token:$init,
                       Dataflow_Token:$next);
  let results = (outs Dataflow_Token:$result);
  let assemblyFormat = [{
    $phase `,` $init `,` $next attr-dict `:` type($result)
  }];
}

def Dataflow_InvariantOp : Dataflow_Actor<"invariant", [
    AllTypesMatch<["init", "result"]>]> {
  let summary = "a value repeated for a loop";
  let description = [{
    | state | phase | consumes | emits | next |
    |-------|-------|----------|-------|------|
    | init  | not looked at | init (kept) | init | run |
    | run   | true  | phase | the kept value | run |
    | run   | false | phase | - | init |

    K iterations: one init, K+1 phase, K+1 results.
  }];
  let arguments = (ins Dataflow_Bool:$phase, Dataflow_Token:$init);
  let results = (outs Dataflow_Token:$result);
  let assemblyFormat = "$phase `,` $init attr-dict `:` type($result)";
}

def Dataflow_GateOp : Dataflow_Actor<"gate", [
    AllTypesMatch<["value", "after_value"]>]> {
  let summary = "projects a loop phase and a value to the body";
  let description = [{
    | state | cond  | consumes | after_cond | after_value | next |
    |-------|-------|----------|------------|-------------|------|
    | init  | false | both | - | - | init |
    | init  | true  | both | - | value | cont |
    | cont  | true  | both | true  | value | cont |
    | cont  | false | both | false | - | init |

    `after_value` is the true lane of `demux`. `after_cond` is false for the last
    body of an activation; a loop without a body has none.
  }];
  let arguments = (ins Dataflow_Bool:$cond, Dataflow_Token:$value);
  let results = (outs Dataflow_Bool:$after_cond, Dataflow_Token:$after_value);
  let assemblyFormat = "$cond `,` $value attr-dict `:` type($value)";
}

include "loom/Dataflow/IR/DataflowMemory.td"
include "loom/Dataflow/IR/DataflowVector.td"
include "loom/Dataflow/IR/DataflowChannel.td"
include "loom/Dataflow/IR/DataflowThread.td"
include "loom/Dataflow/IR/DataflowGraphLaunch.td"

#endif
