# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fuzz.py LOOM_OPT LOOM_RUN WORKDIR FIRST COUNT [LOOM_ARTIFACT]
#
# Makes random structured programs, interprets them here, lowers them with
# loom-opt, checks phases and completion, and runs the image on the token engine in the
# static and in 25 random orders. Results and memory must be those of the
# interpreter. Every program is lowered with and without the shortcuts, and both
# graphs run as they are and rewritten. A program is a tree of tuples; `emit`
# writes it as MLIR, `run` interprets it. With LOOM_ARTIFACT the graphs also run in
# the compiler (`loom-artifact run`), with the same results and memory.

import os
import random
import re
import subprocess
import sys

MASK = (1 << 64) - 1
LOWER = "--loom-lower-to-dataflow"
REWRITE = "--loom-rewrite-dataflow"
PIPELINES = {
    "short": [LOWER],
    "D0": [LOWER + "=mechanical"],
    "short rewritten": [LOWER, REWRITE],
    "D*": [LOWER + "=mechanical", REWRITE],
}
CELLS = 8
LOG = 64  # cells of slot 5: what a load read last


def signed(v):
    v &= MASK
    return v - (1 << 64) if v >> 63 else v


BINARY = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": lambda a, b: min(signed(a), signed(b)),
    "maxui": lambda a, b: max(a, b),
}
COMPARE = {
    "eq": lambda a, b: a == b,
    "slt": lambda a, b: signed(a) < signed(b),
    "ult": lambda a, b: a < b,
    "sge": lambda a, b: signed(a) >= signed(b),
}


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0
        self.logged = 0
        self.left = self.r.randint(6, 40)
        self.unrooted = self.r.random() < 0.4
        self.writes = [self.r.random() < 0.6 for _ in range(3)]
        # Half of the programs are mostly accesses to few cells: order matters.
        self.dense = self.r.random() < 0.5

    def name(self):
        self.count += 1
        return "v%d" % self.count

    def pick(self, env):
        # Recent values, so that most of what is computed is used.
        return self.r.choice(env[-3:] if self.r.random() < 0.6 else env)

    def cond(self, env, out):
        c = self.name()
        out.append(("cmp", c, self.r.choice(list(COMPARE)), self.pick(env), self.pick(env)))
        return c

    def block(self, env, depth):
        env = list(env)
        out = []
        for _ in range(self.r.randint(1, 5)):
            if self.left <= 0:
                break
            self.left -= 1
            self.statement(env, out, depth)
        return env, out

    def small(self, env, out, mask):
        c, v = self.name(), self.name()
        out.append(("const", c, mask))
        out.append(("bin", v, "andi", self.pick(env), c))
        return v

    def statement(self, env, out, depth):
        kind = self.r.choice(
            (["load", "load", "load", "store", "store", "bin"] if self.dense else
             ["const", "bin", "bin", "load", "load", "store", "store", "select"])
            + (["if", "if", "switch", "for", "for", "while"] if depth < 4 else []))
        n = self.name()
        if kind == "const":
            out.append(("const", n, self.r.choice([0, 1, 2, 3, 7, 2**63, MASK])))
        elif kind == "bin":
            out.append(("bin", n, self.r.choice(list(BINARY)), self.pick(env), self.pick(env)))
        elif kind == "select":
            c = self.cond(env, out)
            out.append(("select", n, c, self.pick(env), self.pick(env)))
        elif kind in ("load", "store"):
            at = self.small(env, out, 1 if self.dense else CELLS - 1)
            base = self.r.randrange(3)
            where = ("root", base)
            if self.unrooted and self.r.random() < 0.3:
                c = self.cond(env, out)
                where = ("any", c, base, self.r.randrange(3))
                if kind == "store" and not (self.writes[base] or self.r.random() < 0.3):
                    kind = "load"
            elif kind == "store" and not self.writes[base]:
                kind = "load"
            if kind == "load":
                out.append(("load", n, where, at))
                # Most are written to memory of its own, so that they aren't dead.
                # The others are waited for by what they happen to reach.
                if self.r.random() < 0.7:
                    cell = self.name()
                    self.logged += 1
                    out.append(("const", cell, self.logged % LOG))
                    out.append(("store", n, ("root", 3), cell))
            else:
                early = self.r.random() < 0.7
                out.append(("store", self.r.choice(env[:2]) if early else self.pick(env), where, at))
                return
        elif kind == "if":
            c = self.cond(env, out)
            results = self.r.randint(0, 2)
            tenv, then = self.block(env, depth + 1)
            eenv, other = self.block(env, depth + 1) if results or self.r.random() < 0.5 else (env, None)
            names = [self.name() for _ in range(results)]
            out.append(("if", names, c, then, [self.pick(tenv) for _ in names],
                        other, [self.pick(eenv) for _ in names]))
            env += names
            return
        elif kind == "switch":
            v = self.small(env, out, 7)
            if self.r.random() < 0.5:
                cases = list(range(self.r.randint(1, 4)))
            else:
                cases = self.r.sample(range(8), self.r.randint(1, 4))
            results = self.r.randint(0, 2)
            lanes = [self.block(env, depth + 1) for _ in range(len(cases) + 1)]
            names = [self.name() for _ in range(results)]
            out.append(("switch", names, v, cases,
                        [(b, [self.pick(e) for _ in names]) for e, b in lanes]))
            env += names
            return
        elif kind == "for":
            lo, step = self.name(), self.name()
            out.append(("const", lo, self.r.choice([0, 0, 1])))
            out.append(("const", step, self.r.choice([1, 1, 2])))
            hi = self.small(env, out, 3)
            args = [self.name() for _ in range(self.r.randint(0, 2))]
            inits = [self.pick(env) for _ in args]
            iv = self.name()
            benv, body = self.block(env + [iv] + args, depth + 1)
            names = [self.name() for _ in args]
            yields = [self.pick(benv) if self.r.random() < 0.8 else a for a in args]
            out.append(("for", names, iv, lo, hi, step, args, inits, body, yields))
            env += names
            return
        elif kind == "while":
            start = self.small(env, out, 3)
            args = [self.name() for _ in range(self.r.randint(1, 3))]
            inits = [start] + [self.pick(env) for _ in args[1:]]
            benv, before = self.block(env + args, depth + 1)
            zero, c = self.name(), self.name()
            before.append(("const", zero, 0))
            before.append(("cmp", c, "ne", args[0], zero))
            if self.r.random() < 0.4:
                d, e = self.cond(benv, before), self.name()
                before.append(("and1", e, c, d))
                c = e
            after = [self.name() for _ in range(self.r.randint(1, 3))]
            passed = [args[0]] + [self.pick(benv) for _ in after[1:]]
            aenv, body = self.block(env + after, depth + 1)
            one, less = self.name(), self.name()
            body.append(("const", one, 1))
            body.append(("bin", less, "subi", after[0], one))
            names = [self.name() for _ in after]
            out.append(("while", names, args, inits, before, c, passed, after, body,
                        [less] + [self.pick(aenv) for _ in args[1:]]))
            env += names
            return
        if kind != "store":
            env.append(n)


def emit(block, lines, pad):
    def put(text):
        lines.append(pad + text)

    def types(values):
        return ", ".join(["i64"] * len(values))

    def refs(values):
        return ", ".join("%" + v for v in values)

    for s in block:
        kind = s[0]
        if kind == "const":
            put("%%%s = arith.constant %d : i64" % (s[1], signed(s[2])))
        elif kind == "bin":
            put("%%%s = arith.%s %%%s, %%%s : i64" % (s[1], s[2], s[3], s[4]))
        elif kind == "and1":
            put("%%%s = arith.andi %%%s, %%%s : i1" % s[1:])
        elif kind == "cmp":
            put("%%%s = arith.cmpi %s, %%%s, %%%s : i64" % s[1:])
        elif kind == "select":
            put("%%%s = arith.select %%%s, %%%s, %%%s : i64" % s[1:])
        elif kind in ("load", "store"):
            n, where, at = s[1:]
            u = "u%d" % len(lines)
            put("%%%sc = arith.constant 8 : i64" % u)
            put("%%%so = arith.muli %%%s, %%%sc : i64" % (u, at, u))
            if where[0] == "any":
                put("%%%sp = arith.select %%%s, %%p%d, %%p%d : !llvm.ptr" % ((u,) + where[1:]))
                base = u + "p"
            else:
                base = "p%d" % where[1]
            put("%%%sa = llvm.getelementptr %%%s[%%%so] : (!llvm.ptr, i64) -> !llvm.ptr, i8" % (u, base, u))
            if kind == "load":
                put("%%%s = llvm.load %%%sa : !llvm.ptr -> i64" % (n, u))
            else:
                put("llvm.store %%%s, %%%sa : i64, !llvm.ptr" % (n, u))
        elif kind == "if":
            names, c, then, ty, other, oy = s[1:]
            head = "scf.if %%%s" % c
            if names:
                head = "%s = %s -> (%s)" % (refs(names), head, types(names))
            put(head + " {")
            emit(then, lines, pad + "  ")
            if names:
                put("  scf.yield %s : %s" % (refs(ty), types(ty)))
            if other is not None:
                put("} else {")
                emit(other, lines, pad + "  ")
                if names:
                    put("  scf.yield %s : %s" % (refs(oy), types(oy)))
            put("}")
        elif kind == "switch":
            names, v, cases, lanes = s[1:]
            u = "u%d" % len(lines)
            put("%%%si = arith.index_castui %%%s : i64 to index" % (u, v))
            head = "scf.index_switch %%%si" % u
            if names:
                head = "%s = %s -> %s" % (refs(names), head, types(names))
            put(head)
            for number, (body, ys) in zip(cases + [None], lanes):
                put("default {" if number is None else "case %d {" % number)
                emit(body, lines, pad + "  ")
                put("  scf.yield %s : %s" % (refs(ys), types(ys)) if names else "  scf.yield")
                put("}")
        elif kind == "for":
            names, iv, lo, hi, step, args, inits, body, ys = s[1:]
            head = "scf.for %%%s = %%%s to %%%s step %%%s" % (iv, lo, hi, step)
            if args:
                head = "%s = %s iter_args(%s) -> (%s)" % (
                    refs(names), head,
                    ", ".join("%%%s = %%%s" % p for p in zip(args, inits)), types(args))
            put(head + " : i64 {")
            emit(body, lines, pad + "  ")
            if args:
                put("  scf.yield %s : %s" % (refs(ys), types(ys)))
            put("}")
        elif kind == "while":
            names, args, inits, before, c, passed, after, body, ys = s[1:]
            put("%s = scf.while (%s) : (%s) -> (%s) {" % (
                refs(names), ", ".join("%%%s = %%%s" % p for p in zip(args, inits)),
                types(args), types(after)))
            emit(before, lines, pad + "  ")
            put("  scf.condition(%%%s) %s : %s" % (c, refs(passed), types(passed)))
            put("} do {")
            put("^bb0(%s):" % ", ".join("%%%s: i64" % a for a in after))
            emit(body, lines, pad + "  ")
            put("  scf.yield %s : %s" % (refs(ys), types(ys)))
            put("}")


def run(block, env, memory):
    for s in block:
        kind = s[0]
        if kind == "const":
            env[s[1]] = s[2] & MASK
        elif kind == "bin":
            env[s[1]] = BINARY[s[2]](env[s[3]], env[s[4]]) & MASK
        elif kind == "and1":
            env[s[1]] = env[s[2]] and env[s[3]]
        elif kind == "cmp":
            compare = COMPARE.get(s[2]) or (lambda a, b: a != b)
            env[s[1]] = compare(env[s[3]], env[s[4]])
        elif kind == "select":
            env[s[1]] = env[s[3]] if env[s[2]] else env[s[4]]
        elif kind in ("load", "store"):
            n, where, at = s[1:]
            base = where[1] if where[0] == "root" else where[2] if env[where[1]] else where[3]
            cells, start = memory[base]
            if kind == "load":
                env[n] = cells[start + env[at]]
            else:
                cells[start + env[at]] = env[n]
        elif kind == "if":
            names, c, then, ty, other, oy = s[1:]
            if env[c]:
                run(then, env, memory)
                values = [env[v] for v in ty]
            else:
                run(other or [], env, memory)
                values = [env[v] for v in oy]
            env.update(zip(names, values))
        elif kind == "switch":
            names, v, cases, lanes = s[1:]
            body, ys = lanes[cases.index(env[v]) if env[v] in cases else -1]
            run(body, env, memory)
            env.update(zip(names, [env[y] for y in ys]))
        elif kind == "for":
            names, iv, lo, hi, step, args, inits, body, ys = s[1:]
            values = [env[v] for v in inits]
            for i in range(env[lo], env[hi], env[step]):
                env[iv] = i
                env.update(zip(args, values))
                run(body, env, memory)
                values = [env[v] for v in ys]
            env.update(zip(names, values))
        elif kind == "while":
            names, args, inits, before, c, passed, after, body, ys = s[1:]
            values = [env[v] for v in inits]
            while True:
                env.update(zip(args, values))
                run(before, env, memory)
                values = [env[v] for v in passed]
                if not env[c]:
                    break
                env.update(zip(after, values))
                run(body, env, memory)
                values = [env[v] for v in ys]
            env.update(zip(names, values))


def hexadecimal(cells):
    return b"".join(v.to_bytes(8, "little") for v in cells).hex()


def reference(artifact, path, inputs, before, alias, outs, after):
    """What is wrong with the reference execution of a lowered graph. `before` and
    `after` are the cells of slots 2 to 5."""
    with open(path) as f:
        head = re.search(r"dataflow.graph @\w+\((.*?)\) -> .*?\s+slots \[(.*?)\]", f.read())
    types = [a.split(": ")[1] for a in head.group(1).split(", ")][1:]
    slots = [int(s) for s in head.group(2).split(", ")] if head.group(2) else []
    args, first, expected = [], {}, ["result 0: i32 0"]
    expected += ["result %d: i64 %d" % (i + 1, signed(v)) for i, v in enumerate(outs)]
    for number, (type, slot) in enumerate(zip(types, slots)):
        if type == "i64":
            args += ["--arg", "%d=%d" % (number, signed(inputs[slot]))]
        elif slot in first:
            args += ["--memory", "%d=@%d+0" % (number, first[slot])]
        elif not (alias and slot == 4 and 2 in slots):
            first[slot] = number
            args += ["--memory", "%d=hex:%s" % (number, hexadecimal(before[slot - 2]))]
            expected.append("memory %d: %s" % (number, hexadecimal(after[slot - 2])))
    for number, slot in enumerate(slots):
        if alias and slot == 4 and 2 in slots:
            args += ["--memory", "%d=@%d+24" % (number, first[2])]
    result = subprocess.run([artifact, "run", path, "--show-bytes", "4096", "--orders", "3"] + args,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    got = [l for l in result.stdout.split("\n") if l and not l.startswith("fired ")]
    expected.append("3 other orders gave the same")
    if got == expected:
        return None
    return "expected\n  %s\ngot\n  %s\nfrom %s" % ("\n  ".join(expected), "\n  ".join(got), " ".join(args))


def one(opt, loom_run, work, seed, artifact):
    maker = Maker(seed)
    r = maker.r
    env, body = maker.block(["x0", "x1"], 0)
    while maker.left > 0:
        maker.left -= 1
        maker.statement(env, body, 0)
    outs = [maker.pick(env) for _ in range(r.randint(0, 2))]
    # Pointers of one partition may alias; slot 4 may point into slot 2.
    partitions = [0, r.choice([0, 1]), r.choice([0, 2])]
    if maker.unrooted and r.random() < 0.3:
        partitions = [0, 1, 2]
    alias = partitions[2] == partitions[0] and r.random() < 0.7
    lines = []
    emit(body, lines, "    ")
    lines = [
        "llvm.func @f(%a0: i64, %a1: i64, %q0: !llvm.ptr, %q1: !llvm.ptr, %q2: !llvm.ptr, %q3: !llvm.ptr) {",
        "  %r:" + str(1 + len(outs)) + ' = loom.spatial_region "fuzz" (%a0, %a1, %q0, %q1, %q2, %q3)'
        " partitions [-1, -1, " + ", ".join(map(str, partitions)) + ", 9] exits ["
        + ", ".join(["-1"] * (1 + len(outs))) + "] : (i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ("
        + ", ".join(["i32"] + ["i64"] * len(outs)) + ") {",
        "  ^bb0(%x0: i64, %x1: i64, %p0: !llvm.ptr, %p1: !llvm.ptr, %p2: !llvm.ptr, %p3: !llvm.ptr):",
    ] + lines + [
        "    %z = arith.constant 0 : i32",
        "    loom.spatial_yield %z" + "".join(", %" + o for o in outs)
        + " : " + ", ".join(["i32"] + ["i64"] * len(outs)),
        "  }", "  llvm.return", "}"]
    stem = os.path.join(work, "fuzz%d" % seed)
    with open(stem + ".mlir", "w") as f:
        f.write("\n".join(lines) + "\n")
    for name, passes in PIPELINES.items():
        image = "%s.%s.img" % (stem, name.replace(" ", "-"))
        result = subprocess.run(
            [opt, stem + ".mlir", *passes, "--dataflow-verify-completion",
             "--dataflow-write-image=path=" + image, "-o", image + ".mlir"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            return "%s: loom-opt: %s" % (name, result.stdout)
    for _ in range(2):
        inputs = [r.choice([0, 1, 2, 3, 5, MASK]), r.choice([0, 1, 2, 3, 7])]
        cells = [[r.choice([0, 1, 2, 3, 4, 9, MASK]) for _ in range(CELLS)] for _ in range(3)]
        if alias:
            cells[0] += [1, 2, 3]
        args = ["i64:%d" % v for v in inputs]
        cells.append([0] * LOG)
        args += ["i64[]:" + ",".join(map(str, c)) for c in cells]
        if alias:
            args[4] = "@2+24"
        memory = [(cells[0], 0), (cells[1], 0), (cells[0], 3) if alias else (cells[2], 0), (cells[3], 0)]
        values = {"x0": inputs[0], "x1": inputs[1]}
        before = [list(c) for c in cells]
        if alias:
            before[2] = cells[0][3:]
        run(body, values, memory)
        expected = ["out 0: 0"] + ["out %d: %d" % (i + 1, signed(values[o])) for i, o in enumerate(outs)]
        for i, c in enumerate(cells):
            if not (alias and i == 2):
                expected.append("slot %d: %s" % (i + 2, " ".join(str(signed(v)) for v in c)))
        for name in PIPELINES:
            image = "%s.%s.img" % (stem, name.replace(" ", "-"))
            result = subprocess.run([loom_run, image, "--orders=25"] + args,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.stdout.split("\n")[:-1] != expected:
                return "%s: expected\n  %s\ngot\n  %s\nfrom %s" % (
                    name, "\n  ".join(expected), "\n  ".join(result.stdout.split("\n")),
                    " ".join(args))
            after = [cells[0], cells[1], cells[0][3:] if alias else cells[2], cells[3]]
            trouble = artifact and reference(artifact, image + ".mlir", inputs, before, alias,
                                             [values[o] for o in outs], after)
            if trouble:
                return "%s: in the compiler: %s" % (name, trouble)
    for suffix in [".mlir"] + [".%s.img%s" % (name.replace(" ", "-"), ext)
                               for name in PIPELINES for ext in ("", ".mlir")]:
        os.remove(stem + suffix)
    return None


def main():
    opt, loom_run, work, first, count = sys.argv[1:6]
    artifact = sys.argv[6] if len(sys.argv) > 6 else None
    os.makedirs(work, exist_ok=True)
    bad = 0
    for seed in range(int(first), int(first) + int(count)):
        trouble = one(opt, loom_run, work, seed, artifact)
        if trouble:
            bad += 1
            print("seed %d: %s" % (seed, trouble))
            if bad == 5:
                break
    print("%s programs, %d failed" % (count, bad))
    sys.exit(1 if bad else 0)


main()
