#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles Spatial apps against the shim, all in one scalac call, and runs them.

usage: run-apps.py [--work DIR] [--min N] [--no-negative] CASE...

A CASE is a directory with
  app.scala    the app with binary files in and out (optional)
  check.scala  its self-checking form
  and one directory per captured launch (`loom capture` writes them), each with
  slots.txt, mem<k>.in.bin, mem<k>.out.bin and out.txt.

For each launch: the check must print `PASS: 1 (region)` and exit with 0; the
file form must write the captured contents; and the check must notice a changed
bit in each expected file. Prints one line per launch; exits with 1 if anything
failed or fewer than N cases passed.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHIM = os.path.join(os.path.dirname(HERE), "spatial-shim")
JAVA_OPTIONS = ["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def scala_library():
    for path in ["/usr/share/java/scala-library.jar"] + glob.glob("/usr/share/java/scala-library-*.jar"):
        if os.path.exists(path):
            return path
    sys.exit("run-apps: no scala-library.jar in /usr/share/java")


def scalac(out, sources, classpath=None):
    os.makedirs(out, exist_ok=True)
    command = ["scalac", "-nowarn", "-d", out]
    if classpath:
        command += ["-cp", classpath]
    result = subprocess.run(command + sources, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    return result.returncode == 0, result.stdout


def shim(work):
    """The compiled shim; rebuilt only when its sources changed."""
    out = os.path.join(work, "shim")
    sources = sorted(glob.glob(os.path.join(SHIM, "*.scala")))
    stamp = os.path.join(out, "stamp")
    if not os.path.exists(stamp) or any(os.path.getmtime(s) > os.path.getmtime(stamp) for s in sources):
        good, text = scalac(out, sources)
        if not good:
            sys.exit("run-apps: the shim does not compile\n" + text)
        open(stamp, "w").close()
    return out


def slot_file(text, path):
    """`index type hexbits decimal` per line to 8 bytes each."""
    with open(text) as lines, open(path, "wb") as out:
        for line in lines:
            if line.strip():
                out.write(int(line.split()[2], 16).to_bytes(8, "little"))


class Launch:
    def __init__(self, case, directory):
        self.case, self.directory = case, directory
        slot_file(os.path.join(directory, "slots.txt"), os.path.join(directory, "slots.bin"))
        slot_file(os.path.join(directory, "out.txt"), os.path.join(directory, "out.bin"))
        numbers = sorted(int(re.search(r"mem(\d+)\.in\.bin$", p).group(1))
                         for p in glob.glob(os.path.join(directory, "mem*.in.bin")))
        self.inputs = [self.path("slots.bin")] + [self.path("mem%d.in.bin" % k) for k in numbers]
        # The app numbers its memories without gaps; the header says which ones
        # are written.
        self.written = [self.path("mem%d.out.bin" % numbers[int(k)]) for k in case.written]
        self.expected = self.written + [self.path("out.bin")]

    def path(self, name):
        return os.path.join(self.directory, name)


class Case:
    def __init__(self, directory):
        self.directory = directory
        self.name = os.path.basename(os.path.normpath(directory))
        self.check = os.path.join(directory, "check.scala")
        self.app = os.path.join(directory, "app.scala")
        with open(self.check) as f:
            text = f.read()
        self.object = re.search(r"^@spatial object (\w+)_check extends", text, re.M).group(1)
        self.region = re.search(r"^// Region (\S+)\. Arguments", text, re.M).group(1)
        self.written = re.findall(r"^//   \d+: memory (\d+) after", text, re.M)
        self.types = re.findall(r"^//   \d+: memory \d+ after, \d+ x (\w+)", text, re.M) + ["I64"]
        self.launches = [Launch(self, os.path.dirname(p))
                         for p in sorted(glob.glob(os.path.join(directory, "**", "slots.txt"), recursive=True))]


def same(got, expected, kind):
    """Equal bytes; any NaN for any NaN."""
    if len(got) != len(expected):
        return False
    size, exponent, fraction = {"Float": (4, 0x7f800000, 0x7fffff),
                                "Double": (8, 0x7ff << 52, (1 << 52) - 1)}.get(kind, (1, 0, 0))

    def nan(x):
        return fraction and x & exponent == exponent and x & fraction

    for i in range(0, len(got), size):
        a, b = (int.from_bytes(x[i:i + size], "little") for x in (got, expected))
        if a != b and not (nan(a) and nan(b)):
            return False
    return True


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", default=os.path.join("/tmp", "loom-spatial-%d" % os.getuid()))
    parser.add_argument("--min", type=int, default=1)
    parser.add_argument("--no-negative", action="store_true")
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()

    cases = [Case(d) for d in options.cases]
    objects = [c.object for c in cases]
    if len(set(objects)) != len(objects):
        sys.exit("run-apps: two cases with the same app object")
    library = shim(options.work)
    classes = os.path.join(options.work, "apps-%d" % os.getpid())
    sources = [s for c in cases for s in (c.check, c.app) if os.path.exists(s)]
    good, text = scalac(classes, sources, library)
    if not good:
        sys.exit("run-apps: the apps do not compile\n" + text)
    command = ["java"] + JAVA_OPTIONS + ["-cp", ":".join([scala_library(), library, classes])]

    def process(main_class, arguments):
        return subprocess.run(command + [main_class] + arguments, cwd=classes, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)

    def batch(runs):
        """(class, arguments) each; (exit code, output) each, in one JVM."""
        path = os.path.join(classes, "batch.txt")
        with open(path, "w") as f:
            for run in runs:
                f.write("\t".join([run[0]] + run[1]) + "\n")
        text = process("spatial.Batch", [path]).stdout
        results = re.findall(r"^@begin\n(.*?)^@exit (\d+)\n", text, re.M | re.S)
        if len(results) != len(runs):
            sys.exit("run-apps: %d runs, %d results\n%s" % (len(runs), len(results), text[-2000:]))
        return [(int(code), output) for output, code in results]

    # All runs of all launches, each with the function that judges it.
    runs = []
    problems = {}

    def add(launch, main_class, arguments, judge):
        runs.append((main_class, arguments, launch, judge))

    def passes(launch):
        def judge(code, output):
            if code != 0 or ("PASS: 1 (%s)" % launch.case.region) not in output.splitlines():
                return "check: exit %d: %s" % (code, output.strip())
        return judge

    def writes(launch, outputs):
        def judge(code, output):
            if code != 0 or ("DONE (%s)" % launch.case.region) not in output.splitlines():
                return "app: exit %d: %s" % (code, output.strip())
            for path, expected, kind in zip(outputs, launch.written, launch.case.types):
                if not os.path.exists(path) or not same(read(path), read(expected), kind):
                    return "app: wrong contents for %s" % expected
            if not os.path.exists(outputs[-1]) or len(read(outputs[-1])) != len(read(launch.expected[-1])):
                return "app: wrong size of the results"
        return judge

    def notices(launch, path):
        def judge(code, output):
            if code == 0 or ("PASS: 0 (%s)" % launch.case.region) not in output.splitlines():
                return "a changed bit in %s was not noticed" % path
        return judge

    def lacks(code, output):
        if "PASS: 1" in output:
            return "missing arguments passed"

    for launch in [l for c in cases for l in c.launches]:
        case = launch.case
        add(launch, case.object + "_check", launch.inputs + launch.expected, passes(launch))
        if os.path.exists(case.app):
            outputs = [os.path.join(classes, "%d.out%d.bin" % (len(runs), i)) for i in range(len(launch.expected))]
            add(launch, case.object, launch.inputs + outputs, writes(launch, outputs))
        if options.no_negative:
            continue
        for i, path in enumerate(launch.expected):
            data = bytearray(read(path))
            # A low bit of the first element: never one NaN for another.
            data[0] ^= 1
            damaged = os.path.join(classes, "%d.damaged.bin" % len(runs))
            with open(damaged, "wb") as f:
                f.write(data)
            add(launch, case.object + "_check",
                launch.inputs + launch.expected[:i] + [damaged] + launch.expected[i + 1:], notices(launch, path))
        add(launch, case.object + "_check", launch.inputs, lacks)

    for (_, _, launch, judge), (code, output) in zip(runs, batch([r[:2] for r in runs])):
        problem = judge(code, output)
        if problem:
            problems.setdefault(launch, problem)
    # The exit code that a shell sees, once for each way.
    if not options.no_negative:
        for main_class, arguments, launch, judge in runs[:3]:
            result = process(main_class, arguments)
            problem = judge(result.returncode, result.stdout)
            if problem:
                problems.setdefault(launch, "as a process: " + problem)

    failures = passed = 0
    for case in cases:
        if not case.launches:
            print("FAIL %s: no captured launch" % case.name)
            failures += 1
            continue
        bad = False
        for launch in case.launches:
            problem = problems.get(launch)
            print("%s %s %s%s" % ("FAIL" if problem else "ok  ", case.name, os.path.basename(launch.directory),
                                  ": " + problem if problem else ""))
            bad |= problem is not None
        failures += bad
        passed += not bad
    print("%d passed, %d failed" % (passed, failures))
    sys.exit(1 if failures or passed < options.min else 0)


if __name__ == "__main__":
    main()
