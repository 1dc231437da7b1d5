// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static inline int mix(int x) {
  return x ^ 21845;
}
