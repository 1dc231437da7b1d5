// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summary: the operations of default with more of everything, sixteen cores
//
// Costs of an operation as in default; twice the cores, units and local memory.
fabric.target @large {
  fabric.abi pointers [!fabric.ptr<0, 64>] little index [32, 64]
  fabric.system cores 16 clock_khz 1000000 queue 8 launch 100 transfer 0
  fabric.system_memory capacity 0 ports 0 latency 4 bytes 0
  fabric.local_memory count 8 capacity 131072 banks 8 ports 2 latency 1 bytes 32

  // Tokens and loops.
  fabric.token constant types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.token sync fan 65535 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.token mux fan 65535 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.token demux fan 65535 types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.token carry types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.token invariant types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.token gate types [none, i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 16 latency 1 interval 1
  fabric.stream add types [i1, i8, i16, i32, i64] count 16 latency 1 interval 1
  fabric.stream sub types [i1, i8, i16, i32, i64] count 8 latency 1 interval 1
  fabric.stream shl types [i1, i8, i16, i32, i64] count 8 latency 1 interval 1
  fabric.stream ashr types [i1, i8, i16, i32, i64] count 8 latency 1 interval 1
  fabric.stream lshr types [i1, i8, i16, i32, i64] count 8 latency 1 interval 1
  // The next value needs the last one: no pipelining.
  fabric.stream mul types [i1, i8, i16, i32, i64] count 1 latency 3 interval 3
  fabric.stream sdiv types [i1, i8, i16, i32, i64] count 1 latency 16 interval 16
  fabric.stream udiv types [i1, i8, i16, i32, i64] count 1 latency 16 interval 16

  // Integers and bits.
  fabric.compute ["arith.addi", "arith.subi", "arith.andi", "arith.ori", "arith.xori", "arith.shli",
      "arith.shrsi", "arith.shrui", "arith.minsi", "arith.maxsi", "arith.minui",
      "arith.maxui", "math.absi", "math.ctpop", "math.ctlz", "math.cttz", "llvm.intr.bswap",
      "llvm.intr.bitreverse", "llvm.intr.fshl", "llvm.intr.fshr", "llvm.intr.sadd.sat",
      "llvm.intr.uadd.sat", "llvm.intr.ssub.sat", "llvm.intr.usub.sat"]
      types [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.cmpi"]
      types [i1, i8, i16, i32, i64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.select"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.muli"]
      types [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 32 latency 3 interval 1
  fabric.compute ["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"]
      types [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 4 latency 16 interval 8
  fabric.compute ["arith.extsi", "arith.extui"]
      types [i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.trunci"]
      types [i1, i8, i16, i32, i64] from [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.index_cast", "arith.index_castui"]
      types [index] from [i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.index_cast", "arith.index_castui"]
      types [i8, i16, i32, i64] from [index] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["arith.bitcast"]
      types [i1, i8, i16, i32, i64, f32, f64] from [i1, i8, i16, i32, i64, f32, f64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1

  // Floating point. Comparisons and changes of the sign take as long as integers.
  fabric.compute ["arith.negf", "math.absf", "math.copysign", "arith.cmpf", "arith.minnumf",
      "arith.maxnumf", "arith.minimumf", "arith.maximumf"]
      types [f32, f64] lanes [1, 2, 4, 8, 16] count 32 latency 1 interval 1
  fabric.compute ["arith.addf", "arith.subf", "arith.mulf"]
      types [f32, f64] lanes [1, 2, 4, 8, 16] count 32 latency 3 interval 1
  fabric.compute ["math.fma"] types [f32, f64] lanes [1, 2, 4, 8, 16] count 32 latency 4 interval 1
  fabric.compute ["arith.divf"] types [f32, f64] lanes [1, 2, 4, 8, 16] count 4 latency 12 interval 8
  fabric.compute ["math.sqrt"] types [f32, f64] lanes [1, 2, 4, 8, 16] count 4 latency 16 interval 8
  fabric.compute ["arith.remf"] types [f32, f64] lanes [1] count 4 latency 20 interval 8
  fabric.compute ["math.floor", "math.ceil", "math.trunc", "math.round", "math.roundeven"]
      types [f32, f64] lanes [1, 2, 4, 8, 16] count 64 latency 2 interval 1
  fabric.compute ["arith.sitofp", "arith.uitofp"]
      types [f32, f64] from [i1, i8, i16, i32, i64] lanes [1, 2, 4, 8, 16] count 64 latency 2 interval 1
  fabric.compute ["arith.fptosi", "arith.fptoui"]
      types [i1, i8, i16, i32, i64] from [f32, f64] lanes [1, 2, 4, 8, 16] count 64 latency 2 interval 1
  fabric.compute ["arith.extf", "arith.truncf"]
      types [f32, f64] from [f32, f64] lanes [1, 2, 4, 8, 16] count 64 latency 2 interval 1

  // Special functions: correctly rounded ones are slow.
  fabric.compute ["math.sin", "math.cos", "math.tan", "math.asin", "math.acos", "math.atan",
      "math.atan2", "math.sinh", "math.cosh", "math.tanh", "math.asinh", "math.acosh",
      "math.atanh", "math.exp", "math.exp2", "math.expm1", "math.log", "math.log2",
      "math.log10", "math.log1p", "math.powf", "math.cbrt", "math.rsqrt", "math.erf",
      "math.erfc"]
      types [f32, f64] lanes [1] count 4 latency 40 interval 8
  fabric.compute ["math.sin", "math.cos", "math.tan", "math.asin", "math.acos", "math.atan",
      "math.atan2", "math.sinh", "math.cosh", "math.tanh", "math.asinh", "math.acosh",
      "math.atanh", "math.exp", "math.exp2", "math.expm1", "math.log", "math.log2",
      "math.log10", "math.log1p", "math.powf", "math.cbrt", "math.rsqrt", "math.erf",
      "math.erfc"]
      types [f32, f64] lanes [1, 2, 4, 8, 16] count 4 latency 20 interval 1 needs ["afn"] guarantees Max1Ulp
  fabric.compute ["math.sin", "math.cos", "math.tan", "math.asin", "math.acos", "math.atan",
      "math.atan2", "math.sinh", "math.cosh", "math.tanh", "math.asinh", "math.acosh",
      "math.atanh", "math.exp", "math.exp2", "math.expm1", "math.log", "math.log2",
      "math.log10", "math.log1p", "math.powf", "math.cbrt", "math.rsqrt", "math.erf",
      "math.erfc"]
      types [f32, f64] lanes [1, 2, 4, 8, 16] count 4 latency 12 interval 1 needs ["afn"] guarantees Max4Ulp

  // Addresses and pointers.
  fabric.compute ["llvm.getelementptr"]
      types [!fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["llvm.ptrtoint"]
      types [i64] from [!fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["llvm.inttoptr"]
      types [!fabric.ptr<0, 64>] from [i64] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1
  fabric.compute ["llvm.freeze"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 64 latency 1 interval 1

  // Between scalars and vectors.
  fabric.compute ["dataflow.parallelize", "dataflow.serialize", "dataflow.pack", "dataflow.unpack",
      "vector.extract", "vector.insert", "vector.shuffle", "vector.broadcast"]
      types [i1, i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1, 2, 4, 8, 16] count 8 latency 1 interval 1

  // Memory.
  fabric.access load element root plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 8 latency 4 interval 1
  fabric.access load element pointer plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 8 latency 4 interval 1
  fabric.access load contiguous root plain types [i8, i16, i32, i64, f32, f64] lanes [2, 4, 8, 16] masked
      count 8 latency 4 interval 1
  fabric.access load indexed root plain types [i8, i16, i32, i64, f32, f64] lanes [2, 4, 8, 16] masked
      count 8 latency 8 interval 1
  fabric.access store element root plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 8 latency 1 interval 1
  fabric.access store element pointer plain types [i8, i16, i32, i64, f32, f64, !fabric.ptr<0, 64>] lanes [1]
      count 8 latency 1 interval 1
  fabric.access store contiguous root plain types [i8, i16, i32, i64, f32, f64] lanes [2, 4, 8, 16] masked
      count 8 latency 1 interval 1
  fabric.access store indexed root plain types [i8, i16, i32, i64, f32, f64] lanes [2, 4, 8, 16] masked
      count 8 latency 2 interval 1
}
