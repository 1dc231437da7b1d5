#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/dispositions.md from the disposition table (llvm-tblgen
--dump-json on standard input)."""

import json
import sys

FATES = {"Preserve": "kept", "Normalize": "respelled", "Project": "into locations",
         "Refuse": "refused"}


def main():
    records = json.load(sys.stdin)
    rows = [records[name] for name in records["!instanceof"]["Construct"]]
    ops = [row["Op"] for row in rows]
    twice = sorted({op for op in ops if ops.count(op) > 1})
    if twice:
        sys.exit("dispositions.py: row given twice: " + ", ".join(twice))
    print("<!-- Generated from include/loom/Structured/Raise/Dispositions.td by "
          "docs/generate.sh. -->\n")
    print("# What is raised and what is refused\n")
    print("The fate of every construct of LLVM IR, by its operation in MLIR's LLVM dialect. In a\n"
          "*module* (the structured program S0) nothing is refused; in a *region* that the device\n"
          "executes, what has no exact equal is. Flags (`nsw`, `exact`, fast-math, ...) go along;\n"
          "where a standard operation has no place for one (`disjoint`, `nneg`, poison at zero),\n"
          "the LLVM operation stays in a module, and a region computes the value of the case\n"
          "without the flag. A construct without a row is kept in a module and refused in a\n"
          "region. Some regions never come so far: see [refusals.md](refusals.md).\n")
    print("| Construct | Module | Region | Becomes | Why |")
    print("|---|---|---|---|---|")
    for row in sorted(rows, key=lambda row: row["Op"]):
        result = "`%s`" % row["Result"] if row["Result"] else ""
        print("| `%s` | %s | %s | %s | %s |" % (
            row["Op"], FATES[row["InModule"]["def"]], FATES[row["InRegion"]["def"]], result,
            row["Why"]))


main()
