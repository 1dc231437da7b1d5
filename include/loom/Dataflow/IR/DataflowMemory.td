// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dataflow` dialect: memory actors. Included by DataflowOps.td.

#ifndef LOOM_DATAFLOW_IR_DATAFLOWMEMORY_TD
#define LOOM_DATAFLOW_IR_DATAFLOWMEMORY_TD

// The mask of an access, if it has one, follows from its data.
def Dataflow_MaskMatches
    : TypesMatchWith<"mask has one i1 per lane of the data", "data", "mask",
                     "::loom::dataflow::getMaskType($_self)",
                     "!getMask() || std::equal_to<>()">;

def Dataflow_LoadOp : Dataflow_Actor<"load", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead]>,
    Dataflow_MaskMatches]> {
  let summary = "reads memory";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | address, ctrl, mask if there is one | all of them | data and done, at once, after the last lane was read |

    With a memory the address is a byte offset (`i64`) from its base; without
    one it is a pointer. Loads have no alignment requirement. The types say
    which of three forms it is:

    | address | data | form |
    |---------|------|------|
    | scalar | scalar | element |
    | scalar | vector | contiguous: lane i at address + i times the size of a lane |
    | vector | vector of the same shape | indexed: lane i at lane i of the address |

    A mask has one `i1` per lane; without one all lanes are active. An inactive
    lane accesses nothing, and its address may be anything; its data is zero. An
    access whose lanes are all inactive fires like any other. An element access
    has no mask. Addresses may repeat.

    ```mlir
    %v, %done = dataflow.load %mem[%offset] %ctrl : i64 -> f32
    %v, %done = dataflow.load [%pointer] %ctrl : !llvm.ptr -> f32
    %v, %done = dataflow.load %mem[%offset] %ctrl mask %m : i64 -> vector<4xf32>
    %v, %done = dataflow.load %mem[%offsets] %ctrl : vector<4xi64> -> vector<4xf32>
    ```
  }];
  let arguments = (ins Optional<Dataflow_Memory>:$memory,
                       Dataflow_Address:$address, Dataflow_Control:$ctrl,
                       Optional<Dataflow_Mask>:$mask);
  let results = (outs Dataflow_Data:$data, Dataflow_Control:$done);
  let builders = [OpBuilder<(ins "::mlir::Type":$data, "::mlir::Type":$done,
                                 "::mlir::Value":$memory,
                                 "::mlir::Value":$address,
                                 "::mlir::Value":$ctrl), [{
    build($_builder, $_state, data, done, memory, address, ctrl, {});
  }]>];
  let assemblyFormat = [{
    ($memory^)? `[` $address `]` $ctrl (`mask` $mask^)? attr-dict
    `:` type($address) `->` type($data)
  }];
  let hasVerifier = 1;
}

def Dataflow_StoreOp : Dataflow_Actor<"store", [
    AttrSizedOperandSegments, MemoryEffects<[MemWrite]>,
    Dataflow_MaskMatches]> {
  let summary = "writes memory";
  let description = [{
    | needs | consumes | emits |
    |-------|----------|-------|
    | address, data, ctrl, mask if there is one | all of them | done, after the last lane was written |

    Addresses, forms and masks as in `dataflow.load`; an inactive lane leaves
    memory alone. The active lanes of an indexed store have different
    addresses: whoever makes one has proven it.

    ```mlir
    %done = dataflow.store %mem[%offset] %v %ctrl : i64, f32
    ```
  }];
  let arguments = (ins Optional<Dataflow_Memory>:$memory,
                       Dataflow_Address:$address, Dataflow_Data:$data,
                       Dataflow_Control:$ctrl, Optional<Dataflow_Mask>:$mask);
  let results = (outs Dataflow_Control:$done);
  let builders = [OpBuilder<(ins "::mlir::Type":$done,
                                 "::mlir::Value":$memory,
                                 "::mlir::Value":$address,
                                 "::mlir::Value":$data,
                                 "::mlir::Value":$ctrl), [{
    build($_builder, $_state, done, memory, address, data, ctrl, {});
  }]>];
  let assemblyFormat = [{
    ($memory^)? `[` $address `]` $data $ctrl (`mask` $mask^)? attr-dict
    `:` type($address) `,` type($data)
  }];
  let hasVerifier = 1;
}

#endif
