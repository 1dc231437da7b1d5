#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quotas that end anywhere in the middle of a question: answers get lost, the
analysis doesn't. (isl's printer crashed when the quota ended inside it.)

usage: budgets.py LOOM_OPT FILE.mlir
"""
import subprocess
import sys

lost = 0
for quota in list(range(20, 2000, 60)) + [3000, 6000, 12000]:
    run = subprocess.run([sys.argv[1], "--loom-views=query-operations=%d" % quota, sys.argv[2], "-o", "/dev/null"],
                         stdout=subprocess.PIPE, universal_newlines=True)
    if run.returncode:
        sys.exit("budgets: exit code %d with a quota of %d" % (run.returncode, quota))
    lost += "the analysis budget is used up" in run.stdout
print("%d quotas were too small for some answer" % lost)
sys.exit(0 if lost else 1)
