// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What configure asks first.

int main(void) { return 0; }
