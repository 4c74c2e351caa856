#!/usr/bin/env python3
"""Areas of what only studies have (docs/papers/raabe-chip.md): synthesises relative_decoder.sv with Yosys for Virtex-II, with nine bits,
after comparing it with the formula over random numbers. Prints the lines of the table there; --check fails if they stand otherwise."""

import argparse
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent.parent / "docs" / "papers" / "raabe-chip.md"
SOURCE = HERE / "relative_decoder.sv"
BITS, VECTORS = 9, 40


def yosys(script):
    done = subprocess.run(["yosys", "-p", script], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-2000:] + done.stderr)
    return done.stdout


def load(width):
    return f"read_verilog -sv -defer {SOURCE}; hierarchy -top relative_decoder -chparam W {width} -chparam Q {BITS}; "


def compare(width):
    """With what absolute() of src/query/dop/chip/relative.cpp computes, words of two's complement."""
    chance = random.Random(width)
    script, wanted = load(width) + "proc; opt; ", []
    for _ in range(VECTORS):
        shift = chance.randrange(width - BITS + 1)
        parent = [chance.randrange(1 << width) for _ in range(24)]
        less = [chance.randrange(1 << BITS) for _ in range(24)]
        packed = lambda numbers, bits: sum(n << (i * bits) for i, n in enumerate(numbers))
        wanted.append(packed([(p - (n << shift)) % (1 << width) for p, n in zip(parent, less)], width))
        script += (f"eval -set parent_i {24 * width}'d{packed(parent, width)} -set less_i {24 * BITS}'d{packed(less, BITS)} "
                   f"-set shift_i 6'd{shift} -show dop_o; ")
    made = [int(m, 2) for m in re.findall(r"Eval result: \\dop_o = \d+'([01]+)\.", yosys(script))]
    if made != wanted:
        sys.exit(f"W = {width}: the decoder and the formula differ")


def look_up_tables(width):
    log = yosys(load(width) + "synth_xilinx -family xc2v -nowidelut -nosrl -flatten -noiopad -noclkbuf; stat")
    last = log[log.rindex("Number of cells"):]
    return sum(int(n) for n in re.findall(r"^\s+(?:LUT\d|INV)\s+(\d+)$", last, re.MULTILINE))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = DOCUMENT.read_text(encoding="utf-8")
    old = False
    for width in (18, 35):
        compare(width)
        line = f"| `relative_decoder`, `w{width}` | {look_up_tables(width):,} |"
        print(line)
        old = old or line not in text
    if arguments.check and old:
        print(f"the table in {DOCUMENT} is old")
    return 1 if arguments.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
