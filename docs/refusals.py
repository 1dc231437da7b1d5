#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/refusals.md from the refusal table (llvm-tblgen --dump-json on
standard input)."""

import json
import sys

# The stages in the order of the flow: title and what a refusal there means.
STAGES = {
    "prepare": ("Candidate selection",
                "The plugin looks at the loop nests of the link's LLVM IR. A nest with one of "
                "these stays on the host."),
    "raise": ("Raising to MLIR",
              "The outlined nest becomes a structured program. A nest that doesn't stays on the "
              "host."),
    "lower": ("Lowering to a dataflow graph",
              "The structured program becomes a token graph. A nest that doesn't stays on the "
              "host."),
    "gate": ("The functional gate",
             "With `LOOM_GATE=1` the compiler runs the graph against the code that it was raised "
             "from. A nest that fails stays on the host."),
    "admit": ("Admission by the target",
              "The target of the link (docs/targets.md) must serve every actor of the graph. A nest "
              "that it does not serve stays on the host."),
    "spatial": ("Printing as a Spatial app",
                "These concern the Spatial app only: the region is offloaded all the same, and "
                "`loom spatial` prints the code instead of an app."),
}


def main():
    records = json.load(sys.stdin)
    rows = [records[name] for name in records["!instanceof"]["Refusal"]]
    unknown = sorted({row["Stage"] for row in rows} - set(STAGES))
    if unknown:
        sys.exit("refusals.py: no description of stage " + ", ".join(unknown))
    codes = [row["Code"] for row in rows]
    twice = sorted({code for code in codes if codes.count(code) > 1})
    if twice:
        sys.exit("refusals.py: code used twice: " + ", ".join(twice))

    print("<!-- Generated from include/loom/Support/Refusals.td by docs/generate.sh. -->\n")
    print("# Refusal codes\n")
    print("Loom never breaks a build over a loop it can't take: the loop stays on the host, and\n"
          "`loom report`, `LOOM_REPORT` and `-Rpass-missed=loom` say why with one of these codes.\n"
          "A code never changes its meaning.")
    for stage, (title, text) in STAGES.items():
        print("\n## %s\n\n%s\n" % (title, text))
        print("| Code | Meaning |")
        print("|---|---|")
        for row in sorted((r for r in rows if r["Stage"] == stage), key=lambda r: r["Code"]):
            print("| `%s` | %s |" % (row["Code"], row["Text"]))


main()
