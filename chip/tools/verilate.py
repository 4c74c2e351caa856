#!/usr/bin/env python3
"""Runs Verilator on a module and gathers what it writes in one C++ file, OUT/PREFIX_all.cpp: one compilation instead of nine.

  verilate.py --config NAME --out DIR [--top MODULE] [--prefix V] [--rtl DIR] [--coverage]     RTL of a configuration
  verilate.py --netlist FILE --cells FILE... --out DIR [--top MODULE] [--prefix V]             gates
"""

import argparse
import pathlib
import subprocess
import sys

import configs

# Gates come from a synthesiser, whose text is not held to our style; but loops, which Verilator would run around, they have none.
FOR_RTL = ["-Wno-fatal", "--assert", "-sv"]  # what other versions warn of must not break a build: lint.py looks at warnings
FOR_GATES = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN", "-Wno-TIMESCALEMOD", "-Werror-UNOPTFLAT"]


def top_flags(name, top, stack_depth=configs.STACK_DEPTH):
    return [f"-G{key}={value}" for key, value in configs.rtl_parameters(configs.read()[name], top, stack_depth).items()]


def rtl_files(folder):
    return sorted(str(path) for path in folder.glob("*.sv"))


def verilate(out, prefix, top, arguments):
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob(f"{prefix}*"):
        old.unlink()
    command = ["verilator", "--cc", "--no-timing", "-O3", "--top-module", top, "--prefix", prefix,
               "--Mdir", str(out), *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    parts = sorted(path.name for path in out.glob(f"{prefix}*.cpp"))
    (out / f"{prefix}_all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
    return result.stdout + result.stderr


def verilate_rtl(out, prefix, top, config, folder=configs.CHIP / "rtl", extra=(), stack_depth=configs.STACK_DEPTH):
    return verilate(out, prefix, top, [*FOR_RTL, *top_flags(config, top, stack_depth), *extra, *rtl_files(folder)])


def verilate_gates(out, prefix, top, netlist, cells):
    return verilate(out, prefix, top, [*FOR_GATES, *map(str, cells), str(netlist)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config")
    parser.add_argument("--rtl", type=pathlib.Path, default=configs.CHIP / "rtl")
    parser.add_argument("--netlist", type=pathlib.Path)
    parser.add_argument("--cells", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--top", choices=configs.TOPS, default="overlap_pipe")
    parser.add_argument("--stack-depth", type=int, default=configs.STACK_DEPTH)
    parser.add_argument("--prefix", default="Vtop")
    parser.add_argument("--coverage", action="store_true")
    arguments = parser.parse_args()
    try:
        if arguments.netlist:
            verilate_gates(arguments.out, arguments.prefix, arguments.top, arguments.netlist, arguments.cells)
        else:
            extra = ["--coverage-line"] if arguments.coverage else []
            verilate_rtl(arguments.out, arguments.prefix, arguments.top, arguments.config, arguments.rtl, extra,
                         arguments.stack_depth)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
