# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces a failure: first to its nest alone, then by taking lines and blocks
out while the sanitizers are content, -O0 agrees, and the mode still fails."""

import os

from builds import generated_source
from loomtest import Failure, run

# Programs tried for one failure.
ATTEMPTS = 250


def fails(builder, directory, text, flags, mode):
    try:
        result = builder.check(directory, text, flags, ["host", mode] if mode == "verify" else [mode])
    except Failure:
        return False
    return any(m == mode for m, _, _ in result.failures)


def is_clean(builder, directory, text):
    """No undefined behaviour, says the sanitizer."""
    source, exe = os.path.join(directory, "ub.c"), os.path.join(directory, "ub")
    with open(source, "w") as f:
        f.write(text)
    r = builder.compile(["clang-22"], source, exe,
                        ["-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all",
                         "-Werror=uninitialized", "-Wno-everything", "-Wuninitialized"],
                        [builder.harness()["harness"], "-lm"])
    try:
        return r.code == 0 and run([exe], timeout=10).code == 0
    except Failure:
        return False


def pieces(lines):
    """Ranges of lines that may go: whole blocks, longest first, then lines."""
    result, open_lines = [], []
    for i, line in enumerate(lines):
        opens, closes = line.count("{"), line.count("}")
        for _ in range(max(0, closes - opens)):
            if open_lines:
                result.append((open_lines.pop(), i))
        for _ in range(max(0, opens - closes)):
            open_lines.append(i)
        if opens == closes and line.strip().endswith((";", ":")):
            result.append((i, i))
    return sorted(set(result), key=lambda ab: (ab[0] - ab[1], ab[0]))


def reduce_nest(builder, kept, seed, nest, flags, mode):
    """Writes kept/nest-K.c; gives its path."""
    directory = builder.directory("reduce-%s-%d-%s" % (seed, nest, mode))
    text = generated_source("%s" % seed, [nest])
    if not fails(builder, directory, text, flags, mode):
        raise Failure("nest %d alone does not fail" % nest)
    lines, attempts = text.split("\n"), 0
    progress = True
    while progress and attempts < ATTEMPTS:
        progress = False
        for first, last in pieces(lines):
            if attempts >= ATTEMPTS:
                break
            candidate = lines[:first] + lines[last + 1:]
            attempts += 1
            smaller = "\n".join(candidate)
            if is_clean(builder, directory, smaller) and fails(builder, directory, smaller, flags, mode):
                lines, progress = candidate, True
                break
    path = os.path.join(kept, "nest-%d.c" % nest)
    with open(path, "w") as f:
        f.write("\n".join(lines))
    return path
