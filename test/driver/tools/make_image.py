#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test helper: an ELF object with the image that a JSON text describes.

    make_image.py BUILD IMAGE.json OUT.o [--version N] [--twice] [--raw OUT.img]

The JSON follows loom_image.fbs, except that an actor may be written short:
only the fields that aren't zero, and `mem` is absent when there is none."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

ACTOR = ["imm", "first_operand", "first_result", "mem", "line", "num_operands", "num_results",
         "kind", "op", "pred", "type", "from", "width", "from_width", "reserved"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def complete(image):
    """Fills in what the short form of an actor leaves out."""
    for region in image.get("regions", []):
        for actor in region.get("graph", {}).get("actors", []):
            actor.setdefault("mem", 0xffffffff)
            for field in ACTOR:
                actor.setdefault(field, 0)
    return image


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("json")
    parser.add_argument("out")
    parser.add_argument("--version", default="1")
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--raw")
    args = parser.parse_args()

    def run(*words):
        subprocess.run(words, check=True, cwd=folder, stdout=sys.stderr)

    with tempfile.TemporaryDirectory() as folder:
        with open(args.json) as source, open(os.path.join(folder, "image.json"), "w") as f:
            json.dump(complete(json.load(source)), f)
        run("flatc", "-b", os.path.join(ROOT, "include/loom/Image/loom_image.fbs"), "image.json")
        run(os.path.join(args.build, "bin/loom-seal-image"), "image.bin", "image.sealed",
            args.version)
        with open(os.path.join(folder, "image.sealed"), "rb") as f:
            sealed = f.read()
        section = sealed
        if args.twice:
            section += b"\0" * (-len(sealed) % 16) + sealed
        with open(os.path.join(folder, "section"), "wb") as f:
            f.write(section)
        if args.raw:
            with open(args.raw, "wb") as f:
                f.write(section)
        with open(os.path.join(folder, "image.s"), "w") as f:
            f.write('.section .loom.image,"a"\n.balign 16\n.incbin "section"\n')
        run("/usr/lib/llvm-22/bin/clang", "-c", "image.s", "-o", os.path.abspath(args.out))


main()
