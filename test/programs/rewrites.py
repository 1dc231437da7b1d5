#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rewrites of dataflow graphs are worth: for every example kernel the
actors and the firings on the simulator of D0 (the plain algebra), of the
lowering with its shortcuts alone, and of D* (what the plugin makes). All three
must print what plain clang's program prints.

    LOOM_BUILD=build test/programs/rewrites.py [--only NAME] [-v]
"""

import glob
import os
import re

from loomtest import (CLANG, KERNELS, Suite, check, fallbacks, kernels, mismatches, must,
                      read_stats, run, same_output)

KINDS = (("D0", "d0"), ("shortcuts", "short"), ("D*", ""))
suite = Suite("rewrites")
table = {}


def measure(file, stem):
    flags, source = ["-O2"], os.path.join(KERNELS, file)
    plain = suite.path(stem + ".plain")
    must([CLANG[os.path.splitext(file)[1][1:]]] + flags + [source, "-o", plain])
    want = must([plain])
    row = {}
    for kind, graphs in KINDS:
        loom = suite.path("%s.%s" % (stem, graphs or "star"))
        dump, stats = loom + ".dump", loom + ".stats"
        os.makedirs(dump)
        env = {"LOOM_DUMP": dump}
        if graphs:
            env["LOOM_GRAPHS"] = graphs
        must([suite.loom(file)] + flags + [source, "-o", loom], env=env)
        got = run([loom], env={"LOOM_DEVICE": "sim", "LOOM_VERIFY": "1", "LOOM_STATS": stats})
        same_output(kind, want, got)
        rows = read_stats(stats)
        check(not fallbacks(rows), "%s: fallbacks %s" % (kind, fallbacks(rows)))
        check(mismatches(rows) == 0, "%s: mismatches" % kind)
        actors = 0
        for path in glob.glob(os.path.join(dump, "*.2-dataflow.mlir")):
            with open(path) as f:
                actors += len(re.findall(r"^  %.* = ", f.read(), re.M))
        row[kind] = (actors, sum(r["firings"] for r in rows if r["device"] == "sim"))
    table[stem] = row


for file, stem, _ in kernels():
    suite.add(stem, measure, file, stem)
passed, failed = suite.run()
names = [kind for kind, _ in KINDS]
print("%-18s" % "actors / firings" + "".join("%24s" % n for n in names) + "   D* : D0")
total = {kind: [0, 0] for kind in names}
for stem in sorted(table):
    row = table[stem]
    for kind in names:
        total[kind][0] += row[kind][0]
        total[kind][1] += row[kind][1]
table["total"] = total
for stem in sorted(set(table) - {"total"}) + ["total"]:
    row = table[stem]
    ratio = row["D*"][1] / row["D0"][1] if row["D0"][1] else 1
    print("%-18s" % stem + "".join("%9d / %-12d" % tuple(row[k]) for k in names) + "%10.2f" % ratio)
print("%d kernels, %d failed" % (passed + failed, failed))
raise SystemExit(1 if failed else 0)
