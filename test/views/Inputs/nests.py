# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests: the region as MLIR, and the same program as closures."""

WIDTHS = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}


def signed(x, w=64):
    x &= (1 << w) - 1
    return x - (1 << w) if x >> (w - 1) else x


class Event:
    def __init__(self, access, counts, lo, size, write):
        self.access, self.counts, self.lo, self.size, self.write = access, counts, lo, size, write


class Nest:
    """A region of two pointers and two integers, and a program of closures."""

    def __init__(self, rng, name):
        self.rng, self.lines, self.count, self.loops, self.accesses = rng, [], 0, [], []
        self.name = name
        self.apart = rng.random() < 0.6
        self.symbolic = rng.random() < 0.7
        scope = []
        for k, a in enumerate(("a0", "a1")):
            scope.append(("%" + a, lambda e, a=a: e[a]) if self.symbolic else self.constant(rng.randint(-2, 7)))
        self.steps = self.block(scope, (), 0)
        self.text = """func.func @%s(%%q0: !llvm.ptr, %%q1: !llvm.ptr, %%b0: i64, %%b1: i64) -> i32 {
  %%r = loom.spatial_region "%s" (%%q0, %%q1, %%b0, %%b1) partitions [0, %d, -1, -1] exits [-1] : (!llvm.ptr, !llvm.ptr, i64, i64) -> i32 {
  ^bb0(%%p0: !llvm.ptr, %%p1: !llvm.ptr, %%a0: i64, %%a1: i64):
    %%done = arith.constant 0 : i32
    %%zero = arith.constant 0 : i64
%s
    loom.spatial_yield %%done : i32
  }
  return %%r : i32
}
""" % (name, name, 1 if self.apart else 0, "\n".join(self.lines))

    def new(self, text, kind="i64"):
        self.count += 1
        name = "%%v%d" % self.count
        self.lines.append("    %s = %s" % (name, text))
        return name

    def constant(self, value):
        return self.new("arith.constant %d : i64" % value), lambda e: value

    def binary(self, op, x, y, flags=""):
        name = self.new("arith.%s %s, %s%s : i64" % (op, x[0], y[0], flags))
        f, g = x[1], y[1]
        return name, {
            "addi": lambda e: f(e) + g(e), "subi": lambda e: f(e) - g(e), "muli": lambda e: f(e) * g(e),
            "divsi": lambda e: abs(f(e)) // abs(g(e)) * (1 if (f(e) < 0) == (g(e) < 0) else -1),
            "andi": lambda e: f(e) & g(e), "shrsi": lambda e: f(e) >> g(e),
            "minsi": lambda e: min(f(e), g(e)), "maxsi": lambda e: max(f(e), g(e))}[op]

    def affine(self, scope):
        """A value of small magnitude."""
        rng = self.rng
        nsw = rng.choice(["", " overflow<nsw>"])
        value = None
        for x in rng.sample(scope, min(len(scope), rng.randint(1, 2))):
            k = rng.choice([1, 1, 1, 2, 3, -1])
            term = x if k == 1 else self.binary("muli", x, self.constant(k), nsw)
            value = term if value is None else self.binary(rng.choice(["addi", "subi"]), value, term, nsw)
        if rng.random() < 0.6:
            value = self.binary("addi", value, self.constant(rng.randint(-3, 5)), nsw)
        kind = rng.random()
        if kind < 0.06:
            value = self.binary("andi", value, self.constant(rng.choice([3, 7])))
        elif kind < 0.12:
            value = self.binary("shrsi", value, self.constant(1))
        elif kind < 0.17:
            narrow = self.new("arith.trunci %s : i64 to i8" % value[0])
            f = value[1]
            value = (self.new("arith.ext%si %s : i8 to i64" % (rng.choice("s"), narrow)), lambda e: signed(f(e), 8))
        elif kind < 0.25 and len(scope) > 1:
            value = self.binary("addi", self.binary("muli", rng.choice(scope), rng.choice(scope), " overflow<nsw>"), value)
        return value

    def condition(self, scope):
        rng = self.rng
        x, y = self.affine(scope), self.affine(scope)
        p = rng.choice(["slt", "sle", "sgt", "sge", "eq", "ne", "ult", "uge"])
        name = self.new("arith.cmpi %s, %s, %s : i64" % (p, x[0], y[0]))
        f, g, m = x[1], y[1], (1 << 64) - 1
        truth = {"slt": lambda e: f(e) < g(e), "sle": lambda e: f(e) <= g(e), "sgt": lambda e: f(e) > g(e),
                 "sge": lambda e: f(e) >= g(e), "eq": lambda e: f(e) == g(e), "ne": lambda e: f(e) != g(e),
                 "ult": lambda e: f(e) & m < g(e) & m, "uge": lambda e: f(e) & m >= g(e) & m}[p]
        if rng.random() < 0.25:
            other, both = self.condition(scope), rng.random() < 0.5
            t, u = truth, other[1]
            name = self.new("arith.%s %s, %s : i1" % ("andi" if both else "ori", name, other[0]))
            truth = (lambda e: t(e) and u(e)) if both else (lambda e: t(e) or u(e))
        return name, truth

    def block(self, scope, loops, depth):
        rng, steps = self.rng, []
        for _ in range(rng.choice([1, 1, 2]) if depth < 3 else 0):
            if depth == 0 or rng.random() < 0.55:
                steps.append(self.loop(scope, loops, depth))
        for _ in range(rng.randint(1, 2) if depth else 0):
            if rng.random() < 0.3:
                c = self.condition(scope)
                self.lines.append("    scf.if %s {" % c[0])
                then = [self.access(list(scope), loops)]
                self.lines.append("    } else {")
                other = [self.access(list(scope), loops)] if rng.random() < 0.5 else []
                self.lines.append("    }")
                steps.append(lambda e, c=c, then=then, other=other: [s(e) for s in (then if c[1](e) else other)])
            else:
                steps.append(self.access(scope, loops))
        return steps

    def loop(self, scope, loops, depth):
        rng = self.rng
        lb = self.constant(rng.randint(-1, 2)) if rng.random() < 0.7 else self.affine(scope)
        ub = self.constant(rng.randint(0, 7)) if rng.random() < 0.4 else self.affine(scope)
        if rng.random() < 0.15:
            ub = self.binary("minsi", ub, self.affine(scope))
        step = rng.choice([1, 1, 1, 2, 3])
        s = self.constant(step)
        number = len(self.loops)
        self.loops.append((loops, depth))
        iv = "%%i%d" % number
        carried = rng.random() < 0.2
        head = "    scf.for %s = %s to %s step %s" % (iv, lb[0], ub[0], s[0])
        inner = scope + [(iv, lambda e: e[iv])]
        if carried:
            start, by = rng.choice(scope), rng.choice([1, 2, -1])
            name = "%%c%d" % number
            self.lines.append("    %%r%d = %s iter_args(%s = %s) -> (i64) : i64 {" % (number, head.strip(), name, start[0]))
            inner.append((name, lambda e: e[name]))
        else:
            self.lines.append(head + " : i64 {")
        body = self.block(inner, loops + (number,), depth + 1)
        if carried:
            next_ = self.binary("addi", (name, None), self.constant(by), rng.choice(["", " overflow<nsw>"]))[0]
            self.lines.append("    scf.yield %s : i64" % next_)
        self.lines.append("    }")

        def run(e):
            i, turns, last = lb[1](e), 0, ub[1](e)
            c = start[1](e) if carried else 0
            while i < last:
                if turns >= 14:
                    raise OverflowError
                e[iv] = i
                if carried:
                    e[name] = c + by * turns
                e["n"][number] = turns
                for s in body:
                    s(e)
                i += step
                turns += 1
            e["n"].pop(number, None)
        return run

    def access(self, scope, loops):
        rng = self.rng
        kind, scale = rng.choice([("i32", 4), ("i32", 4), ("i32", 4), ("i8", 1), ("i16", 4), ("i64", 4), ("i16", 2)])
        index = self.affine(scope)
        offset = self.binary("muli", index, self.constant(scale)) if scale > 1 else index
        root = rng.choice([0, 0, 1])
        address = self.new("llvm.getelementptr %%p%d[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8" % (root, offset[0]))
        plus = rng.choice([0, 0, 4, -4])
        if plus:
            address = self.new("llvm.getelementptr %s[%d] : (!llvm.ptr) -> !llvm.ptr, i8" % (address, plus))
        write = rng.random() < 0.5
        if write:
            value = self.new("arith.constant 0 : %s" % kind)
            self.lines.append("    llvm.store %s, %s : %s, !llvm.ptr" % (value, address, kind))
        else:
            self.new("llvm.load %s : !llvm.ptr -> %s" % (address, kind))
        number = len(self.accesses)
        self.accesses.append((root, WIDTHS[kind], write, loops))

        def run(e):
            e["events"].append(Event(number, tuple(e["n"][l] for l in loops),
                                     e["base"][root] + offset[1](e) + plus, WIDTHS[kind], write))
            if len(e["events"]) > 700:
                raise OverflowError
        return run

    def run(self, a0, a1):
        """The events for these inputs, or None when there are too many."""
        # Overlapping roots only where nothing forbids them.
        e = {"a0": a0, "a1": a1, "n": {}, "events": [], "base": [0, 100000 if self.apart else 8]}
        try:
            for s in self.steps:
                s(e)
        except OverflowError:
            return None
        return e["events"]
