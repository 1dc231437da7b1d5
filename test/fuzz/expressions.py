# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Typed C expressions without undefined behaviour: every integer expression
carries the range of its values. Where a result fits its type by range the plain
signed operator is used (the compiler then sees nsw), elsewhere the arithmetic
goes through the unsigned type."""

INT = {"i8": (8, True), "u8": (8, False), "i16": (16, True), "u16": (16, False),
       "i32": (32, True), "u32": (32, False), "i64": (64, True), "u64": (64, False)}
FLOAT = ("f32", "f64")
TYPES = tuple(INT) + FLOAT


def limits(t):
    bits, signed = INT[t]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def promoted(t):
    return "i32" if INT[t][0] < 32 else t


def usual(a, b):
    """The type of the usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    if INT[a][0] != INT[b][0]:
        return a if INT[a][0] > INT[b][0] else b
    return a if a[0] == "u" else b


class Value:
    """An expression: C text, type, and for integers the range [lo, hi]."""

    def __init__(self, text, t, lo=None, hi=None):
        self.text, self.type = text, t
        if t in INT:
            low, high = limits(t)
            self.lo, self.hi = (low if lo is None else lo), (high if hi is None else hi)

    def __str__(self):
        return self.text


def literal(n, t="i32"):
    low, high = limits(t)
    assert low <= n <= high
    if t == "i32":
        text = "(-2147483647 - 1)" if n == low else str(n)
    elif t == "i64":
        text = "(-9223372036854775807L - 1)" if n == low else "%dL" % n
    else:
        text = "(%s)%du" % (t, n) if t[0] == "u" else "(%s)%d" % (t, n)
    return Value("(%s)" % text if n < 0 and text[0] == "-" else text, t, n, n)


def cast(v, t):
    if t in FLOAT:
        return Value("(%s)%s" % (t, wrap(v)), t)
    if v.type in FLOAT:
        macro, result = {"u32": ("F2U", "u32"), "i64": ("F2L", "i64")}.get(t, ("F2I", "i32"))
        inner = Value("%s(%s)" % (macro, v), result)
        return inner if t == result else cast(inner, t)
    low, high = limits(t)
    if low <= v.lo and v.hi <= high:
        return Value("(%s)%s" % (t, wrap(v)), t, v.lo, v.hi)
    return Value("(%s)%s" % (t, wrap(v)), t)


def wrap(v):
    text = str(v)
    return text if text.isidentifier() or text.isdigit() else "(%s)" % text


def arithmetic(op, a, b):
    """a op b for + - *, wrapping where the result might not fit."""
    t = usual(a.type, b.type)
    low, high = limits(t)
    fits = all(low <= x.lo and x.hi <= high for x in (a, b))
    if fits:
        corners = [eval("x %s y" % op, {"x": x, "y": y}) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        lo, hi = min(corners), max(corners)
        if low <= lo and hi <= high:
            return Value("%s %s %s" % (wrap(a), op, wrap(b)), t, lo, hi)
    if t[0] == "u":
        return Value("%s %s %s" % (wrap(a), op, wrap(b)), t)
    u = "u" + t[1:]
    return Value("(%s)((%s)%s %s (%s)%s)" % (t, u, wrap(a), op, u, wrap(b)), t)


def masked(v, mask):
    """v & mask for a mask 2^k - 1: a value in [0, mask] in any integer type."""
    if v.type in FLOAT:
        v = cast(v, "i32")
    return Value("%s & %d" % (wrap(v), mask), promoted(v.type), 0, mask)


class Expressions:
    """Random expressions over the names of a scope (see nests.Scope)."""

    def __init__(self, random):
        self.r = random

    def integer(self, s, depth=0):
        r = self.r
        if depth >= 3 or r.random() < 0.3:
            return self.leaf(s)
        kind = r.choices(
            ["arith", "bits", "shift", "div", "compare", "select", "cast", "minmax", "unary",
             "bit-builtin", "from-float", "logic"],
            [30, 12, 8, 6, 7, 6, 10, 7, 4, 4, 4, 3])[0]
        a = self.integer(s, depth + 1)
        if kind == "from-float":
            return cast(self.floating(s, depth + 1), r.choice(["i32", "u32", "i64", "u8", "i16"]))
        if kind == "cast":
            return cast(a, r.choice(list(INT)))
        if kind == "unary":
            op = r.choice("~-!")
            if op == "!":
                return Value("!%s" % wrap(a), "i32", 0, 1)
            if op == "~":
                return Value("~%s" % wrap(a), promoted(a.type))
            return arithmetic("-", literal(0), a)
        if kind == "bit-builtin":
            return self.bits(a)
        b = self.integer(s, depth + 1)
        if kind == "arith":
            return arithmetic(r.choice("++-*"), a, b)
        t = usual(a.type, b.type)
        if kind == "bits":
            if r.random() < 0.4:
                return masked(a, r.choice([1, 3, 7, 15, 63, 255]))
            return Value("%s %s %s" % (wrap(a), r.choice("&|^"), wrap(b)), t)
        if kind == "shift":
            return self.shift(a, b)
        if kind == "div":
            return self.division(a, b)
        if kind == "compare":
            return Value("%s %s %s" % (wrap(a), r.choice(["<", ">", "<=", ">=", "==", "!="]), wrap(b)),
                         "i32", 0, 1)
        if kind == "logic":
            return Value("%s %s %s" % (wrap(a), r.choice(["&&", "||"]), wrap(b)), "i32", 0, 1)
        if kind == "minmax":
            return Value("%s %s %s ? %s : %s" % (wrap(a), r.choice("<>"), wrap(b), wrap(a), wrap(b)), t)
        return Value("%s ? %s : %s" % (wrap(self.condition(s, depth + 1)), wrap(a), wrap(b)), t)

    def bits(self, a):
        r = self.r
        kind = r.choice(["popcount", "clz", "ctz", "bswap", "rotate", "abs", "bitreverse"])
        u = wrap(a)
        if kind == "popcount":
            return Value("__builtin_popcount((u32)%s)" % u, "i32", 0, 32)
        if kind in ("clz", "ctz"):
            wide = r.random() < 0.4
            return Value("__builtin_%s%s((%s)%s | 1u)" % (kind, "ll" * wide, "u64" if wide else "u32", u),
                         "i32", 0, 63 if wide else 31)
        if kind == "bswap":
            n = r.choice([16, 32, 64])
            return Value("__builtin_bswap%d((u%d)%s)" % (n, n, u), "u%d" % n)
        if kind == "bitreverse":
            n = r.choice([8, 32])
            return Value("__builtin_bitreverse%d((u%d)%s)" % (n, n, u), "u%d" % n)
        if kind == "rotate":
            k = r.randrange(1, 31)
            return Value("((u32)%s << %d) | ((u32)%s >> %d)" % (u, k, u, 32 - k), "u32")
        small = cast(a, "i16")
        return Value("%s < 0 ? -%s : %s" % (wrap(small), wrap(small), wrap(small)), "i32", 0, 32768)

    def shift(self, a, b):
        t = promoted(a.type)
        amount = masked(b, INT[t][0] - 1)
        if self.r.random() < 0.5:
            amount = literal(self.r.randrange(INT[t][0]))
        if self.r.random() < 0.5:
            return Value("%s >> %s" % (wrap(a), wrap(amount)), t, min(a.lo, 0), max(a.hi, 0))
        u = "u" + t[1:]
        return Value("(%s)((%s)%s << %s)" % (t, u, wrap(a), wrap(amount)), t)

    def division(self, a, b):
        op = self.r.choice("/%")
        d = self.r.random()
        if d < 0.5:
            b = literal(self.r.choice([1, 2, 3, 5, 7, 8, 10, 16, 100]))
        elif d < 0.8:
            b = arithmetic("+", masked(b, self.r.choice([7, 63])), literal(1))
        else:
            a, b = cast(a, "u32"), cast(b, "u32")
            b = Value("%s | 1u" % wrap(b), "u32", 1)
        t = usual(a.type, b.type)
        return Value("%s %s %s" % (wrap(a), op, wrap(b)), t)

    def condition(self, s, depth=0):
        r = self.r
        if r.random() < 0.2:
            a, b = self.floating(s, depth + 1), self.floating(s, depth + 1)
            return Value("%s %s %s" % (wrap(a), r.choice(["<", ">", "<=", ">=", "==", "!="]), wrap(b)),
                         "i32", 0, 1)
        a = self.integer(s, depth + 1)
        if r.random() < 0.4:
            return Value("%s %s %d" % (wrap(masked(a, r.choice([1, 3, 7, 15]))),
                                       r.choice(["==", "!=", "<", ">"]), r.randrange(4)), "i32", 0, 1)
        b = self.integer(s, depth + 1)
        text = "%s %s %s" % (wrap(a), r.choice(["<", ">", "<=", ">=", "==", "!="]), wrap(b))
        if r.random() < 0.2:
            c = self.integer(s, depth + 2)
            text = "(%s) %s (%s > 5)" % (text, r.choice(["&&", "||"]), wrap(c))
        return Value(text, "i32", 0, 1)

    def floating(self, s, depth=0):
        r = self.r
        if depth >= 3 or r.random() < 0.3:
            leaves = [v for v in s.reads() if v.type in FLOAT]
            if leaves and r.random() < 0.75:
                return r.choice(leaves)
            if r.random() < 0.5:
                return Value(r.choice(["0.5", "1.25", "-3.0", "0.1", "100.0"]), "f64")
            return Value(r.choice(["0.5f", "-1.5f", "0.1f", "7.0f"]), "f32")
        kind = r.choices(["arith", "from-int", "select", "unary", "cast", "call", "muladd"],
                         [40, 12, 10, 5, 6, 5, 8])[0]
        if kind == "from-int":
            return cast(self.integer(s, depth + 1), r.choice(FLOAT))
        a = self.floating(s, depth + 1)
        if kind == "unary":
            return Value("-%s" % wrap(a), a.type)
        if kind == "cast":
            return cast(a, r.choice(FLOAT))
        if kind == "call":
            # Exact everywhere, and inlined by the compiler to an intrinsic.
            f = r.choice(["__builtin_fabs", "__builtin_floor", "__builtin_ceil", "__builtin_trunc",
                          "__builtin_fmin", "__builtin_fmax"])
            if f[-3:] in ("min", "max"):
                # Which zero, and what a NaN gives, is up to the implementation.
                g = "(%s == %s ? 1.0 : %s)" % (wrap(a), wrap(a), wrap(a))
                return Value("%s < 2.0 ? %s : 2.0" % (wrap(a), g), "f64")
            return Value("%s(%s)" % (f, a), "f64")
        b = self.floating(s, depth + 1)
        t = "f64" if "f64" in (a.type, b.type) else "f32"
        if kind == "arith":
            return Value("%s %s %s" % (wrap(a), r.choice("++-**/"), wrap(b)), t)
        if kind == "muladd":
            c = self.floating(s, depth + 2)
            t = "f64" if "f64" in (t, c.type) else "f32"
            return Value("%s * %s + %s" % (wrap(a), wrap(b), wrap(c)), t)
        return Value("%s ? %s : %s" % (wrap(self.condition(s, depth + 1)), wrap(a), wrap(b)), t)

    def of_type(self, s, t):
        """An expression of type t."""
        if t in FLOAT:
            v = self.floating(s)
            return v if v.type == t else cast(v, t)
        v = self.integer(s) if self.r.random() < 0.85 else cast(self.floating(s), "i32")
        return v if v.type == t else cast(v, t)

    def leaf(self, s):
        r = self.r
        k = r.random()
        ivs = s.ivs
        if ivs and k < 0.3:
            return r.choice(ivs)
        leaves = [v for v in s.reads() if v.type in INT]
        if leaves and k < 0.85:
            return r.choice(leaves)
        if r.random() < 0.7:
            return literal(r.choice([0, 1, 2, 3, 5, 7, 10, 31, 100, 255, 1000, -1, -7]))
        t = r.choice(list(INT))
        low, high = limits(t)
        return literal(r.choice([low, high, low + 1, high - 1, high // 2]), t)

    def index(self, s, size):
        """An index into size elements, never outside."""
        r = self.r
        inside = [v for v in s.ivs if v.lo >= 0 and v.hi < size]
        k = r.random()
        if inside and k < 0.55:
            return r.choice(inside)
        shifted = [(v, c) for v in s.ivs for c in (-2, -1, 1, 2, 3) if v.lo + c >= 0 and v.hi + c < size]
        if shifted and k < 0.7:
            v, c = r.choice(shifted)
            return arithmetic("+" if c > 0 else "-", v, literal(abs(c)))
        scaled = [(v, m) for v in s.ivs for m in (2, 3, 4) if v.lo >= 0 and v.hi * m < size]
        if scaled and k < 0.78:
            v, m = r.choice(scaled)
            return arithmetic("*", v, literal(m))
        v = self.integer(s, 2 if k < 0.9 else 1)
        if size & (size - 1) == 0:
            return masked(v, size - 1)
        return Value("(u32)%s %% %du" % (wrap(v), size), "u32", 0, size - 1)
