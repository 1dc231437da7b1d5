#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coverage of real code: builds the example kernels and six Debian packages with
LOOM_S0, prints how much of them has structure (functions, loops, accesses; the
remainders by code), and checks the goals. Another build in another directory and
another environment must write the same bytes. `--roundtrip` then runs the kernels
and the packages' tests with S0 lowered back to LLVM in place of every nest."""

import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "debian"))
sys.path.insert(0, HERE)
from loomtest import CLEAN_ENV, KERNELS, ROOT, Failure, Suite, check, kernels, must, run, same_output
from packages import HERE as DEBIAN, PACKAGES

# Goals of issue 3: of the loops with an exact trip count and of the functions of
# several blocks, without the functions that have an indirect branch.
LOOPS, FUNCTIONS = 0.97, 0.99
# Codes of functions that no structure can hold.
INDIRECT = {"indirect-branch", "indirectbr"}

parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--roundtrip", action="store_true")
parser.add_argument("--packages", help="these, with commas")
own, rest = parser.parse_known_args()
suite = Suite("coverage", rest)
chosen = [p for p in PACKAGES if not own.packages or p.name in own.packages.split(",")]
tables = {}


def tools(**more):
    env = {"CC": suite.tool("loom-cc"), "CXX": suite.tool("loom-c++"), "AR": "llvm-ar-22",
           "RANLIB": "llvm-ranlib-22", "NM": "llvm-nm-22", "HERE": DEBIAN, "LC_ALL": "C"}
    env.update(more)
    return env


def shell(script, cwd, env, log):
    full = dict(CLEAN_ENV)
    full.update(env)
    with open(log, "wb") as f:
        code = subprocess.run(["bash", "-c", script], cwd=cwd, env=full, stdin=subprocess.DEVNULL,
                              stdout=f, stderr=subprocess.STDOUT, timeout=1800).returncode
    if code:
        with open(log, errors="replace") as f:
            raise Failure("exit code %s; the end of %s:\n%s" % (code, log, f.read()[-2000:]))


def unpack(p, directory):
    r = run(["bash", "-c", 'source "$1/test/setup.sh"; loom_debian_source "$2" "$3"', "-",
             ROOT, p.name, directory], env={"LOOM_BUILD": suite.build}, timeout=600)
    check(r.code == 0, "no source: " + r.err.decode(errors="replace")[-1000:])
    return os.path.join(directory, p.name)


class Table:
    """Sums of the coverage files of one project."""

    def __init__(self):
        self.n, self.left, self.exact, self.other = (collections.Counter() for _ in range(4))
        self.roots, self.remainder = collections.Counter(), []
        self.behind_indirect = 0  # loops

    def add(self, path):
        with open(path) as f:
            c = json.load(f)
        for group in ("functions", "loops", "accesses"):
            for key, value in c[group].items():
                if isinstance(value, int):
                    self.n[group + "." + key] += value
        self.left.update(c["functions"]["left"])
        self.exact.update(c["loops"]["exact_not_for"])
        self.other.update(c["loops"]["other_not_for"])
        for row in c["functions"]["remainder"]:
            self.remainder.append("%s: %s %s" % (row["function"], row["code"], row["detail"]))
        indirect = {row["function"] for row in c["functions"]["remainder"] if row["code"] in INDIRECT}
        for row in c["loops"]["exact_remainder"]:
            self.behind_indirect += row["function"] in indirect
            self.remainder.append("%s:%s: loop, %s" % (row["function"], row["line"], row["why"]))
        for name in ("unrooted", "not_closed"):
            self.roots.update({name + " " + k: v for k, v in c["accesses"][name].items()})

    def share(self, part, whole, less=0):
        total = self.n[whole] - less
        return "%d of %d (%.1f %%)" % (self.n[part], total, 100.0 * self.n[part] / total if total else 100)

    def show(self, name):
        lines = [
            "%s: functions of several blocks structured %s; left: %s" % (
                name, self.share("functions.structured", "functions.multi_block"), listed(self.left)),
            "  loops with an exact trip count that are scf.for: %s; not: %s" % (
                self.share("loops.exact_became_for", "loops.exact_trip_count"), listed(self.exact)) +
            ("" if not self.behind_indirect else "; without functions with an indirect branch %s" % (
                self.share("loops.exact_became_for", "loops.exact_trip_count", self.behind_indirect))),
            "  all loops %d: scf.for %d, scf.while %d; no exact trip count: %s" % (
                self.n["loops.all"], self.n["loops.became_for"], self.n["loops.became_while"],
                listed(self.other)),
            "  accesses with a resolved root: %s, with a closed index expression: %s; %s" % (
                self.share("accesses.rooted", "accesses.all"), self.share("accesses.closed", "accesses.all"),
                listed(self.roots))]
        return "\n".join(lines)

    def goals(self):
        less = sum(v for k, v in self.left.items() if k in INDIRECT)
        several = self.n["functions.multi_block"] - less
        exact = self.n["loops.exact_trip_count"] - self.behind_indirect
        text = "; remainder:\n    " + "\n    ".join(self.remainder[:20])
        check(several > 0, "no function of several blocks")
        check(self.n["functions.structured"] >= FUNCTIONS * several,
              "structured functions %d of %d%s" % (self.n["functions.structured"], several, text))
        check(self.n["loops.exact_became_for"] >= LOOPS * exact,
              "counted loops %d of %d%s" % (self.n["loops.exact_became_for"], exact, text))


def listed(counter):
    return ", ".join("%s %d" % kv for kv in sorted(counter.items(), key=lambda kv: (-kv[1], kv[0]))) or "none"


def digest(directory):
    return {os.path.basename(f): must(["sha256sum", f]).out.split()[0]
            for f in sorted(glob.glob(os.path.join(directory, "*")))}


def linker_wrapper(path, tool, directory):
    """A compiler that gives each link a directory of its own."""
    with open(path, "w") as f:
        f.write('#!/bin/bash\n# Each link leaves what it says of itself under its own name.\n'
                'out=a.out\nfor ((i = 1; i < $#; ++i)); do [ "${!i}" = -o ] && { j=$((i + 1)); out=${!j}; }; done\n'
                'export LOOM_S0=%s/$(basename "$out")\nexec "%s" "$@"\n' % (directory, tool))
    os.chmod(path, 0o755)
    return path


def build(p, tag, env):
    directory = suite.path(tag)
    os.makedirs(directory, exist_ok=True)
    source, s0 = unpack(p, directory), os.path.join(directory, p.name + ".s0")
    wrappers = {n: linker_wrapper(os.path.join(directory, p.name + "-" + t), suite.tool(t), s0)
                for n, t in (("CC", "loom-cc"), ("CXX", "loom-c++"))}
    shell(p.build, source, tools(**dict(wrappers, **env)), suite.path("%s-%s.log" % (tag, p.name)))
    # Programs of configure scripts come and go; only what is delivered counts.
    names = [os.path.basename(b) for b in p.binaries]
    return {n: os.path.join(s0, n) for n in names if os.path.isdir(os.path.join(s0, n))}


def package(p):
    """Two builds: the tables, and the same bytes in both."""
    first = build(p, "here", {})
    check(first, "no link wrote a structured program")
    table = tables[p.name] = Table()
    for d in first.values():
        for f in glob.glob(os.path.join(d, "*.coverage.json")):
            table.add(f)
    table.goals()


def determinism(p):
    """Another directory with a longer name, another environment."""
    here = suite.path("here", p.name + ".s0")
    there = build(p, "elsewhere/in a longer path".replace(" ", "-"),
                  {"LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo", "MALLOC_PERTURB_": "165",
                   "HOME": "/nonexistent", "USER": "somebody"})
    check(there, "no link wrote a structured program")
    for name, d in there.items():
        check(digest(d) == digest(os.path.join(here, name)),
              "%s: the structured programs differ: %s and %s" % (name, os.path.join(here, name), d))


def all_kernels():
    table = tables["kernels"] = Table()
    for file, stem, _ in kernels():
        s0 = suite.path("kernels", stem)
        os.makedirs(s0, exist_ok=True)
        must([suite.loom(file), "-O2", os.path.join(KERNELS, file), "-o", s0 + ".exe"], env={"LOOM_S0": s0})
        for f in glob.glob(os.path.join(s0, "*.coverage.json")):
            table.add(f)
    table.goals()


# The round trip.

def counts_object():
    out = suite.path("counts.o")
    if not os.path.exists(out):
        must(["clang-22", "-O2", "-c", os.path.join(ROOT, "test", "fuzz", "counts.c"), "-o", out + ".tmp"])
        os.replace(out + ".tmp", out)
    return out


def read_counts(path):
    regions = collections.Counter()
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                row = json.loads(line)
                regions[row["region"]] += row["calls"]
    return regions


def roundtrip_kernels():
    ran = 0
    for file, stem, _ in kernels():
        exe, stats = suite.path("rt-" + stem), suite.path("rt-" + stem + ".stats")
        source = os.path.join(KERNELS, file)
        must([("clang++-22" if file.endswith(".cpp") else "clang-22"), "-O2", source, "-o", exe + ".plain", "-lm"])
        r = must([suite.loom(file), "-O2", source, counts_object(), "-o", exe], env={"LOOM_ROUNDTRIP": "1"})
        check(not r.err, stem + ": the link says " + r.err.decode(errors="replace")[:500])
        same_output(stem, must([exe + ".plain"]), run([exe], env={"LOOM_ROUNDTRIP_STATS": stats}))
        ran += len(read_counts(stats))
    check(ran >= len(kernels()) // 2, "only %d regions ran" % ran)
    tables["round trip of the kernels"] = "%d regions ran" % ran


def roundtrip(p):
    """The package's own tests, every region as lowered S0."""
    directory = suite.path("roundtrip")
    os.makedirs(directory, exist_ok=True)
    source, stats = unpack(p, directory), suite.path("rt-%s.stats" % p.name)
    wrappers = {}
    for n, t in (("CC", "loom-cc"), ("CXX", "loom-c++")):
        wrappers[n] = os.path.join(directory, p.name + "-" + t)
        with open(wrappers[n], "w") as f:
            f.write('#!/bin/bash\n# counts.o goes into every link.\nlink=1\nfor a in "$@"; do\n'
                    '  case $a in -c|-S|-E|-M|-MM|-v|--version|-V|-shared) link= ;; esac\ndone\n'
                    '[ $# -gt 1 ] || link=\nexec "%s" "$@" ${link:+%s}\n' % (suite.tool(t), counts_object()))
        os.chmod(wrappers[n], 0o755)
    env = tools(LOOM_ROUNDTRIP="1", LOOM_ROUNDTRIP_STATS=stats, **wrappers)
    log = suite.path("rt-%s.log" % p.name)
    shell(p.build, source, env, log)
    with open(log, errors="replace") as f:
        said = sorted({l for l in f.read().splitlines() if "loom: round trip" in l})
    shell(p.test, source, env, log)
    regions = read_counts(stats)
    tables["round trip of " + p.name] = "%d regions ran %d times; not lowered: %s" % (
        len(regions), sum(regions.values()), "; ".join(said) or "none")
    check(not said, "regions that could not be lowered: " + "; ".join(said[:5]))
    check(regions or not p.must_launch, "no region ran")


if own.roundtrip:
    suite.add("roundtrip-kernels", roundtrip_kernels)
    for p in chosen:
        suite.add("roundtrip-" + p.name, roundtrip, p)
else:
    suite.add("kernels", all_kernels)
    for p in chosen:
        suite.add(p.name, package, p)
passed, failed = suite.run()
start = suite.start
if not own.roundtrip:
    suite.tests = []
    for p in chosen:
        if p.name in tables:
            suite.add(p.name + "-determinism", determinism, p)
    more = suite.run()
    passed, failed = passed + more[0], failed + more[1]
for name, table in tables.items():
    print(table.show(name) if isinstance(table, Table) else "%s: %s" % (name, table))
suite.start = start
suite.conclude(passed, failed, 0)
