# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulator against the host: each example kernel, whole calls (with their
launches), as multiples of the same program by clang -O2 without the vectorizer.
Then the analytic model against the simulator, launch by launch."""

import os
import re
import statistics

from loomtest import KERNELS, ROOT, check, must, read_stats

HERE = os.path.dirname(os.path.abspath(__file__))
UNLIMITED = {"LOOM_SIM_BUDGET": "unlimited"}
MODES = (
    ("functional", dict(UNLIMITED, LOOM_DEVICE="sim", LOOM_SIM_TIMING="off")),
    ("timed", dict(UNLIMITED, LOOM_DEVICE="sim")),
    ("tokens", dict(UNLIMITED, LOOM_DEVICE="sim", LOOM_SIM_ENGINE="tokens")),
)
# The same target with ports that all accesses share: the event queue is exact there.
PORTS = 2
SHARED = ("ports", dict(UNLIMITED, LOOM_DEVICE="sim"))
LONG = (("auto", {"LOOM_DEVICE": "auto"}), ("model", {"LOOM_DEVICE": "model"}),
        ("host", {"LOOM_DEVICE": "host"}))
LONG_KERNELS = ("gemm_double.c", "bubble_sort.c", "spmv.c", "lcs.c", "mandelbrot.c", "crc32.c")


def shared_ports(suite):
    path = suite.path("ports.mlir")
    if not os.path.exists(path):
        with open(os.path.join(ROOT, "passes/Fabric/Builtin/targets/default.mlir")) as f:
            text, count = re.subn(r"(fabric\.system_memory capacity \d+ ports) 0", r"\1 %d" % PORTS, f.read())
        check(count == 1, "the default target has no private ports")
        with open(path, "w") as f:
            f.write(text)
    return path


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
    must([suite.tool(loom)] + flags + [exe + ".l.o", exe + ".d.o", "-lm", "-o", exe + ".ports"],
         env={"LOOM_TARGET": shared_ports(suite)})
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


def all_kernels():
    return sorted(f for f in os.listdir(KERNELS) if f.endswith((".c", ".cpp")))


def kernels(suite):
    modes = MODES + (SHARED,)
    rows = {name: [] for name, _ in modes}
    rate = {name: [] for name, _ in modes}
    for file in all_kernels():
        exe = build(suite, file)
        host = nanoseconds([exe + ".plain", "9", "200"])
        line = "%-18s %9.0f ns" % (os.path.splitext(file)[0], host)
        fired = rates(suite, exe, host)
        check(fired > 0, file + " fires nothing")
        for name, env in modes:
            slow = name in ("tokens", "ports")
            ns = nanoseconds([exe + (".ports" if name == "ports" else ""), "3" if slow else "7", "1" if slow else "20"],
                             env)
            rows[name].append(ns / host)
            rate[name].append(fired / ns * 1e3)
            line += "  %s %7.2f" % (name, ns / host)
        print(line, flush=True)
    for name, _ in modes:
        print("simulator, %-10s median %.2f times the host, worst %.1f; %.0f M firings/s (median)" % (
            name, statistics.median(rows[name]), max(rows[name]), statistics.median(rate[name])))
    print("simulator, %d shared ports (event queue) against timed with private ones: median %.1f times, worst %.1f" % (
        PORTS, statistics.median(p / t for p, t in zip(rows["ports"], rows["timed"])),
        max(p / t for p, t in zip(rows["ports"], rows["timed"]))))


def model(suite, calls=40):
    """Every launch of calls with different data is simulated; the model, which
    learns from what LOOM_DEVICE=auto would have simulated, is asked before."""
    row = re.compile(r"launch of region (\S+) .* firings, (\d+) cycles, model (\d+)[, ]")
    regions, every = {}, []
    for file in all_kernels():
        stem = os.path.splitext(file)[0]
        exe = suite.path("sim." + stem)
        if not os.path.exists(exe):
            build(suite, file)
        said = must([exe, "1", str(calls), "vary"], env=dict(UNLIMITED, LOOM_DEVICE="sim", LOOM_INFO="launch"),
                    timeout=600).err.decode()
        errors = []
        for name, took, guess in row.findall(said):
            errors.append(abs(int(guess) - int(took)) / int(took))
            regions.setdefault(stem + ": " + name, []).append(errors[-1])
        check(errors, file + ": the model said nothing")
        every += errors
        print("%-18s model %6d launches: median error %5.2f %%, worst %6.1f %%" % (
            stem, len(errors), 100 * statistics.median(errors), 100 * max(errors)), flush=True)
    print("model, all launches but each region's first: median error %.2f %%, worst %.1f %%; %d of %d regions with one above "
          "20 %%" % (100 * statistics.median(every), 100 * max(every),
                     sum(max(e) > 0.2 for e in regions.values()), len(regions)))


def long_runs(suite, rounds=5):
    """Programs of about two seconds: what auto and model cost. All take turns.
    Best against best: where a process lies in memory alone moves a program by a
    quarter (bubble_sort without Loom takes 2.5 or 3.1 us a call), and noise only
    adds."""
    ratios = {name: [] for name, _ in LONG}
    for file in LONG_KERNELS:
        exe = build(suite, file)
        once = nanoseconds([exe + ".plain", "3", "200"])
        calls = str(max(1, int(2.2e9 / once)))
        runs = [("plain", [exe + ".plain", "1", calls], None)]
        runs += [(name, [exe, "1", calls], dict(env, LOOM_STATS=exe + ".long")) for name, env in LONG]
        times = {name: [] for name, _, _ in runs}
        for i in range(rounds):
            for name, argv, env in runs[::-1] if i % 2 else runs:
                times[name].append(nanoseconds(argv, env))
        line = "%-18s %6.2f s" % (os.path.splitext(file)[0], min(times["plain"]) * int(calls) / 1e9)
        for name, _ in LONG:
            ratios[name].append(min(times[name]) / min(times["plain"]))
            line += "  %s %.3f (median %.3f)" % (name, ratios[name][-1], statistics.median(
                a / b for a, b in zip(times[name], times["plain"])))
        print(line, flush=True)
    for name, _ in LONG:
        print("LOOM_DEVICE=%-5s median %.3f times plain clang without the vectorizer, worst %.3f" % (
            name, statistics.median(ratios[name]), max(ratios[name])))
