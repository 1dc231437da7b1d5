// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summary: single precision, no division of double, pointers only as data, four cores
//
// For embedded use. Doubles can be added and multiplied; there is no unit that divides
// them, takes their root or finds remainders, none for special functions beside the
// reciprocal root, and no address but those relative to a memory of the program.
fabric.target @small {
  fabric.abi pointers [!fabric.ptr<0, 64>] little index [64]
  fabric.system cores 4 clock_khz 500000 queue 2 launch 60 transfer 0
  fabric.system_memory capacity 0 ports 2 latency 4 bytes 16
  fabric.local_memory count 2 capacity 32768 banks 2 ports 1 latency 1 bytes 8

  // Tokens and loops.
  fabric.token constant types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1
  fabric.token sync fan 4 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.token mux fan 4 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.token demux fan 4 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.token carry types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.token invariant types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.token gate types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 4 latency 1 interval 1
  fabric.stream add types [i1, i8, i16, i32, i64] count 4 latency 1 interval 1
  fabric.stream sub types [i1, i8, i16, i32, i64] count 2 latency 1 interval 1
  fabric.stream shl types [i1, i8, i16, i32, i64] count 2 latency 1 interval 1
  fabric.stream lshr types [i1, i8, i16, i32, i64] count 2 latency 1 interval 1

  // Integers and bits.
  fabric.compute ["arith.addi", "arith.subi", "arith.andi", "arith.ori", "arith.xori", "arith.shli",
      "arith.shrsi", "arith.shrui", "arith.minsi", "arith.maxsi", "arith.minui",
      "arith.maxui", "math.absi"]
      types [i1, i8, i16, i32, i64] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["arith.cmpi"]
      types [i1, i8, i16, i32, i64, !fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["arith.select"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["arith.muli"]
      types [i1, i8, i16, i32, i64] lanes [1, 4] count 8 latency 3 interval 1
  fabric.compute ["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"]
      types [i1, i8, i16, i32, i64] lanes [1] count 2 latency 16 interval 8
  fabric.compute ["arith.extsi", "arith.extui"]
      types [i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["arith.trunci"]
      types [i1, i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["arith.bitcast"]
      types [i1, i8, i16, i32, i64, f32, f64] from [i1, i8, i16, i32, i64, f32, f64] lanes [1, 4] count 16 latency 1 interval 1

  // Floating point. Comparisons and changes of the sign take as long as integers.
  fabric.compute ["arith.negf", "math.absf", "math.copysign", "arith.cmpf", "arith.minnumf",
      "arith.maxnumf", "arith.minimumf", "arith.maximumf"]
      types [f32, f64] lanes [1, 4] count 8 latency 1 interval 1
  fabric.compute ["arith.addf", "arith.subf", "arith.mulf"]
      types [f32, f64] lanes [1, 4] count 8 latency 3 interval 1
  fabric.compute ["math.fma"] types [f32, f64] lanes [1, 4] count 8 latency 4 interval 1
  fabric.compute ["arith.divf"] types [f32] lanes [1] count 2 latency 12 interval 8
  fabric.compute ["math.sqrt"] types [f32] lanes [1] count 2 latency 16 interval 8
  fabric.compute ["math.floor", "math.ceil", "math.trunc", "math.round", "math.roundeven"]
      types [f32, f64] lanes [1, 4] count 16 latency 2 interval 1
  fabric.compute ["arith.sitofp", "arith.uitofp"]
      types [f32, f64] from [i1, i8, i16, i32, i64] lanes [1, 4] count 16 latency 2 interval 1
  fabric.compute ["arith.fptosi", "arith.fptoui"]
      types [i1, i8, i16, i32, i64] from [f32, f64] lanes [1, 4] count 16 latency 2 interval 1
  fabric.compute ["arith.extf", "arith.truncf"]
      types [f32, f64] from [f32, f64] lanes [1, 4] count 16 latency 2 interval 1

  // Special functions: correctly rounded ones are slow.
  fabric.compute ["math.rsqrt"] types [f32] lanes [1] count 2 latency 40 interval 8
  fabric.compute ["math.rsqrt"]
      types [f32] lanes [1, 4] count 2 latency 16 interval 1 needs ["afn"] guarantees Max1Ulp

  // Addresses and pointers.
  fabric.compute ["llvm.getelementptr"]
      types [!fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["llvm.ptrtoint"]
      types [i64] from [!fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["llvm.inttoptr"]
      types [!fabric.ptr<0, 64>] from [i64] lanes [1, 4] count 16 latency 1 interval 1
  fabric.compute ["llvm.freeze"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 16 latency 1 interval 1

  // Between scalars and vectors.
  fabric.compute ["dataflow.parallelize", "dataflow.serialize", "dataflow.pack", "dataflow.unpack",
      "vector.extract", "vector.insert", "vector.shuffle", "vector.broadcast"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 4] count 3 latency 1 interval 1

  // Memory.
  fabric.access load element root plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 2 latency 4 interval 1
  fabric.access load contiguous root plain types [i8, i16, i32, i64, f32, f64] lanes [4] masked
      count 2 latency 4 interval 1
  fabric.access store element root plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 2 latency 1 interval 1
  fabric.access store contiguous root plain types [i8, i16, i32, i64, f32, f64] lanes [4] masked
      count 2 latency 1 interval 1
}
