#!/usr/bin/env python3
"""Synthesises the chip and its parts with Yosys for two FPGA families, simulates the gates against the golden model, and makes the
table of docs/chip.md.

  synthesise.py [MODULE...]            fails if gates and golden model differ, if Yosys warns of something, or if the table in the docs is old
  synthesise.py [MODULE...] --write    writes what was made into the table

Fails on driver conflicts and latches in particular: a miscompiled multiplier announces itself by such a warning alone.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import configs
import single
import verilate

# Narrow words for the area of variants alone (docs/papers/raabe-chip.md), which is told for the papers' family.
CONFIGURATIONS = {"xc2v": ["w12", "w14", "w18", "w35"], "xc7": ["w18", "w35"]}
VECTORS = {"overlap_pipe": 20000, "triangle_unit": 1000, "snug_chip": 8}
DOCUMENT = single.PROJECT / "docs" / "chip.md"
START, END = "<!-- synthesis: by chip/synth/synthesise.py -->", "<!-- end of synthesis -->"
VERSION = "0.23"  # of Yosys, whose figures the table has
VARIATION, BY_ABC = 0.01, (4, 8, 9)  # columns of LUTs, slices and paths
PAPER_SLICES, PAPER_CONFIGURATION = 7278, "w35"

# Said of Virtex-II even where it is told not to look for them.
EXPECTED = ["Shift register inference not yet supported for family xc2v."]

# Models of cells are proved to be the same as those of Yosys before they are simulated in their place.
EQUIVALENCE = """
read_verilog -DNO_SPECIFY {library}
hierarchy -top {cell}
rename {cell} theirs
read_verilog {model}
rename {cell} ours
proc
miter -equiv -flatten theirs ours both
sat -verify -prove trigger 0 both
"""

# Memories stay as they are, to be counted, and to be simulated as RTL: Yosys has no models of block memories, and for Virtex-II connects
# them with ports of the wrong widths.
MEMORY = configs.CHIP / "rtl" / "block_memory.sv"
BLOCK_WORDS, BLOCK_BITS = 512, 36  # of one block, 18 kbit, in both families

SCRIPT = """
read_verilog -lib -specify +/xilinx/cells_sim.v
read_verilog -sv -lib {memory}
read_verilog -sv -defer -noassert -DSYNTHESIS {files}
hierarchy -top {top} {parameters}
synth_xilinx -family {family} -nowidelut -nosrl -flatten -noiopad -noclkbuf
check -assert
tee -o {folder}/stat.json stat -json
splitnets
write_verilog -noattr {folder}/netlist.v
"""
TIMING = "read_verilog -lib -specify +/xilinx/cells_sim.v; read_verilog -sv -lib {memory}; read_verilog {folder}/netlist.v; hierarchy -top {top}; sta"


def sources():
    """The RTL, with delay lines in the shift registers that both families have."""
    rtl = [pathlib.Path(f) for f in verilate.rtl_files(configs.CHIP / "rtl")]
    return [pathlib.Path(__file__).resolve().parent / "srl16_delay_line.sv" if f.name == "delay_line.sv" else f for f in rtl if f != MEMORY]


def complaints(log, cells):
    """What must not be in a log or a netlist."""
    for line in log.splitlines():
        if re.search(r"driver-driver conflict|conflicting|multiple drivers", line, re.IGNORECASE):
            yield line
        elif re.search(r"(^|:[0-9.-]+: )Warning: ", line) and not any(known in line for known in EXPECTED):  # some with a file and a line before
            yield line
        elif re.search(r"Latch inferred", line):
            yield line
    for cell in cells:
        if re.match(r"LD|\$", cell):
            yield f"a cell {cell} is left in the netlist"


def synthesise(top, family, name):
    folder = single.WORK / "synth" / f"{top}-{family}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    parameters = " ".join(f"-chparam {k} {v}" for k, v in configs.rtl_parameters(configs.read()[name], top).items())
    (folder / "script.ys").write_text(SCRIPT.format(files=" ".join(map(str, sources())), parameters=parameters,
                                                    family=family, folder=folder, top=top, memory=MEMORY))
    result = single.run(["yosys", "-s", folder / "script.ys"])
    log = result.stdout + result.stderr
    (folder / "yosys.log").write_text(log)
    if result.returncode != 0:
        raise RuntimeError(f"{top} {family} {name}: Yosys failed, see {folder}/yosys.log\n{log[-2000:]}")
    text = (folder / "stat.json").read_text()
    cells = json.loads(text[text.index("{"):])["design"]["num_cells_by_type"]
    found = list(complaints(log, cells))
    if found:
        raise RuntimeError(f"{top} {family} {name}: " + "\n".join(found))
    return folder, cells


def look_up_table(inputs):
    """The same as Yosys' model, in a form of which thousands compile in reasonable time."""
    pins = [f"I{i}" for i in range(inputs)]
    return (f"module LUT{inputs}(output O, {', '.join('input ' + pin for pin in pins)});\n"
            f"  parameter [{2**inputs - 1}:0] INIT = 0;\n  assign O = INIT[{{{', '.join(reversed(pins))}}}];\nendmodule\n")


# The same as Yosys' model, without a vector that depends on itself: such loops Verilator runs around, and 5.006 gets some wrong.
CARRY4 = """module CARRY4(output [3:0] CO, output [3:0] O, input CI, input CYINIT, input [3:0] DI, S);
  wire c0 = CI | CYINIT;
  wire c1 = S[0] ? c0 : DI[0];
  wire c2 = S[1] ? c1 : DI[1];
  wire c3 = S[2] ? c2 : DI[2];
  assign CO = {S[3] ? c3 : DI[3], c3, c2, c1};
  assign O  = S ^ {c3, c2, c1, c0};
endmodule
"""


def without_loops(text):
    """The carries of a multiplier's adder one by one, for the same reason."""
    for name in ("int_carry_in", "int_carry_out"):
        text = re.sub(rf"(wire \[3:0\][^;]*\b{name}\b)", r"\1 /*verilator split_var*/", text)
    one_by_one = " ".join(f"assign int_carry_in[{i + 1}] = int_carry_out[{i}];" for i in range(3))
    return text.replace("assign int_carry_in[3:1] = int_carry_out[2:0];", one_by_one)


def cell_library():
    return pathlib.Path(shutil.which("yosys")).resolve().parent.parent / "share" / "yosys" / "xilinx" / "cells_sim.v"


def check_models():
    """That of CARRY4: look-up tables say the same in other words, and each of their parameters would be a proof of its own."""
    folder = single.WORK / "synth"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "carry4.v").write_text(CARRY4)
    single.checked(["yosys", "-q", "-p", "; ".join(EQUIVALENCE.format(library=cell_library(), cell="CARRY4", model=folder / "carry4.v").split("\n")[1:-1])])


def cell_models(cells):
    """Of the cells in a netlist alone, out of the library that Yosys brings along."""
    library = cell_library()
    modules = re.findall(r"^(module (\w+).*?^endmodule)", library.read_text(), re.MULTILINE | re.DOTALL)
    # Multipliers of newer families are large models: one copy of their code serves all.
    found = {name: without_loops(text).replace("endmodule", "/*verilator no_inline_module*/\nendmodule") if name.startswith("DSP") else text
             for text, name in modules}
    found |= {"CARRY4": CARRY4}
    return "\n".join(look_up_table(int(cell[3:])) if re.fullmatch(r"LUT[1-6]", cell) else found[cell]
                     for cell in sorted(cells) if cell != MEMORY.stem)


def memory_blocks(folder):
    sizes = re.findall(rf"{MEMORY.stem} #\(\s*\.Depth\(32'\w*?d(\d+)\),\s*\.Width\(32'\w*?d(\d+)\)", (folder / "netlist.v").read_text())
    return sum(-(-int(words) // BLOCK_WORDS) * -(-int(bits) // BLOCK_BITS) for words, bits in sizes)


def simulate_gates(top, folder, name, cells):
    (folder / "cells.v").write_text(cell_models(cells))
    verilate.verilate_gates(folder / "v", "Vtop", top, folder / "netlist.v", [folder / "cells.v", MEMORY])
    program = single.build(folder / "v", folder / "cosim", top, gates=True)
    result = single.cosimulate(program, name, VECTORS[top])
    if result.returncode != 0:
        raise RuntimeError(f"{folder.name}: gates and golden model differ\n{result.stdout}{result.stderr}")


def latest_arrival_ns(top, folder):
    log = single.checked(["yosys", "-p", TIMING.format(folder=folder, top=top, memory=MEMORY)])
    # Without wires, and without what the register at the end of the path asks for.
    return int(re.search(rf"Latest arrival time in '{top}' is (\d+)", log)[1]) / 1000


def figures(top, family, name):
    folder, cells = synthesise(top, family, name)
    simulate_gates(top, folder, name, cells)
    count = lambda *prefixes: sum(n for cell, n in cells.items() if cell.startswith(prefixes))
    # An inverter without a LUT to go into takes one of its own.
    luts, flip_flops = count("LUT", "INV", "SRL"), count("FD")
    row = {"top": top, "family": family, "name": name, "lut": luts, "srl": count("SRL"), "ff": flip_flops, "multipliers": count("MULT", "DSP"),
           "memories": memory_blocks(folder)}
    if family == "xc2v":
        row["least"], row["most"] = (max(luts, flip_flops) + 1) // 2, (luts + flip_flops + 1) // 2
    else:
        row["ns"] = latest_arrival_ns(top, folder)
    return row


HEAD = ["| module | family | configuration | LUT (of them shift registers) | flip-flops | multipliers | memories of 18 kbit "
        "| slices, perfect packing … none | longest path, cells only |", "|---|---|---|---|---|---|---|---|---|"]
PAPER = f"| the paper's pipe | xc2v | 35 bits | | | | | {PAPER_SLICES} of 33792 | 9.00 ns, placed and routed |"


def line_of(r):
    slices = f"{r['least']} … {r['most']}" if "least" in r else "–"
    path = f"{r['ns']:.2f} ns" if "ns" in r else "–"
    return (f"| `{r['top']}` | {r['family']} | `{r['name']}` | {r['lut']} ({r['srl']}) | {r['ff']} | {r['multipliers']} | {r['memories']} "
            f"| {slices} | {path} |")


def jobs(modules):
    return [(top, family, name) for top in modules for family, names in CONFIGURATIONS.items() for name in names]


def table(rows, old=""):
    """What was made, and of the rest what stood there, in the order of jobs."""
    made = {(r["top"], r["family"], r["name"]): line_of(r) for r in rows}
    for key in jobs(VECTORS):
        begin = "| `{}` | {} | `{}` |".format(*key)
        made.setdefault(key, next((line for line in old.splitlines() if line.startswith(begin)), None))
    return "\n".join([*HEAD, *filter(None, (made[key] for key in jobs(VECTORS))), PAPER]) + "\n"


def same(made, written):
    """ABC, inside Yosys, does not make quite the same of the same from run to run: what depends on it may be off a little."""
    numbers = lambda cell: [float(n) for n in re.findall(r"[0-9.]+", cell)]
    close = lambda a, b: len(a) == len(b) and all(abs(x - y) <= VARIATION * y for x, y in zip(a, b))
    rows = [[line.split("|") for line in text.strip().splitlines()] for text in (made, written)]
    return len(rows[0]) == len(rows[1]) and all(
        len(a) == len(b) and all(x == y or (i in BY_ABC and close(numbers(x), numbers(y))) for i, (x, y) in enumerate(zip(a, b)))
        for a, b in zip(*rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="all of them without")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    modules = arguments.modules or list(VECTORS)
    if not set(modules) <= set(VECTORS):
        parser.error(f"modules are {', '.join(VECTORS)}")
    single.runtime()
    check_models()
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(lambda job: figures(*job), jobs(modules)))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    text = DOCUMENT.read_text()
    before, rest = text.split(START)
    made = table(rows, rest.split(END)[0])
    print(f"gates agree with the golden model over {VECTORS} tests\n{made}", end="")
    own = [r for r in rows if (r["top"], r["family"], r["name"]) == ("overlap_pipe", "xc2v", PAPER_CONFIGURATION)]
    if any(r["most"] >= PAPER_SLICES for r in own):
        print(f"the pipe may take {own[0]['most']} slices, not fewer than the paper's {PAPER_SLICES}")
        return 1
    if arguments.write:
        DOCUMENT.write_text(f"{before}{START}\n{made}{END}{rest.split(END)[1]}")
        return 0
    if VERSION not in single.checked(["yosys", "-V"]).split()[1]:
        print(f"another Yosys than {VERSION}: the table in the docs is not compared")
    elif not same(made, rest.split(END)[0]):
        print(f"the table in {DOCUMENT} is old: run chip/synth/synthesise.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
