#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/reference/dataflow-actors.md from the table of actors (llvm-tblgen
--dump-json on standard input)."""

import json
import sys

FORMS = {"Actor": "its verifier says", "Elementwise": "scalars, or lanes one by one",
         "Address": "`i8`, one `i64`; scalars or lanes", "PointerCast": "a pointer and `i64`",
         "IndexCast": "`i64` and `index`", "WholeBytes": "a multiple of 16 bits; scalars or lanes",
         "Lanes": "vectors, positions may be `index`"}
USES = {"Decides": "decides the token", "Promise": "limits the operands it is defined for",
        "Freedom": "allows other tokens too", "Layout": "none"}


def main():
    records = json.load(sys.stdin)
    rows = [records[name] for name in records["!instanceof"]["Schema"]]
    uses = {}
    for name in records["!instanceof"]["Attribute"]:
        record = records[name]
        uses.setdefault(record["Op"], []).append((record["Name"], record["Use"]["def"]))
    value = lambda row: sum(bit << index for index, bit in enumerate(row["Id"]))
    actors = sorted((row for row in rows if row["Form"]["def"] != "Refused"), key=value)
    refused = [row for row in rows if row["Form"]["def"] == "Refused"]
    for key, what in ((lambda row: row["Op"], "operation"), (value, "id")):
        listed = [key(row) for row in (rows if what == "operation" else actors)]
        twice = sorted({one for one in listed if listed.count(one) > 1})
        if twice:
            sys.exit("actors.py: %s given twice: %s" % (what, twice))
    unknown = sorted(set(uses) - {row["Op"] for row in actors})
    if unknown:
        sys.exit("actors.py: attributes of no actor: %s" % unknown)

    print("<!-- Generated from include/loom/Dataflow/IR/Schemas.td by docs/generate.sh. -->\n")
    print("# Actors\n")
    print("What may be in a `dataflow.graph`. An operation is an actor if it has a row here, its types\n"
          "have the form of the row, and every attribute on it is listed: what is not listed is\n"
          "refused, never ignored. Integers have 1 to 64 bits and wrap; floats are `f32` and `f64`. A\n"
          "computation takes one token per operand and emits one. An actor without a word in the image\n"
          "can't be executed yet and is refused with `dataflow-op` when an image is written; so are\n"
          "vectors and `index`.\n")
    print("| Id | Operation | Types | Attributes | Image |")
    print("|---|---|---|---|---|")
    for row in actors:
        kind, op = (row[field].split("::")[-1] for field in ("Kind", "ImageOp"))
        image = "" if not row["HasImage"] else kind if op == "None" else op
        attributes = ", ".join("`%s` %s" % (name, USES[use])
                               for name, use in sorted(uses.get(row["Op"], []))
                               if use != "Layout")
        print("| %d | `%s` | %s | %s | %s |" % (value(row), row["Op"], FORMS[row["Form"]["def"]],
                                               attributes, image))
    print("\nAn attribute that limits the operands (`nsw`, `exact`) or allows other tokens (`fastmath`)\n"
          "changes nothing here: the token is the one without it.\n")
    print("## Refused by name\n")
    print("| Operation | What it is |")
    print("|---|---|")
    for row in sorted(refused, key=lambda row: row["Op"]):
        print("| `%s` | %s |" % (row["Op"], row["Text"]))


main()
