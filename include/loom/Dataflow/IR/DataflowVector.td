// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: between scalars and vectors. Included by
// DataflowOps.td.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWVECTOR_TD
#define LOOM_DATAFLOW_IR_DATAFLOWVECTOR_TD

class Dataflow_MaskOf<string vector>
    : TypesMatchWith<"mask has one i1 per lane", vector, "mask",
                     "::loom::dataflow::getMaskType($_self)">;

def Dataflow_ParallelizeOp : Dataflow_Actor<"parallelize", [
    Dataflow_MaskOf<"vector">]> {
  let summary = "gathers the scalars of a loop into vectors";
  let description = [{
    | state | phase | consumes | emits | next |
    |-------|-------|----------|-------|------|
    | n < N-1 lanes held | true | phase, value (lane n) | - | n+1 lanes held |
    | N-1 lanes held | true | phase, value (lane N-1) | vector, mask of all lanes, group phase true | empty |
    | n > 0 lanes held | false | phase | vector with zeros after lane n-1, mask of the first n lanes, group phase true; then group phase false | empty |
    | empty | false | phase | group phase false | empty |

    K values make G = K/N vectors, rounded up, and the group phase T^G F.
  }];
  let arguments = (ins Dataflow_Token:$value, Dataflow_Bool:$phase);
  let results = (outs Dataflow_Lanes:$vector, Dataflow_Mask:$mask,
                      Dataflow_Bool:$group_phase);
  let assemblyFormat = [{
    $value `,` $phase attr-dict `:` type($value) `->` type($vector)
  }];
  let hasVerifier = 1;
}

def Dataflow_SerializeOp : Dataflow_Actor<"serialize", [
    Dataflow_MaskOf<"vector">]> {
  let summary = "takes the vectors of a loop apart into scalars";
  let description = [{
    | group phase | consumes | emits |
    |-------------|----------|-------|
    | true  | group phase, vector, mask | the value of every active lane, from lane 0, each with phase true |
    | false | group phase | phase false |

    The inverse of `dataflow.parallelize`. A vector without an active lane emits
    nothing.
  }];
  let arguments = (ins Dataflow_Lanes:$vector, Dataflow_Mask:$mask,
                       Dataflow_Bool:$group_phase);
  let results = (outs Dataflow_Token:$value, Dataflow_Bool:$phase);
  let assemblyFormat = [{
    $vector `,` $mask `,` $group_phase attr-dict
    `:` type($vector) `->` type($value)
  }];
  let hasVerifier = 1;
}

def Dataflow_PackOp : Dataflow_Actor<"pack"> {
  let summary = "the bits of a vector as one integer";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | vector | vector | the integer; lane 0 has its lowest bits |

    The integer has exactly the bits of the lanes, which are numbers.
  }];
  let arguments = (ins Dataflow_Lanes:$vector);
  let results = (outs Dataflow_Integer:$bits);
  let assemblyFormat = "$vector attr-dict `:` type($vector) `->` type($bits)";
  let hasVerifier = 1;
}

def Dataflow_UnpackOp : Dataflow_Actor<"unpack"> {
  let summary = "an integer as the lanes of a vector";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | bits | bits | the vector; lane 0 has the lowest bits |

    The inverse of `dataflow.pack`.
  }];
  let arguments = (ins Dataflow_Integer:$bits);
  let results = (outs Dataflow_Lanes:$vector);
  let assemblyFormat = "$bits attr-dict `:` type($bits) `->` type($vector)";
  let hasVerifier = 1;
}

#endif
