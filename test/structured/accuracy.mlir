// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accuracy of special functions: one spelling, checked.
// RUN: loom-opt --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK: math.sin {{.*}} {loom.special_math_accuracy = "CorrectlyRounded"}
// CHECK: math.exp {{.*}} fastmath<afn> {loom.special_math_accuracy = "Max2Ulp"}
func.func @fine(%x: f64) -> f64 {
  %0 = math.sin %x {loom.special_math_accuracy = "CorrectlyRounded"} : f64
  %1 = math.exp %0 fastmath<afn> {loom.special_math_accuracy = "Max2Ulp"} : f64
  return %1 : f64
}

// -----

func.func @unknown(%x: f64) -> f64 {
  // expected-error @+1 {{must be CorrectlyRounded, Max1Ulp, Max2Ulp or Max4Ulp}}
  %0 = math.sin %x fastmath<afn> {loom.special_math_accuracy = "Max3Ulp"} : f64
  return %0 : f64
}

// -----

func.func @malformed(%x: f64) -> f64 {
  // expected-error @+1 {{must be CorrectlyRounded, Max1Ulp, Max2Ulp or Max4Ulp}}
  %0 = math.sin %x {loom.special_math_accuracy = 1 : i32} : f64
  return %0 : f64
}

// -----

func.func @unlicensed(%x: f64) -> f64 {
  // expected-error @+1 {{needs the permission 'afn'}}
  %0 = math.log %x fastmath<nnan> {loom.special_math_accuracy = "Max1Ulp"} : f64
  return %0 : f64
}

// -----

func.func @misplaced(%x: f64) -> f64 {
  // expected-error @+1 {{belongs to a special function}}
  %0 = arith.addf %x, %x {loom.special_math_accuracy = "CorrectlyRounded"} : f64
  return %0 : f64
}
