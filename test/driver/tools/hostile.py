#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test helper: runs loom on damaged files.

    hostile.py BUILD IMAGE.o SEALED FOLDER

Every run must end by itself with exit code 0, 1 or 2, and say at most a few
lines about it."""

import os
import random
import subprocess
import sys

HEADER = 48
OBJCOPY = "/usr/lib/llvm-22/bin/llvm-objcopy"


def mutate(rng, data):
    data = bytearray(data)
    kind = rng.randrange(4)
    if kind == 0:  # one to eight flipped bits
        for _ in range(rng.randrange(1, 9)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:  # cut short
        del data[rng.randrange(len(data)):]
    elif kind == 2:  # a word of extreme values
        at = rng.randrange(max(1, len(data) - 4))
        data[at:at + 4] = rng.choice([b"\xff" * 4, b"\0" * 4, b"\xff\xff\xff\x7f", b"\x80\0\0\0"])
    else:  # a stretch of noise
        at = rng.randrange(len(data))
        for i in range(at, min(len(data), at + rng.randrange(1, 32))):
            data[i] = rng.randrange(256)
    return bytes(data)


def main():
    build, elf, sealed, folder = sys.argv[1:]
    loom = os.path.join(build, "bin", "loom")
    target = os.path.join(folder, "hostile.o")
    commands = [["report"], ["report", "--json"], ["graph"], ["graph", "sum.0"]]
    codes, bad = {0: 0, 1: 0, 2: 0}, []

    def check(seed):
        # One command for each file, all of them over the run.
        words = commands[seed % len(commands)]
        command = [loom, words[0], target] + words[1:]
        r = subprocess.run(command, capture_output=True, timeout=60)
        if r.returncode in codes and len(r.stderr.splitlines()) <= 4 and \
                (r.returncode == 0) == (not r.stderr):
            codes[r.returncode] += 1
        else:
            bad.append("seed %d: exit code %d of %s: %s" % (
                seed, r.returncode, " ".join(command), r.stderr[:300]))

    with open(elf, "rb") as f:
        elf_bytes = f.read()
    with open(sealed, "rb") as f:
        payload = f.read()[HEADER:]
    for seed in range(200):
        rng = random.Random(seed)
        if seed % 2:  # the ELF file, with the image in it
            with open(target, "wb") as f:
                f.write(mutate(rng, elf_bytes))
        else:  # the FlatBuffers bytes, sealed again
            with open(os.path.join(folder, "payload"), "wb") as f:
                f.write(mutate(rng, payload))
            subprocess.run([os.path.join(build, "bin", "loom-seal-image"), "payload", "fresh"],
                           cwd=folder, check=True)
            subprocess.run([OBJCOPY, "--update-section", ".loom.image=fresh", elf, target],
                           cwd=folder, check=True)
        check(seed)
    for line in bad:
        print(line)
    print("exit codes:", codes)
    # Damage that nothing notices and damage that everything notices both occur.
    if not bad and codes[0] and codes[2]:
        print("all refused or read")


main()
