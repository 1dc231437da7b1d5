#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages the image in an executable in 1,000 random ways. Whatever happens to
it, the program must print what it always prints and must not crash."""

import os
import random
import shutil
import struct

from loomtest import ROOT, Suite, check, fallbacks, launches, must, read_stats, run, same_output

COUNT, BATCH = 1000, 50
HEADER = struct.Struct("<8sIIQQQQ")  # loom_image_seal.h
suite = Suite("mutations")


def section(data, name):
    """File offset and size of a section of a 64-bit ELF file."""
    shoff, = struct.unpack_from("<Q", data, 0x28)
    entsize, count, strndx = struct.unpack_from("<HHH", data, 0x3a)

    def header(i):
        return struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * entsize)

    strings = header(strndx)[4]
    for i in range(count):
        h = header(i)
        end = data.index(b"\0", strings + h[0])
        if data[strings + h[0]:end].decode() == name:
            return h[4], h[5]
    return None


def mutate(image, rng):
    """Changes the bytes of an image in place; gives a description."""
    kind = rng.randrange(8)
    size = len(image)
    if kind == 0:  # single bits anywhere
        n = rng.choice((1, 1, 2, 8, 64))
        for _ in range(n):
            image[rng.randrange(size)] ^= 1 << rng.randrange(8)
        return "%d bits" % n
    if kind == 1:  # a bit of the header
        at = rng.randrange(HEADER.size)
        image[at] ^= 1 << rng.randrange(8)
        return "header byte %d" % at
    magic, version, header, payload, lo, hi, reserved = HEADER.unpack_from(image)
    if kind == 2:  # truncated: the header says less than there is, or more
        payload = rng.choice((0, 1, 7, payload // 2, max(payload, 1) - 1, payload + 1,
                              payload * 2, 1 << 40, (1 << 64) - 1, (1 << 63), rng.randrange(payload)))
        HEADER.pack_into(image, 0, magic, version, header, payload, lo, hi, reserved)
        return "payload_size %d" % payload
    if kind == 3:  # another version
        version = rng.choice((0, version + 1, version + 256, 0xffffffff))
        HEADER.pack_into(image, 0, magic, version, header, payload, lo, hi, reserved)
        return "version %d" % version
    if kind == 4:  # another header size: what follows is shifted
        header = rng.choice((0, 8, 16, 32, 47, 49, 64, 0xffffffff))
        HEADER.pack_into(image, 0, magic, version, header, payload, lo, hi, reserved)
        return "header_size %d" % header
    if kind == 5:  # the rest of the image is gone
        at = rng.randrange(size)
        image[at:] = bytes(size - at)
        return "zero from %d" % at
    if kind == 6:  # moved by some bytes
        n = rng.randrange(1, 64)
        at = rng.choice((0, HEADER.size))
        image[at:] = (bytes(n) + bytes(image[at:]))[:size - at]
        return "shift %d at %d" % (n, at)
    at, n = rng.randrange(size), rng.randrange(1, 200)  # a run of noise
    noise = bytes(rng.randrange(256) for _ in range(min(n, size - at)))
    image[at:at + len(noise)] = noise
    return "noise %d at %d" % (len(noise), at)


program, plain = suite.path("tiny"), suite.path("tiny.plain")
source = os.path.join(ROOT, "test", "programs", "src", "tiny.c")
must(["clang-22", "-O2", source, "-o", plain])
must([suite.tool("loom-cc"), "-O2", source, "-o", program])
want = must([plain])
with open(program, "rb") as f:
    ORIGINAL = f.read()
where = section(ORIGINAL, ".loom.image")
assert where, "the program has no .loom.image section"
OFFSET, SIZE = where


def undamaged():
    """Otherwise the other tests would prove nothing."""
    stats = program + ".stats"
    same_output("undamaged", want, run([program], env={"LOOM_DEVICE": "sim", "LOOM_STATS": stats}))
    check(launches(read_stats(stats), "tiny") > 0, "the undamaged program launches nothing")
    magic, _, header, payload = HEADER.unpack_from(ORIGINAL, OFFSET)[:4]
    check(magic == b"LOOMIMG1" and header + payload <= SIZE, "the seal is not where it should be")


def batch(first):
    copy, stats = suite.path("m%d" % first), suite.path("m%d.stats" % first)
    shutil.copyfile(program, copy)
    os.chmod(copy, 0o755)
    for i in range(first, first + BATCH):
        rng = random.Random(i)
        image = bytearray(ORIGINAL[OFFSET:OFFSET + SIZE])
        while True:
            what = mutate(image, rng)
            if bytes(image) != ORIGINAL[OFFSET:OFFSET + SIZE]:
                break
        with open(copy, "r+b") as f:
            f.seek(OFFSET)
            f.write(image)
        if os.path.exists(stats):
            os.remove(stats)
        same_output("mutation %d (%s)" % (i, what), want,
                    run([copy], env={"LOOM_DEVICE": "sim", "LOOM_STATS": stats}, timeout=20))
        rows = read_stats(stats)
        if launches(rows):
            # Only bytes outside the sealed ones may be changed unnoticed.
            size = HEADER.unpack_from(ORIGINAL, OFFSET)
            sealed = size[2] + size[3]
            check(bytes(image[:sealed]) == ORIGINAL[OFFSET:OFFSET + sealed],
                  "mutation %d (%s) was not noticed" % (i, what))
    os.remove(copy)


suite.add("undamaged", undamaged)
for first in range(0, COUNT, BATCH):
    suite.add("%d-%d" % (first, first + BATCH - 1), batch, first)
suite.finish()
