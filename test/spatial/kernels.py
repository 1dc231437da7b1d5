#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases from the example kernels: builds them with Loom, captures one launch of
every region of the main function and takes its apps out of the executable.

usage: kernels.py LOOM_BUILD DIR [KERNEL...]

DIR gets one case per main nest that has an app, in the layout of run-apps.py.
Prints the others with their refusal.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples", "kernels")


def run(argv, **env):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("LOOM_")}
    clean.update(env)
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, env=clean)


def main_functions():
    """File and function of each kernel's main nest."""
    with open(os.path.join(KERNELS, "MAIN.txt")) as f:
        return [line.split()[:2] for line in f if line.strip() and not line.startswith("#")]


def main():
    build, root = sys.argv[1:3]
    wanted = sys.argv[3:]
    tools = os.path.join(build, "bin")
    broken = 0
    for file, function in main_functions():
        stem, ext = os.path.splitext(file)
        if wanted and stem not in wanted:
            continue
        work = os.path.join(root, "build", stem)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        exe = os.path.join(work, stem)
        result = run([os.path.join(tools, "loom-c++" if ext == ".cpp" else "loom-cc"), "-O2",
                      os.path.join(KERNELS, file), "-o", exe, "-lm"])
        if result.returncode == 0:
            result = run([exe], LOOM_DEVICE="host", LOOM_CAPTURE=os.path.join(work, "capture"),
                         LOOM_CAPTURE_LAUNCHES="1")
        built = result.returncode == 0
        if built:
            # Its exit code says whether there was any app.
            result = run([os.path.join(tools, "loom"), "spatial", exe, "-o", os.path.join(work, "apps")])
        if not built:
            print("FAIL %s: %s" % (stem, result.stdout.strip()[-300:]))
            broken += 1
            continue
        # Regions are named after their function.
        pattern = re.compile(r"^// Region (%s\.\d+)\. Arguments" % re.escape(function), re.M)
        found = 0
        apps = os.path.join(work, "apps")
        for name in sorted(os.listdir(apps)) if os.path.isdir(apps) else []:
            if not name.endswith("_check.scala"):
                continue
            with open(os.path.join(apps, name)) as f:
                text = f.read()
            region = pattern.search(text)
            capture = region and os.path.join(work, "capture", region.group(1) + ".1.loomcap")
            if not capture or not os.path.exists(capture):
                continue
            found += 1
            case = os.path.join(root, stem if found == 1 else "%s-%d" % (stem, found))
            shutil.rmtree(case, ignore_errors=True)
            os.makedirs(case)
            subprocess.run([os.path.join(tools, "loom"), "capture", capture, "-o", os.path.join(case, "launch.1")],
                           check=True)
            # Two kernels may have a function of the same name.
            prefix = re.sub(r"\W", "_", stem) + "_"
            for source, target in ((name, "check.scala"), (name.replace("_check.scala", ".scala"), "app.scala")):
                with open(os.path.join(apps, source)) as f:
                    text = re.sub(r"^@spatial object ", "@spatial object k_" + prefix, f.read(), flags=re.M)
                with open(os.path.join(case, target), "w") as f:
                    f.write(text)
        if not found:
            why = re.findall(r"no app for (%s\.\d+: \S+)" % re.escape(function), result.stdout)
            print("none %s: %s" % (stem, ", ".join(why) or "no app with a captured launch"))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
