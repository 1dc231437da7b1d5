// RUN: loom-opt %s -split-input-file -verify-diagnostics
// The rules are in the unit tests; here is what only a module can have wrong.

// expected-error@+1 {{expects exactly one fabric.abi, fabric.system and fabric.system_memory}}
fabric.target @empty {
}

// -----

fabric.target @stranger {
  fabric.abi pointers [!fabric.ptr<0, 64>] little index [64]
  fabric.system cores 1 clock_khz 1000 queue 2 launch 3 transfer 4
  fabric.system_memory capacity 0 ports 0 latency 4 bytes 8
  // expected-error@+1 {{does not belong into a target}}
  builtin.module {}
}

// -----

// expected-error@+1 {{expects parent op 'fabric.target'}}
fabric.stream add types [i64] count 1 latency 1 interval 1

// -----

// expected-error@+1 {{16, 32 or 64 bits}}
func.func private @f(!fabric.ptr<0, 48>)
