#!/usr/bin/env python3
"""Which lines and branches of the RTL co-simulation reaches, over all configurations together. Exit code 1 below 95 % of either.

A point is a place in a file: reached if it is reached in one instance of one configuration.
"""

import collections
import itertools
import re
import sys

import configs
import single
import verilate

LEAST, VECTORS = 95.0, {"overlap_pipe": 20000, "triangle_unit": 2000, "snug_chip": 80}
SHALLOW = {"w8": 16}  # entries of the stack of a whole chip, so that it overflows
# A whole chip takes long and differs between configurations in records of one and two bursts and in words beyond 32 bits alone.
WHOLE = ["w8", "w35"]


def points(data):
    """(file, line, column, kind, what) and count, as Verilator writes them: fields behind \\x01, values behind \\x02."""
    for line in data.read_text(errors="replace").splitlines():
        match = re.fullmatch(r"C '(.*)' (\d+)", line)
        if match:
            fields = dict(field.split("\x02", 1) for field in match[1].split("\x01") if field)
            yield (fields["f"].split("/")[-1], int(fields["l"]), int(fields["n"]), fields["page"].split("/")[0], fields["o"]), int(match[2])


def main():
    counts = collections.Counter()
    for top, name in itertools.product(configs.TOPS, configs.read()):
        if top == "snug_chip" and name not in WHOLE:
            continue
        stack_depth = SHALLOW.get(name, configs.STACK_DEPTH)
        folder = single.WORK / "coverage" / top / name
        verilate.verilate_rtl(folder, "Vtop", top, name, extra=["--coverage-line"], stack_depth=stack_depth)
        program = single.build(folder, folder / "cosim", top, coverage=True, stack_depth=stack_depth)
        data = folder / "coverage.dat"
        data.unlink(missing_ok=True)  # that of an earlier run says nothing of this one
        result = single.cosimulate(program, name, VECTORS[top], coverage=data)
        if result.returncode != 0:
            print(f"{top} {name}: co-simulation failed\n{result.stdout}{result.stderr}")
            return 1
        for point, count in points(data):
            counts[point] += count

    wrong = 0
    for page, kind in (("v_line", "lines"), ("v_branch", "branches")):
        of_kind = {p: n for p, n in counts.items() if p[3] == page}
        missed = sorted(p for p, n in of_kind.items() if n == 0)
        share = 100 * (1 - len(missed) / len(of_kind)) if of_kind else 0.0
        print(f"{kind}: {len(of_kind) - len(missed)} of {len(of_kind)} points reached, {share:.1f} %")
        for file, line, _, _, what in missed:
            print(f"  {file}:{line}: {what} not reached")
        wrong += share < LEAST
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
