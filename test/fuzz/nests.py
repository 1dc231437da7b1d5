# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests: one function each, of statements and loops of every form. No
loop runs without end and no access leaves its object."""

import random

import idioms
from expressions import FLOAT, INT, Expressions, Value, arithmetic, cast, limits, masked, wrap

ARRAYS = {t: 64 for t in list(INT) + list(FLOAT)}
# What one call of a nest may execute, in innermost statements.
TRIPS = 900


class Scope:
    """What expressions may read and statements may write."""

    def __init__(self, r, e):
        self.r, self.e = r, e
        self.scalars = []    # (name, type): locals and parameters
        self.constants = []  # Values that nobody writes
        self.arrays = []     # (name, element type, size)
        self.records = []    # (name, size)
        self.grids = []      # (name, element type, sizes)
        self.ivs = []        # Values

    def reads(self):
        """A few random readable places."""
        r, result = self.r, list(self.constants)
        result += [Value(n, t) for n, t in self.scalars]
        if self.arrays:
            for _ in range(2):
                result.append(self.element())
        if self.records and r.random() < 0.5:
            result.append(self.field())
        if self.grids and r.random() < 0.5:
            result.append(self.cell())
        return result

    def element(self):
        n, t, size = self.r.choice(self.arrays)
        return Value("%s[%s]" % (n, self.deep_index(size)), t)

    def deep_index(self, size):
        """Indices are simple inside indices, so that expressions end."""
        saved = self.arrays, self.records, self.grids
        if self.r.random() < 0.7:
            self.arrays = []
        self.records, self.grids = [], []
        depth = getattr(self, "depth", 0)
        self.depth = depth + 1
        try:
            if depth > 1:
                self.arrays = []
            return self.e.index(self, size)
        finally:
            self.arrays, self.records, self.grids = saved
            self.depth = depth

    def field(self):
        n, size = self.r.choice(self.records)
        i = self.deep_index(size)
        f, t = self.r.choice([("c", "u8"), ("i", "i32"), ("d", "f64"), ("s[%d]" % self.r.randrange(4), "i16"),
                              ("p[%d].c" % self.r.randrange(2), "i8"),
                              ("p[%d].i" % self.r.randrange(2), "i32"), ("w", "u64"), ("h", "u16"),
                              ("s[%s]" % self.e.index(self, 4), "i16")])
        return Value("%s[%s].%s" % (n, i, f), t)

    def cell(self):
        n, t, sizes = self.r.choice(self.grids)
        return Value(n + "".join("[%s]" % self.deep_index(k) for k in sizes), t)

    def place(self):
        """Something to write: (text, type)."""
        k = self.r.random()
        if self.records and k < 0.12:
            v = self.field()
        elif self.grids and k < 0.25:
            v = self.cell()
        elif self.arrays:
            v = self.element()
        else:
            return self.r.choice(self.scalars)
        return v.text, v.type


class Nest:
    """The random nest `number` of seed `seed`: its function and its calls."""

    def __init__(self, seed, number):
        self.number = number
        self.name = "nest_%d" % number
        self.r = r = random.Random("%s/%d" % (seed, number))
        self.e = Expressions(r)
        self.scope = Scope(r, self.e)
        self.lines, self.decls, self.fresh = [], [], 0
        self.labels = []
        self.cost = 1
        self.loops = []  # what encloses a statement: "loop" or "switch"
        self.statics = []
        self.parameters, self.arguments = [], []
        if r.random() < 0.3:
            self.template()
        else:
            self.random_nest()

    # Output.

    def emit(self, text):
        self.lines.append(text)

    def new(self, prefix):
        self.fresh += 1
        return "%s_%d" % (prefix, self.fresh)

    # The function.

    def parameter(self, c_type, name, argument):
        """`argument` gives the argument of a call, another for each."""
        self.parameters.append("%s%s" % (c_type, name))
        self.arguments.append(argument)

    def template(self):
        text, calls = self.r.choice(idioms.ALL)(self.r, self.name)
        self.text, self.calls = text, calls

    def random_nest(self):
        r, s = self.r, self.scope
        parameter = self.parameter
        s.arrays += [("g_" + t, t, 64) for t in r.sample(list(ARRAYS), r.randrange(1, 4))]
        # Pointers to one object may overlap; signed and unsigned may alias, and
        # bytes may alias integers.
        for _ in range(r.randrange(0, 4)):
            name, t = self.new("p"), r.choice(list(ARRAYS))
            const = "const " if r.random() < 0.2 else ""
            twin = t
            if t in INT and r.random() < 0.3:
                twin = ("i" if t[0] == "u" else "u") + t[1:]
            copies = [name] + ([self.new("p")] if r.random() < 0.6 else [])
            for k, n in enumerate(copies):
                element = twin if k else t
                if k == 0 and const:
                    s.constants.append(Value("%s[%d]" % (n, r.randrange(32)), element))
                else:
                    s.arrays.append((n, element, 32))
                parameter("%s%s *" % (const if k == 0 else "", element), n,
                          lambda t=t, element=element: "(%s *)b_%s + %d" % (
                              element, t, r.choice([0, 0, 1, 2, 5, 32, 64, 127])))
        if r.random() < 0.12:
            n, t = self.new("p"), r.choice(list(INT))
            s.arrays.append((n, "u8", 64))
            parameter("u8 *", n, lambda t=t: "(u8 *)b_%s + %d" % (t, r.choice([0, 1, 3, 8, 64])))
            s.arrays.append(("b_" + t, t, 64))
        if r.random() < 0.25:
            s.records.append(("g_rec", 16))
        if r.random() < 0.2:
            n = self.new("r")
            s.records.append((n, 16))
            parameter("struct rec *", n, lambda: "b_rec + %d" % r.choice([0, 1, 8, 16, 24]))
        if r.random() < 0.35:
            s.grids.append(r.choice([("m_i32", "i32", (12, 16)), ("m_f64", "f64", (10, 10)),
                                     ("m_u8", "u8", (6, 5, 8))]))
        for _ in range(r.randrange(1, 4)):
            n, t = self.new("k"), r.choice(list(INT) + list(FLOAT))
            s.scalars.append((n, t))
            parameter(t + " ", n, lambda t=t: "(%s)h_value(%d)" % (t, r.choice([0, 1, 2, 9, 77, 255, 30000, -1, -40])))
        # Trip counts: never written, small, and the compiler does not know it.
        self.bounds = []
        for _ in range(r.randrange(1, 3)):
            n = self.new("n")
            t = r.choice(["i32", "i32", "u32", "i64", "u64", "u8", "i16"])
            parameter(t + " ", n, lambda t=t: "(%s)h_value(%d)" % (t, r.choice([0, 1, 2, 3, 7, 16, 24])))
            self.bounds.append(Value(n, t, 0, 24))
        s.constants += self.bounds

        for _ in range(r.randrange(1, 4)):
            n, t = self.new("x"), r.choice(["u64", "u64", "i32", "f64", "u32", "i64", "f32", "u8", "i16"])
            self.decls.append("%s %s = %d;" % (t, n, r.randrange(3)))
            s.scalars.append((n, t))
        if r.random() < 0.3:
            n, t = self.new("loc"), r.choice(list(INT))
            self.decls.append("%s %s[16];" % (t, n))
            self.emit("memset(%s, %d, sizeof %s);" % (n, r.randrange(4), n))
            s.arrays.append((n, t, 16))
        if r.random() < 0.15:
            n, t = self.new("stat_%d" % self.number), r.choice(list(INT))
            self.statics.append((n, "static %s %s[32];" % (t, n)))
            s.arrays.append((n, t, 32))
        if r.random() < 0.15:
            n, t = self.new("tab_%d" % self.number), r.choice(["u8", "i16", "u32", "i32"])
            low, high = limits(t)
            values = ", ".join(str(max(low + 1, min(high, r.choice([0, 1, 5, 9, 63, 200, -3, 1 << 30]))))
                               for _ in range(16))
            self.statics.append((None, "static const %s %s[16] = {%s};" % (t, n, values)))
            s.constants.append(Value("%s[%s]" % (n, masked(self.e.leaf(s), 15)), t))
        for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
            self.loop(TRIPS)
            self.cost = 1
        result = "h_sum"
        self.emit("u64 h_sum = 0;")
        for n, t in s.scalars:
            value = "F2L(%s)" % n if t in FLOAT else "(u64)%s" % n
            self.emit("h_sum = h_mix(h_sum, (u64)%s);" % value)
        body = "\n".join("  " + l for l in self.decls + self.lines)
        statics = "".join(d + "\n" for _, d in self.statics)
        self.text = "%s__attribute__((noinline)) static u64 %s(%s) {\n%s\n  return %s;\n}\n" % (
            statics, self.name, ", ".join(self.parameters) or "void", body, result)
        self.calls = ["%s(%s)" % (self.name, ", ".join(a() for a in self.arguments))
                      for _ in range(r.randrange(3, 6))]

    # Statements.

    def block(self, budget, statements=None):
        for _ in range(statements or self.r.choice([1, 1, 2, 2, 3])):
            self.statement(budget)

    def statement(self, budget):
        r, s = self.r, self.scope
        deep = len(self.loops) >= 4 or budget < 4
        kind = r.choices(
            ["assign", "scalar", "reduce", "if", "loop", "switch", "leave", "compound", "swap",
             "memory", "local"],
            [30, 14, 10, 14, 0 if deep else 16, 0 if deep else 4, 8, 10, 3, 2, 4])[0]
        getattr(self, "do_" + kind)(budget)

    def do_assign(self, budget):
        where, t = self.scope.place()
        self.emit("%s = %s;" % (where, self.e.of_type(self.scope, t)))

    def do_scalar(self, budget):
        n, t = self.r.choice(self.scope.scalars)
        self.emit("%s = %s;" % (n, self.e.of_type(self.scope, t)))

    def do_reduce(self, budget):
        r = self.r
        n, t = r.choice(self.scope.scalars)
        v = self.e.of_type(self.scope, t)
        if t in FLOAT:
            self.emit("%s %s= %s;" % (n, r.choice("+-"), v))
        elif r.random() < 0.3:
            self.emit("if (%s %s %s) %s = %s;" % (n, r.choice("<>"), wrap(v), n, v))
        else:
            u = "u32" if INT[t][0] <= 32 else "u64"
            self.emit("%s %s= (%s)%s;" % (n, r.choice("+-^|*&+"), u, wrap(v)))

    def do_compound(self, budget):
        where, t = self.scope.place()
        v = self.e.of_type(self.scope, t)
        if t in FLOAT:
            self.emit("%s %s= %s;" % (where, self.r.choice("+-*"), v))
        else:
            u = "u32" if INT[t][0] <= 32 else "u64"
            self.emit("%s %s= (%s)%s;" % (where, self.r.choice("+-^|&"), u, wrap(v)))

    def do_swap(self, budget):
        if not self.scope.arrays:
            return self.do_scalar(budget)
        n, t, size = self.r.choice(self.scope.arrays)
        a, b, tmp = self.scope.deep_index(size), self.scope.deep_index(size), self.new("t")
        self.emit("{ %s %s = %s[%s]; %s[%s] = %s[%s]; %s[%s] = %s; }" % (
            t, tmp, n, a, n, a, n, b, n, b, tmp))

    def do_memory(self, budget):
        r = self.r
        if not self.scope.arrays:
            return self.do_scalar(budget)
        n, t, size = r.choice(self.scope.arrays)
        half = size // 2
        if r.random() < 0.4 and t in INT:
            self.emit("memset(%s + %s, %d, sizeof(%s) * (%s));" % (
                n, wrap(masked(self.e.leaf(self.scope), half - 1)), r.choice([0, 0, 255, 7]), t,
                masked(self.e.leaf(self.scope), half - 1)))
        else:
            f = r.choice(["memmove", "memcpy"])
            to, source = ("0", str(half)) if f == "memcpy" else (
                wrap(masked(self.e.leaf(self.scope), half - 1)), str(r.randrange(half)))
            self.emit("%s(%s + %s, %s + %s, sizeof(%s) * (%s));" % (
                f, n, to, n, source, t, masked(self.e.leaf(self.scope), half - 1)))

    def do_local(self, budget):
        """A value that lives to the end of its block."""
        t, n = self.r.choice(list(INT) + list(FLOAT)), self.new("v")
        self.emit("{ const %s %s = %s;" % (t, n, self.e.of_type(self.scope, t)))
        self.scope.constants.append(Value(n, t))
        self.block(budget, 2)
        self.scope.constants.pop()
        self.emit("}")

    def do_if(self, budget):
        likely = self.r.random()
        condition = str(self.e.condition(self.scope))
        if likely < 0.1:
            condition = "__builtin_expect(%s, %d)" % (condition, likely < 0.05)
        self.emit("if (%s) {" % condition)
        self.block(budget)
        if self.r.random() < 0.5:
            self.emit("} else {")
            self.block(budget)
        self.emit("}")

    def do_switch(self, budget):
        r = self.r
        v = self.e.integer(self.scope)
        wide = r.random()
        if wide < 0.6:
            v, cases = masked(v, 7), r.sample(range(8), r.randrange(2, 6))
        else:
            t = r.choice(list(INT))
            v = v if v.type == t else cast(v, t)
            low, high = limits(promoted_type(t))
            own_low, own_high = limits(t)
            pool = [0, 1, 2, 7, 31, 255, -1, -2, 1 << 20, own_low, own_high, (1 << 32) + 1]
            cases = sorted({c for c in pool if own_low <= c <= own_high and low <= c <= high})
            cases = r.sample(cases, min(len(cases), r.randrange(2, 6)))
        self.emit("switch (%s) {" % v)
        self.loops.append("switch")
        for c in cases:
            text = "%du" % c if v.type[0] == "u" else str(c)
            if c == -(1 << 31):
                text = "-2147483647 - 1"
            elif c == -(1 << 63):
                text = "-9223372036854775807L - 1"
            self.emit("case %s:" % text)
            self.block(budget, 1)
            if r.random() < 0.7:
                self.emit("break;")
        if r.random() < 0.6:
            self.emit("default:")
            self.block(budget, 1)
        self.loops.pop()
        self.emit("}")

    def do_leave(self, budget):
        """break, continue, goto, return: on a condition that is seldom met."""
        r = self.r
        condition = self.e.condition(self.scope)
        if r.random() < 0.7:
            condition = "(%s) && (%s)" % (condition, self.e.condition(self.scope))
        k = r.random()
        in_loop = "loop" in self.loops
        if k < 0.4 and self.loops:
            self.emit("if (%s) break;" % condition)
        elif k < 0.6 and in_loop and self.can_continue:
            self.emit("if (%s) continue;" % condition)
        elif k < 0.8 and self.labels:
            self.emit("if (%s) goto %s;" % (condition, r.choice(self.labels)))
        elif in_loop:
            self.emit("if (%s) return %s;" % (condition, cast(self.e.integer(self.scope), "u64")))

    # Loops.

    def do_loop(self, budget):
        self.loop(budget)

    def loop(self, budget):
        r = self.r
        outer = [v for v in self.scope.ivs if v.lo >= 0 and v.hi < 64]
        shapes = ["for", "for", "for", "down", "wrap8", "do", "while", "halve", "pointer", "two",
                  "step", "chase", "float", "fuel", "not-equal"] + ["triangle"] * (3 if outer else 0)
        shape = r.choice(shapes)
        label = self.new("out") if r.random() < 0.25 else None
        if label:
            self.labels.append(label)
        saved = getattr(self, "can_continue", True)
        self.can_continue = shape not in ("while", "halve", "pointer", "chase", "fuel", "do")
        depth = len(self.scope.ivs)
        getattr(self, "loop_" + shape.replace("-", "_"))(budget, outer)
        del self.scope.ivs[depth:]
        self.can_continue = saved
        if label:
            self.labels.remove(label)
            self.emit("%s:;" % label)

    def body(self, budget, trips, *ivs):
        self.loops.append("loop")
        self.scope.ivs += ivs
        self.block(budget // max(1, trips))
        self.loops.pop()

    def trips(self, budget):
        """A bound: (text, most trips)."""
        r = self.r
        small = [b for b in self.bounds if b.hi <= budget]
        if small and r.random() < 0.55:
            b = r.choice(small)
            return b, b.hi
        n = r.choice([k for k in (1, 3, 4, 5, 8, 13, 16, 20, 30) if k <= max(1, budget)])
        return Value(str(n), "i32", n, n), n

    def loop_for(self, budget, outer):
        r = self.r
        bound, n = self.trips(budget)
        t = r.choice(["i32", "i32", "u32", "i64", "u64", "u8", "i16", "u16"])
        iv, start = self.new("i"), r.choice([0, 0, 0, 1, 2])
        op = r.choice(["<", "<", "<="])
        extra = 1 if op == "<=" else 0
        self.emit("for (%s %s = %d; %s %s %s; %s) {" % (
            t, iv, start, iv, op, wrap(cast(bound, t)), r.choice(["++%s", "%s += 1"]) % iv))
        self.body(budget, n + extra, Value(iv, t, start, max(start, n - 1 + extra)))
        self.emit("}")

    def loop_triangle(self, budget, outer):
        v = self.r.choice(outer)
        iv, n = self.new("j"), min(v.hi + 1, 64)
        if self.r.random() < 0.5:
            self.emit("for (%s %s = 0; %s %s %s; ++%s) {" % (v.type, iv, iv, "<", wrap(v), iv))
            value = Value(iv, v.type, 0, max(0, v.hi - 1))
        else:
            self.emit("for (i32 %s = (i32)%s; %s < %d; ++%s) {" % (iv, wrap(v), iv, n, iv))
            value = Value(iv, "i32", v.lo, max(v.hi, n - 1))
        self.body(budget, n, value)
        self.emit("}")

    def loop_down(self, budget, outer):
        bound, n = self.trips(budget)
        iv = self.new("i")
        if self.r.random() < 0.5:
            t = self.r.choice(["i32", "i64", "i16"])
            self.emit("for (%s %s = %s - 1; %s >= 0; --%s) {" % (t, iv, wrap(cast(bound, t)), iv, iv))
            value = Value(iv, t, 0, max(0, n - 1))
        else:
            t = self.r.choice(["u32", "u64", "u8", "i32"])
            self.emit("for (%s %s = %s; %s != 0; --%s) {" % (t, iv, wrap(cast(bound, t)), iv, iv))
            value = Value(iv, t, 1, max(1, n))
        self.body(budget, n, value)
        self.emit("}")

    def loop_wrap8(self, budget, outer):
        """An 8 or 16 bit induction variable that wraps around."""
        t = self.r.choice(["u8", "u16", "u8"])
        top = limits(t)[1] + 1
        n = self.r.choice([k for k in (2, 5, 9, 20) if k <= max(2, budget)])
        start = top - self.r.randrange(0, n + 3)
        iv, first = self.new("w"), self.new("k")
        self.parameter(t + " ", first, lambda t=t: "(%s)h_value(%d)" % (t, start % top))
        self.emit("for (%s %s = %s; %s != %d; ++%s) {" % (t, iv, first, iv, (start + n) % top, iv))
        self.body(budget, n, Value(iv, t))
        self.emit("}")

    def loop_do(self, budget, outer):
        bound, n = self.trips(budget)
        iv, t = self.new("d"), self.r.choice(["i32", "u32", "u8", "u64"])
        self.emit("{ %s %s = 0; do {" % (t, iv))
        self.body(budget, n + 1, Value(iv, t, 0, n))
        self.emit("} while (++%s < %s); }" % (iv, wrap(cast(bound, t))))

    def loop_while(self, budget, outer):
        """Two tests, one of them on data."""
        bound, n = self.trips(budget)
        iv = self.new("q")
        self.emit("{ i32 %s = 0; while (%s < (i32)%s && (%s)) {" % (
            iv, iv, wrap(bound), self.e.condition(self.scope)))
        self.body(budget, n, Value(iv, "i32", 0, n))
        self.emit("++%s; } }" % iv)

    def loop_halve(self, budget, outer):
        r = self.r
        iv, t = self.new("z"), r.choice(["u32", "u16", "u64"])
        start = cast(self.e.integer(self.scope), t)
        step = r.choice(["%s >>= 1", "%s /= 3", "%s &= %s - 1", "%s = %s / 2"])
        step = step % ((iv,) * step.count("%s"))
        self.emit("{ %s %s = %s; while (%s %s) {" % (t, iv, start, iv, r.choice(["!= 0", "> 0", ">= 1"])))
        self.body(budget, INT[t][0], Value(iv, t))
        self.emit("%s; } }" % step)

    def loop_pointer(self, budget, outer):
        arrays = [a for a in self.scope.arrays if a[1] in INT]
        if not arrays:
            return self.loop_for(budget, outer)
        n, t, size = self.r.choice(arrays)
        p, end = self.new("c"), self.new("e")
        length = masked(self.bounds[0], 15)
        self.emit("{ %s *%s = %s, *%s = %s + (%s); while (%s < %s) {" % (t, p, n, end, n, length, p, end))
        self.scope.constants.append(Value("*%s" % p, t))
        self.body(budget, 16)
        self.scope.constants.pop()
        step = self.r.choice(["*%s = (%s)%%s; ++%s;" % (p, t, p), "*%s++ = (%s)%%s;" % (p, t), "++%s;" % p])
        if "%s" in step:
            step = step % wrap(cast(self.e.integer(self.scope), t))
        self.emit("%s } }" % step)

    def loop_two(self, budget, outer):
        """Two induction variables towards each other."""
        bound, n = self.trips(budget)
        a, b = self.new("i"), self.new("j")
        self.emit("for (i32 %s = 0, %s = (i32)%s - 1; %s < %s; ++%s, --%s) {" % (
            a, b, wrap(bound), a, b, a, b))
        self.body(budget, n, Value(a, "i32", 0, max(0, n - 1)), Value(b, "i32", 0, max(0, n - 1)))
        self.emit("}")

    def loop_step(self, budget, outer):
        bound, n = self.trips(budget)
        iv, step = self.new("i"), self.r.choice([2, 3, 4, 7])
        t = self.r.choice(["i32", "u32", "i64", "u64"])
        self.emit("for (%s %s = 0; %s < %s; %s += %d) {" % (t, iv, iv, wrap(cast(bound, t)), iv, step))
        self.body(budget, (n + step - 1) // step, Value(iv, t, 0, max(0, n - 1)))
        self.emit("}")

    def loop_chase(self, budget, outer):
        """Follows a chain of indices; `next16` is a permutation."""
        iv, fuel = self.new("c"), self.new("f")
        n = min(12, max(2, budget))
        start = masked(self.e.integer(self.scope), 63)
        self.emit("{ u32 %s = (u32)%s; int %s = %d; while (%s != 0 && %s-- > 0) {" % (
            iv, wrap(start), fuel, n, iv, fuel))
        self.body(budget, n, Value(iv, "u32", 0, 63))
        self.emit("%s = next16[%s]; } }" % (iv, iv))

    def loop_float(self, budget, outer):
        iv, step = self.new("a"), self.r.choice(["0.25", "0.5", "1.0"])
        t = self.r.choice(FLOAT)
        n = 8 if step == "0.25" else 4
        self.emit("for (%s %s = 0; %s < 2; %s += %s) {" % (t, iv, iv, iv, step))
        self.scope.constants.append(Value(iv, t))
        self.body(budget, n)
        self.scope.constants.pop()
        self.emit("}")

    def loop_fuel(self, budget, outer):
        """The exits are in the middle."""
        bound, n = self.trips(budget)
        iv = self.new("u")
        self.emit("{ u32 %s = 0; for (;;) {" % iv)
        self.loops.append("loop")
        self.scope.ivs.append(Value(iv, "u32", 0, n))
        self.statement(budget // (n + 1))
        self.emit("if (%s >= (u32)%s) break;" % (iv, wrap(bound)))
        self.block(budget // (n + 1), 1)
        self.loops.pop()
        self.emit("++%s; } }" % iv)

    def loop_not_equal(self, budget, outer):
        bound, n = self.trips(budget)
        iv, t = self.new("i"), self.r.choice(["i32", "u32", "i64", "u64", "u8"])
        self.emit("for (%s %s = 0; %s != %s; ++%s) {" % (t, iv, iv, wrap(cast(bound, t)), iv))
        self.body(budget, n, Value(iv, t, 0, max(0, n - 1)))
        self.emit("}")


def promoted_type(t):
    return "i32" if INT[t][0] < 32 else t
