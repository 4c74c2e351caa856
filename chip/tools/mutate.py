#!/usr/bin/env python3
"""Breaks the RTL on purpose, one mistake at a time (mutants.toml), and sees whether co-simulation notices. Exit code 1 if one
lives, or if the RTL as it stands does not pass.

  mutate.py [NAME...]    all of them, or those whose name begins so
"""

import concurrent.futures
import os
import shutil
import sys
import tempfile
import tomllib
import pathlib

import configs
import single
import verilate

VECTORS = {"overlap_pipe": 20000, "triangle_unit": 8000, "snug_chip": 80}
LEAST_MUTANTS = {"overlap_pipe": 30, "triangle_unit": 30, "snug_chip": 30}
CONFIGURATION = {"overlap_pipe": "w18", "triangle_unit": "w18", "snug_chip": "w8"}  # if a mutant does not say
SHALLOW = 16  # entries of the stack of a whole chip, so that it overflows


def outcome(top, config, change=None):
    with tempfile.TemporaryDirectory(prefix="mutant-", dir=single.WORK) as folder:
        folder = pathlib.Path(folder)
        rtl = folder / "rtl"
        shutil.copytree(configs.CHIP / "rtl", rtl)
        if change:
            file, old, new = change
            text = (rtl / file).read_text()
            if text.count(old) != 1:
                return "the text to change does not stand there once"
            (rtl / file).write_text(text.replace(old, new))
        verilate.verilate_rtl(folder / "v", "Vtop", top, config, rtl, stack_depth=SHALLOW)
        program = single.build(folder / "v", folder / "cosim", top, stack_depth=SHALLOW)
        result = single.cosimulate(program, config, VECTORS[top])
        # Verilator stops the program where an assertion fails.
        if result.returncode == 0:
            return "passes"
        return "caught" if result.returncode == 1 or result.returncode < 0 else f"did not run: {result.stderr}"


def main():
    mutants = tomllib.loads((pathlib.Path(__file__).parent / "mutants.toml").read_text())["mutant"]
    if len(sys.argv) > 1:
        mutants = [m for m in mutants if m["name"].startswith(tuple(sys.argv[1:]))]
    single.WORK.mkdir(parents=True, exist_ok=True)
    single.runtime()
    wrong = 0
    top_of = lambda m: m.get("top", "overlap_pipe")
    place = lambda m: (top_of(m), m.get("config", CONFIGURATION[top_of(m)]))
    for top, config in sorted({place(m) for m in mutants}):
        found = outcome(top, config)
        print(f"{top} {config} as it stands: {found}", flush=True)
        wrong += found != "passes"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(m["name"], pool.submit(outcome, *place(m), (m["file"], m["old"], m["new"]))) for m in mutants]
        for name, job in jobs:
            found = job.result()
            print(f"{name}: {found}", flush=True)
            wrong += found != "caught"
    for top in VECTORS:
        count = sum(top_of(m) == top for m in mutants)
        print(f"{top}: {count} mutants")
        wrong += count < LEAST_MUTANTS[top] and len(sys.argv) == 1
    print(f"{len(mutants)} mutants, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
