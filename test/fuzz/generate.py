#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a C program of random loop nests (link it with harness.c). The same
seed gives the same program; a nest does not depend on the others, so --only
leaves the rest of them out without changing those that stay."""

import argparse

from nests import Nest


def program(seed, numbers):
    out = ['#include "harness.h"', ""]
    main = ["int main(void) {", "  u64 h;"]
    for k in numbers:
        nest = Nest(seed, k)
        out.append(nest.text)
        main.append("  h = %d;" % k)
        for c, call in enumerate(nest.calls):
            main.append("  h_reset(%d);" % (k * 16 + c))
            main += ["  memset(%s, 0, sizeof %s);" % (n, n) for n, _ in nest.statics if n]
            main.append("  h = h_hash(h_mix(h, %s));" % call)
            main += ["  h = h_bytes(h, %s, sizeof %s);" % (n, n) for n, _ in nest.statics if n]
        main.append("  h_print(%d, h);" % k)
    return "\n".join(out + main + ["  return 0;", "}", ""])


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("seed")
    p.add_argument("--nests", type=int, default=40)
    p.add_argument("--only", help="numbers of nests, with commas")
    a = p.parse_args()
    print(program(a.seed, [int(k) for k in a.only.split(",")] if a.only else range(a.nests)), end="")
