#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every schedule decision of the example kernels, tried: the child of each is
lowered to a graph that replays the launch captured with the parent's, and must
leave the same outputs and memory. Prints what became of the decisions, and for
every region the cycles of the parent and of its fastest child.

    LOOM_BUILD=build test/programs/schedules.py [--only NAME] [-v]
"""

import json
import os
import re
from collections import Counter

from loomtest import KERNELS, Suite, check, kernels, must, run

LOOPS = "8"        # of a region
FACTORS = 3        # smallest ones of a kind and loop
suite = Suite("schedules")
outcomes = Counter()
best = {}



def cycles(capture, image):
    got = run([suite.tool("loom"), "sim", capture] + (["--image", image] if image else []))
    found = re.search(rb"(\d+) cycles", got.out)
    return int(found.group(1)) if found else None


def decisions(path):
    taken = Counter()
    for line in must([suite.tool("loom-artifact"), "schedules", path, "--loops", LOOPS]).out.decode().splitlines():
        kind, loop, factor, _ = line.split()
        taken[kind, loop] += 1
        if taken[kind, loop] <= FACTORS:
            yield kind, loop, factor


def try_one(parent, child, region, capture, decision):
    got = run([suite.tool("loom-artifact"), "transform", parent] + list(decision) + ["-o", child + ".obj"])
    if got.code:
        code = got.err.decode().split(":")[1].strip()
        check(code.startswith("schedule-"), "%s %s: %s" % (region, decision, got.err.decode()))
        outcomes[code] += 1
        return None
    if got.out.strip() == b"no-op":
        outcomes["no-op"] += 1
        return None
    text = must([suite.tool("loom-artifact"), "show", child + ".obj"]).out.decode()
    with open(child + ".mlir", "w") as f:
        f.write(text)
    lowered = run([suite.tool("loom-opt"), child + ".mlir", "--loom-lower-to-dataflow", "--loom-rewrite-dataflow",
                   "--dataflow-write-image=path=%s.img name=%s" % (child, region), "-o", os.devnull])
    if lowered.code:
        outcomes["not lowered"] += 1
        return None
    got = run([suite.tool("loom"), "replay", capture, "--image", child + ".img"])
    check(got.code == 0, "%s %s: %s" % (region, decision, (got.out + got.err).decode()))
    outcomes["equal"] += 1
    return cycles(capture, child + ".img")


def explore(file, stem):
    exe, store, captures, report = (suite.path(stem + end) for end in ("", ".store", ".cap", ".json"))
    must([suite.loom(file), "-O2", os.path.join(KERNELS, file), "-o", exe, "-lm"],
         env={"LOOM_STORE": store, "LOOM_REPORT": report})
    must([exe], env={"LOOM_DEVICE": "sim", "LOOM_CAPTURE": captures})
    numbers = Counter()
    with open(report) as f:
        rows = json.load(f)["candidates"]
    for row in rows:
        if row["code"] != "offloaded":
            continue
        region = "%s.%d" % (row["function"], numbers[row["function"]])
        numbers[row["function"]] += 1
        capture = os.path.join(captures, region + ".1.loomcap")
        if row["function"] == "main" or not os.path.exists(capture):
            continue
        parent = suite.path(region + ".obj")
        must([suite.tool("loom-artifact"), "store", "get", store, row["artifact"], "-o", parent])
        fastest = None
        for decision in decisions(parent):
            took = try_one(parent, parent + ".child", region, capture, decision)
            if took is not None and (fastest is None or took < fastest[0]):
                fastest = (took, " ".join(decision))
        if fastest:
            best[region] = (cycles(capture, None), fastest)


for file, stem, _ in kernels():
    suite.add(stem, explore, file, stem)
passed, failed = suite.run()
for region in sorted(best):
    before, (after, decision) = best[region]
    print("%-22s %9d cycles, %9d by %-22s %5.2f" % (region, before, after, decision, after / before))
print(", ".join("%d %s" % (n, what) for what, n in sorted(outcomes.items())))
print("%d kernels, %d failed" % (passed + failed, failed))
raise SystemExit(1 if failed else 0)
