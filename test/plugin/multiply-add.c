// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM folds a multiply-add of constants as if it were fused, also where the
// target has no such instruction. The host's loop is unrolled and folded here, the
// device computes it: with one choice for both, they agree.
// RUN: loom-cc -O2 %s -o %t && env LOOM_DEVICE=sim LOOM_VERIFY=1 LOOM_INFO=summary %t 2>&1 | FileCheck %s
// RUN: loom-cc -O2 -mfma %s -o %t.fma && loom report %t.fma | FileCheck %s --check-prefix=REPORT
// CHECK-NOT: mismatch
// CHECK: launches
// REPORT: offloaded

static const double coefficients[] = {-2.31, 0.4, 1.7, -0.1};

// A callee that the device inlines, and the host later.
__attribute__((noinline)) static double step(double c, double x, double sum) {
  return c + x * sum;
}

int main(void) {
  const double x = 0.8;
  double direct = 1.3, called = 1.3;
  for (int i = 3; i >= 0; --i)
    direct = coefficients[i] + x * direct;
  for (int i = 3; i >= 0; --i)
    called = step(coefficients[i], x, called);
  return direct != called;
}
