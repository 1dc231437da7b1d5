// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: graphs launched by threads. Included by
// DataflowOps.td.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWGRAPHLAUNCH_TD
#define LOOM_DATAFLOW_IR_DATAFLOWGRAPHLAUNCH_TD

def Dataflow_GraphLaunchOp : Dataflow_Op<"graph.launch", [
    AttrSizedOperandSegments, AttrSizedResultSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "starts a graph";
  let description = [{
    Only in a thread. The graph starts when all events of `after` have happened;
    the thread goes on. `values`, `streams` and `memories` bind the three input
    segments of the graph, `into` its stream results, to channels. A stream input
    has a source map, as `dataflow.channel.receive`. A memory is bound as it is.

    `returns` and `exposes` are the types of the value and memory results. A
    value result may be used when it has arrived. `done` happens when the
    completion of the graph and all its values have arrived: it covers every
    access, and every message of its streams.

    The launch has no memory effects of its own: order is what `after` and the
    partitions of the graph say.

    ```mlir
    %s, %done = dataflow.graph.launch @sum after(%ctrl) values(%n : i64)
        streams(%c : !dataflow.channel<f32>) from [affine_map<() -> ()>]
        memories(%x) into(%d : !dataflow.channel<f32>) returns(f32)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Dataflow_Control>:$dependencies,
                       Variadic<Dataflow_Token>:$values,
                       Variadic<Dataflow_ChannelType>:$streams,
                       OptionalAttr<AffineMapArrayAttr>:$source_maps,
                       Variadic<Dataflow_Memory>:$memories,
                       Variadic<Dataflow_ChannelType>:$outputs);
  let results = (outs Variadic<Dataflow_Token>:$value_results,
                      Variadic<Dataflow_Memory>:$memory_results,
                      Dataflow_Control:$done);
  let assemblyFormat = [{
    $callee (`after` `(` $dependencies^ `)`)?
    (`values` `(` $values^ `:` type($values) `)`)?
    (`streams` `(` $streams^ `:` type($streams) `)`)? (`from` $source_maps^)?
    (`memories` `(` $memories^ `)`)?
    (`into` `(` $outputs^ `:` type($outputs) `)`)?
    (`returns` `(` type($value_results)^ `)`)?
    (`exposes` `(` type($memory_results)^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Dataflow_GraphWaitOp : Dataflow_Op<"graph.wait"> {
  let summary = "blocks the thread until events have happened";
  let description = [{
    At least one event, each the `done` of a launch or one that comes after a
    launch.
  }];
  let arguments = (ins Variadic<Dataflow_Control>:$events);
  let assemblyFormat = "$events attr-dict";
  let hasVerifier = 1;
}

#endif
