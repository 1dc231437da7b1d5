# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program tests share: running commands, counting results, reading
the runtime's statistics."""

import argparse
import concurrent.futures
import errno
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNELS = os.path.join(ROOT, "examples", "kernels")
CLANG = {"c": "clang-22", "cpp": "clang++-22"}
# The user's own settings must not leak into the tests.
CLEAN_ENV = {k: v for k, v in os.environ.items() if not k.startswith("LOOM_")}


class Failure(Exception):
    """A check that did not hold; the text says which."""


class Result:
    """A finished process: exit code, standard output and error as bytes."""

    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds


def run(argv, cwd=None, env=None, timeout=120, stdin=None):
    """Runs a command in a clean environment plus `env`; never raises for the
    command's own failure."""
    full = dict(CLEAN_ENV)
    full.update(env or {})
    start = time.monotonic()
    try:
        for attempt in range(50):
            try:
                p = subprocess.run([str(a) for a in argv], cwd=cwd, env=full, timeout=timeout,
                                   input=stdin if stdin is not None else b"",
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                break
            except OSError as e:
                # A program that was just written is busy while another thread's
                # child, between fork and exec, still has it open.
                if e.errno != errno.ETXTBSY or attempt == 49:
                    raise
                time.sleep(0.05)
    except subprocess.TimeoutExpired:
        raise Failure("still running after %d s: %s" % (timeout, " ".join(map(str, argv))))
    except OSError as e:
        raise Failure("can't run %s: %s" % (argv[0], e))
    return Result(p.returncode, p.stdout, p.stderr, time.monotonic() - start)


def must(argv, **kw):
    """Like run, and the command must exit with 0."""
    r = run(argv, **kw)
    if r.code != 0:
        raise Failure("exit code %d of: %s\n%s" % (
            r.code, " ".join(map(str, argv)), (r.out + r.err).decode(errors="replace")[-2000:]))
    return r


def check(condition, text):
    if not condition:
        raise Failure(text)


def same_output(name, want, got):
    """The two runs must agree in exit code and standard output."""
    check(got.code == want.code, "%s: exit code %d, plain %d; stderr: %s" % (
        name, got.code, want.code, got.err.decode(errors="replace")[-500:]))
    check(got.out == want.out, "%s prints\n%s\nplain prints\n%s" % (
        name, got.out.decode(errors="replace")[-500:], want.out.decode(errors="replace")[-500:]))


def read_stats(path):
    """The rows of a LOOM_STATS file; none when nothing was launched."""
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [json.loads(line) for line in f if line.strip()]


def launches(rows, function=None, device="sim"):
    return sum(r["launches"] for r in rows if r["device"] == device
               and (function is None or in_function(r, function)))


def in_function(row, function):
    """Whether a row is of a function; C++ names may be mangled, and constant
    propagation may have given a copy a suffix."""
    name = row["function"]
    return name.split(".")[0] == function or (
        name.startswith("_Z") and "%d%s" % (len(function), function) in name)


def mismatches(rows):
    return sum(r.get("mismatches", 0) or 0 for r in rows)


def fallbacks(rows):
    total = {}
    for r in rows:
        for reason, n in (r.get("fallbacks") or {}).items():
            if n:
                total[reason] = total.get(reason, 0) + n
    return total


def kernels():
    """(file, stem, function of the main nest) of every example kernel."""
    rows = []
    with open(os.path.join(KERNELS, "MAIN.txt")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                file, function = line.split()[:2]
                rows.append((file, os.path.splitext(file)[0], function))
    on_disk = sorted(f for f in os.listdir(KERNELS) if f.endswith((".c", ".cpp")))
    assert sorted(r[0] for r in rows) == on_disk, "MAIN.txt and the kernels differ"
    return rows


class Suite:
    """Runs named tests, a few at a time, and counts them. A test is a function
    that raises Failure, or returns a text when it was skipped."""

    def __init__(self, name, argv=None):
        p = argparse.ArgumentParser(description=name)
        p.add_argument("--build", default=os.environ.get("LOOM_BUILD", os.path.join(ROOT, "build")))
        p.add_argument("--work", help="where to build the programs")
        p.add_argument("--jobs", type=int, default=int(os.environ.get("LOOM_JOBS", os.cpu_count())))
        p.add_argument("--only", help="run the tests whose name has this in it")
        p.add_argument("-v", "--verbose", action="store_true", help="print each test")
        self.args = p.parse_args(argv)
        self.name = name
        self.build = os.path.abspath(self.args.build)
        self.work = os.path.abspath(self.args.work or os.path.join(self.build, "programs", name))
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        self.tests = []
        self.lock = threading.Lock()

    def tool(self, name):
        return os.path.join(self.build, "bin", name)

    def loom(self, file):
        """The wrapper that compiles a source file."""
        return self.tool("loom-c++" if file.endswith(".cpp") else "loom-cc")

    @property
    def plugin(self):
        return os.path.join(self.build, "lib", "LoomPlugin-22.so")

    def path(self, *names):
        return os.path.join(self.work, *names)

    def add(self, name, function, *args):
        if not self.args.only or self.args.only in name:
            self.tests.append((name, function, args))

    def run(self):
        """Runs the tests, prints those that failed or were skipped; gives the
        numbers of those that passed and that failed."""
        passed, failed, self.skipped = 0, 0, 0
        self.start = time.monotonic()

        def one(test):
            name, function, args = test
            try:
                return name, function(*args), None
            except Failure as e:
                return name, None, str(e)
            except Exception:  # a defect of the test itself
                return name, None, traceback.format_exc()

        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for name, reason, failure in pool.map(one, self.tests):
                if failure is not None:
                    failed += 1
                    print("FAIL %s/%s: %s" % (self.name, name, failure))
                elif reason:
                    self.skipped += 1
                    print("SKIP %s/%s: %s" % (self.name, name, reason))
                else:
                    passed += 1
                    if self.args.verbose:
                        print("PASS %s/%s" % (self.name, name))
                sys.stdout.flush()
        return passed, failed

    def conclude(self, passed, failed, skipped):
        """Prints the counts and exits."""
        print("%s: %.0f s" % (self.name, time.monotonic() - self.start))
        tail = ", %d skipped" % skipped if skipped else ""
        print("%d passed, %d failed%s" % (passed, failed, tail))
        sys.exit(1 if failed or not passed else 0)

    def finish(self, summary=None):
        """Runs everything, prints the summary and the counts, exits."""
        passed, failed = self.run()
        if summary:
            summary()
        self.conclude(passed, failed, self.skipped)
