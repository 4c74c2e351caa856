#!/usr/bin/env python3
"""Proves the properties of handshake.sv with yosys-smtbmc and z3: for all traffic of so many clocks from
reset. A pipe with a mistake in it has to fail, and the situation the properties speak of has to be reachable."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import configs
import single
import verilate

# Words as narrow as they can be: properties do not depend on them. As many clocks as the pipe has stages, and so many more: room
# for stalls, bubbles and resets while a test is inside. Every clock more doubles the time it takes.
WIDTH, BEYOND, LIMIT_S = 4, 5, 900
SCRIPT = """
read_verilog -sv -formal -defer {files}
hierarchy -top handshake -chparam Width {width} -chparam K {k} -chparam MultiplierStages {stages}
prep -flatten -nordff
memory_map
opt -full
dffunmap
write_smt2 -wires {model}
"""
# What is computed does not matter to a handshake and is what solvers drown in: outputs of these are anything, in every clock.
FREE = {"signed_multiplier": ["product_o"], "slab_select": ["near_o", "opposite_o"], "product_sum": ["sum_o"], "negative_sum": ["sum_o"]}
MISTAKES = [
    ("ready while a result waits", "overlap_pipe.sv", "assign ready_o = move;", "assign ready_o = 1'b1;"),
    ("nodes move while the pipe stands", "pipe_data.sv", "    .clk_i, .en_i, .data_i({last_i", "    .clk_i, .en_i(1'b1), .data_i({last_i"),
    ("a reset that forgets a stage", "pipe_data.sv", "valid_q <= '0;", "valid_q <= {valid_q[Stages-1], {(Stages-1){1'b0}}};"),
]


def with_free_outputs(text, outputs):
    """The module with its ports alone."""
    ports = text[text.index("module "):text.index(");") + 2]
    free = "".join(f"  (* anyseq *) wire [$bits({o})-1:0] any_{o};\n  assign {o} = any_{o};\n" for o in outputs)
    return f"{ports}\n{free}endmodule\n"


def model(name, multiplier_stages, k, change=None):
    folder = single.WORK / "formal" / name
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for source in [*map(pathlib.Path, verilate.rtl_files(configs.CHIP / "rtl")), configs.CHIP / "formal" / "handshake.sv"]:
        text = source.read_text()
        if change and source.name == change[0]:
            if text.count(change[1]) != 1:
                raise RuntimeError(f"{source.name}: the text to change does not stand there once")
            text = text.replace(change[1], change[2])
        if source.stem in FREE:
            text = with_free_outputs(text, FREE[source.stem])
        # Without the RTL's own checks: here inputs are anything.
        (folder / source.name).write_text(text.replace("`ifndef SYNTHESIS", "`ifdef SNUG_CHECK_INPUTS"))
        files.append(folder / source.name)
    target = folder / "model.smt2"
    single.checked(["yosys", "-q", "-p", SCRIPT.format(files=" ".join(map(str, files)), width=WIDTH, k=k, stages=multiplier_stages, model=target)])
    return target


def smtbmc(target, clocks, *mode):
    result = single.run(["yosys-smtbmc", "--noprogress", "-s", "z3", "-t", clocks, *mode, target], timeout=LIMIT_S)
    for verdict in ("passed", "failed"):
        if f"Status: {verdict.upper()}" in result.stdout:
            return verdict
    raise RuntimeError(result.stdout + result.stderr)


def main():
    wrong = 0

    def expect(what, found, expected):
        nonlocal wrong
        wrong += found != expected
        print(f"{what}: {found}{'' if found == expected else f', not {expected}'}", flush=True)

    shapes = sorted({(v["multiplier_stages"], v["k"]) for v in configs.read().values()})
    for stages, k in shapes:
        target = model(f"stages{stages}", stages, k)
        clocks = 6 + stages + BEYOND
        expect(f"{6 + stages} stages, {clocks} clocks from reset", smtbmc(target, clocks), "passed")
        expect(f"{6 + stages} stages, a stalled result is reached", smtbmc(target, clocks, "-c"), "passed")
    stages, k = shapes[0]
    for what, *change in MISTAKES:
        expect(f"mistake: {what}", smtbmc(model("mistake", stages, k, change), 6 + stages + BEYOND), "failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
