// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: threads. Included by DataflowOps.td.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWTHREAD_TD
#define LOOM_DATAFLOW_IR_DATAFLOWTHREAD_TD

def Dataflow_ThreadOp : Dataflow_Op<"thread", [
    HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, AutomaticAllocationScope,
    SingleBlockImplicitTerminator<"ThreadYieldOp">, Symbol,
    RecursiveMemoryEffects]> {
  let summary = "a stored program that launches graphs";
  let description = [{
    A private definition; `dataflow.thread.launch` runs one instance of it per
    point of a dense domain. The entry block has the arguments of the launch,
    the event `ctrl`, which happens when the instance starts, and one `index`
    coordinate per dimension. The number of coordinates is the rank; a rank of 0
    is one instance.

    The body is an ordinary program: `scf`, `arith`, loads and stores run in the
    order of the text. Graphs are launched out of it and run beside it. It calls
    only functions of the module that hold none of this dialect.

    A thread has no results. A caller that needs a value passes a pointer to
    memory of its own, a *result slot*: the argument has the attribute
    `dataflow.result_slot`, the thread stores to it and does nothing else with
    it, and the caller loads from it after `dataflow.thread.wait`.

    ```mlir
    dataflow.thread private @sum(%n: i64, %x: memref<?xi8>, %out: !llvm.ptr {dataflow.result_slot})
        ctrl(%ctrl) {
      %s, %done = dataflow.graph.launch @sum_graph after(%ctrl) values(%n : i64)
          memories(%x) returns(f32)
      dataflow.graph.wait %done
      llvm.store %s, %out : f32, !llvm.ptr
      dataflow.thread.yield %done
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral getResultSlotAttrName() {
      return "dataflow.result_slot";
    }
    ::mlir::Block &getBlock() { return getBody().front(); }
    unsigned getNumInputs() { return getFunctionType().getNumInputs(); }
    ::mlir::BlockArgument getCtrl() {
      return getBlock().getArgument(getNumInputs());
    }
    unsigned getRank() { return getBlock().getNumArguments() - getNumInputs() - 1; }
    bool isResultSlot(unsigned input);
  }];
}

def Dataflow_ThreadYieldOp : Dataflow_Op<"thread.yield", [
    HasParent<"ThreadOp">, Terminator]> {
  let summary = "ends an instance: what it has to wait for";
  let description = [{
    The instance retires when all these events have happened. In a finalized
    program they are a minimal frontier: every launch comes before one of them
    on every path, and each of them covers a launch that no other covers. What
    comes before an event is known from `after`, from `dataflow.sync`, and
    through `scf.if`, `scf.index_switch`, `scf.for` and `scf.while`.
  }];
  let arguments = (ins Variadic<Dataflow_Control>:$frontier);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "($frontier^)? attr-dict";
}

def Dataflow_ThreadLaunchOp : Dataflow_Op<"thread.launch", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a thread over a dense domain";
  let description = [{
    One instance per point of [0, e0) x [0, e1) x ...; an extent of 0 makes none.
    They start when all tokens of `after` have happened, in no particular order.
    The token is the retirement of all of them. Only in host code: a thread
    launches no threads.

    ```mlir
    %t = dataflow.thread.launch @work after(%before) extents(%rows, %columns)
        args(%n, %p : i64, !llvm.ptr)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Dataflow_ThreadTokenType>:$dependencies,
                       Variadic<Index>:$extents, Variadic<AnyType>:$args);
  let results = (outs Dataflow_ThreadTokenType:$token);
  let assemblyFormat = [{
    $callee (`after` `(` $dependencies^ `)`)? (`extents` `(` $extents^ `)`)?
    (`args` `(` $args^ `:` type($args) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Dataflow_ThreadWaitOp : Dataflow_Op<"thread.wait"> {
  let summary = "blocks until thread launches have retired";
  let description = [{
    At least one token; only in host code. It orders nothing else.
  }];
  let arguments = (ins Variadic<Dataflow_ThreadTokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

#endif
