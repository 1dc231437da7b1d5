# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loom-opt --loom-views printed, read back."""
import re


class Text:
    """What isl printed about a set or a piecewise value, as a function."""

    def __init__(self, text):
        body = text[text.index("{") + 1:text.rindex("}")] if "{" in text else text
        # Constants of the region that are no inputs have values unknown here.
        self.pieces, self.usable = [], not re.search(r"exists|(?<![a-z])c\d", text)
        for piece in body.split(";"):
            head, _, condition = piece.partition(":")
            tuple_ = re.search(r"\[(.*)\]", head)
            self.pieces.append((tuple_.group(1) if tuple_ else "", self.python(condition) or "True"))

    @staticmethod
    def python(text):
        before, text = None, text.strip()
        while text != before:  # innermost first; what is done has no "floor"
            before, text = text, re.sub(r"floor\(\(((?:[^()]|\((?!floor)[^()]*\)|\(\([^()]*\)//\d+\))*)\)/(\d+)\)",
                                        r"((\1)//\2)", text)
        text = re.sub(r"(\d)([a-z(])", r"\1*\2", text)
        text = re.sub(r"(?<![<>=])=(?!=)", "==", text)
        return text.replace(" mod ", " % ").replace("false", "False").replace("true", "True")

    def contains(self, point, inputs):
        for head, condition in self.pieces:
            names = dict(inputs)
            slots = [s.strip() for s in head.split(",")] if head.strip() else []
            fits = True
            for slot, value in zip(slots, point):
                if re.fullmatch(r"[a-z]\w*", slot):
                    names[slot] = value
                else:
                    fits &= eval(self.python(slot.split("=")[-1]), {}, names) == value
                    if "=" in slot:
                        names[slot.split("=")[0].strip()] = value
            if fits and eval(condition, {}, names):
                return True
        return False


class Claims:
    def __init__(self, text):
        self.loops, self.domains, self.accesses, self.dependences = {}, {}, [], []
        self.footprints, self.reuse, self.groups = [], [], []
        for m in re.finditer(r"^ +L(\d+) \(op.*: (Proven\w+|ProofNot\w+)(.*)$", text, re.M):
            self.loops[int(m.group(1))] = (m.group(2), m.group(3))
        for m in re.finditer(r"^    D(\d+) in (.*?): (exact|over-approximate|unknown)(?: \(.*?\))? (.*)$", text, re.M):
            self.domains[int(m.group(1))] = (m.group(3), m.group(4))
        for m in re.finditer(r"^    A(\d+) \(.*, D(\d+)$", text, re.M):
            self.accesses.append(int(m.group(2)))
        for m in re.finditer(r"^    (flow|anti|output) A(\d+) -> A(\d+): (.*), distance \((.*?)\), (proven|not excluded)", text, re.M):
            self.dependences.append((int(m.group(2)), int(m.group(3)), m.group(4),
                                     [self.distance(d) for d in m.group(5).split(", ")] if m.group(5) else [],
                                     m.group(6) == "proven"))
        for m in re.finditer(r"^    arg([01]) (reads|writes): (exact|over-approximate|unknown)(.*)$", text, re.M):
            self.footprints.append((int(m.group(1)), m.group(2) == "writes", m.group(3), m.group(4)))
        for m in re.finditer(r"^    A(\d+) in L(\d+): (temporal|contiguous|overlapping|strided)(?: by (-?\d+))?$", text, re.M):
            self.reuse.append((int(m.group(1)), int(m.group(2)), int(m.group(4) or 0)))
        for m in re.finditer(r"^    A(\d+) in L(\d+): bytes of A(\d+), (\d+) iterations before$", text, re.M):
            self.groups.append((int(m.group(1)), int(m.group(2)), int(m.group(3)), int(m.group(4))))

    @staticmethod
    def distance(text):
        inf = float("inf")
        fixed = {"*": (-inf, inf), "+": (1, inf), "0+": (0, inf), "-": (-inf, -1), "0-": (-inf, 0)}
        if text in fixed:
            return fixed[text]
        m = re.fullmatch(r"\[(-?\d*)\.\.(-?\d*)\]", text)
        if m:
            return (int(m.group(1)) if m.group(1) else -inf, int(m.group(2)) if m.group(2) else inf)
        return int(text), int(text)
