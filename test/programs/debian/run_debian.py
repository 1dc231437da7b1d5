#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian source packages, built unmodified with CC=loom-cc by their own build
systems; their own tests must pass on the default device and on the host. Prints
what the report says of each: loops seen, offloaded, refused by code."""

import json
import os
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from loomtest import (CLEAN_ENV, ROOT, Failure, Suite, check, fallbacks, launches, mismatches,
                      must, read_stats, run)
from packages import HERE, PACKAGES

suite = Suite("debian")
built = {p.name: threading.Event() for p in PACKAGES}
good = set()
reports = {}


def tools():
    return {"CC": suite.tool("loom-cc"), "CXX": suite.tool("loom-c++"), "AR": "llvm-ar-22",
            "RANLIB": "llvm-ranlib-22", "NM": "llvm-nm-22", "HERE": HERE, "LC_ALL": "C"}


def shell(script, cwd, log, env):
    """Runs a script with its output in a log; the end of it when it fails."""
    full = dict(CLEAN_ENV)
    full.update(env)
    with open(log, "wb") as f:
        try:
            code = subprocess.run(["bash", "-c", script], cwd=cwd, env=full, stdin=subprocess.DEVNULL,
                                  stdout=f, stderr=subprocess.STDOUT, timeout=900).returncode
        except subprocess.TimeoutExpired:
            code = "(900 s passed)"
    if code != 0:
        with open(log, errors="replace") as f:
            raise Failure("exit code %s; the end of %s:\n%s" % (code, log, f.read()[-2500:]))


def build(p):
    try:
        # LOOM_BUILD is where setup.sh keeps the archives.
        r = run(["bash", "-c", 'source "$1/test/setup.sh"; loom_debian_source "$2" "$3"', "-",
                 ROOT, p.name, suite.work], env={"LOOM_BUILD": suite.build}, timeout=600)
        check(r.code == 0, "no source: " + r.err.decode(errors="replace")[-1500:])
        directory = suite.path(p.name)
        env = dict(tools(), LOOM_REPORT=suite.path(p.name + ".report"))
        shell(p.build, directory, suite.path(p.name + ".build.log"), env)
        for b in p.binaries:
            check(os.path.exists(os.path.join(directory, b)), "the build left no " + b)
        shutil.copytree(directory, directory + ".host", symlinks=True)
        good.add(p.name)
    finally:
        built[p.name].set()


def wait_for(p):
    built[p.name].wait()
    check(p.name in good, "not built")


def report(p):
    """loom report on each binary; the totals over all of them."""
    wait_for(p)
    seen = offloaded = 0
    refused = {}
    lines = []
    links = []
    path = suite.path(p.name + ".report")
    check(os.path.exists(path), "LOOM_REPORT wrote nothing during the build")
    names = {os.path.basename(b) for b in p.binaries}
    with open(path) as f:
        for line in f:
            link = json.loads(line)
            if os.path.basename(link["output"]) in names:
                links.append(link)
    check({os.path.basename(l["output"]) for l in links} == names,
          "the report has links for %s only" % sorted(l["output"] for l in links))
    for link in links:
        taken = sum(c["code"] == "offloaded" for c in link["candidates"])
        lines.append("  %s: %d of %d candidate nests, %d loops" % (
            os.path.basename(link["output"]), taken, len(link["candidates"]),
            sum(c["loops"] for c in link["candidates"])))
        seen += len(link["candidates"])
        offloaded += taken
        for c in link["candidates"]:
            if c["code"] != "offloaded":
                refused[c["code"]] = refused.get(c["code"], 0) + 1
    # The same figures must come out of the binaries themselves.
    for b in p.binaries:
        r = run([suite.tool("loom"), "report", os.path.join(suite.work, p.name, b), "--json"])
        if r.code == 0:
            image = json.loads(r.out)
            link = [l for l in links if os.path.basename(l["output"]) == os.path.basename(b)][-1]
            check(image["seen"] == len(link["candidates"]), b + ": image and report file differ")
        else:
            check(r.code == 1, "loom report %s: %s" % (b, r.err.decode(errors="replace")))
    codes = ", ".join("%s %d" % (c, n) for c, n in sorted(refused.items(), key=lambda kv: (-kv[1], kv[0])))
    reports.setdefault(p.name, []).insert(0, "%s: nests seen %d, offloaded %d; refused: %s\n%s" % (
        p.name, seen, offloaded, codes or "none", "\n".join(lines)))


def tests(p, device):
    wait_for(p)
    directory = suite.path(p.name + (".host" if device == "host" else ""))
    stats = suite.path("%s.%s.stats" % (p.name, device or "default"))
    env = dict(tools(), LOOM_STATS=stats)
    if device:
        env["LOOM_DEVICE"] = device
    shell(p.test, directory, suite.path("%s.%s.log" % (p.name, device or "default")), env)
    rows = read_stats(stats)
    count = launches(rows)
    check(mismatches(rows) == 0, "mismatches")
    if device == "host":
        check(count == 0, "LOOM_DEVICE=host launched on the simulator")
        return
    regions = {r["region"] for r in rows if r["device"] == "sim" and r["launches"]}
    firings = sum(r["firings"] for r in rows if r["device"] == "sim")
    reports.setdefault(p.name, []).append(
        "  tests on the simulator: %d launches of %d regions, %d firings; fallbacks: %s" % (
            count, len(regions), firings, fallbacks(rows) or "none"))
    strange = {k: v for k, v in fallbacks(rows).items() if k != "budget"}
    check(not strange, "fallbacks: %s" % strange)
    if p.must_launch:
        check(count >= 1, "the tests launched nothing on the simulator")


for p in PACKAGES:
    suite.add(p.name + "-build", build, p)
if suite.tests:
    for p in PACKAGES:
        if any(t[0] == p.name + "-build" for t in suite.tests):
            suite.add(p.name + "-tests-default", tests, p, None)
            suite.add(p.name + "-tests-host", tests, p, "host")
            suite.add(p.name + "-report", report, p)
suite.finish(lambda: [print(line) for p in PACKAGES for line in reports.get(p.name, [])])
