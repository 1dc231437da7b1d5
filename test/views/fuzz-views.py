#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random nests, executed here: every claim that loom-opt --loom-views makes
about them is checked against the bytes they touch.

usage: fuzz-views.py LOOM_OPT [COUNT [SEED]]

Checked: iteration domains, dependences (each one that happens is listed, with
its loop and a distance in range; each proven one happens for some inputs),
independence of loops, footprints as sets, strides and group reuse.
"""
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))

from claims import Claims, Text  # noqa: E402
from nests import Nest  # noqa: E402


class Wrong(Exception):
    pass


def observed(nest, events):
    """(source, target, level, distances) of all pairs that share a byte."""
    at, seen = defaultdict(list), set()
    for number, event in enumerate(events):
        for byte in range(event.lo, event.lo + event.size):
            for other in at[byte]:
                first = events[other]
                if not (first.write or event.write):
                    continue
                a, b = nest.accesses[first.access][3], nest.accesses[event.access][3]
                common = 0
                while common < min(len(a), len(b)) and a[common] == b[common]:
                    common += 1
                d = tuple(event.counts[i] - first.counts[i] for i in range(common))
                level = next((i for i in range(common) if d[i]), common)
                seen.add((first.access, event.access, a[:common], level, d))
            at[byte].append(number)
    return seen


def check_dependences(nest, claims, pairs, happened):
    for source, target, common, level, d in pairs:
        listed = False
        for row, (s, t, how, ranges, proven) in enumerate(claims.dependences):
            where = "one iteration" if level == len(common) else "carried by L%d" % common[level]
            if (s, t) == (source, target) and (how == where or how.startswith("any order")):
                if all(lo <= x <= hi for x, (lo, hi) in zip(d, ranges)):
                    listed = True
                    happened.add(row)
        if not listed:
            raise Wrong("A%d -> A%d at level %d of %s, distance %s, is not listed" % (source, target, level, common, d))
        if level < len(common) and claims.loops[common[level]][0] == "ProvenIndependent":
            raise Wrong("L%d is not independent: A%d -> A%d, distance %s" % (common[level], source, target, d))


def check_domains(nest, claims, events, inputs, counters):
    for access, (root, width, write, loops) in enumerate(nest.accesses):
        precision, text = claims.domains[claims.accesses[access]]
        done = {e.counts for e in events if e.access == access}
        if precision == "unknown":
            continue
        domain = Text(text)
        if not domain.usable:
            counters["sets with exists"] += 1
            continue
        for point in done:
            if not domain.contains(point, inputs):
                raise Wrong("A%d runs in iteration %s, which is not in %s" % (access, point, text))
        if precision == "exact" and len(loops) <= 2:
            counters["exact domains"] += 1
            for point in itertools.product(range(15), repeat=len(loops)):
                if point not in done and domain.contains(point, inputs):
                    raise Wrong("A%d does not run in iteration %s of %s" % (access, point, text))


def check_footprints(nest, claims, events, inputs, counters):
    base = [0, 100000 if nest.apart else 8]
    for root, write, precision, rest in claims.footprints:
        touched = {b - base[root] for e in events if nest.accesses[e.access][0] == root and e.write == write
                   for b in range(e.lo, e.lo + e.size)}
        bounds = re.search(r"within \[(-?\d+), (-?\d+)\)", rest)
        if bounds and touched and not (int(bounds.group(1)) <= min(touched) and max(touched) < int(bounds.group(2))):
            raise Wrong("arg%d: bytes %d..%d are touched, %s" % (root, min(touched), max(touched), rest))
        count = re.search(r"(\d+) bytes", rest)
        if precision == "exact" and count and len(touched) != int(count.group(1)):
            raise Wrong("arg%d: %d bytes are touched, %s" % (root, len(touched), rest))
        if not re.search(r"\{.*\}", rest):
            continue
        bytes_ = Text(re.search(r"\{.*\}", rest).group(0))
        if not bytes_.usable:
            counters["sets with exists"] += 1
            continue
        for b in touched:
            if not bytes_.contains((b,), inputs):
                raise Wrong("arg%d: byte %d is touched, which is not in %s" % (root, b, rest))
        if precision == "exact":
            counters["exact footprints"] += 1
            low, high = (min(touched), max(touched)) if touched else (0, 0)
            for b in range(low - 20, high + 20):
                if b not in touched and bytes_.contains((b,), inputs):
                    raise Wrong("arg%d: byte %d is not touched, %s" % (root, b, rest))


def check_reuse(nest, claims, events, counters):
    at = {(e.access, e.counts): e.lo for e in events}
    for access, loop, stride in claims.reuse:
        level = nest.accesses[access][3].index(loop)
        for (a, counts), lo in at.items():
            later = counts[:level] + (counts[level] + 1,) + counts[level + 1:] if a == access else None
            if (a, later) in at and a == access:
                counters["strides"] += 1
                if at[a, later] - lo != stride:
                    raise Wrong("A%d in L%d moves by %d, not by %d" % (access, loop, at[a, later] - lo, stride))
    for user, loop, source, distance in claims.groups:
        level = nest.accesses[user][3].index(loop)
        for (a, counts), lo in at.items():
            if a != user:
                continue
            before = counts[:level] + (counts[level] - distance,) + counts[level + 1:]
            if (source, before) in at:
                counters["group reuse"] += 1
                if at[source, before] != lo:
                    raise Wrong("A%d does not reuse A%d" % (user, source))


def main():
    loom_opt = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    nests = [Nest(rng, "n%d" % i) for i in range(count)]
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as f:
        f.write("\n".join(n.text for n in nests))
        f.flush()
        out = subprocess.run([loom_opt, "--loom-views", f.name, "-o", "/dev/null"],
                             stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    parts = re.split(r"^views n\d+\n", out, flags=re.M)[1:]
    if len(parts) != count:
        sys.exit("fuzz-views: %d of %d regions printed" % (len(parts), count))
    counters, bad = Counter(), 0
    for nest, part in zip(nests, parts):
        claims = Claims(part)
        if len(claims.accesses) != len(nest.accesses) or len(claims.loops) != len(nest.loops):
            sys.exit("fuzz-views: the output of %s is not understood\n%s%s" % (nest.name, nest.text, part))
        for verdict, _ in claims.loops.values():
            counters[verdict] += 1
        grid = [(a, b) for a in range(-3, 15) for b in range(-3, 15)] if nest.symbolic else [(0, 0)]
        rng.shuffle(grid)
        happened, ran = set(), 0
        try:
            for number, (a0, a1) in enumerate(grid):
                # All inputs only while a proven dependence is still to be seen.
                waits = any(d[4] for row, d in enumerate(claims.dependences) if row not in happened)
                if ran >= 6 and not waits:
                    break
                events = nest.run(a0, a1)
                if events is None:
                    continue
                ran += bool(events)
                inputs = {"arg2": a0, "arg3": a1}
                check_dependences(nest, claims, observed(nest, events), happened)
                if number < 12:
                    check_domains(nest, claims, events, inputs, counters)
                    check_footprints(nest, claims, events, inputs, counters)
                    check_reuse(nest, claims, events, counters)
            for row, d in enumerate(claims.dependences):
                counters["proven dependences" if d[4] else "open dependences"] += 1
                if d[4] and row not in happened:
                    counters["proven, not seen"] += 1
                    if not nest.symbolic and ran:
                        raise Wrong("A%d -> A%d, %s, never happens" % (d[0], d[1], d[2]))
        except Wrong as wrong:
            bad += 1
            if bad < 4:
                print("%s: %s\n%s%s" % (nest.name, wrong, nest.text, part))
    print(", ".join("%d %s" % (n, what) for what, n in sorted(counters.items())))
    print("%d nests, %d wrong" % (count, bad))
    # A run that checks nothing must not pass.
    for what in ("ProvenIndependent", "ProvenDependent", "exact domains", "exact footprints", "strides",
                 "proven dependences"):
        if not counters[what]:
            sys.exit("fuzz-views: no %s" % what)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
