#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Debian source packages, built unmodified with CC=loom-cc by their own build
systems; their own tests must pass on the default device, on the simulator, with
every launch verified, and on the host. Prints what the report says of each: loops
seen, offloaded, refused by code.

--more: the packages of more_packages.py instead, for a wider look by hand.
--unlimited: no budget of firings where every launch is verified, or the package's own."""

import glob
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
from more_packages import MORE

more = "--more" in sys.argv
unlimited = "--unlimited" in sys.argv
suite = Suite("more" if more else "debian", [a for a in sys.argv[1:] if a not in ("--more", "--unlimited")])
if more:
    PACKAGES = MORE
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
                                  stdout=f, stderr=subprocess.STDOUT, timeout=1800).returncode
        except subprocess.TimeoutExpired:
            code = "(1800 s passed)"
    if code != 0:
        with open(log, errors="replace") as f:
            raise Failure("exit code %s; the end of %s:\n%s" % (code, log, f.read()[-2500:]))


def build(p):
    try:
        if p.needs:
            r = run(["bash", "-c", 'source "$1/test/setup.sh"; loom_install "${@:2}"', "-", ROOT, *p.needs],
                    env={"LOOM_BUILD": suite.build}, timeout=600)
            check(r.code == 0, "can't install: " + r.err.decode(errors="replace")[-1500:])
        # LOOM_BUILD is where setup.sh keeps the archives.
        r = run(["bash", "-c", 'source "$1/test/setup.sh"; loom_debian_source "$2" "$3"', "-",
                 ROOT, p.name, suite.work], env={"LOOM_BUILD": suite.build}, timeout=600)
        check(r.code == 0, "no source: " + r.err.decode(errors="replace")[-1500:])
        directory = suite.path(p.name)
        shell(p.build, directory, suite.path(p.name + ".build.log"), tools())
        for b in p.binaries:
            check(glob.glob(os.path.join(directory, b)), "the build left no " + b)
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
    refused, lines = {}, []
    root = os.path.join(suite.work, p.name)
    for path in sorted(path for b in p.binaries for path in glob.glob(os.path.join(root, b))):
        b = os.path.relpath(path, root)
        r = run([suite.tool("loom"), "report", path, "--json"])
        if r.code == 1:
            lines.append("  %s: nothing offloaded" % b)
            continue
        check(r.code == 0, "loom report %s: %s" % (b, r.err.decode(errors="replace")))
        image = json.loads(r.out)
        lines.append("  %s: %d of %d candidate nests offloaded, %d loops seen" % (
            b, image["offloaded"], image["seen"], sum(c["loops"] for c in image["candidates"])))
        seen += image["seen"]
        offloaded += image["offloaded"]
        for code, n in image["refused"].items():
            refused[code] = refused.get(code, 0) + n
        for c in image["candidates"]:
            check(c["code"] and c["function"], "a candidate without code or function: %s" % c)
    codes = ", ".join("%s %d" % kv for kv in sorted(refused.items(), key=lambda kv: (-kv[1], kv[0])))
    reports.setdefault(p.name, []).insert(0, "%s: nests seen %d, offloaded %d; refused: %s\n%s" % (
        p.name, seen, offloaded, codes or "none", "\n".join(lines)))
    check(seen > 0, "no candidate in any binary")
    log = suite.path(p.name + ".build.log")
    with open(log, errors="replace") as f:
        said = sorted({l for l in f.read().splitlines() if l.startswith("loom: ")})
    check(not said, "the links say: " + "; ".join(said))


def tests(p, device):
    wait_for(p)
    directory = suite.path(p.name + (".host" if device == "host" else ""))
    stats = suite.path("%s.%s.stats" % (p.name, device or "default"))
    env = dict(tools(), LOOM_STATS=stats)
    if device == "verify":
        env.update(LOOM_DEVICE="sim", LOOM_VERIFY="1")
        if unlimited:
            env["LOOM_SIM_BUDGET"] = p.budget
    elif device:
        env["LOOM_DEVICE"] = device
    shell(p.test, directory, suite.path("%s.%s.log" % (p.name, device or "default")), env)
    rows = read_stats(stats)
    count = launches(rows)
    check(mismatches(rows) == 0, "mismatches")
    if device == "host":
        check(count == 0, "LOOM_DEVICE=host launched on the simulator")
        return
    if not device:
        sampled = sum(r.get("sampled", 0) for r in rows)
        modelled = sum(r["launches"] for r in rows if r["device"] == "auto")
        reports.setdefault(p.name, []).append(
            "  tests on the default device: %d launches, %d of them simulated and compared" % (modelled, sampled))
        if p.must_launch:
            check(sampled >= 1, "the tests simulated nothing")
        return
    regions = {r["region"] for r in rows if r["device"] == "sim" and r["launches"]}
    firings = sum(r["firings"] for r in rows if r["device"] == "sim")
    reports.setdefault(p.name, []).append(
        "  tests %s: %d launches of %d regions, %d firings; fallbacks: %s" % (
            "with every launch verified" if device == "verify" else "on the simulator",
            count, len(regions), firings, fallbacks(rows) or "none"))
    strange = {k: v for k, v in fallbacks(rows).items() if k != "budget"}
    check(not strange, "fallbacks: %s" % strange)
    if p.must_launch:
        check(count >= 1, "the tests launched nothing on the simulator")


def tests_in_place(p):
    """One after the other: all run in the tree that was built."""
    for device in (None, "sim", "verify"):
        tests(p, device)


# The slowest first.
for p in PACKAGES[::-1]:
    suite.add(p.name + "-build", build, p)
if suite.tests:
    for p in PACKAGES:
        if any(t[0] == p.name + "-build" for t in suite.tests):
            suite.add(p.name + "-tests-device", tests_in_place, p)
            suite.add(p.name + "-tests-host", tests, p, "host")
            suite.add(p.name + "-report", report, p)
suite.finish(lambda: [print(line) for p in PACKAGES for line in reports.get(p.name, [])])
