#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example projects, by their own build systems, compared with a build that
knows nothing of Loom."""

import os
import shutil

from loomtest import (ROOT, Suite, check, launches, mismatches, must, read_stats, run,
                      same_output)

suite = Suite("projects")


def devices(want, program):
    """Runs a program on every device against a plain run."""
    same_output("host", want, run([program], env={"LOOM_DEVICE": "host"}))
    stats = program + ".stats"
    same_output("sim", want, run([program], env={"LOOM_DEVICE": "sim", "LOOM_STATS": stats}))
    check(launches(read_stats(stats)) > 0, "nothing launched on the simulator")
    stats = program + ".verify.stats"
    same_output("verify", want, run([program], env={"LOOM_VERIFY": "1", "LOOM_STATS": stats}))
    check(mismatches(read_stats(stats)) == 0, "mismatches under LOOM_VERIFY")
    report = must([suite.tool("loom"), "report", program]).out.decode()
    check("offloaded" in report, "the report names no offloaded loop:\n" + report)


def make_project(ar):
    tag = "make-" + os.path.basename(ar)
    for kind, cc in (("plain", "clang-22"), ("loom", suite.tool("loom-cc"))):
        directory = suite.path(tag + "." + kind)
        shutil.copytree(os.path.join(ROOT, "examples", "make-project"), directory)
        must(["make", "check", "CC=" + cc, "AR=" + ar], cwd=directory)
    devices(must([suite.path(tag + ".plain", "pipeline")]), suite.path(tag + ".loom", "pipeline"))


def cmake_project(tag, *extra):
    source = os.path.join(ROOT, "examples", "cmake-project")
    for kind, args in (("plain", ["-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22"]),
                       ("loom", ["-DCMAKE_TOOLCHAIN_FILE=" + os.path.join(
                           suite.build, "share", "loom", "loom-toolchain.cmake")])):
        directory = suite.path(tag + "." + kind)
        must(["cmake", "-G", "Ninja", "-S", source, "-B", directory] + args +
             (list(extra) if kind == "loom" else []))
        must(["ninja", "-C", directory])
        must(["ctest", "--test-dir", directory])
    devices(must([suite.path(tag + ".plain", "signals")]), suite.path(tag + ".loom", "signals"))


suite.add("make", make_project, "llvm-ar-22")
suite.add("make-gnu-ar", make_project, "ar")
suite.add("cmake", cmake_project, "cmake")
suite.add("cmake-ipo", cmake_project, "ipo", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
suite.finish()
