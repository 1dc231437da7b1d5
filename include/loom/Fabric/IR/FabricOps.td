// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LOOM_FABRIC_IR_FABRICOPS_TD
#define LOOM_FABRIC_IR_FABRICOPS_TD

include "loom/Fabric/IR/FabricBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Fabric_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fabric_Dialect, mnemonic, traits>;

// A row: only inside a target.
class Fabric_Row<string mnemonic> : Fabric_Op<mnemonic, [HasParent<"TargetOp">]> {
  let hasVerifier = 1;
}

def Fabric_TargetOp : Fabric_Op<"target", [
    HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, NoTerminator, SingleBlock,
    NoRegionArguments, Symbol, RegionKindInterface, HasOnlyGraphRegion]> {
  let summary = "a device";
  let description = [{
    Exactly one `fabric.abi`, `fabric.system` and `fabric.system_memory`, at most
    16 `fabric.local_memory`, and at most 1024 rows in all. The name has 1 to 64
    of the characters `A-Z a-z 0-9 . _ -`; it is a label only.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Fabric_AbiOp : Fabric_Row<"abi"> {
  let summary = "what programs must agree with: pointers, byte order, index widths";
  let description = [{
    A program whose pointers or byte order differ is not admitted; with `triple`,
    nor is one whose target triple begins otherwise (`x86_64`). `index` are the
    widths that root-relative addresses and `index` values may have: 32, 64.

    ```mlir
    fabric.abi pointers [!fabric.ptr<0, 64>] little index [64] triple "x86_64"
    ```
  }];
  let arguments = (ins TypeArrayAttr:$pointers, Fabric_Endianness:$endianness,
                       DenseI32ArrayAttr:$index_widths,
                       OptionalAttr<StrAttr>:$triple);
  let assemblyFormat = [{
    `pointers` $pointers $endianness `index` $index_widths
    (`triple` $triple^)? attr-dict
  }];
}

def Fabric_SystemOp : Fabric_Row<"system"> {
  let summary = "cores, clock, queues, and what a launch costs";
  let description = [{
    `cores` (1 to 4096) have the units of all rows each. `clock_khz` is 1 to
    10^8. `queue` is how many tokens wait between two actors beyond those in
    flight, 1 to 4096. `launch` are the cycles from the call to the start token
    and back. `transfer` are the cycles to move 64 bytes to or from local memory
    at a launch, if the bandwidth of the system's memory allows no fewer; 0: the
    device works on the host's memory.

    ```mlir
    fabric.system cores 8 clock_khz 1000000 queue 4 launch 100 transfer 0
    ```
  }];
  let arguments = (ins I32Attr:$cores, I32Attr:$clock_khz, I32Attr:$queue,
                       I32Attr:$launch, I32Attr:$transfer);
  let assemblyFormat = [{
    `cores` $cores `clock_khz` $clock_khz `queue` $queue `launch` $launch
    `transfer` $transfer attr-dict
  }];
}

def Fabric_SystemMemoryOp : Fabric_Row<"system_memory"> {
  let summary = "the memory that all cores share";
  let description = [{
    `ports` accesses of a core may start in a cycle, at most 1024; 0: as many as
    there are access actors. With `transfer` they reach the local memories instead,
    and `bytes` is the bandwidth of the transfers. Accesses that start in a cycle move at most `bytes`
    together, at most 2^20; 0: any number. One of more bytes takes the memory for
    several cycles.
    `capacity` in bytes, 0: unbounded. `latency` is that of the memory; an access
    has the latency of its row, which includes it.

    ```mlir
    fabric.system_memory capacity 0 ports 0 latency 4 bytes 64
    ```
  }];
  let arguments = (ins I64Attr:$capacity, I32Attr:$ports, I32Attr:$latency,
                       I32Attr:$bytes);
  let assemblyFormat = [{
    `capacity` $capacity `ports` $ports `latency` $latency `bytes` $bytes attr-dict
  }];
}

def Fabric_LocalMemoryOp : Fabric_Row<"local_memory"> {
  let summary = "memories inside each core";
  let description = [{
    `count` memories of `capacity` bytes each, in `banks`; one access of a port a
    cycle, `bytes` each. Only with `transfer` do launches work on them; together
    they then have the ports, the bytes a cycle and the capacity of all of them.

    ```mlir
    fabric.local_memory count 4 capacity 65536 banks 4 ports 2 latency 1 bytes 16
    ```
  }];
  let arguments = (ins I32Attr:$count, I64Attr:$capacity, I32Attr:$banks,
                       I32Attr:$ports, I32Attr:$latency, I32Attr:$bytes);
  let assemblyFormat = [{
    `count` $count `capacity` $capacity `banks` $banks `ports` $ports
    `latency` $latency `bytes` $bytes attr-dict
  }];
}

def Fabric_ComputeOp : Fabric_Row<"compute"> {
  let summary = "units for computations";
  let description = [{
    `ops` are names of operations. `types` are those of the result; of a
    comparison those of the operands. With `from`, those of the operand of a
    conversion: any of `from` to any of `types`.

    `needs` are fast-math flags that an actor must have: a unit that relies on
    none of them serves every actor. `guarantees` is the accuracy of special
    functions, `CorrectlyRounded` when it is not given; less needs `afn`.

    ```mlir
    fabric.compute ["arith.addi", "arith.subi"] types [i32, i64] lanes [1, 4]
        count 8 latency 1 interval 1
    fabric.compute ["arith.sitofp"] types [f64] from [i32] lanes [1]
        count 2 latency 2 interval 1
    fabric.compute ["math.exp"] types [f32] lanes [1]
        count 1 latency 12 interval 1 needs ["afn"] guarantees Max2Ulp
    ```
  }];
  let arguments = (ins StrArrayAttr:$ops, TypeArrayAttr:$types,
                       OptionalAttr<TypeArrayAttr>:$from,
                       DenseI32ArrayAttr:$lanes, I32Attr:$count,
                       I32Attr:$latency, I32Attr:$interval,
                       OptionalAttr<StrArrayAttr>:$needs,
                       OptionalAttr<Fabric_Accuracy>:$guarantees);
  let assemblyFormat = [{
    $ops `types` $types (`from` $from^)? `lanes` $lanes `count` $count
    `latency` $latency `interval` $interval
    (`needs` $needs^)? (`guarantees` $guarantees^)? attr-dict
  }];
}

def Fabric_StreamOp : Fabric_Row<"stream"> {
  let summary = "units that count loops";
  let description = [{
    The kind of step is fixed hardware; the condition is not.

    ```mlir
    fabric.stream add types [i32, i64] count 4 latency 1 interval 1
    ```
  }];
  let arguments = (ins Fabric_StepKind:$step, TypeArrayAttr:$types,
                       I32Attr:$count, I32Attr:$latency, I32Attr:$interval);
  let assemblyFormat = [{
    $step `types` $types `count` $count `latency` $latency `interval` $interval
    attr-dict
  }];
}

def Fabric_TokenOp : Fabric_Row<"token"> {
  let summary = "units for token actors";
  let description = [{
    `fan`, of `sync`, `mux` and `demux` only, is the largest number of operands,
    or of lanes to choose from: 2 to 65535. `none` is the type of control tokens.

    ```mlir
    fabric.token sync fan 4 types [none, i64] lanes [1] count 8 latency 1 interval 1
    ```
  }];
  let arguments = (ins Fabric_TokenKind:$kind, OptionalAttr<I32Attr>:$fan,
                       TypeArrayAttr:$types, DenseI32ArrayAttr:$lanes,
                       I32Attr:$count, I32Attr:$latency, I32Attr:$interval);
  let assemblyFormat = [{
    $kind (`fan` $fan^)? `types` $types `lanes` $lanes `count` $count
    `latency` $latency `interval` $interval attr-dict
  }];
}

def Fabric_AccessOp : Fabric_Row<"access"> {
  let summary = "ports for accesses to memory";
  let description = [{
    `element` accesses move one element, so their only lane count is 1;
    `contiguous` and `indexed` ones move `lanes` elements from one address, or
    from one each. A `root` address is relative to a memory of the program and
    has one of the index widths; a `pointer` address is one of the pointers of
    `fabric.abi`. `masked` rows serve accesses with a mask, too. A `volatile` or
    `atomic` access needs a row of its own.

    ```mlir
    fabric.access load element root plain types [i32, f32] lanes [1]
        count 4 latency 4 interval 1
    fabric.access store contiguous root plain types [f32] lanes [4, 8] masked
        count 1 latency 1 interval 1
    ```
  }];
  let arguments = (ins Fabric_AccessKind:$kind, Fabric_AccessForm:$form,
                       Fabric_AddressForm:$address, Fabric_Ordering:$ordering,
                       TypeArrayAttr:$types, DenseI32ArrayAttr:$lanes,
                       UnitAttr:$masked, I32Attr:$count, I32Attr:$latency,
                       I32Attr:$interval);
  let assemblyFormat = [{
    $kind $form $address $ordering `types` $types `lanes` $lanes
    (`masked` $masked^)? `count` $count `latency` $latency `interval` $interval
    attr-dict
  }];
}

#endif
