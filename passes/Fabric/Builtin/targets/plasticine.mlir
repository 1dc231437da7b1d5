// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summary: a 16x8 checkerboard of compute and memory units, 16 lanes, one core
//
// 64 pattern compute units of 16 lanes and 6 stages and 64 pattern memory units of
// 256 KB in 16 banks, at 1 GHz. A stage takes one cycle and a unit is pipelined, so
// every operation of one stage costs 1; a floating-point one takes 3 or 4 stages. Words
// are of 32 bits: 64-bit integers are for addresses and counters, without products and
// quotients. Figures of Prabhakar et al., Plasticine: A Reconfigurable Architecture
// For Parallel Patterns, ISCA 2017.
//
// Data is moved into the memory units first. Four DDR3-1600 channels of 12.8 GB/s
// each give 51.2 bytes a cycle, 51 here: they are what a line of 64 bytes costs. A
// bank of a memory unit has a word a cycle.
fabric.target @plasticine {
  fabric.abi pointers [!fabric.ptr<0, 64>] little index [32, 64]
  fabric.system cores 1 clock_khz 1000000 queue 16 launch 200 transfer 1
  fabric.system_memory capacity 0 ports 4 latency 4 bytes 51
  fabric.local_memory count 64 capacity 262144 banks 16 ports 16 latency 1 bytes 4

  // Tokens and loops.
  fabric.token constant types [i1, i8, i16, i32, i64, f32] lanes [1, 16] count 384 latency 1 interval 1
  fabric.token sync fan 16 types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.token mux fan 16 types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.token demux fan 16 types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.token carry types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.token invariant types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.token gate types [none, i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1
  fabric.stream add types [i1, i8, i16, i32, i64] count 64 latency 1 interval 1
  fabric.stream sub types [i1, i8, i16, i32, i64] count 32 latency 1 interval 1

  // Integers and bits.
  fabric.compute ["arith.addi", "arith.subi", "arith.andi", "arith.ori", "arith.xori", "arith.shli",
      "arith.shrsi", "arith.shrui", "arith.minsi", "arith.maxsi", "arith.minui",
      "arith.maxui", "math.absi"]
      types [i1, i8, i16, i32, i64] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.cmpi"]
      types [i1, i8, i16, i32, i64] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.select"]
      types [i1, i8, i16, i32, i64, f32] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.muli"]
      types [i1, i8, i16, i32] lanes [1, 16] count 384 latency 3 interval 1
  fabric.compute ["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"]
      types [i1, i8, i16, i32] lanes [1, 16] count 64 latency 16 interval 8
  fabric.compute ["arith.extsi", "arith.extui"]
      types [i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.trunci"]
      types [i1, i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.index_cast", "arith.index_castui"]
      types [index] from [i8, i16, i32, i64] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.index_cast", "arith.index_castui"]
      types [i8, i16, i32, i64] from [index] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.bitcast"]
      types [i32, f32] from [i32, f32] lanes [1, 16] count 384 latency 1 interval 1

  // Floating point. Comparisons and changes of the sign take as long as integers.
  fabric.compute ["arith.negf", "math.absf", "math.copysign", "arith.cmpf", "arith.minnumf",
      "arith.maxnumf", "arith.minimumf", "arith.maximumf"]
      types [f32] lanes [1, 16] count 384 latency 1 interval 1
  fabric.compute ["arith.addf", "arith.subf", "arith.mulf"]
      types [f32] lanes [1, 16] count 384 latency 3 interval 1
  fabric.compute ["math.fma"] types [f32] lanes [1, 16] count 384 latency 4 interval 1
  fabric.compute ["arith.divf"] types [f32] lanes [1, 16] count 64 latency 12 interval 8
  fabric.compute ["math.sqrt"] types [f32] lanes [1, 16] count 64 latency 16 interval 8
  fabric.compute ["math.floor", "math.ceil", "math.trunc", "math.round", "math.roundeven"]
      types [f32] lanes [1, 16] count 384 latency 2 interval 1
  fabric.compute ["arith.sitofp", "arith.uitofp"]
      types [f32] from [i1, i8, i16, i32, i64] lanes [1, 16] count 384 latency 2 interval 1
  fabric.compute ["arith.fptosi", "arith.fptoui"]
      types [i1, i8, i16, i32, i64] from [f32] lanes [1, 16] count 384 latency 2 interval 1

  // Special functions.
  fabric.compute ["math.exp", "math.log", "math.sin", "math.cos", "math.tanh", "math.rsqrt"]
      types [f32] lanes [1, 16] count 64 latency 6 interval 1 needs ["afn"] guarantees Max2Ulp

  // A copy.
  fabric.compute ["llvm.freeze"]
      types [i1, i8, i16, i32, i64, f32] lanes [1, 16] count 384 latency 1 interval 1

  // Between scalars and vectors.
  fabric.compute ["dataflow.parallelize", "dataflow.serialize", "dataflow.pack", "dataflow.unpack",
      "vector.extract", "vector.insert", "vector.shuffle", "vector.broadcast"]
      types [i1, i8, i16, i32, i64, f32] lanes [1, 16] count 64 latency 1 interval 1

  // Memory.
  fabric.access load element root plain types [i8, i16, i32, i64, f32] lanes [1]
      count 64 latency 4 interval 1
  fabric.access load contiguous root plain types [i8, i16, i32, f32] lanes [16] masked
      count 64 latency 4 interval 1
  fabric.access load indexed root plain types [i8, i16, i32, f32] lanes [16] masked
      count 64 latency 8 interval 1
  fabric.access store element root plain types [i8, i16, i32, i64, f32] lanes [1]
      count 64 latency 1 interval 1
  fabric.access store contiguous root plain types [i8, i16, i32, f32] lanes [16] masked
      count 64 latency 1 interval 1
  fabric.access store indexed root plain types [i8, i16, i32, f32] lanes [16] masked
      count 64 latency 2 interval 1
}
