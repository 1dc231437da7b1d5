// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: channels. Included by DataflowOps.td.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWCHANNEL_TD
#define LOOM_DATAFLOW_IR_DATAFLOWCHANNEL_TD

def Dataflow_ChannelCreateOp : Dataflow_Op<"channel.create"> {
  let summary = "makes a channel";
  let description = [{
    Every execution makes a channel of its own. One thread launch (or one graph
    launch) produces its messages, one or more consume them; several consumers
    are a multicast, each sees every message. Capacity and latency can't be
    observed; there is no end of a channel, and no question whether it is empty.

    A consumer has a *source map*: affine, without symbols, defined everywhere.
    It says which instance of the producer's domain an instance of the
    consumer's domain hears: consumer coordinates to producer coordinates.
  }];
  let results = (outs Dataflow_ChannelType:$channel);
  let assemblyFormat = "attr-dict `:` type($channel)";
  let hasVerifier = 1;
}

def Dataflow_ChannelSendOp : Dataflow_Op<"channel.send", [
    TypesMatchWith<"the value is the payload", "channel", "value",
                   "::llvm::cast<ChannelType>($_self).getPayload()">]> {
  let summary = "sends one message, in the order of the program";
  let description = [{
    Blocks until the message is taken over. Only in a thread.
  }];
  let arguments = (ins Dataflow_ChannelType:$channel, Dataflow_Token:$value);
  let assemblyFormat = "$channel `,` $value attr-dict `:` type($channel)";
  let hasVerifier = 1;
}

def Dataflow_ChannelReceiveOp : Dataflow_Op<"channel.receive", [
    TypesMatchWith<"the value is the payload", "channel", "value",
                   "::llvm::cast<ChannelType>($_self).getPayload()">]> {
  let summary = "takes the oldest message";
  let description = [{
    Blocks until there is one. Only in a thread. The source map has one dimension
    per coordinate of the thread:

    ```mlir
    %v = dataflow.channel.receive %c from affine_map<(d0) -> (d0)> : !dataflow.channel<f32>
    ```
  }];
  let arguments = (ins Dataflow_ChannelType:$channel,
                       AffineMapAttr:$source_map);
  let results = (outs Dataflow_Token:$value);
  let assemblyFormat = [{
    $channel `from` $source_map attr-dict `:` type($channel)
  }];
  let hasVerifier = 1;
}

#endif
