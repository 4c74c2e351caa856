#!/usr/bin/env python3
"""Areas that bench/raabe/chip_area.cpp counts with are those that synthesis wrote into docs/chip.md, and those of studies in
docs/papers/raabe-chip.md: chip_areas.py PROJECT."""

import pathlib
import re
import sys


# In the order of Synthesised in chip_area.cpp.
MODULES = ["snug_chip", "overlap_pipe", "triangle_unit", "relative_decoder", "cached_record", "quad_unit", "refit_unit"]


def synthesised(text):
    """module, configuration -> LUTs, flip-flops, multipliers, memories, for Virtex-II."""
    row = re.compile(r"^\| `(\w+)` \| xc2v \| `(\w+)` \| (\d+) \(\d+\) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)
    return {(m[1], m[2]): tuple(map(int, m.groups()[2:])) for m in row.finditer(text)}


def studied(text):
    """The same of what only studies have."""
    row = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)
    return {(m[1], m[2]): tuple(map(int, m.groups()[2:])) for m in row.finditer(text)}


def counted(text):
    """configuration -> the four areas of a line of the table."""
    row = re.compile(r"Synthesised k_(w\d+)\{(.*?)\};", re.DOTALL)
    areas = {}
    for m in row.finditer(text):
        areas[m[1]] = [tuple(map(int, group.split(","))) for group in re.findall(r"\{([\d, ]+)\}", m[2])]
    return areas


def main():
    project = pathlib.Path(sys.argv[1])
    docs = synthesised((project / "docs" / "chip.md").read_text(encoding="utf-8"))
    docs |= studied((project / "docs" / "papers" / "raabe-chip.md").read_text(encoding="utf-8"))
    code = counted((project / "bench" / "raabe" / "chip_area.cpp").read_text(encoding="utf-8"))
    wrong = [] if set(code) == {"w12", "w14", "w18", "w35"} else [f"configurations in chip_area.cpp: {sorted(code)}"]
    for name, areas in code.items():
        wanted = [docs.get((module, name)) for module in MODULES]
        if areas != wanted:
            wrong.append(f"{name}: chip_area.cpp counts with {areas}, the docs say {wanted}")
    print("\n".join(wrong) if wrong else f"areas of {', '.join(sorted(code))} are those of the docs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
