#!/usr/bin/env python3
"""Breaks the RTL on purpose, one mistake at a time (mutants.toml), and sees whether co-simulation notices. Exit code 1 if one
lives, or if the RTL as it stands does not pass."""

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

LEAST_MUTANTS, VECTORS, RELAXED = 30, 20000, ["-Wno-fatal"]


def outcome(name, config, change=None):
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
        verilate.verilate_rtl(folder / "v", "Vtop", config, rtl, RELAXED)
        program = single.build(folder / "v", folder / "cosim")
        result = single.cosimulate(program, config, VECTORS)
        # Verilator stops the program where an assertion fails.
        if result.returncode == 0:
            return "passes"
        return "caught" if result.returncode == 1 or result.returncode < 0 else f"did not run: {result.stderr}"


def main():
    mutants = tomllib.loads((pathlib.Path(__file__).parent / "mutants.toml").read_text())["mutant"]
    single.WORK.mkdir(parents=True, exist_ok=True)
    single.runtime()
    wrong = 0
    for config in sorted({m.get("config", "w18") for m in mutants}):
        found = outcome("as it stands", config)
        print(f"{config} as it stands: {found}", flush=True)
        wrong += found != "passes"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(m["name"], pool.submit(outcome, m["name"], m.get("config", "w18"), (m["file"], m["old"], m["new"])))
                for m in mutants]
        for name, job in jobs:
            found = job.result()
            print(f"{name}: {found}", flush=True)
            wrong += found != "caught"
    print(f"{len(mutants)} mutants, {wrong} wrong")
    return 1 if wrong or len(mutants) < LEAST_MUTANTS else 0


if __name__ == "__main__":
    sys.exit(main())
