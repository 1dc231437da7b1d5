// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three-valued admission, and what the conservative proof rejects: each
// region does what the first one does, with one thing that is not shown.
// RUN: loom-opt --loom-views %s -o /dev/null | FileCheck %s
// RUN: loom-opt --loom-views=pairs=0 %s -o /dev/null | FileCheck %s --check-prefix=PAIRS

// A pair that is not looked at is no proof.
// PAIRS-NOT: ProvenIndependent
// PAIRS: L0 {{.*}}: ProofNotEstablished (too many pairs of accesses)
// PAIRS-NOT: ProvenIndependent
// PAIRS: not complete in L0 (too many pairs of accesses)
// PAIRS-NOT: ProvenIndependent

// x[i] = 0.
// CHECK-LABEL: views plain{{$}}
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
// CHECK: A0 {{.*}}: store i32 at arg0 + 4*i0, D1
func.func @plain(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "plain" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %w = arith.addi %i, %c0 : i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// x[i + 1] = x[i].
// CHECK-LABEL: views shifted{{$}}
// CHECK: L0 {{.*}}: ProvenDependent (A1 and A0)
// CHECK: flow A1 -> A0: carried by L0, distance (1), proven
func.func @shifted(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "shifted" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %q = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %v, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A narrowing cast: iterations 2^32 apart meet.
// CHECK-LABEL: views narrowing{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished
func.func @narrowing(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "narrowing" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %t = arith.trunci %i : i64 to i32
      %w = arith.extsi %t : i32 to i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// The same cast where the values fit: a proof that it changes nothing.
// CHECK-LABEL: views narrowing_fits{{$}}
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
func.func @narrowing_fits(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "narrowing_fits" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %c4 step %c1 : i64 {
      %t = arith.trunci %i : i64 to i32
      %w = arith.extsi %t : i32 to i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A wrapping coefficient: iterations 16 apart meet in 8 bits.
// CHECK-LABEL: views wrapped{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished
func.func @wrapped(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "wrapped" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %t = arith.trunci %i : i64 to i8
      %k = arith.constant 16 : i8
      %u = arith.muli %t, %k : i8
      %w = arith.extsi %u : i8 to i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A wrapping constant: 2^63 * 4 is 0 in an address.
// CHECK-LABEL: views wrapped_constant{{$}}
// CHECK: L0 {{.*}}: ProvenDependent
func.func @wrapped_constant(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "wrapped_constant" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %k = arith.constant -9223372036854775808 : i64
      %w = arith.muli %i, %k : i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Unsigned bounds that may be negative when read as signed.
// CHECK-LABEL: views unsigned_bound{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A0 and A0: a loop with unsigned bounds that may be negative)
func.func @unsigned_bound(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "unsigned_bound" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for unsigned %i = %c0 to %n step %c1 : i64 {
      %w = arith.addi %i, %c0 : i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Unsigned bounds with a range proof.
// CHECK-LABEL: views unsigned_bound_fits{{$}}
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
func.func @unsigned_bound_fits(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "unsigned_bound_fits" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %mask = arith.constant 65535 : i64
    %m = arith.andi %n, %mask : i64
    scf.for unsigned %i = %c0 to %m step %c1 : i64 {
      %w = arith.addi %i, %c0 : i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// An unsigned widening of a value that may be negative is not its value.
// CHECK-LABEL: views zero_extension{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished
func.func @zero_extension(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "zero_extension" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %t = arith.trunci %i : i64 to i16
      %w = arith.extui %t : i16 to i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A widening cast of a whole counter is injective.
// CHECK-LABEL: views widening{{$}}
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
func.func @widening(%x0: !llvm.ptr, %m0: i32) -> i32 {
  %r = loom.spatial_region "widening" (%x0, %m0) partitions [0, -1] exits [-1] : (!llvm.ptr, i32) -> i32 {
  ^bb0(%x: !llvm.ptr, %m: i32):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %d0 = arith.constant 0 : i32
    %d1 = arith.constant 1 : i32
    scf.for %i = %d0 to %m step %d1 : i32 {
      %w = arith.extsi %i : i32 to i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// An unknown root: an integer that became a pointer reaches anything.
// CHECK-LABEL: views unknown_root{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A0 and A1: the roots may overlap: a pointer that is not an input)
func.func @unknown_root(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "unknown_root" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %q = llvm.inttoptr %n : i64 to !llvm.ptr
    scf.for %i = %c0 to %n step %c1 : i64 {
      %v = llvm.load %q : !llvm.ptr -> i32
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %v, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Addresses of several indices are not followed.
// CHECK-LABEL: views several_indices{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A0 and A0: an address computation of several indices)
// CHECK: A0 {{.*}}: store i32 at arg0 + unknown (an address computation of several indices)
func.func @several_indices(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "several_indices" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %p = llvm.getelementptr %x[%i, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Numbers beyond 64 bits on the way are no proof and no overflow of the
// analysis: x[i * (2^62 + 1)] strides 4 + 2^64.
// CHECK-LABEL: views host_overflow{{$}}
// CHECK: A0 {{.*}}: store i32 at arg0 + 4*i0, D1
func.func @host_overflow(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "host_overflow" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %k = arith.constant 4611686018427387905 : i64
      %w = arith.muli %i, %k : i64
      %o = arith.muli %w, %c4 : i64
      %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %p : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A volatile access has effects that are not described.
// CHECK-LABEL: views volatile{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (unknown effects of 'llvm.store')
// CHECK: op 5: unknown effects
func.func @volatile(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "volatile" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      llvm.store volatile %z, %x : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Indirect: any two iterations may meet.
// CHECK-LABEL: views indirect{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished (not excluded: A1 and A1: depends on a value that varies in ways not followed)
func.func @indirect(%x0: !llvm.ptr, %y0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "indirect" (%x0, %y0, %n0) partitions [0, 1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %y: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %o = arith.muli %i, %c4 : i64
      %p = llvm.getelementptr %y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i32
      %u = arith.extsi %v : i32 to i64
      %q = llvm.getelementptr %x[%u] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      llvm.store %z, %q : i32, !llvm.ptr
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// A while loop: no order but its own.
// CHECK-LABEL: views while_loop{{$}}
// CHECK: L0 {{.*}}: while: ProofNotEstablished (a while loop
// CHECK: D1 in L0: over-approximate (a while loop: how often it runs is not known)
func.func @while_loop(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "while_loop" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %e = scf.while (%i = %c0) : (i64) -> i64 {
      %c = arith.cmpi slt, %i, %n : i64
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %v = llvm.load %p : !llvm.ptr -> i8
      %w = arith.extui %v : i8 to i64
      %k = arith.addi %i, %w : i64
      scf.yield %k : i64
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// Symbolic strides: x[i * n + j] with j < n is a cell of its own.
// CHECK-LABEL: views symbolic_stride{{$}}
// CHECK: L0 {{.*}}: ProvenIndependent{{$}}
// CHECK: L1 {{.*}}: ProvenIndependent{{$}}
func.func @symbolic_stride(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "symbolic_stride" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %row = arith.muli %i, %n overflow<nsw> : i64
      scf.for %j = %c0 to %n step %c1 : i64 {
        %s = arith.addi %row, %j overflow<nsw> : i64
        %o = arith.muli %s, %c4 : i64
        %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %z, %p : i32, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}

// With j < n + 1 the rows meet.
// CHECK-LABEL: views rows_meet{{$}}
// CHECK: L0 {{.*}}: ProofNotEstablished
// CHECK: L1 {{.*}}: ProvenIndependent{{$}}
func.func @rows_meet(%x0: !llvm.ptr, %n0: i64) -> i32 {
  %r = loom.spatial_region "rows_meet" (%x0, %n0) partitions [0, -1] exits [-1] : (!llvm.ptr, i64) -> i32 {
  ^bb0(%x: !llvm.ptr, %n: i64):
    %z = arith.constant 0 : i32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %m = arith.addi %n, %c1 overflow<nsw> : i64
    scf.for %i = %c0 to %n step %c1 : i64 {
      %row = arith.muli %i, %n overflow<nsw> : i64
      scf.for %j = %c0 to %m step %c1 : i64 {
        %s = arith.addi %row, %j overflow<nsw> : i64
        %o = arith.muli %s, %c4 : i64
        %p = llvm.getelementptr %x[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        llvm.store %z, %p : i32, !llvm.ptr
      }
    }
    loom.spatial_yield %z : i32
  }
  return %r : i32
}
