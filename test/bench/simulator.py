# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulator against the host: each example kernel, whole calls (with their
launches), as multiples of the same program by clang -O2 without the vectorizer."""

import os
import statistics

from loomtest import KERNELS, check, must, read_stats

HERE = os.path.dirname(os.path.abspath(__file__))
UNLIMITED = {"LOOM_SIM_BUDGET": "unlimited"}
MODES = (
    ("functional", dict(UNLIMITED, LOOM_DEVICE="sim", LOOM_SIM_TIMING="off")),
    ("timed", dict(UNLIMITED, LOOM_DEVICE="sim")),
    ("tokens", dict(UNLIMITED, LOOM_DEVICE="sim", LOOM_SIM_ENGINE="tokens")),
)
LONG = (("auto", {"LOOM_DEVICE": "auto"}), ("model", {"LOOM_DEVICE": "model"}),
        ("host", {"LOOM_DEVICE": "host"}))
LONG_KERNELS = ("gemm_double.c", "bubble_sort.c", "spmv.c", "lcs.c", "mandelbrot.c", "crc32.c")


def build(suite, file):
    """The kernel with Loom and without, behind the driver."""
    stem, ext = os.path.splitext(file)
    exe = suite.path("sim." + stem)
    loom, plain = ("loom-c++", "clang++-22") if ext == ".cpp" else ("loom-cc", "clang-22")
    entry = "_Z11kernel_mainiPPc" if ext == ".cpp" else "kernel_main"
    flags = ["-O2", "-ffp-contract=off"]
    native = ["-fno-vectorize", "-fno-slp-vectorize"]
    main = os.path.join(KERNELS, file)
    must(["clang-22", "-O2", "-Dkernel_main=" + entry, "-c", os.path.join(HERE, "driver.c"), "-o", exe + ".d.o"])
    must([suite.tool(loom)] + flags + ["-Dmain=kernel_main", "-c", main, "-o", exe + ".l.o"])
    must([suite.tool(loom)] + flags + [exe + ".l.o", exe + ".d.o", "-lm", "-o", exe])
    must([plain] + flags + native + ["-Dmain=kernel_main", main, exe + ".d.o", "-lm", "-o", exe + ".plain"])
    return exe


def nanoseconds(argv, env=None):
    return float(must(argv, env=env or {}, timeout=300).err.split()[-1])


def rates(suite, exe, seconds):
    """Firings of a call, from the statistics of two runs."""
    firings = []
    for calls in (1, 3):
        stats = exe + ".stats"
        if os.path.exists(stats):
            os.remove(stats)
        must([exe, "1", str(calls)], env=dict(MODES[0][1], LOOM_STATS=stats))
        firings.append(sum(r["firings"] for r in read_stats(stats) if r["device"] == "sim"))
    return (firings[1] - firings[0]) / 2


def kernels(suite):
    rows = {name: [] for name, _ in MODES}
    rate = {name: [] for name, _ in MODES}
    for file in sorted(f for f in os.listdir(KERNELS) if f.endswith((".c", ".cpp"))):
        exe = build(suite, file)
        host = nanoseconds([exe + ".plain", "9", "200"])
        line = "%-18s %9.0f ns" % (os.path.splitext(file)[0], host)
        fired = rates(suite, exe, host)
        check(fired > 0, file + " fires nothing")
        for name, env in MODES:
            calls = "1" if name == "tokens" else "20"
            ns = nanoseconds([exe, "3" if name == "tokens" else "7", calls], env)
            rows[name].append(ns / host)
            rate[name].append(fired / ns * 1e3)
            line += "  %s %7.2f" % (name, ns / host)
        print(line, flush=True)
    for name, _ in MODES:
        print("simulator, %-10s median %.2f times the host, worst %.1f; %.0f M firings/s (median)" % (
            name, statistics.median(rows[name]), max(rows[name]), statistics.median(rate[name])))


def long_runs(suite):
    """Programs of about two seconds: what auto and model cost."""
    rows = {name: [] for name, _ in LONG}
    for file in LONG_KERNELS:
        exe = build(suite, file)
        once = nanoseconds([exe + ".plain", "3", "200"])
        calls = str(max(1, int(2.2e9 / once)))
        host = nanoseconds([exe + ".plain", "1", calls])
        line = "%-18s %6.2f s" % (os.path.splitext(file)[0], host * int(calls) / 1e9)
        for name, env in LONG:
            ns = nanoseconds([exe, "1", calls], dict(env, LOOM_STATS=exe + ".long"))
            rows[name].append(ns / host)
            line += "  %s %.3f" % (name, ns / host)
        print(line, flush=True)
    for name, _ in LONG:
        print("LOOM_DEVICE=%-5s median %.3f times plain clang without the vectorizer, worst %.3f" % (
            name, statistics.median(rows[name]), max(rows[name])))
