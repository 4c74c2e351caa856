#!/usr/bin/env python3
"""Areas of what only studies have (docs/papers/raabe-chip.md), with Yosys for Virtex-II. Each is first held to what it stands for: the units to
their models by co-simulation, which has to notice mistakes made on purpose too, what has no registers to its formula over random numbers.

  studies.py [MODULE...]            fails if one differs from its model or if the table in the docs is old
  studies.py [MODULE...] --write    writes what was made into the table
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))
sys.path.insert(0, str(HERE.parent))
import configs
import single
import synthesise
import verilate

DOCUMENT = single.PROJECT / "docs" / "papers" / "raabe-chip.md"
START, END = "<!-- studies: by chip/synth/studies/studies.py -->", "<!-- end of studies -->"
CONFIGURATIONS = ["w12", "w14", "w18", "w35"]
BITS, VECTORS = 9, 40
LUTS_OF_MEMORY = {"RAM16X1S": 1, "RAM16X1D": 2, "RAM32X1S": 2, "RAM32X1D": 4, "RAM64X1S": 4, "RAM64X1D": 8}
RTL = configs.CHIP / "rtl"


@dataclasses.dataclass
class Study:
    """A module, the sources it is made of beside its own, and what it is held to."""
    top: str
    rtl: list
    formula: object = None                                     # of a module without registers
    driver: str = ""                                           # of the co-simulation of others
    libraries: list = dataclasses.field(default_factory=list)  # of the build, that its driver needs
    mistakes: list = dataclasses.field(default_factory=list)   # file, old text, new text

    @property
    def files(self):
        return [HERE / f"{self.top}.sv", *self.rtl]


def packed(numbers, bits):
    return sum(n << (i * bits) for i, n in enumerate(numbers))


def decoder(chance, width):
    """absolute() of src/chip/relative.cpp, words of two's complement."""
    shift = chance.randrange(width - BITS + 1)
    parent, less = [chance.randrange(1 << width) for _ in range(24)], [chance.randrange(1 << BITS) for _ in range(24)]
    made = [(p - (n << shift)) % (1 << width) for p, n in zip(parent, less)]
    inputs = {"parent_i": (24 * width, packed(parent, width)), "less_i": (24 * BITS, packed(less, BITS)), "shift_i": (6, shift)}
    return inputs, {"dop_o": packed(made, width)}


def cached(chance, width):
    """find() of src/chip/record_cache.hpp, 256 places for each body."""
    record = 24 * width + 64
    number = [chance.randrange(1 << 32) for _ in range(2)]
    tag = [n >> 8 if chance.random() < 0.7 else chance.randrange(1 << 24) for n in number]
    valid, kept, comes = [chance.randrange(2) for _ in range(2)], *[[chance.randrange(1 << record) for _ in range(2)] for _ in range(2)]
    hit = [int(v and t == n >> 8) for v, t, n in zip(valid, tag, number)]
    inputs = {"number_i": (64, packed(number, 32)), "valid_i": (2, packed(valid, 1)), "tag_i": (48, packed(tag, 24)),
              "kept_i": (2 * record, packed(kept, record)), "comes_i": (2 * record, packed(comes, record))}
    return inputs, {"hit_o": packed(hit, 1), "record_o": packed([k if h else c for h, k, c in zip(hit, kept, comes)], record)}


TRIANGLES = [RTL / f"{name}.sv" for name in ("triangle_unit", "triangle_box", "triangle_product", "triangle_verdict", "wide_multiplier", "delay_line")]
STUDIES = [
    Study("relative_decoder", [], formula=decoder),
    Study("cached_record", [], formula=cached),
    Study("quad_unit", TRIANGLES, driver="quad_cosim.cpp", libraries=["chip/libchip_triangle_core.a"],
          mistakes=[("quad_unit.sv", "more_of_b ? {second_a, 1'b1} : 2'b10", "more_of_b ? {second_a, 1'b1} : 2'b11"),
                    ("quad_unit.sv", "{quad_a[3*Corner +: Corner], quad_a[0", "{quad_a[2*Corner +: Corner], quad_a[0")]),
    Study("refit_unit", [HERE / "refit_leaf.sv", RTL / "wide_multiplier.sv", RTL / "block_memory.sv"], driver="refit_cosim.cpp",
          libraries=["scenes/libsnug_scenes.a", "src/libsnug.a"],
          mistakes=[("refit_leaf.sv", "sum[Sum-1] ? down_i", "sum[0] ? down_i"), ("refit_leaf.sv", "000_100_000_010", "000_010_000_010"),
                    ("refit_unit.sv", "ends && other > own", "ends && other < own"), ("refit_unit.sv", "back[3] == i[3]", "back[3] != i[3]"),
                    ("refit_unit.sv", "4'd12 - left_q", "4'd11 - left_q"), ("refit_unit.sv", "made_q >= Together", "made_q > Together")]),
]


def parameters(study, name):
    width = configs.read()[name]["width"]
    return {"W": width, "Q": BITS} if study.top == "relative_decoder" else {"Width": width}


def yosys(script):
    return single.checked(["yosys", "-p", script])


def read(study, name, files):
    chosen = " ".join(f"-chparam {key} {value}" for key, value in parameters(study, name).items())
    return f"read_verilog -sv -defer -noassert -DSYNTHESIS {' '.join(map(str, files))}; hierarchy -top {study.top} {chosen}; "


def compare_formula(study, name):
    chance = random.Random(name)
    script, wanted = read(study, name, study.files) + "proc; opt; ", {}
    for _ in range(VECTORS):
        inputs, outputs = study.formula(chance, configs.read()[name]["width"])
        put = " ".join(f"-set {pin} {bits}'d{value}" for pin, (bits, value) in inputs.items())
        script += "".join(f"eval {put} -show {pin}; " for pin in outputs)
        for pin, value in outputs.items():
            wanted.setdefault(pin, []).append(value)
    log = yosys(script)
    for pin, values in wanted.items():
        if [int(m, 2) for m in re.findall(rf"Eval result: \\{pin} = \d+'([01]+)\.", log)] != values:
            raise RuntimeError(f"{study.top} {name}: {pin} and the formula differ")


def agrees(study, name, mistake=None):
    """Does the RTL, with a mistake in it if asked for, pass its co-simulation?"""
    single.WORK.mkdir(parents=True, exist_ok=True)
    include = single.verilator_include()
    with tempfile.TemporaryDirectory(prefix="study-", dir=single.WORK) as folder:
        folder = pathlib.Path(folder)
        files = []
        for file in study.files:
            text = file.read_text()
            if mistake and file.name == mistake[0]:
                if text.count(mistake[1]) != 1:
                    raise RuntimeError(f"{file.name}: '{mistake[1]}' stands there {text.count(mistake[1])} times, not once")
                text = text.replace(mistake[1], mistake[2])
            (folder / file.name).write_text(text)
            files.append(str(folder / file.name))
        verilate.verilate(folder / "v", "Vtop", study.top, [*verilate.FOR_RTL, *(f"-G{k}={v}" for k, v in parameters(study, name).items()), *files])
        (folder / "one.cpp").write_text(f'#include "Vtop_all.cpp"\n#include "{HERE / study.driver}"\n')
        shared = single.libraries("snug_chip")[2:] if "src/libsnug.a" in study.libraries else []
        flags = [f"-I{path}" for path in (single.PROJECT, single.PROJECT / "include", single.PROJECT / "src", single.BUILD / "chip" / "generated", folder / "v",
                                          include, include / "vltstd")]
        single.checked(["g++", "-std=c++20", "-O1", "-w", "-DVM_COVERAGE=0", *flags, folder / "one.cpp", *single.runtime(),
                        *(single.BUILD / library for library in study.libraries), *shared, "-pthread", "-o", folder / "cosim"])
        result = single.run([folder / "cosim", name], timeout=600)
        if not mistake:
            print(result.stdout + result.stderr, end="", flush=True)
        if result.returncode == 2:
            raise RuntimeError(f"{study.top} {name}: {result.stderr}")
        return result.returncode == 0


def area(study, name):
    folder = single.WORK / "synth" / f"{study.top}-xc2v-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    memory = synthesise.MEMORY
    files = [HERE.parent / "srl16_delay_line.sv" if f.name == "delay_line.sv" else f for f in study.files if f != memory]
    log = yosys(f"read_verilog -lib -specify +/xilinx/cells_sim.v; read_verilog -sv -lib {memory}; " + read(study, name, files) +
                f"synth_xilinx -family xc2v -nowidelut -nosrl -flatten -noiopad -noclkbuf; check -assert; stat; write_verilog -noattr {folder}/netlist.v")
    cells = {m[1]: int(m[2]) for m in re.finditer(r"^\s+([A-Z]\w*)\s+(\d+)$", log[log.rindex("Number of cells"):], re.MULTILINE)}
    found = list(synthesise.complaints(log, cells))
    if found:
        raise RuntimeError(f"{study.top} {name}: " + "\n".join(found))
    count = lambda *prefixes: sum(n for cell, n in cells.items() if cell.startswith(prefixes))
    luts = count("LUT", "INV", "SRL") + sum(LUTS_OF_MEMORY[cell] * n for cell, n in cells.items() if cell.startswith("RAM"))
    return f"| `{study.top}` | `{name}` | {luts} | {count('FD')} | {count('MULT')} | {synthesise.memory_blocks(folder)} |"


def row(job):
    study, name = job
    if study.formula:
        compare_formula(study, name)
    else:
        if not agrees(study, name):
            raise RuntimeError(f"{study.top} {name}: it differs from its model")
        for mistake in study.mistakes if name == "w18" else []:
            if agrees(study, name, mistake):
                raise RuntimeError(f"{study.top} {name}: a mistake is not noticed, {mistake}")
    return area(study, name)


def same(made, written):
    """But for what varies from run to run of Yosys."""
    cells = [line.split("|") for line in (made, written)]
    near = lambda x, y: abs(int(x) - int(y)) <= synthesise.VARIATION * int(y)
    return len(cells[0]) == len(cells[1]) and all(x == y or (i == 3 and near(x, y)) for i, (x, y) in enumerate(zip(*cells)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="all of them without")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    chosen = [study for study in STUDIES if not arguments.modules or study.top in arguments.modules]
    if len(chosen) < len(arguments.modules):
        parser.error(f"modules are {', '.join(study.top for study in STUDIES)}")
    single.runtime()
    jobs = [(study, name) for study in chosen for name in CONFIGURATIONS]
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = dict(zip(((study.top, name) for study, name in jobs), pool.map(row, jobs)))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(START)
    table, after = rest.split(END)
    written = {tuple(re.findall(r"`(\w+)`", line)): line for line in table.splitlines() if line.startswith("| `")}
    head = [line for line in table.splitlines() if line.startswith("|") and not line.startswith("| `")]
    for line in made.values():
        print(line)
    if arguments.write:
        rows = [(written | made).get((study.top, name)) for study in STUDIES for name in CONFIGURATIONS]
        DOCUMENT.write_text(before + START + "\n" + "\n".join([*head, *filter(None, rows)]) + "\n" + END + after, encoding="utf-8")
        return 0
    old = [key for key, line in made.items() if key not in written or not same(line, written[key])]
    if old:
        print(f"the table in {DOCUMENT} is old: {old}; run chip/synth/studies/studies.py --write")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
