#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Spatial apps of the example kernels: a launch of the main nest is captured
on the simulator, and the app, compiled against test/spatial-shim, must compute
the same from it. At least 12 kernels have an app (MINIMUM)."""

import glob
import json
import os
import re
import shutil

from loomtest import KERNELS, ROOT, Suite, check, fallbacks, kernels, must, read_stats, run

MINIMUM = 12
suite = Suite("spatial")
cases = []   # directories for run-apps.py
refused = {}  # kernel: code


def prepare(file, stem, function):
    """Builds a kernel, writes its apps, captures a launch of its main nest."""
    exe, apps, captured = suite.path(stem), suite.path(stem + ".apps"), suite.path(stem + ".captured")
    must([suite.loom(file), "-O2", os.path.join(KERNELS, file), "-o", exe])
    report = json.loads(must([suite.tool("loom"), "report", exe, "--json"]).out)
    rows = [c for c in report["candidates"] if c["code"] == "offloaded" and (
        c["function"].split(".")[0] == function or "%d%s" % (len(function), function) in c["function"])]
    check(rows, "no offloaded nest in " + function)
    for row in rows:
        region = row["region"]
        if "spatial" not in row:
            check(row.get("spatial_refusal") in CODES, "refused without a code: %s" % row)
            refused.setdefault(stem, row["spatial_refusal"])
            continue
        must([suite.tool("loom"), "spatial", exe, region, "-o", apps])
        stats = exe + ".stats"
        must([exe], env={"LOOM_DEVICE": "sim", "LOOM_CAPTURE": captured, "LOOM_STATS": stats})
        check(not fallbacks(read_stats(stats)), "fallbacks: %s" % fallbacks(read_stats(stats)))
        launch = os.path.join(captured, region + ".1.loomcap")
        check(os.path.exists(launch), "the launch of %s was not captured; there are %s" % (
            region, sorted(os.listdir(captured)) if os.path.isdir(captured) else "none"))
        case = suite.path("cases", region)
        os.makedirs(case)
        for source in glob.glob(os.path.join(apps, "**", row["spatial"] + "*.scala"), recursive=True):
            shutil.copyfile(source, os.path.join(
                case, "check.scala" if "_check" in os.path.basename(source) else "app.scala"))
        check(os.path.exists(os.path.join(case, "check.scala")), "no self-checking form among %s" % sorted(
            glob.glob(apps + "/**/*", recursive=True)))
        must([suite.tool("loom"), "capture", launch, "-o", os.path.join(case, "launch.1")])
        cases.append((stem, region, case))


def codes():
    """The refusal codes of the stage."""
    with open(os.path.join(ROOT, "include", "loom", "Support", "Refusals.td")) as f:
        return set(re.findall(r'"([a-z0-9-]+)"', f.read()))


CODES = codes()
for file, stem, function in kernels():
    suite.add(stem, prepare, file, stem, function)
passed, failed = suite.run()

r = run(["python3", "-B", os.path.join(ROOT, "test", "spatial", "run-apps.py"), "--work",
         suite.path("scala")] + [c[2] for c in sorted(cases)], timeout=1500) if cases else None
text = r.out.decode(errors="replace") if r else ""
good = {m.group(1) for m in re.finditer(r"^ok +(\S+) ", text, re.M)}
for stem, region, case in sorted(cases):
    name = os.path.basename(case)
    if name in good and not re.search(r"^FAIL +%s " % re.escape(name), text, re.M):
        passed += 1
        print("PASS spatial/app of %s (region %s)" % (stem, region))
    else:
        failed += 1
        lines = [l for l in text.splitlines() if name in l] or text.splitlines()[-15:]
        print("FAIL spatial/app of %s: %s" % (stem, "\n".join(lines)[:2000]))
for stem, code in sorted(refused.items()):
    print("no app: %s (%s)" % (stem, code))
with_app = {stem for stem, region, case in cases if os.path.basename(case) in good}
print("%d of %d kernels have a Spatial app that computes what the host computes" % (
    len(with_app), len(kernels())))
if not suite.args.only and len(with_app) < MINIMUM:
    failed += 1
    print("FAIL spatial/minimum: %d kernels are needed" % MINIMUM)
suite.conclude(passed, failed, 0)
