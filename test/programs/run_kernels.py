#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example kernel, built by plain clang and by Loom, on every device: the
output must be the same to the bit, and the main nest must have been launched
on the simulator (but for the kernels named in kernels.exceptions)."""

import os

from loomtest import (CLANG, KERNELS, ROOT, Suite, check, fallbacks, in_function, kernels,
                      launches, mismatches, must, read_stats, run, same_output)

SEEDS = range(1, 26)
suite = Suite("kernels")


def exceptions():
    """Kernels whose main nest is known to stay on the host, with the reason."""
    rows = {}
    with open(os.path.join(ROOT, "test", "programs", "kernels.exceptions")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, reason = line.strip().split(None, 1)
                rows[name] = reason
    return rows


EXCEPTIONS = exceptions()
unknown = set(EXCEPTIONS) - {stem for _, stem, _ in kernels()}
assert not unknown, "kernels.exceptions names no kernel: %s" % unknown


def build(file, flags, tag):
    """Builds with plain clang and with Loom; gives both executables."""
    stem, ext = os.path.splitext(file)
    source = os.path.join(KERNELS, file)
    plain, loom = suite.path(stem + tag + ".plain"), suite.path(stem + tag)
    must([CLANG[ext[1:]]] + flags + [source, "-o", plain])
    must([suite.loom(file)] + flags + [source, "-o", loom])
    return plain, loom


def compare(file, function, flags, tag):
    plain, loom = build(file, flags, tag)
    stem = os.path.splitext(file)[0]
    want = must([plain])
    check(want.out, "prints nothing")

    stats = loom + ".host.stats"
    same_output("host", want, run([loom], env={"LOOM_DEVICE": "host", "LOOM_STATS": stats}))
    check(launches(read_stats(stats)) == 0, "LOOM_DEVICE=host launched on the simulator")

    stats = loom + ".sim.stats"
    got = run([loom], env={"LOOM_DEVICE": "sim", "LOOM_STATS": stats})
    same_output("sim", want, got)
    check(got.err == b"", "sim prints on standard error: %r" % got.err[:300])
    rows = read_stats(stats)
    check(not fallbacks(rows), "fallbacks on sim: %s" % fallbacks(rows))
    main = launches(rows, function)
    if stem in EXCEPTIONS:
        check(main == 0, "the main nest is launched now: take it off kernels.exceptions")
    else:
        check(main > 0, "the main nest, in %s, was not launched; launched: %s" % (
            function, sorted({r["function"] for r in rows if r["launches"]})))
        firings = sum(r["firings"] for r in rows if r["device"] == "sim" and in_function(r, function))
        check(firings > 0, "the main nest was launched without a firing")

    stats = loom + ".auto.stats"
    same_output("default device", want, run([loom], env={"LOOM_STATS": stats}))
    rows = [r for r in read_stats(stats) if r["device"] == "auto"]
    check(sum(r["sampled"] for r in rows) > 0, "the default device simulated nothing")
    check(sum(r["mismatches"] for r in rows) == 0, "the default device found mismatches")

    stats = loom + ".verify.stats"
    same_output("verify", want, run([loom], env={"LOOM_VERIFY": "1", "LOOM_STATS": stats}))
    rows = read_stats(stats)
    check(mismatches(rows) == 0, "verify found %d mismatches" % mismatches(rows))
    check(not fallbacks(rows), "fallbacks under verify: %s" % fallbacks(rows))
    if stem not in EXCEPTIONS:
        check(launches(rows, function) > 0, "verify did not run the main nest on the device")


def random_orders(file):
    """25 random actor orders, each verified; every queue empty at the end (a
    residue would be a fallback)."""
    plain, loom = build(file, ["-O2"], ".random")
    want = must([plain])
    for seed in SEEDS:
        stats = "%s.%d.stats" % (loom, seed)
        got = run([loom], env={"LOOM_DEVICE": "sim", "LOOM_VERIFY": "1", "LOOM_STATS": stats,
                               "LOOM_SIM_ORDER": "random:%d" % seed})
        same_output("order random:%d" % seed, want, got)
        rows = read_stats(stats)
        check(mismatches(rows) == 0, "order random:%d: mismatches" % seed)
        check(not fallbacks(rows), "order random:%d: fallbacks %s" % (seed, fallbacks(rows)))
        if os.path.splitext(file)[0] not in EXCEPTIONS:
            check(launches(rows) > 0, "order random:%d: nothing launched" % seed)


for file, stem, function in kernels():
    suite.add(stem, compare, file, function, ["-O2"], "")
for file, function in (("lu.c", "lu"), ("dfa.c", "dfa"), ("kmeans.cpp", "kmeans")):
    suite.add(os.path.splitext(file)[0] + "-debug-info", compare, file, function, ["-O2", "-g"], ".g")
for file, function in (("lcs.c", "lcs"), ("rle.c", "rle")):
    suite.add(os.path.splitext(file)[0] + "-O1", compare, file, function, ["-O1"], ".O1")
    suite.add(os.path.splitext(file)[0] + "-O3", compare, file, function, ["-O3"], ".O3")
for file, stem, _ in kernels():
    suite.add(stem + "-random-orders", random_orders, file)
suite.finish()
