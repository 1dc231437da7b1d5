#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the apps of test/spatial/Inputs/*.mlir and of one region per scalar
operation, and writes inputs and expected results beside them, computed here.

usage: make-cases.py LOOM_OPT DIR

DIR gets one case per app in the layout of run-apps.py.
"""
import math
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MASK = (1 << 64) - 1


def unsigned(x, w=64):
    return x & ((1 << w) - 1)


def signed(x, w=64):
    x = unsigned(x, w)
    return x - (1 << w) if x >> (w - 1) else x


def f64(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def case(loom_opt, root, name, mlir, slots, memories, results):
    """memories: (before, after) bytes of each."""
    directory = os.path.join(root, name)
    launch = os.path.join(directory, "launch.0")
    os.makedirs(launch, exist_ok=True)
    for check, file in (("false", "app.scala"), ("true", "check.scala")):
        out = subprocess.run([loom_opt, "--loom-emit-spatial=check=" + check, mlir, "-o", os.devnull],
                             stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
        if "extends SpatialApp" not in out:
            sys.exit("make-cases: %s: %s" % (name, out))
        with open(os.path.join(directory, file), "w") as f:
            f.write(out)

    def values(file, numbers):
        with open(os.path.join(launch, file), "w") as f:
            for i, bits in enumerate(numbers):
                f.write("%d i64 0x%016x %d\n" % (i, bits & MASK, bits & MASK))

    values("slots.txt", slots)
    values("out.txt", results)
    for k, (before, after) in enumerate(memories):
        for when, data in (("in", before), ("out", after)):
            with open(os.path.join(launch, "mem%d.%s.bin" % (k, when)), "wb") as f:
                f.write(bytes(data))


def pack(kind, values):
    return struct.pack("<%d%s" % (len(values), kind), *values)


# Kernels ---------------------------------------------------------------------


def saxpy(rng):
    a = single(1.1)
    x = [single(rng.uniform(-100, 100)) for _ in range(64)]
    y = [single(rng.uniform(-100, 100)) for _ in range(64)]
    z = [single(single(a * p) + q) for p, q in zip(x, y)]
    return [f32(a), 1, 2], [(pack("f", x), pack("f", x)), (pack("f", y), pack("f", z))], [0]


def gemm(rng):
    a = [rng.randint(-2**31, 2**31 - 1) for _ in range(30)]
    b = [rng.randint(-2**31, 2**31 - 1) for _ in range(35)]
    c = [rng.randint(-100, 100) for _ in range(42)]
    d = [signed(c[i * 7 + j] + sum(a[i * 5 + k] * b[k * 7 + j] for k in range(5)), 32)
         for i in range(6) for j in range(7)]
    return [1, 2, 3], [(pack("i", m), pack("i", n)) for m, n in ((a, a), (b, b), (c, d))], [0]


def histogram(rng):
    table = [rng.randint(0, 9) for _ in range(256)]
    data = [rng.randint(0, 255) for _ in range(100)]
    after = list(table)
    for v in data:
        after[v] += 1
    return [1, 2], [(pack("i", table), pack("i", after)), (bytes(data), bytes(data))], [0]


def gcd(rng):
    x, y = (1 << 63) + 12 * 999331, 12 * 1234577
    a, b, n = x, y, 0
    while b:
        a, b, n = b, a % b, n + 1
    return [x, y], [], [0, a, n]


def clamp(rng):
    limit = 900
    data = [rng.randint(-2000, 2000) for _ in range(40)]
    after, count, weight = list(data), 0, 0
    for i, v in enumerate(data):
        if v < 0:
            after[i] = 0
            count += 1
        elif v > limit:
            after[i] = limit
        low = v & 3
        if low == 1:
            weight += i
        elif low == 2:
            weight -= after[i]
    return [limit, 1], [(pack("h", data), pack("h", after))], [0, count, weight]


def fibsearch(rng):
    x = 0.37
    d = [rng.getrandbits(64) for _ in range(16)]
    f = [rng.uniform(-2, 2) for _ in range(12)]
    a, b = 0, 1
    for _ in range(20):
        a, b = b, a + b
    after, k, total = list(d), 0, 0
    while True:
        after[k & 15] ^= k
        k += 1
        total += k
        if not total < a:
            break
    g, acc = list(f), 0.0
    for i in range(12):
        for j in range(i + 1):
            h = g[i - j] * x
            acc += h
            g[i - j] = -0.0 if g[i - j] > 0.5 else h
    memories = [(pack("Q", d), pack("Q", after)), (pack("d", f), pack("d", g))]
    # The result of exit 1 does not count: anything will do.
    return [f64(x), 1, 2], memories, [0, k, 0xdead, f64(acc)]


# Operations ------------------------------------------------------------------


def c_div(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def op_table(w):
    """Text with {x} {y} and constants, and the result of unsigned x and y."""
    lo, s = 1 << (w - 1), lambda v: signed(v, w)
    table = []

    def add(body, f, **constants):
        table.append((body, f, constants))

    def binary(op, f, constants=()):
        add("%%r = arith.%s %%x, %%y : T" % op, f)
        for c in constants:
            add("%%r = arith.%s %%x, %%c : T" % op, lambda x, y, c=c: f(x, c), c=c)
            add("%%r = arith.%s %%c, %%x : T" % op, lambda x, y, c=c: f(c, x) if x or op[:3] not in ("div", "rem") else None, c=c)

    constants = [1, 3, 7, 8, lo - 1, lo, -1, -3, -8]
    if w == 64:
        constants += [4294967301, -4294967301, 1 << 40]
    binary("addi", lambda x, y: x + y, constants)
    binary("subi", lambda x, y: x - y, constants)
    binary("muli", lambda x, y: x * y, constants)
    binary("andi", lambda x, y: x & y, constants)
    binary("ori", lambda x, y: x | y, constants)
    binary("xori", lambda x, y: x ^ y, constants)
    binary("minsi", lambda x, y: min(s(x), s(y)))
    binary("maxsi", lambda x, y: max(s(x), s(y)))
    binary("minui", lambda x, y: min(unsigned(x, w), unsigned(y, w)))
    binary("maxui", lambda x, y: max(unsigned(x, w), unsigned(y, w)))

    def guarded(f):
        return lambda x, y: f(x, y) if unsigned(y, w) else None

    overflow = lambda x, y: s(x) == -lo and s(y) == -1
    binary("divsi", guarded(lambda x, y: None if overflow(x, y) else c_div(s(x), s(y))), constants)
    binary("remsi", guarded(lambda x, y: None if overflow(x, y) else s(x) - c_div(s(x), s(y)) * s(y)), constants)
    binary("divui", guarded(lambda x, y: unsigned(x, w) // unsigned(y, w)), constants)
    binary("remui", guarded(lambda x, y: unsigned(x, w) % unsigned(y, w)), constants)
    for op, f in (("shli", lambda x, n: x << n), ("shrsi", lambda x, n: s(x) >> n),
                  ("shrui", lambda x, n: unsigned(x, w) >> n)):
        add("%%r = arith.%s %%x, %%y : T" % op, lambda x, y, f=f: f(x, y) if unsigned(y, w) < w else None)
        for c in (1, w // 2, w - 1):
            add("%%r = arith.%s %%x, %%c : T" % op, lambda x, y, f=f, c=c: f(x, c), c=c)
    add("%%t = arith.shrsi %%x, %%c : T\n%%r = arith.shrsi %%t, %%c : T", lambda x, y: s(x) >> (w - 1), c=w // 2 + 1)
    add("%%t = arith.subi %%x, %%c : T\n%%r = arith.subi %%d, %%t : T", lambda x, y: 5 - (x - 3), c=3, d=5)
    for p, f in (("eq", lambda x, y: x == y), ("ne", lambda x, y: x != y), ("slt", lambda x, y: s(x) < s(y)),
                 ("sle", lambda x, y: s(x) <= s(y)), ("sgt", lambda x, y: s(x) > s(y)),
                 ("sge", lambda x, y: s(x) >= s(y)), ("ult", lambda x, y: x < y), ("ule", lambda x, y: x <= y),
                 ("ugt", lambda x, y: x > y), ("uge", lambda x, y: x >= y)):
        add("%%b = arith.cmpi %s, %%x, %%y : T\n%%r = arith.extsi %%b : i1 to T" % p, lambda x, y, f=f: -f(x, y))
        # The same on single bits.
        add("%%g = arith.trunci %%x : T to i1\n%%h = arith.trunci %%y : T to i1\n"
            "%%b = arith.cmpi %s, %%g, %%h : i1\n%%r = arith.extui %%b : i1 to T" % p,
            lambda x, y, p=p, f=f: f(*(unsigned(signed(v & 1, 1), w) for v in (x, y))) + 0)
    for op, f in (("andi", lambda a, b: a & b), ("ori", lambda a, b: a | b), ("xori", lambda a, b: a ^ b),
                  ("addi", lambda a, b: a ^ b), ("muli", lambda a, b: a & b), ("minsi", lambda a, b: a | b),
                  ("maxui", lambda a, b: a | b)):
        add("%%g = arith.trunci %%x : T to i1\n%%h = arith.trunci %%y : T to i1\n"
            "%%b = arith.%s %%g, %%h : i1\n%%r = arith.extui %%b : i1 to T" % op,
            lambda x, y, f=f: f(x & 1, y & 1))
    bits = lambda v: bin(unsigned(v, w))[2:].zfill(w)
    add("%%r = math.ctpop %%x : T", lambda x, y: bits(x).count("1"))
    add("%%r = math.ctlz %%x : T", lambda x, y: len(bits(x)) - len(bits(x).lstrip("0")))
    add("%%r = math.cttz %%x : T", lambda x, y: len(bits(x)) - len(bits(x).rstrip("0")))
    add("%%r = math.absi %%x : T", lambda x, y: abs(s(x)))
    add('%%r = "llvm.intr.bitreverse"(%%x) : (T) -> T', lambda x, y: int(bits(x)[::-1], 2))
    if w > 8:
        add('%%r = "llvm.intr.bswap"(%%x) : (T) -> T',
            lambda x, y: int.from_bytes(unsigned(x, w).to_bytes(w // 8, "little"), "big"))
    for name, turn in (("fshl", lambda n: n), ("fshr", lambda n: (w - n) % w)):
        def rotate(x, y, name=name):
            n = y % w
            both = unsigned(x, w) << w | unsigned(y, w)
            return both >> n if name == "fshr" else (both << n) >> w
        add('%%%%r = "llvm.intr.%s"(%%%%x, %%%%y, %%%%y) : (T, T, T) -> T' % name, rotate)
        add('%%%%r = "llvm.intr.%s"(%%%%x, %%%%y, %%%%c) : (T, T, T) -> T' % name,
            lambda x, y, name=name: (lambda both: both >> 3 if name == "fshr" else (both << 3) >> w)(
                unsigned(x, w) << w | unsigned(y, w)), c=3)
    clip = lambda v: max(-lo, min(lo - 1, v))
    for name, f in (("sadd", lambda x, y: clip(s(x) + s(y))), ("ssub", lambda x, y: clip(s(x) - s(y))),
                    ("uadd", lambda x, y: min(unsigned(-1, w), x + y)), ("usub", lambda x, y: max(0, x - y))):
        add('%%%%r = "llvm.intr.%s.sat"(%%%%x, %%%%y) : (T, T) -> T' % name, f)
    for v in (8, 16, 32, 64):
        if v < w:
            add("%%%%t = arith.trunci %%%%x : T to i%d\n%%%%r = arith.extsi %%%%t : i%d to T" % (v, v),
                lambda x, y, v=v: signed(x, v))
            add("%%%%t = arith.trunci %%%%x : T to i%d\n%%%%r = arith.extui %%%%t : i%d to T" % (v, v),
                lambda x, y, v=v: unsigned(x, v))
    return [(body.replace("%%", "%"), f, c) for body, f, c in table]


def numbers(w):
    lo = 1 << (w - 1)
    edge = [0, 1, 2, 3, 5, 7, 8, 9, lo - 1, lo, lo + 1, -1, -2, -3, -7, -8, w - 1, w, 0x55, -0x56]
    rng = random.Random(w)
    return [unsigned(v, w) for v in edge] + [rng.getrandbits(w) for _ in range(12)]


REGION = """func.func @ops({params}) -> i32 {{
  %r = loom.spatial_region "{name}" ({args}) partitions {partitions} exits [-1] : ({types}) -> i32 {{
  ^bb0({blockargs}):
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %size = arith.constant {size} : i64
    %n = arith.constant {count} : i64
    %done = arith.constant 0 : i32
    scf.for %i = %z to %n step %one : i64 {{
      %o = arith.muli %i, %size : i64
      %px = llvm.getelementptr %X[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %x = llvm.load %px : !llvm.ptr -> {in_type}
      %py = llvm.getelementptr %Y[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %y = llvm.load %py : !llvm.ptr -> {in_type}
{body}
    }}
    loom.spatial_yield %done : i32
  }}
  return %r : i32
}}
"""


def op_region(name, in_type, in_size, count, entries):
    """One region that applies every entry (body, result type, size, constants)
    to the pairs of two arrays; each result has its own array."""
    names = ["X", "Y"] + ["R%d" % k for k in range(len(entries))]
    body = []
    for k, (text, result, size, constants) in enumerate(entries):
        for letter, value in sorted(constants.items()):
            literal = value if isinstance(value, str) else str(value)
            body.append("%%%s = arith.constant %s : %s" % (letter, literal, in_type))
        body += text.replace("T", in_type).split("\n")
        body += ["%%s = arith.constant %d : i64" % size, "%q = arith.muli %i, %s : i64",
                 "%%p = llvm.getelementptr %%R%d[%%q] : (!llvm.ptr, i64) -> !llvm.ptr, i8" % k,
                 "llvm.store %%r, %%p : %s, !llvm.ptr" % result]
        # Names are local to the entry.
        for n in ("r", "t", "u", "b", "g", "h", "c", "d", "s", "q", "p"):
            body = [re.sub(r"%%%s\b" % n, "%%%s_%d" % (n, k), line) for line in body]
    return REGION.format(
        name=name, params=", ".join("%%a%s: !llvm.ptr" % n for n in names),
        args=", ".join("%a" + n for n in names), partitions=list(range(len(names))),
        types=", ".join(["!llvm.ptr"] * len(names)), blockargs=", ".join("%%%s: !llvm.ptr" % n for n in names),
        size=in_size, count=count, in_type=in_type, body="\n".join("      " + line for line in body))


def op_cases(loom_opt, root, w):
    values = numbers(w)
    table = op_table(w)
    letter = {8: "B", 16: "H", 32: "I", 64: "Q"}[w]
    # One pair per combination would be long: each x with three y.
    pairs = [(x, values[(i * k + k) % len(values)]) for i, x in enumerate(values) for k in (1, 5, 11)]
    parts = [[]]
    room = 0
    for entry in table:
        # Statements of the app, roughly: expanded operations are long.
        cost = 30 if re.search("ct|bitreverse|bswap", entry[0]) else 2 * len(entry[0].split("\n")) + 1
        room -= cost
        if room < 0:
            parts.append([])
            room = 100 - cost
        parts[-1].append(entry)
    for number, part in enumerate(p for p in parts if p):
        entries, memories = [], []
        # Pairs that are undefined for some operation are left out for all.
        good = [(x, y) for x, y in pairs if all(f(x, y) is not None for _, f, _ in part)]
        if not good:
            sys.exit("make-cases: no defined operands")
        memories.append((pack(letter, [p[0] for p in good]),) * 2)
        memories.append((pack(letter, [p[1] for p in good]),) * 2)
        for body, f, constants in part:
            entries.append((body, "i%d" % w, w // 8, {k: signed(v, w) for k, v in constants.items()}))
            memories.append((bytes(len(good) * w // 8), pack(letter, [unsigned(int(f(*p)), w) for p in good])))
        name = "ops%d.%d" % (w, number)
        path = os.path.join(root, name + ".mlir")
        with open(path, "w") as f:
            f.write(op_region(name, "i%d" % w, w // 8, len(good), entries))
        case(loom_opt, root, name, path, [0] * (2 + len(part)), memories, [0])


def float_cases(loom_opt, root, w):
    nan, inf = float("nan"), float("inf")
    edge = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, inf, -inf, nan, 1e-40, 3.25, -7.75, 1e10, 0.1]
    rng = random.Random(w)
    cast = single if w == 32 else (lambda v: v)
    values = [cast(v) for v in edge + [rng.uniform(-1000, 1000) for _ in range(8)]]
    pairs = [(x, y) for x in values for y in values]
    bits = f32 if w == 32 else f64
    t, i, letter = "f%d" % w, "i%d" % w, "f" if w == 32 else "d"
    table = []

    def add(text, result, f, **constants):
        table.append((text, result, f, constants))

    def div(x, y):
        if y != 0 or x != x or y != y:
            return cast(x / y) if y == y and x == x and not (math.isinf(x) and math.isinf(y)) else nan
        return nan if x == 0 else math.copysign(inf, x) * math.copysign(1, y)

    def arith(op):
        def f(x, y):
            try:
                return cast(op(x, y))
            except OverflowError:
                return None
        return f

    add("%r = arith.addf %x, %y : T", t, arith(lambda x, y: x + y))
    add("%r = arith.subf %x, %y : T", t, arith(lambda x, y: x - y))
    add("%r = arith.mulf %x, %y : T", t, arith(lambda x, y: x * y))
    add("%r = arith.divf %x, %y : T", t, arith(div))
    add("%r = arith.addf %x, %c : T", t, arith(lambda x, y: x + 0.0), c="0.0")
    add("%r = arith.mulf %x, %c : T", t, arith(lambda x, y: x * -0.0), c="-0.0")
    add("%r = arith.negf %x : T", t, lambda x, y: -x)
    add("%r = math.absf %x : T", t, lambda x, y: math.copysign(x, 1.0))
    add("%r = math.copysign %x, %y : T", t, math.copysign)
    add("%r = math.floor %x : T", t,
        lambda x, y: x if x != x or math.isinf(x) else math.copysign(float(math.floor(x)), x))
    add("%r = math.ceil %x : T", t,
        lambda x, y: x if x != x or math.isinf(x) else math.copysign(float(math.ceil(x)), x))
    add("%t = math.absf %x : T\n%r = math.sqrt %t : T", t,
        lambda x, y: x if x != x else cast(math.sqrt(abs(x))))
    ordered = lambda f: lambda x, y: x == x and y == y and f(x, y)
    either = lambda f: lambda x, y: x != x or y != y or f(x, y)
    for p, f in (("oeq", ordered(lambda x, y: x == y)), ("one", ordered(lambda x, y: x != y)),
                 ("olt", ordered(lambda x, y: x < y)), ("ole", ordered(lambda x, y: x <= y)),
                 ("ogt", ordered(lambda x, y: x > y)), ("oge", ordered(lambda x, y: x >= y)),
                 ("ueq", either(lambda x, y: x == y)), ("une", either(lambda x, y: x != y)),
                 ("ult", either(lambda x, y: x < y)), ("ule", either(lambda x, y: x <= y)),
                 ("ugt", either(lambda x, y: x > y)), ("uge", either(lambda x, y: x >= y)),
                 ("ord", ordered(lambda x, y: True)), ("uno", either(lambda x, y: False))):
        add("%%b = arith.cmpf %s, %%x, %%y : T\n%%r = arith.extui %%b : i1 to i8" % p, "i8", f)
    pick = lambda better: lambda x, y: y if x != x else x if y != y else x if better(x, y) else y
    # Which of two zeros comes out is not defined.
    zeros = lambda f: lambda x, y: None if x == 0 and y == 0 else f(x, y)
    add("%r = arith.minnumf %x, %y : T", t, zeros(pick(lambda x, y: x < y)))
    add("%r = arith.maxnumf %x, %y : T", t, zeros(pick(lambda x, y: x > y)))
    add("%%u = arith.bitcast %%x : T to %s\n%%r = arith.uitofp %%u : %s to T" % (i, i), t,
        lambda x, y: to_float(bits(x), w))
    add("%%u = arith.bitcast %%x : T to %s\n%%r = arith.sitofp %%u : %s to T" % (i, i), t,
        lambda x, y: to_float(signed(bits(x), w), w))
    small = lambda x: x == x and abs(x) < 1e9
    add("%r = arith.fptosi %x : T to i32", "i32", lambda x, y: int(x) & 0xffffffff if small(x) else None)
    add("%t = math.absf %x : T\n%r = arith.fptoui %t : T to i32", "i32",
        lambda x, y: int(abs(x)) if small(x) else None)
    sizes = {"i8": (1, "B"), "i32": (4, "I"), "f32": (4, "f"), "f64": (8, "d")}
    for start in range(0, len(table), 12):
        part = table[start:start + 12]
        good = [p for p in pairs if all(f(*p) is not None for _, _, f, _ in part)]
        memories = [(pack(letter, [p[k] for p in good]),) * 2 for k in (0, 1)]
        entries = []
        for text, result, f, constants in part:
            size, kind = sizes[result]
            entries.append((text, result, size, constants))
            out = [f(*p) for p in good]
            memories.append((bytes(size * len(good)), pack(kind, out if kind in "fd" else [int(v) for v in out])))
        name = "ops%s.%d" % (t, start // 12)
        path = os.path.join(root, name + ".mlir")
        with open(path, "w") as f:
            f.write(op_region(name, t, w // 8, len(good), entries))
        case(loom_opt, root, name, path, [0] * (2 + len(part)), memories, [0])


def to_float(n, w):
    """An integer to f32 or f64, to nearest even, in one rounding."""
    if n == 0:
        return 0.0
    digits = 24 if w == 32 else 53
    extra = max(0, abs(n).bit_length() - digits)
    q, r = abs(n) >> extra, abs(n) & ((1 << extra) - 1)
    if extra and (2 * r > 1 << extra or (2 * r == 1 << extra and q & 1)):
        q += 1
    return math.copysign(math.ldexp(q, extra), n)


def main():
    loom_opt, root = sys.argv[1:]
    os.makedirs(root, exist_ok=True)
    rng = random.Random(22)
    for name, model in (("saxpy", saxpy), ("gemm", gemm), ("histogram", histogram), ("gcd", gcd),
                        ("clamp", clamp), ("fibsearch", fibsearch)):
        path = os.path.join(HERE, "Inputs", name + ".mlir")
        case(loom_opt, root, name, path, *model(rng))
    for w in (8, 16, 32, 64):
        op_cases(loom_opt, root, w)
    for w in (32, 64):
        float_cases(loom_opt, root, w)


if __name__ == "__main__":
    main()
