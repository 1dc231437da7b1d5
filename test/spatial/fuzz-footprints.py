#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loop nests with random index arithmetic, executed here: no access may
be outside the footprint that loom-opt prints.

usage: fuzz-footprints.py LOOM_OPT [COUNT [SEED]]
"""
import random
import re
import subprocess
import sys
import tempfile


def signed(x, w):
    x &= (1 << w) - 1
    return x - (1 << w) if x >> (w - 1) else x


class Nest:
    """One region; `run` calls touch(offset, size) for each access."""

    def __init__(self, rng, name):
        self.rng, self.lines, self.count = rng, [], 0
        self.args = [signed(rng.choice([rng.getrandbits(64), rng.randint(-9, 9)]), 64) for _ in range(2)]
        # (name, width, function of the environment)
        scope = [("a0", 64, lambda e: e["a0"]), ("a1", 64, lambda e: e["a1"])]
        self.steps = self.block(scope, 0, rng.randint(1, 3))
        self.text = """func.func @%s(%%p0: !llvm.ptr, %%b0: i64, %%b1: i64) -> i32 {
  %%r = loom.spatial_region "%s" (%%p0, %%b0, %%b1) partitions [0, -1, -1] exits [-1] : (!llvm.ptr, i64, i64) -> i32 {
  ^bb0(%%p: !llvm.ptr, %%a0: i64, %%a1: i64):
    %%done = arith.constant 0 : i32
%s
    loom.spatial_yield %%done : i32
  }
  return %%r : i32
}
""" % (name, name, "\n".join(self.lines))

    def new(self):
        self.count += 1
        return "v%d" % self.count

    def constant(self, value, w):
        name = self.new()
        self.lines.append("    %%%s = arith.constant %d : i%d" % (name, signed(value, w), w))
        return name, w, lambda e, v=signed(value, w): v

    def expression(self, scope, w):
        """A value of width w made from the scope, with new operations."""
        rng = self.rng
        kind = rng.random()
        same = [s for s in scope if s[1] == w]
        if kind < 0.35 and same:
            return rng.choice(same)
        if kind < 0.45:
            return self.constant(rng.choice([0, 1, 2, 3, 4, 7, 8, 15, 16, 63, -1, -4, 1 << 20, rng.getrandbits(w)]), w)
        name = self.new()
        if kind < 0.6:
            v = rng.choice([x for x in (8, 16, 32, 64) if x != w])
            op = rng.choice(["extsi", "extui"]) if v < w else "trunci"
            x = self.expression(scope, v)
            self.lines.append("    %%%s = arith.%s %%%s : i%d to i%d" % (name, op, x[0], v, w))
            result = (name, w, lambda e: signed(x[2](e) & ((1 << v) - 1) if op == "extui" else x[2](e), w))
            scope.append(result)
            return result
        op = rng.choice(["addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui", "divsi", "divui",
                         "remsi", "remui", "minsi", "maxsi", "minui", "maxui"])
        x = self.expression(scope, w)
        if op[:2] in ("sh",):
            y = self.constant(rng.randrange(w), w)
        elif op[:3] in ("div", "rem"):
            y = self.constant(rng.randint(1, 20), w)
        else:
            y = self.expression(scope, w) if rng.random() < 0.4 else self.constant(
                rng.choice([1, 2, 3, 4, 6, 7, 8, 12, 31, 255, -1, -8, 100]), w)
        self.lines.append("    %%%s = arith.%s %%%s, %%%s : i%d" % (name, op, x[0], y[0], w))
        mask = (1 << w) - 1

        def value(e):
            a, b = x[2](e), y[2](e)
            u, v = a & mask, b & mask
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0
            return signed({
                "addi": a + b, "subi": a - b, "muli": a * b, "andi": a & b, "ori": a | b, "xori": a ^ b,
                "shli": a << (v if op == "shli" else 0), "shrsi": a >> (v if op == "shrsi" else 0),
                "shrui": u >> (v if op == "shrui" else 0), "divsi": quotient,
                "divui": u // v if v else 0, "remsi": a - quotient * b, "remui": u % v if v else 0,
                "minsi": min(a, b), "maxsi": max(a, b), "minui": min(u, v), "maxui": max(u, v)}[op], w)

        result = (name, w, value)
        scope.append(result)
        return result

    def bounded(self, scope):
        """An index that has a chance of a known range."""
        x = self.expression(scope, 64)
        if self.rng.random() < 0.5:
            mask = self.constant(self.rng.choice([7, 15, 31, 255, 60, 124]), 64)
            name = self.new()
            self.lines.append("    %%%s = arith.andi %%%s, %%%s : i64" % (name, x[0], mask[0]))
            x = (name, 64, lambda e, x=x, m=mask: x[2](e) & m[2](e))
        return x

    def block(self, scope, depth, accesses):
        """Steps: functions of (environment, touch)."""
        rng, steps = self.rng, []
        if depth < 3 and rng.random() < (0.95, 0.6, 0.4)[depth]:
            inner = list(scope)
            lb = rng.choice([self.constant(rng.randint(-3, 3), 64), self.expression(inner, 64)]) \
                if rng.random() < 0.3 else self.constant(rng.randint(0, 2), 64)
            ub = self.constant(rng.randint(0, 9), 64)
            loops = [s for s in inner if s[0].startswith("i")]
            if loops and rng.random() < 0.4:
                outer, plus = rng.choice(loops), self.constant(rng.randint(-2, 5), 64)
                name = self.new()
                self.lines.append("    %%%s = arith.addi %%%s, %%%s : i64" % (name, outer[0], plus[0]))
                ub = (name, 64, lambda e: signed(outer[2](e) + plus[2](e), 64))
            step = self.constant(rng.choice([1, 1, 1, 2, 3]), 64)
            iv = "i%d" % (self.count + 1)
            self.count += 1
            self.lines.append("    scf.for %%%s = %%%s to %%%s step %%%s : i64 {" % (iv, lb[0], ub[0], step[0]))
            body = self.block(inner + [(iv, 64, lambda e: e[iv])], depth + 1, rng.randint(1, 2))
            self.lines.append("    }")

            def loop(e, touch):
                i = lb[2](e)
                turns = 0
                while i < ub[2](e) and turns < 200:
                    e[iv] = i
                    for s in body:
                        s(e, touch)
                    i += step[2](e)
                    turns += 1
            steps.append(loop)
        if rng.random() < 0.3:
            x, y = self.expression(scope, 64), self.expression(scope, 64)
            p = rng.choice(["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "eq", "ne"])
            name = self.new()
            self.lines.append("    %%%s = arith.cmpi %s, %%%s, %%%s : i64" % (name, p, x[0], y[0]))
            self.lines.append("    scf.if %%%s {" % name)
            then = [self.access(list(scope))]
            self.lines.append("    } else {")
            otherwise = [self.access(list(scope))]
            self.lines.append("    }")
            big = (1 << 64) - 1

            def branch(e, touch):
                a, b = x[2](e), y[2](e)
                if p[0] == "u":
                    a, b = a & big, b & big
                holds = {"t": a < b, "e": a <= b} if p[1:2] == "l" else {"t": a > b, "e": a >= b}
                taken = a == b if p == "eq" else a != b if p == "ne" else holds[p[2]]
                for s in then if taken else otherwise:
                    s(e, touch)
            steps.append(branch)
        for _ in range(accesses if depth else 0):
            steps.append(self.access(scope))
        return steps

    def access(self, scope):
        x = self.bounded(scope)
        size, kind = self.rng.choice([(1, "i8"), (2, "i16"), (4, "i32"), (8, "f64")])
        address, value = self.new(), self.new()
        self.lines.append("    %%%s = llvm.getelementptr %%p[%%%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8" % (address, x[0]))
        self.lines.append("    %%%s = llvm.load %%%s : !llvm.ptr -> %s" % (value, address, kind))
        return lambda e, touch: touch(x[2](e), size)


def main():
    loom_opt = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    nests = [Nest(rng, "n%d" % i) for i in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as f:
        f.write("\n".join(n.text for n in nests))
        f.flush()
        out = subprocess.run([loom_opt, "--loom-print-footprints", f.name, "-o", "/dev/null"],
                             stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    printed = re.findall(r"^region n(\d+)\n  arg 0: (.*)$", out, re.M)
    if len(printed) != count:
        sys.exit("fuzz-footprints: %d of %d regions printed" % (len(printed), count))
    known = exact = bad = 0
    for number, line in printed:
        nest = nests[int(number)]
        bounds = re.search(r"\[(-?\d+), (-?\d+)\)", line)
        if not bounds:
            continue
        known += 1
        lo, hi = map(int, bounds.groups())
        seen = []
        environments = [nest.args] + [[signed(rng.choice([rng.getrandbits(64), rng.randint(-20, 20)]), 64)
                                       for _ in range(2)] for _ in range(6)]
        for a0, a1 in environments:
            e = {"a0": a0, "a1": a1}
            for s in nest.steps:
                s(e, lambda offset, size: seen.append((offset, offset + size)))
        if seen:
            low, high = min(s[0] for s in seen), max(s[1] for s in seen)
            exact += (low, high) == (lo, hi)
            if low < lo or high > hi:
                bad += 1
                print("n%s: [%d, %d) touched, %s\n%s" % (number, low, high, line, nest.text))
    print("%d nests, %d known, %d of these reached exactly, %d wrong" % (count, known, exact, bad))
    sys.exit(1 if bad or not known else 0)


if __name__ == "__main__":
    main()
