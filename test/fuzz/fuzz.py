#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, each built by plain clang -O2 (the oracle; -O0 must agree,
else the generator is at fault), by Loom, and by Loom in round-trip mode; run on
the host, on the simulator under LOOM_VERIFY, and as round trip. A failure is kept
with its program, and reduced."""

import argparse
import collections
import concurrent.futures
import os
import shutil
import signal
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "programs"))
sys.path.insert(0, HERE)
from builds import MODES, Builder, TooLong, csmith_source, generated_source
from loomtest import ROOT, Failure
import reducing

# How programs are compiled, by seed; -O2 most often.
FLAGS = [["-O2"], ["-O3"], ["-O2"], ["-O1"], ["-O2", "-g"], ["-O2"], ["-Os"], ["-O2", "-fwrapv"]]


class Fuzzer:
    def __init__(self, args):
        self.args = args
        self.builder = Builder(args.build, args.work, args.defect)
        self.totals = collections.Counter()
        self.refused, self.fallbacks = collections.Counter(), collections.Counter()
        self.failures = []
        self.lock = threading.Lock()

    def source(self, seed):
        if self.args.csmith:
            return csmith_source(seed)
        return generated_source("%s" % seed, range(self.args.nests))

    def one(self, seed):
        """Builds and runs the program of a seed in every mode."""
        name = ("csmith-%s" if self.args.csmith else "seed-%s") % seed
        directory = self.builder.directory(name)
        flags = FLAGS[seed % len(FLAGS)]
        try:
            text = self.source(seed)
            result = self.builder.check(directory, text, flags, self.args.modes)
        except TooLong:
            # csmith does not care how long its programs run.
            with self.lock:
                self.totals["too-long"] += 1
            shutil.rmtree(directory, ignore_errors=True)
            return
        except Failure as e:
            self.failed(name, directory, seed, flags, "the driver", str(e), [])
            return
        with self.lock:
            self.totals.update(result.counts)
            self.refused.update(result.refused)
            self.fallbacks.update(result.fallbacks)
        for mode, text, nests in result.failures:
            self.failed(name, directory, seed, flags, mode, text, nests)
        if not result.failures:
            shutil.rmtree(directory, ignore_errors=True)

    def failed(self, name, directory, seed, flags, mode, text, nests):
        """Keeps a failure: the program, what was seen, and a reduced program."""
        kept = os.path.join(self.args.keep, "%s-%s" % (name, mode.replace(" ", "-")))
        os.makedirs(kept, exist_ok=True)
        program = os.path.join(directory, "program.c")
        if os.path.exists(program):
            shutil.copy(program, kept)
        with open(os.path.join(kept, "failure.txt"), "w") as f:
            f.write("%s, %s, flags %s\nnests: %s\n%s\n" % (name, mode, " ".join(flags), nests, text))
        with self.lock:
            self.failures.append(kept)
            print("%s fuzz/%s, %s, nests %s: %s" % ("DEFECT" if self.args.defect else "FAIL", name, mode,
                                                    nests or "?", text.strip()[:400]))
            sys.stdout.flush()
        if self.args.reduce and nests and mode in MODES and not self.args.csmith:
            for nest in nests[:2]:
                try:
                    reduced = reducing.reduce_nest(self.builder, kept, seed, nest, flags, mode)
                    print("     reduced: %s" % reduced)
                except Failure as e:
                    print("     not reduced: %s" % e)

    def summary(self, seconds):
        t = self.totals
        print("fuzz: %d %s, %d regions; refused candidates: %s" % (
            t["programs"], "programs of csmith (and %d that ran too long)" % t["too-long"]
            if self.args.csmith else "programs, %d nests" % t["nests"],
            t["regions"], listed(self.refused)))
        print("fuzz: round trip: %d regions ran %d times; %d could not be lowered" % (
            t["roundtrip-regions"], t["roundtrip-calls"], t["not-lowered"]))
        print("fuzz: simulator under verify: %d launches of %d regions, %d mismatches; fallbacks: %s" % (
            t["launches"], t["launched-regions"], t["mismatches"], listed(self.fallbacks)))
        print("fuzz: %.0f s" % seconds)


def listed(counter):
    return ", ".join("%s %d" % kv for kv in sorted(counter.items(), key=lambda kv: (-kv[1], kv[0]))) or "none"


def expected_defect(seen, programs):
    """The control: every program must have shown the planted defect."""
    print("fuzz: the planted defect shows in %d of %d programs" % (seen, programs))
    print("%d passed, %d failed" % (seen, programs - seen))
    return 0 if programs and seen == programs else 1


def seeds_of(args):
    if args.hours:
        seed, end = args.first, time.monotonic() + args.hours * 3600
        while time.monotonic() < end:
            yield seed
            seed += 1
        return
    first, _, last = args.seeds.partition("-")
    yield from range(int(first), int(last or first) + 1)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--seeds", default="1-3", help="A-B (default 1-3)")
    p.add_argument("--hours", type=float, help="go on for so long, from --first")
    p.add_argument("--first", type=int, default=int(time.time()) % 1000000 * 1000, help="first seed of --hours")
    p.add_argument("--nests", type=int, default=40, help="nests in a program (40)")
    p.add_argument("--jobs", type=int, default=int(os.environ.get("LOOM_JOBS", os.cpu_count())))
    p.add_argument("--modes", default=",".join(MODES), help="of: " + ",".join(MODES))
    p.add_argument("--csmith", action="store_true", help="programs of csmith instead of our own")
    p.add_argument("--defect", help="plant this defect in the round trip; the run passes when every "
                   "program shows it (see docs/environment.md)")
    p.add_argument("--no-reduce", dest="reduce", action="store_false")
    p.add_argument("--build", default=os.environ.get("LOOM_BUILD", os.path.join(ROOT, "build")))
    p.add_argument("--work", help="where to build")
    p.add_argument("--keep", help="where failures are kept")
    args = p.parse_args()
    args.build = os.path.abspath(args.build)
    args.work = os.path.abspath(args.work or os.path.join(args.build, "fuzz"))
    args.keep = os.path.abspath(args.keep or os.path.join(args.work, "failures"))
    args.modes = args.modes.split(",")
    if args.csmith and not shutil.which("csmith"):
        # By its Debian name; the package is small.
        code = os.system('. "%s/test/setup.sh" && loom_install csmith libcsmith-dev' % ROOT)
        if code or not shutil.which("csmith"):
            print("SKIP fuzz/csmith: csmith is not installed and can't be")
            return 1
    if args.defect:
        args.modes, args.reduce = ["roundtrip"], False
    stopped = []  # a first signal ends the run with its summary
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, lambda number, frame: stopped.append(number))
    fuzzer = Fuzzer(args)
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        running = set()
        for seed in seeds_of(args):
            if stopped:
                break
            running.add(pool.submit(fuzzer.one, seed))
            if len(running) >= args.jobs + 1:
                done, running = concurrent.futures.wait(
                    running, return_when=concurrent.futures.FIRST_COMPLETED)
                for d in done:
                    d.result()
        for d in running:
            d.result()
    fuzzer.summary(time.monotonic() - start)
    if args.defect:
        seen = sum(k.endswith("-roundtrip") for k in fuzzer.failures)
        return expected_defect(seen, fuzzer.totals["programs"])
    total = fuzzer.totals["programs"] * len(args.modes)
    bad = len(fuzzer.failures)
    print("%d passed, %d failed" % (max(0, total - bad), bad))
    return 1 if bad or not total else 0


if __name__ == "__main__":
    sys.exit(main())
