#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loop nests whose bounds are inputs, executed here: no access may be
outside the symbolic footprint that loom-opt prints, evaluated for the inputs.

usage: fuzz_symbolic.py LOOM_OPT [COUNT [SEED]]
"""
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    "fuzz_footprints", os.path.join(HERE, "..", "..", "spatial", "fuzz-footprints.py"))
base = importlib.util.module_from_spec(spec)
spec.loader.exec_module(base)
signed = base.signed
MOST = 1 << 127


class Undefined(Exception):
    """An operation with a flag wrapped, or a loop does not end."""


class Unknown(Exception):
    """A node without a value."""


class Nest(base.Nest):
    def narrow(self, scope):
        """Arithmetic in eight bits, where small numbers wrap."""
        x, name, op = self.pick(scope, 64), self.new(), self.rng.choice(["extsi", "extui"])
        self.lines.append("    %%%s = arith.trunci %%%s : i64 to i8" % (name, x[0]))
        inner = [(name, 8, lambda e: signed(x[2](e), 8))]
        y = self.arithmetic(inner, 8)
        wide = self.new()
        self.lines.append("    %%%s = arith.%s %%%s : i8 to i64" % (wide, op, y[0]))
        result = (wide, 64, lambda e: y[2](e) & 255 if op == "extui" else y[2](e))
        scope.append(result)
        return result

    def expression(self, scope, w):
        if w == 64 and self.rng.random() < 0.15:
            return self.narrow(scope)
        return self.arithmetic(scope, w) if self.rng.random() < 0.45 else super().expression(scope, w)

    def arithmetic(self, scope, w):
        """One operation, sometimes with a flag."""
        rng = self.rng
        x = self.pick(scope, w)
        y = self.pick(scope, w) if rng.random() < 0.5 else self.constant(rng.choice([1, 2, 3, 4, 8, -1, 12, 50]), w)
        op, flag, name = rng.choice(["addi", "subi", "muli"]), rng.random() < 0.6, self.new()
        self.lines.append("    %%%s = arith.%s %%%s, %%%s%s : i%d" % (
            name, op, x[0], y[0], " overflow<nsw>" if flag else "", w))

        def value(e):
            a, b = x[2](e), y[2](e)
            r = a + b if op == "addi" else a - b if op == "subi" else a * b
            if flag and signed(r, w) != r:
                raise Undefined
            return signed(r, w)
        result = (name, w, value)
        scope.append(result)
        return result

    def pick(self, scope, w):
        same = [s for s in scope if s[1] == w]
        loops = [s for s in same if s[0][0] in "it"]
        if loops and self.rng.random() < 0.6:
            return self.rng.choice(loops)
        return self.rng.choice(same) if same else self.constant(self.rng.randint(0, 5), w)

    def bounded(self, scope):
        return super().bounded(scope) if self.rng.random() < 0.3 else self.expression(scope, 64)

    def block(self, scope, depth, accesses):
        rng, steps = self.rng, []
        if depth < 3 and rng.random() < (1, 0.6, 0.4)[depth]:
            kind = rng.choice([self.counted, self.counted, self.bottom, self.top])
            steps.append(kind(list(scope), depth))
        for _ in range(accesses if depth else 0):
            steps.append(self.access(scope))
        return steps

    def limit(self, scope, low):
        if low:
            return self.constant(self.rng.randint(-2, 3), 64) if self.rng.random() < 0.6 else self.pick(scope, 64)
        return self.pick(scope, 64) if self.rng.random() < 0.8 else self.expression(scope, 64)

    def counted(self, scope, depth):
        rng = self.rng
        lb, ub = self.limit(scope, True), self.limit(scope, False)
        step, by = self.constant(rng.choice([1, 1, 1, 2, 3]), 64), self.pick(scope, 64)
        iv, other = "i%d" % (self.count + 1), "t%d" % (self.count + 1)
        self.count += 1
        w = rng.choice([32, 64])
        first = self.constant(rng.randint(-3, 3), w)
        if w == 32:
            by = self.constant(rng.randint(-3, 3), w)
        self.lines.append("    %%r%s = scf.for %%%s = %%%s to %%%s step %%%s iter_args(%%%s = %%%s) -> (i%d) : i64 {" % (
            iv, iv, lb[0], ub[0], step[0], other, first[0], w))
        inner = scope + [(iv, 64, lambda e: e[iv]), (other, w, lambda e: e[other])]
        body = self.block(inner, depth + 1, rng.randint(1, 2))
        self.lines.append("    %%n%s = arith.addi %%%s, %%%s : i%d" % (other, other, by[0], w))
        self.lines.append("    scf.yield %%n%s : i%d" % (other, w))
        self.lines.append("    }")

        def loop(e, touch):
            i, t, turns = lb[2](e), first[2](e), 0
            while i < ub[2](e):
                e[iv], e[other] = i, t
                for s in body:
                    s(e, touch)
                i += step[2](e)
                t = signed(t + by[2](e), w)
                turns += 1
                if turns > 40:
                    raise Undefined
        return loop

    def bottom(self, scope, depth):
        return self.loop(scope, depth, False)

    def top(self, scope, depth):
        return self.loop(scope, depth, True)

    def loop(self, scope, depth, top):
        """A while loop that counts; tested at its end or at its start."""
        rng = self.rng
        up = rng.random() < 0.6
        by = rng.choice([1, 1, 1, 2, 3]) * (1 if up else -1)
        first, end = self.limit(scope, up), self.limit(scope, not up)
        pred = rng.choice((["slt", "sle", "ult"] if up else ["sgt", "sge", "ugt"]) + ["ne"])
        iv, step = "i%d" % (self.count + 1), self.constant(by, 64)
        self.count += 1
        after = rng.random() < 0.5  # test the counter itself, not the next value
        self.lines.append("    %%r%s = scf.while (%%%s = %%%s) : (i64) -> i64 {" % (iv, iv + "b" if top else iv, first[0]))
        inner = scope + [(iv, 64, lambda e: e[iv])]
        if not top:
            body = self.block(inner, depth + 1, rng.randint(1, 2))
            self.lines.append("    %%n%s = arith.addi %%%s, %%%s : i64" % (iv, iv, step[0]))
            self.lines.append("    %%c%s = arith.cmpi %s, %%%s, %%%s : i64" % (iv, pred, iv if after else "n" + iv, end[0]))
            self.lines.append("    scf.condition(%%c%s) %%n%s : i64\n    } do {\n    ^bb0(%%a%s: i64):\n      scf.yield %%a%s : i64\n    }" % (
                iv, iv, iv, iv))
        else:
            self.lines.append("    %%c%s = arith.cmpi %s, %%%sb, %%%s : i64" % (iv, pred, iv, end[0]))
            self.lines.append("    scf.condition(%%c%s) %%%sb : i64\n    } do {\n    ^bb0(%%%s: i64):" % (iv, iv, iv))
            body = self.block(inner, depth + 1, rng.randint(1, 2))
            self.lines.append("    %%n%s = arith.addi %%%s, %%%s : i64\n    scf.yield %%n%s : i64\n    }" % (iv, iv, step[0], iv))

        def holds(a, b):
            if pred[0] == "u":
                a, b = a & (1 << 64) - 1, b & (1 << 64) - 1
            return {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "e": a != b}[pred[1:]]

        def run(e, touch):
            i, turns = first[2](e), 0
            while True:
                turns += 1
                if turns > 40:
                    raise Undefined
                if top and not holds(i, end[2](e)):
                    return
                e[iv] = i
                for s in body:
                    s(e, touch)
                following = signed(i + by, 64)
                if not top and not holds(i if after else following, end[2](e)):
                    return
                i = following
        return run


def evaluate(lines, slots):
    """Values of the nodes; None: unknown."""
    nodes = []
    for line in lines:
        w = line.split()[2:]
        try:
            n = [nodes[int(x[1:])] if re.match(r"n\d", x) else None for x in w]
            if any(re.match(r"n\d", x) and v is None for x, v in zip(w, n)):
                raise Unknown
            if w[0] == "slot":
                bits = int(w[3])
                v = slots[int(w[1])] & (1 << bits) - 1
                v = signed(v, bits) if w[2] == "signed" else v
            elif w[0] in ("min", "max"):
                v = (min if w[0] == "min" else max)(n[1], n[2])
            elif len(w) == 1:
                v = int(w[0])
            elif w[1] in "+*":
                b = n[2] if n[2] is not None else int(w[2])
                v = n[0] + b if w[1] == "+" else n[0] * b
            elif w[1] == "floordiv":
                v = n[0] // int(w[2])
            elif w[1] == "wrap":
                v = n[0] & (1 << int(w[3])) - 1
                v = signed(v, int(w[3])) if w[2] == "signed" else v
            elif w[1] == "fits":
                v = n[0]
                if signed(v, int(w[3])) != v:
                    raise Unknown
            else:
                assert w[1:] == ["not", "negative"], line
                v = n[0]
                if v < 0:
                    raise Unknown
            if not -MOST <= v < MOST:
                raise Unknown
        except Unknown:
            v = None
        nodes.append(v)
    return nodes


def main():
    loom_opt = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    nests = [Nest(rng, "n%d" % i) for i in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as f:
        f.write("\n".join(n.text for n in nests))
        f.flush()
        out = subprocess.run([loom_opt, "--loom-print-symbolic-footprints", f.name, "-o", "/dev/null"],
                             stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    printed = re.split(r"^region n(\d+)\n", out, flags=re.M)[1:]
    if len(printed) != 2 * count:
        sys.exit("fuzz_symbolic: %d of %d regions printed" % (len(printed) // 2, count))
    known = launches = told = exact = bad = 0
    for number, text in zip(printed[::2], printed[1::2]):
        nest = nests[int(number)]
        found = re.search(r"arg 0: reads \[n(\d+), n(\d+)\)(?: if (.*))?$", text, re.M)
        if not found:
            continue
        known += 1
        lines = [l for l in text.splitlines() if " = " in l]
        needed = [int(found.group(1)), int(found.group(2))] + [int(x[1:]) for x in (found.group(3) or "").split()]
        for _ in range(30):
            small = rng.random() < 0.8
            args = [signed(rng.randint(-6, 14) if small or rng.random() < 0.4 else rng.getrandbits(64), 64)
                    for _ in range(2)]
            pointer = rng.choice([1 << 40, 1 << 40, rng.randrange(64), (1 << 64) - 1 - rng.randrange(64),
                                  rng.getrandbits(64)])
            seen, e = [], {"a0": args[0], "a1": args[1]}
            try:
                for s in nest.steps:
                    s(e, lambda offset, size: seen.append(((pointer + offset) & (1 << 64) - 1, size)))
            except Undefined:
                continue
            launches += 1
            values = evaluate(lines, [pointer] + args)
            if any(values[n] is None for n in needed):
                continue
            lo, hi = pointer + values[needed[0]], pointer + values[needed[1]]
            if lo < hi and (lo < 0 or hi > 1 << 64):
                continue
            told += 1
            exact += bool(seen) and lo == min(a for a, _ in seen) and hi == max(a + s for a, s in seen)
            if any(a < lo or a + s > hi for a, s in seen):
                bad += 1
                print("n%s, inputs %s, root %#x: [%#x, %#x) of %s\n%s\n%s" % (
                    number, args, pointer, lo, hi, [hex(a) for a, _ in seen], text, nest.text))
                break
    print("%d nests, %d bounded, %d launches, %d of them told, %d exactly, %d wrong" % (
        count, known, launches, told, exact, bad))
    sys.exit(1 if bad or not told or not exact else 0)


if __name__ == "__main__":
    main()
