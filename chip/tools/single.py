"""Builds the co-simulation with one Verilated top that is not part of the build, and runs it: for mutants, coverage and gates.

Needs what the preset check has built: the drivers of co-simulation, such as libchip_cosim_core.a, and the generated header of
configurations.
"""

import os
import pathlib
import subprocess

import configs

PROJECT = configs.CHIP.parent
BUILD = pathlib.Path(os.environ.get("SNUG_CHIP_BUILD", PROJECT / "build" / "check"))
WORK = PROJECT / "build" / "chip"


def run(command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)


def checked(command):
    result = run(command)
    if result.returncode != 0:
        raise RuntimeError(" ".join(map(str, command)) + "\n" + result.stdout + result.stderr)
    return result.stdout


def verilator_include():
    return pathlib.Path(checked(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()) / "include"


# Of each top: the library with its driver, and the source that puts Vtop into it.
PROGRAMS = {"overlap_pipe": ("chip_cosim_core", "units_single.cpp"), "triangle_unit": ("chip_triangle_core", "triangle_single.cpp"),
            "snug_chip": ("chip_system_core", "system_single.cpp")}


def core_library(top):
    target = PROGRAMS[top][0]
    library = BUILD / "chip" / f"lib{target}.a"
    if not library.exists():
        raise RuntimeError(f"{library} is not there: build the target {target}")
    return library


def libraries(top):
    """What the driver of a top needs besides: that of the whole chip has the cycle model and shapes in it, and what the library is linked with."""
    if top != "snug_chip":
        return []
    program = BUILD / "bin" / "chip" / "chip_system_cosim"
    if not program.exists():
        raise RuntimeError(f"{program} is not there: build the target chip_system_cosim")
    shared = [line.split("=>")[1].split()[0] for line in checked(["ldd", program]).splitlines() if "=> /" in line]
    return [BUILD / "scenes" / "libsnug_scenes.a", BUILD / "src" / "libsnug.a", *shared]


def runtime(coverage=False):
    """Objects of Verilator's own sources, compiled once."""
    include, objects = verilator_include(), []
    for name in ["verilated", "verilated_threads"] + (["verilated_cov"] if coverage else []):
        target = WORK / f"{name}{'_counting' if coverage else ''}.o"
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            checked(["g++", "-std=c++20", "-O1", "-w", f"-DVM_COVERAGE={int(coverage)}", f"-I{include}", f"-I{include}/vltstd",
                     "-c", include / f"{name}.cpp", "-o", target])
        objects.append(target)
    return objects


def build(folder, program, top, gates=False, coverage=False, stack_depth=configs.STACK_DEPTH):
    """`folder` is where Verilator wrote Vtop."""
    include = verilator_include()
    # Gates are megabytes of C++ and few tests: optimising them takes longer than it saves.
    flags = ["-std=c++20", "-O0" if gates else "-O1", "-w", f"-DVM_COVERAGE={int(coverage)}", f"-DSNUG_CHIP_GATES={int(gates)}",
             f"-DSNUG_CHIP_STACK_DEPTH={stack_depth}",
             f"-I{PROJECT}", f"-I{PROJECT}/include", f"-I{PROJECT}/src", f"-I{BUILD}/chip/generated", f"-I{folder}", f"-I{include}", f"-I{include}/vltstd"]
    one = folder / "single.cpp"
    one.write_text(f'#include "Vtop_all.cpp"\n#include "chip/cosim/{PROGRAMS[top][1]}"\n')
    checked(["g++", *flags, one, *runtime(coverage), core_library(top), *libraries(top), "-pthread", "-o", program])
    return program


def cosimulate(program, config, vectors, seed=1, coverage=None, timeout=600):
    command = [program, "--config", config, "--vectors", vectors, "--seed", seed]
    if coverage:
        command += ["--coverage", coverage]
    return run(command, timeout=timeout)
