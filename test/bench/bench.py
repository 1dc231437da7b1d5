#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of test/bench/run.sh."""

import glob
import os
import re
import resource
import shlex
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
import simulator
from loomtest import KERNELS, ROOT, Failure, Suite, check, must, read_stats, run

HERE = os.path.dirname(os.path.abspath(__file__))
REPEAT = 9
suite = Suite("bench")


def source(name):
    r = must(["bash", "-c", 'source "$1/test/setup.sh"; loom_debian_source "$2" "$3"', "-",
              ROOT, name, suite.work], env={"LOOM_BUILD": suite.build}, timeout=600)
    return r.out.decode().strip()


def lua_sources():
    d = os.path.join(source("lua5.4"), "src")
    with open(os.path.join(d, "lua5.4-deb-multiarch.h"), "w") as f:
        f.write('#define DEB_HOST_MULTIARCH "%s"\n' % must(
            ["dpkg-architecture", "-qDEB_HOST_MULTIARCH"]).out.decode().strip())
    files = [f for f in sorted(glob.glob(d + "/*.c")) if os.path.basename(f) != "luac.c"]
    return files, ["-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_LINUX"], ["-Wl,-E", "-lm", "-ldl"]


def zlib_sources():
    d = source("zlib")
    files = sorted(glob.glob(d + "/*.c")) + [d + "/test/minigzip.c"]
    return files, ["-I" + d, "-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"], []


def compile_all(tag, compiler, files, flags):
    objects = []
    for f in files:
        objects.append(suite.path("%s-%s.o" % (tag, os.path.basename(f))))
        must(compiler + ["-O2"] + flags + ["-c", f, "-o", objects[-1]])
    return objects


def link_command(objects, libs, out):
    r = must([suite.tool("loom-cc"), "-###", "-O2"] + objects + libs + ["-o", out])
    return shlex.split([l for l in r.err.decode().splitlines() if "ld.lld" in l][-1])


def interleaved(variants, repeat=REPEAT):
    """Median seconds of each command; the commands take turns, and take turns at
    going first: on a shared machine the first of a round is often the slower."""
    times = {name: [] for name in variants}
    for i in range(repeat + 1):
        order = list(variants.items())
        for name, (argv, kw) in order[::-1] if i % 2 else order:
            seconds = must(argv, **kw).seconds
            if i:  # the first round only warms the caches
                times[name].append(seconds)
    return {name: statistics.median(t) for name, t in times.items()}


def program(name, sources):
    """Builds a program with Loom and with plain clang; link times on the way."""
    files, flags, libs = sources
    loom_objects = compile_all(name + ".loom", [suite.tool("loom-cc")], files, flags)
    plain_objects = compile_all(name + ".plain", ["clang-22", "-flto"], files, flags)
    loom, off, plain = (suite.path(name + s) for s in (".loom", ".off", ".plain"))
    with_plugin = link_command(loom_objects, libs, loom)
    without = [w for w in link_command(loom_objects, libs, off) if "LoomPlugin" not in w]
    check(len(without) < len(with_plugin), "the wrapper's link does not load the plugin")
    t = interleaved({"with": (with_plugin, {}), "without": (without, {})})
    print("link time of %-5s with the plugin %.3f s, without %.3f s: ratio %.2f" % (
        name, t["with"], t["without"], t["with"] / t["without"]))
    must(["clang-22", "-O2", "-flto", "-fuse-ld=lld"] + plain_objects + libs + ["-o", plain])
    return loom, plain


def sqlite_sources():
    """The amalgamation, by the package's own generators."""
    d = source("sqlite3")
    must(["bash", "-c", "./configure --disable-tcl --disable-readline CC=clang-22 && make sqlite3.c shell.c"],
         cwd=d, timeout=1200)
    return [d + "/sqlite3.c", d + "/shell.c"], ["-I" + d, "-DSQLITE_ENABLE_FTS4", "-DSQLITE_ENABLE_RTREE"], [
        "-lm", "-ldl", "-lpthread"]


def cpu(argv):
    """User and system seconds of a command and its standard error: on a shared
    machine steadier than the time on the wall."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    r = must(argv, timeout=1800)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), r.err.decode()


def instructions(objects):
    """LLVM instructions in objects of bitcode: the lines that are indented once."""
    total = 0
    for o in objects:
        text = must(["llvm-dis-22", o, "-o", "-"], timeout=600).out.decode(errors="replace")
        total += len(re.findall(r"^  [^ \n]", text, re.M))
    return total


def link_cost(name, sources, repeat=3):
    """What the plugin costs a link, in processor time: against the same link
    without it, and by LLVM's own timer (-time-passes), per instruction."""
    files, flags, libs = sources
    objects = compile_all(name + ".cost", [suite.tool("loom-cc")], files, flags)
    with_plugin = link_command(objects, libs, suite.path(name + ".cost"))
    without = [w for w in with_plugin if "LoomPlugin" not in w]
    check(len(without) < len(with_plugin), "the wrapper's link does not load the plugin")
    loom, plain, own = [], [], []
    for _ in range(repeat):
        loom.append(cpu(with_plugin)[0])
        plain.append(cpu(without)[0])
        said = cpu(with_plugin + ["-mllvm", "-time-passes"])[1]
        # user, system, user+system, wall: each with its share in brackets
        row = re.search(r"^(.*)loom::LoomPass$", said, re.M)
        check(row, "-time-passes knows no LoomPass")
        own.append(float(re.findall(r"(\d+\.\d+) \(", row.group(1))[2]))
    loom, plain, own = (statistics.median(t) for t in (loom, plain, own))
    count = instructions(objects)
    print("link cost of %-7s processor time with the plugin %.2f s, without %.2f s: ratio %.2f; the plugin's own "
          "%.2f s: %.1f %% of the plain link, %.2f ms for 1000 of %d LLVM instructions" % (
              name, loom, plain, loom / plain, own, 100 * own / plain, own * 1e6 / count, count))


def on_host(name, loom, plain, args, stdin=None):
    want = must([plain] + args, stdin=stdin)
    check(want.seconds > 0.1, "too little work to measure: %.3f s" % want.seconds)
    got = must([loom] + args, stdin=stdin, env={"LOOM_DEVICE": "host"})
    check(got.out == want.out, name + ": the outputs differ")
    t = interleaved({"loom": ([loom] + args, {"stdin": stdin, "env": {"LOOM_DEVICE": "host"}}),
                     "plain": ([plain] + args, {"stdin": stdin})})
    print("run time of %-9s LOOM_DEVICE=host %.3f s, plain clang -O2 -flto %.3f s: ratio %.3f" % (
        name, t["loom"], t["plain"], t["loom"] / t["plain"]))


def guards():
    """What a launch guard costs: two functions that differ in `restrict` run the
    same graph, one behind a guard; they take turns in one process."""
    exe, stats = suite.path("guard"), suite.path("guard.stats")
    must([suite.tool("loom-cc"), "-O2", os.path.join(HERE, "guard.c"), "-o", exe])
    env = {"LOOM_DEVICE": "sim", "LOOM_SIM_BUDGET": "unlimited"}
    rows = must([exe], env=dict(env, LOOM_STATS=stats)).out.decode().split("\n")
    asked = {r["function"]: r for r in read_stats(stats) if r["device"] == "sim"}
    for row in rows[:-1]:
        name, plain, guarded, cost = row.split()
        with_guard, without = asked[name + "_guard"], asked[name + "_plain"]
        check(without["guard"] is None and with_guard["guard"]["noalias"] == with_guard["launches"] > 0,
              name + ": the guard does not pick the graph without aliases")
        check(without["firings"] == with_guard["firings"], name + ": the graphs differ")
        print("guard of %-7s %6.1f ns of a launch of %7.1f ns (without a guard %7.1f ns)" % (
            name, float(cost), float(guarded), float(plain)))


def data():
    """Text-like bytes that compress to about a third; 12 MB."""
    seed, out = 1, bytearray()
    words = []
    for i in range(3000):
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        words.append(bytes(97 + (seed >> (3 * k)) % 26 for k in range(2 + seed % 7)))
    while len(out) < 12000000:
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        out += words[(seed >> 8) % (1 + (seed >> 4) % 3000)] + b" "
    return bytes(out)


try:
    start = time.monotonic()
    if os.environ.get("LOOM_BENCH") == "simulator":
        simulator.kernels(suite)
        simulator.model(suite)
        simulator.long_runs(suite)
        sys.exit(0)
    if os.environ.get("LOOM_BENCH") in ("model", "long"):
        (simulator.model if os.environ["LOOM_BENCH"] == "model" else simulator.long_runs)(suite)
        sys.exit(0)
    lua, plain_lua = program("lua", lua_sources())
    gzip, plain_gzip = program("zlib", zlib_sources())
    link_cost("lua", lua_sources())
    link_cost("sqlite3", sqlite_sources())
    print()
    simulator.kernels(suite)
    print()
    simulator.model(suite)
    print()
    simulator.long_runs(suite)
    print()
    guards()
    print()
    on_host("lua", lua, plain_lua, [os.path.join(HERE, "bench.lua")])
    blob = data()
    on_host("zlib -6", gzip, plain_gzip, ["-6"], blob)
    on_host("zlib -d", gzip, plain_gzip, ["-d"], must([plain_gzip, "-6"], stdin=blob * 4).out)
    print("\nmeasured in %.0f s" % (time.monotonic() - start))
except Failure as e:
    print("FAILED: %s" % e)
    sys.exit(1)
