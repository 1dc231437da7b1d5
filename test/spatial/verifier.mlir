// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of the dialect refuse.
// RUN: loom-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expects a spatial.accel}}
spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  %m = spatial.dram "outputs" index 0 slot 0 at 0 written : <1 x i64>
}

// -----

// expected-error @+1 {{expects one exit and one float width per output}}
spatial.app "a_0" of "a.0" slots 0 exits [-1, 0] floats [0] {
  spatial.accel {
    %s = spatial.sram : <1 x i64>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  // expected-error @+1 {{has the unknown role "input"}}
  %m = spatial.dram "input" index 0 slot 0 at 0 : <1 x i64>
  spatial.accel {
    %s = spatial.sram : <1 x i64>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  %m = spatial.dram "memory" index 0 slot 0 at 0 : <4 x f32>
  spatial.accel {
    %s = spatial.sram : <5 x f32>
    // expected-error @+1 {{transfers between memories of different shape}}
    spatial.load %m to %s : <4 x f32> to <5 x f32>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  spatial.accel {
    // expected-error @+1 {{a memory has 1 to 2^31 - 1 elements, not 0}}
    %s = spatial.sram : <0 x f32>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  spatial.accel {
    %c = arith.constant 0 : i32
    %s = spatial.sram : <5 x f32>
    // expected-error @+1 {{moves a 'i32' where a 'f32' is stored}}
    spatial.write %c to %s[%c] : i32 to <5 x f32>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  %k = spatial.arg_in 7 : <i32>
  spatial.accel {
    %c = arith.constant 0 : i32
    // expected-error @+1 {{writes a host register}}
    spatial.reg_write %c to %k : i32 to <i32>
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  spatial.accel {
    %c = arith.constant 0 : i32
    // expected-error @+1 {{expects the 32-bit iterator as block argument}}
    spatial.foreach %c to %c step %c {
      %s = spatial.sram : <5 x f32>
    }
  }
}

// -----

spatial.app "a_0" of "a.0" slots 0 exits [-1] floats [0] {
  spatial.accel {
    %c = arith.constant 0 : i32
    // expected-error @+1 {{yields the condition, nothing and the next state}}
    spatial.fsm %c : i32 while {
    ^bb0(%s: i32):
      spatial.yield %s : i32
    } do {
    ^bb0(%s: i32):
      spatial.yield
    } next {
    ^bb0(%s: i32):
      spatial.yield %s : i32
    }
  }
}
