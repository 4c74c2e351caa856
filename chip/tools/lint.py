#!/usr/bin/env python3
"""Verilator's lint and Yosys' reader on the RTL of every configuration: not one warning."""

import sys

import configs
import single
import verilate

YOSYS = "read_verilog -sv -defer -noassert -DSYNTHESIS {files}; hierarchy -check -top {top} {parameters}; proc; check -assert"


def problems(top, name, values):
    files = verilate.rtl_files(configs.CHIP / "rtl")
    result = single.run(["verilator", "--lint-only", "--no-timing", "-Wall", "--assert", "-sv", "--top-module", top,
                         *verilate.top_flags(name, top), *files])
    if result.returncode != 0 or result.stdout or result.stderr:
        yield f"Verilator:\n{result.stdout}{result.stderr}"
    parameters = " ".join(f"-chparam {key} {value}" for key, value in configs.rtl_parameters(values, top).items())
    result = single.run(["yosys", "-p", YOSYS.format(files=" ".join(files), top=top, parameters=parameters)])
    if result.returncode != 0 or "Warning" in result.stdout + result.stderr:
        yield f"Yosys:\n{result.stdout}{result.stderr}"


def main():
    wrong = 0
    for top in configs.TOPS:
        for name, values in configs.read().items():
            found = list(problems(top, name, values))
            wrong += len(found)
            print(f"{top} {name}: {'clean' if not found else ''.join(found)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
