# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one program in every mode, runs it, compares the lines it prints."""

import json
import os
import re
import shutil
import subprocess
import threading

from generate import program
from loomtest import Failure, check, must, read_stats, run

HERE = os.path.dirname(os.path.abspath(__file__))
# The program as it is, on the simulator with every launch verified, and with S0
# lowered back to LLVM in place of each nest.
MODES = ("host", "verify", "roundtrip")
BUDGET = "60M"


def generated_source(seed, numbers):
    return program(seed, numbers)


def csmith_source(seed):
    """A program of csmith without what Loom can't look at (bit-fields make
    odd widths, that is welcome); volatile objects would refuse every loop."""
    return must(["csmith", "--seed", str(seed), "--no-volatiles", "--no-volatile-pointers",
                 "--max-funcs", "6", "--max-block-depth", "4", "--concise"], timeout=60).out.decode()


class TooLong(Failure):
    """Plain clang's program did not end in time."""


class Checked:
    """What came out of one program."""

    def __init__(self):
        self.counts, self.refused, self.fallbacks = {}, {}, {}
        self.failures = []  # (mode, text, numbers of nests)


def lines_of(output):
    """The checksum of each nest; csmith prints one for the whole."""
    result = {}
    for line in output.decode(errors="replace").splitlines():
        m = re.match(r"nest (\d+) (\w+)", line)
        if m:
            result[int(m.group(1))] = m.group(2)
        elif line.strip():
            result.setdefault("other", []).append(line)
    return result


def difference(want, got):
    """The nests whose lines differ or are missing; the first missing one is where
    the program ended."""
    keys = sorted(k for k in want if k != "other")
    return [k for k in keys if want[k] != got.get(k)]


class Builder:
    def __init__(self, build, work, defect=None):
        self.build, self.work, self.defect = build, work, defect
        os.makedirs(work, exist_ok=True)
        self.lock, self.harnesses = threading.Lock(), {}

    def tool(self, name):
        return os.path.join(self.build, "bin", name)

    def directory(self, name):
        d = os.path.join(self.work, name)
        shutil.rmtree(d, ignore_errors=True)
        os.makedirs(d)
        return d

    def harness(self):
        """harness.o and counts.o, compiled once, without LTO."""
        with self.lock:
            if not self.harnesses:
                for name in ("harness", "counts"):
                    out = os.path.join(self.work, name + ".o")
                    must(["clang-22", "-O2", "-c", os.path.join(HERE, name + ".c"), "-o", out])
                    self.harnesses[name] = out
        return self.harnesses

    def compile(self, compiler, source, out, flags, link=()):
        includes = ["-I" + HERE, "-I/usr/include/csmith", "-DUSE_MATH_MACROS"]
        return run(compiler + ["-w"] + flags + includes + [source] + list(link) + ["-o", out],
                   timeout=300)

    def oracle(self, directory, source, flags):
        """Output of plain clang; None when -O0 differs (a fault of the source)."""
        harness = self.harness()["harness"]
        outputs = []
        for tag, level in (("plain", flags), ("O0", ["-O0"] + [f for f in flags if f == "-fwrapv"])):
            exe = os.path.join(directory, tag)
            r = self.compile(["clang-22"], source, exe, level, [harness, "-lm"])
            if r.code != 0:
                raise Failure("clang: " + r.err.decode(errors="replace")[:1500])
            try:
                outputs.append(run([exe], timeout=10))
            except Failure as e:
                raise TooLong(str(e)) from e
        a, b = outputs
        if a.code != 0:
            raise Failure("plain clang's program: exit code %d" % a.code)
        return a, (a.out == b.out and a.code == b.code), difference(lines_of(a.out), lines_of(b.out))

    def check(self, directory, text, flags, modes):
        source = os.path.join(directory, "program.c")
        with open(source, "w") as f:
            f.write(text)
        result = Checked()
        want, agree, differing = self.oracle(directory, source, flags)
        if not agree:
            result.failures.append(("generator", "-O0 and %s differ" % " ".join(flags), differing))
            return result
        harness = self.harness()
        obj = os.path.join(directory, "program.o")
        r = self.compile([self.tool("loom-cc"), "-c"], source, obj, flags)
        check(r.code == 0, "loom-cc -c: " + r.err.decode(errors="replace")[:1500])
        result.counts = {"programs": 1, "nests": len(lines_of(want.out))}
        for mode in modes:
            self.mode(result, mode, directory, obj, flags, want, harness)
        return result

    def mode(self, result, mode, directory, obj, flags, want, harness):
        exe = os.path.join(directory, mode)
        env, objects = {}, [obj, harness["harness"]]
        report = exe + ".report"
        stats = exe + ".stats"
        for old in (report, stats):  # both are appended to
            if os.path.exists(old):
                os.remove(old)
        if mode == "roundtrip":
            env["LOOM_ROUNDTRIP"] = "1"
            if self.defect:
                env["LOOM_ROUNDTRIP_DEFECT"] = self.defect
            objects.append(harness["counts"])
        else:
            env["LOOM_REPORT"] = report
        if mode == "verify" and os.path.exists(os.path.join(directory, "host")):
            exe = os.path.join(directory, "host")
        else:
            level = [f for f in flags if f.startswith("-O")]
            r = run([self.tool("loom-cc")] + level + objects + ["-lm", "-o", exe], env=env, timeout=600)
            said = r.err.decode(errors="replace").strip()
            if r.code != 0 or said:
                result.failures.append((mode, "the link says: " + said[:1500], []))
                if said.count("loom: round trip: "):
                    result.counts["not-lowered"] = said.count("loom: round trip: ")
                if r.code != 0:
                    return
            if mode == "host":
                self.read_report(result, report)
        env = {"host": {"LOOM_DEVICE": "host"}, "roundtrip": {"LOOM_ROUNDTRIP_STATS": stats},
               "verify": {"LOOM_DEVICE": "sim", "LOOM_VERIFY": "1", "LOOM_STATS": stats,
                          "LOOM_SIM_BUDGET": BUDGET}}[mode]
        try:
            got = run([exe], env=env, timeout=120)
        except Failure as e:
            result.failures.append((mode, str(e), []))
            return
        if mode == "roundtrip":
            rows = read_stats(stats)
            result.counts["roundtrip-regions"] = len(rows)
            result.counts["roundtrip-calls"] = sum(r["calls"] for r in rows)
        differing = difference(lines_of(want.out), lines_of(got.out))
        if got.out != want.out or got.code != want.code:
            result.failures.append((mode, "another output (exit code %d, plain %d); %s" % (
                got.code, want.code, got.err.decode(errors="replace")[:500]), differing))
        if mode == "verify":
            self.read_verify(result, read_stats(stats), got)

    def read_report(self, result, path):
        if not os.path.exists(path):
            return
        with open(path) as f:
            rows = json.load(f)
        rows = rows.get("candidates", rows) if isinstance(rows, dict) else rows
        for row in rows:
            if row["code"] == "offloaded":
                result.counts["regions"] = result.counts.get("regions", 0) + 1
            else:
                result.refused[row["code"]] = result.refused.get(row["code"], 0) + 1

    def read_verify(self, result, rows, got):
        sim = [r for r in rows if r["device"] == "sim"]
        result.counts["launches"] = sum(r["launches"] for r in sim)
        result.counts["launched-regions"] = len({r["region"] for r in sim if r["launches"]})
        result.counts["mismatches"] = sum(r.get("mismatches") or 0 for r in sim)
        for r in sim:
            for reason, n in (r.get("fallbacks") or {}).items():
                result.fallbacks[reason] = result.fallbacks.get(reason, 0) + n
        bad = sorted({r["function"] for r in sim if r.get("mismatches")})
        strange = {k for r in sim for k, n in (r.get("fallbacks") or {}).items() if n and k != "budget"}
        if bad or strange:
            nests = sorted({int(m.group(1)) for b in bad for m in [re.match(r"nest_(\d+)", b)] if m} |
                           {int(m.group(1)) for r in sim if set(r.get("fallbacks") or {}) & strange
                            for m in [re.match(r"nest_(\d+)", r["function"])] if m})
            result.failures.append(("verify", "mismatches in %s, fallbacks %s: %s" % (
                bad or "none", sorted(strange) or "none", got.err.decode(errors="replace")[:500]), nests))
