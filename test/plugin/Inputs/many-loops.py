# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of 140 loops, one of them with something to refuse."""

print("int a[9];")
for i in range(140):
    read = "__atomic_load_n(&a[i % 9], 5)" if i == 100 else "a[i % 9]"
    print("int f%d(int n) { int s = %d; for (int i = 0; i < n; i++) s = s * 3 + %s; return s; }" % (i, i, read))
print("int main(int c, char **v) { int t = 0;")
for i in range(140):
    print("  t ^= f%d(c + 3);" % i)
print("  return t == 7; }")
