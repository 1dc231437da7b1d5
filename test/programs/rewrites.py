#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the rewrites of dataflow graphs are worth: for every example kernel the
actors, the firings and the cycles on the simulator of D0 (the plain algebra), of the
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
        sim = [r for r in rows if r["device"] == "sim"]
        row[kind] = (actors, sum(r["firings"] for r in sim), sum(r["cycles"] or 0 for r in sim))
    table[stem] = row


for file, stem, _ in kernels():
    suite.add(stem, measure, file, stem)
passed, failed = suite.run()
names = [kind for kind, _ in KINDS]
print("%-18s" % "actors/firings/cycles" + "".join("%28s" % n for n in names) +
      "   firings and cycles, D* : D0")
total = {kind: [0, 0, 0] for kind in names}
for stem in sorted(table):
    row = table[stem]
    for kind in names:
        for i in range(3):
            total[kind][i] += row[kind][i]
table["total"] = total
for stem in sorted(set(table) - {"total"}) + ["total"]:
    row = table[stem]
    ratios = [row["D*"][i] / row["D0"][i] if row["D0"][i] else 1 for i in (1, 2)]
    print("%-21s" % stem + "".join("%7d %10d %9d" % tuple(row[k]) for k in names) +
          "%8.2f %5.2f" % tuple(ratios))
print("%d kernels, %d failed" % (passed + failed, failed))
raise SystemExit(1 if failed else 0)
