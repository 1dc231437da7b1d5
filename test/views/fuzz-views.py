#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests, executed here: every claim that loom-opt --loom-views makes
about them is checked against the bytes they touch.

usage: fuzz-views.py LOOM_OPT [COUNT [SEED]]

Checked: iteration domains, dependences (each one that happens is listed, with
its loop and a distance in range; each proven one happens for some inputs),
independence of loops, footprints as sets, strides and group reuse.
"""
import itertools
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

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


class Text:
    """What isl printed about a set or a piecewise value, as a function."""

    def __init__(self, text):
        body = text[text.index("{") + 1:text.rindex("}")] if "{" in text else text
        # Constants of the region that are no inputs have values unknown here.
        self.pieces, self.usable = [], not re.search(r"exists|(?<![a-z])c\d", text)
        for piece in body.split(";"):
            head, _, condition = piece.partition(":")
            tuple_ = re.search(r"\[(.*)\]", head)
            self.pieces.append((tuple_.group(1) if tuple_ else "", self.python(condition) or "True"))

    @staticmethod
    def python(text):
        before, text = None, text.strip()
        while text != before:  # innermost first; what is done has no "floor"
            before, text = text, re.sub(r"floor\(\(((?:[^()]|\((?!floor)[^()]*\)|\(\([^()]*\)//\d+\))*)\)/(\d+)\)",
                                        r"((\1)//\2)", text)
        text = re.sub(r"(\d)([a-z(])", r"\1*\2", text)
        text = re.sub(r"(?<![<>=])=(?!=)", "==", text)
        return text.replace(" mod ", " % ").replace("false", "False").replace("true", "True")

    def contains(self, point, inputs):
        for head, condition in self.pieces:
            names = dict(inputs)
            slots = [s.strip() for s in head.split(",")] if head.strip() else []
            fits = True
            for slot, value in zip(slots, point):
                if re.fullmatch(r"[a-z]\w*", slot):
                    names[slot] = value
                else:
                    fits &= eval(self.python(slot.split("=")[-1]), {}, names) == value
                    if "=" in slot:
                        names[slot.split("=")[0].strip()] = value
            if fits and eval(condition, {}, names):
                return True
        return False


class Claims:
    def __init__(self, text):
        self.loops, self.domains, self.accesses, self.dependences = {}, {}, [], []
        self.footprints, self.reuse, self.groups = [], [], []
        for m in re.finditer(r"^ +L(\d+) \(op.*: (Proven\w+|ProofNot\w+)(.*)$", text, re.M):
            self.loops[int(m.group(1))] = (m.group(2), m.group(3))
        for m in re.finditer(r"^    D(\d+) in (.*?): (exact|over-approximate|unknown)(?: \(.*?\))? (.*)$", text, re.M):
            self.domains[int(m.group(1))] = (m.group(3), m.group(4))
        for m in re.finditer(r"^    A(\d+) \(.*, D(\d+)$", text, re.M):
            self.accesses.append(int(m.group(2)))
        for m in re.finditer(r"^    (flow|anti|output) A(\d+) -> A(\d+): (.*), distance \((.*?)\), (proven|not excluded)", text, re.M):
            self.dependences.append((int(m.group(2)), int(m.group(3)), m.group(4),
                                     [self.distance(d) for d in m.group(5).split(", ")] if m.group(5) else [],
                                     m.group(6) == "proven"))
        for m in re.finditer(r"^    arg([01]) (reads|writes): (exact|over-approximate|unknown)(.*)$", text, re.M):
            self.footprints.append((int(m.group(1)), m.group(2) == "writes", m.group(3), m.group(4)))
        for m in re.finditer(r"^    A(\d+) in L(\d+): (temporal|contiguous|overlapping|strided)(?: by (-?\d+))?$", text, re.M):
            self.reuse.append((int(m.group(1)), int(m.group(2)), int(m.group(4) or 0)))
        for m in re.finditer(r"^    A(\d+) in L(\d+): bytes of A(\d+), (\d+) iterations before$", text, re.M):
            self.groups.append((int(m.group(1)), int(m.group(2)), int(m.group(3)), int(m.group(4))))

    @staticmethod
    def distance(text):
        inf = float("inf")
        fixed = {"*": (-inf, inf), "+": (1, inf), "0+": (0, inf), "-": (-inf, -1), "0-": (-inf, 0)}
        if text in fixed:
            return fixed[text]
        m = re.fullmatch(r"\[(-?\d*)\.\.(-?\d*)\]", text)
        if m:
            return (int(m.group(1)) if m.group(1) else -inf, int(m.group(2)) if m.group(2) else inf)
        return int(text), int(text)


class Wrong(Exception):
    pass


def observed(nest, events):
    """(source, target, level, distances) of all pairs that share a byte."""
    at, seen = defaultdict(list), set()
    for number, event in enumerate(events):
        for byte in range(event.lo, event.lo + event.size):
            for other in at[byte]:
                first = events[other]
                if not (first.write or event.write):
                    continue
                a, b = nest.accesses[first.access][3], nest.accesses[event.access][3]
                common = 0
                while common < min(len(a), len(b)) and a[common] == b[common]:
                    common += 1
                d = tuple(event.counts[i] - first.counts[i] for i in range(common))
                level = next((i for i in range(common) if d[i]), common)
                seen.add((first.access, event.access, a[:common], level, d))
            at[byte].append(number)
    return seen


def check_dependences(nest, claims, pairs, happened):
    for source, target, common, level, d in pairs:
        listed = False
        for row, (s, t, how, ranges, proven) in enumerate(claims.dependences):
            where = "one iteration" if level == len(common) else "carried by L%d" % common[level]
            if (s, t) == (source, target) and (how == where or how.startswith("any order")):
                if all(lo <= x <= hi for x, (lo, hi) in zip(d, ranges)):
                    listed = True
                    happened.add(row)
        if not listed:
            raise Wrong("A%d -> A%d at level %d of %s, distance %s, is not listed" % (source, target, level, common, d))
        if level < len(common) and claims.loops[common[level]][0] == "ProvenIndependent":
            raise Wrong("L%d is not independent: A%d -> A%d, distance %s" % (common[level], source, target, d))


def check_domains(nest, claims, events, inputs, counters):
    for access, (root, width, write, loops) in enumerate(nest.accesses):
        precision, text = claims.domains[claims.accesses[access]]
        done = {e.counts for e in events if e.access == access}
        if precision == "unknown":
            continue
        domain = Text(text)
        if not domain.usable:
            counters["sets with exists"] += 1
            continue
        for point in done:
            if not domain.contains(point, inputs):
                raise Wrong("A%d runs in iteration %s, which is not in %s" % (access, point, text))
        if precision == "exact" and len(loops) <= 2:
            counters["exact domains"] += 1
            for point in itertools.product(range(15), repeat=len(loops)):
                if point not in done and domain.contains(point, inputs):
                    raise Wrong("A%d does not run in iteration %s of %s" % (access, point, text))


def check_footprints(nest, claims, events, inputs, counters):
    base = [0, 100000 if nest.apart else 8]
    for root, write, precision, rest in claims.footprints:
        touched = {b - base[root] for e in events if nest.accesses[e.access][0] == root and e.write == write
                   for b in range(e.lo, e.lo + e.size)}
        bounds = re.search(r"within \[(-?\d+), (-?\d+)\)", rest)
        if bounds and touched and not (int(bounds.group(1)) <= min(touched) and max(touched) < int(bounds.group(2))):
            raise Wrong("arg%d: bytes %d..%d are touched, %s" % (root, min(touched), max(touched), rest))
        count = re.search(r"(\d+) bytes", rest)
        if precision == "exact" and count and len(touched) != int(count.group(1)):
            raise Wrong("arg%d: %d bytes are touched, %s" % (root, len(touched), rest))
        if not re.search(r"\{.*\}", rest):
            continue
        bytes_ = Text(re.search(r"\{.*\}", rest).group(0))
        if not bytes_.usable:
            counters["sets with exists"] += 1
            continue
        for b in touched:
            if not bytes_.contains((b,), inputs):
                raise Wrong("arg%d: byte %d is touched, which is not in %s" % (root, b, rest))
        if precision == "exact":
            counters["exact footprints"] += 1
            low, high = (min(touched), max(touched)) if touched else (0, 0)
            for b in range(low - 20, high + 20):
                if b not in touched and bytes_.contains((b,), inputs):
                    raise Wrong("arg%d: byte %d is not touched, %s" % (root, b, rest))


def check_reuse(nest, claims, events, counters):
    at = {(e.access, e.counts): e.lo for e in events}
    for access, loop, stride in claims.reuse:
        level = nest.accesses[access][3].index(loop)
        for (a, counts), lo in at.items():
            later = counts[:level] + (counts[level] + 1,) + counts[level + 1:] if a == access else None
            if (a, later) in at and a == access:
                counters["strides"] += 1
                if at[a, later] - lo != stride:
                    raise Wrong("A%d in L%d moves by %d, not by %d" % (access, loop, at[a, later] - lo, stride))
    for user, loop, source, distance in claims.groups:
        level = nest.accesses[user][3].index(loop)
        for (a, counts), lo in at.items():
            if a != user:
                continue
            before = counts[:level] + (counts[level] - distance,) + counts[level + 1:]
            if (source, before) in at:
                counters["group reuse"] += 1
                if at[source, before] != lo:
                    raise Wrong("A%d does not reuse A%d" % (user, source))


def main():
    loom_opt = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    nests = [Nest(rng, "n%d" % i) for i in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as f:
        f.write("\n".join(n.text for n in nests))
        f.flush()
        out = subprocess.run([loom_opt, "--loom-views", f.name, "-o", "/dev/null"],
                             stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    if "--keep" in sys.argv:
        open("/tmp/fuzz-views.mlir", "w").write("\n".join(n.text for n in nests))
    parts = re.split(r"^views n\d+\n", out, flags=re.M)[1:]
    if len(parts) != count:
        sys.exit("fuzz-views: %d of %d regions printed" % (len(parts), count))
    counters, bad = Counter(), 0
    for nest, part in zip(nests, parts):
        claims = Claims(part)
        if len(claims.accesses) != len(nest.accesses) or len(claims.loops) != len(nest.loops):
            sys.exit("fuzz-views: the output of %s is not understood\n%s%s" % (nest.name, nest.text, part))
        for verdict, _ in claims.loops.values():
            counters[verdict] += 1
        grid = [(a, b) for a in range(-3, 15) for b in range(-3, 15)] if nest.symbolic else [(0, 0)]
        rng.shuffle(grid)
        happened, ran = set(), 0
        try:
            for number, (a0, a1) in enumerate(grid):
                # All inputs only while a proven dependence is still to be seen.
                waits = any(d[4] for row, d in enumerate(claims.dependences) if row not in happened)
                if ran >= 6 and not waits:
                    break
                events = nest.run(a0, a1)
                if events is None:
                    continue
                ran += bool(events)
                inputs = {"arg2": a0, "arg3": a1}
                check_dependences(nest, claims, observed(nest, events), happened)
                if number < 12:
                    check_domains(nest, claims, events, inputs, counters)
                    check_footprints(nest, claims, events, inputs, counters)
                    check_reuse(nest, claims, events, counters)
            for row, d in enumerate(claims.dependences):
                counters["proven dependences" if d[4] else "open dependences"] += 1
                if d[4] and row not in happened:
                    counters["proven, not seen"] += 1
                    if not nest.symbolic and ran:
                        raise Wrong("A%d -> A%d, %s, never happens" % (d[0], d[1], d[2]))
        except Wrong as wrong:
            bad += 1
            if bad < 4:
                print("%s: %s\n%s%s" % (nest.name, wrong, nest.text, part))
    print(", ".join("%d %s" % (n, what) for what, n in sorted(counters.items())))
    print("%d nests, %d wrong" % (count, bad))
    # A run that checks nothing must not pass.
    for what in ("ProvenIndependent", "ProvenDependent", "exact domains", "exact footprints", "strides",
                 "proven dependences"):
        if not counters[what]:
            sys.exit("fuzz-views: no %s" % what)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
