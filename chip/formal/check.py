#!/usr/bin/env python3
"""Proves the properties of this folder with the SAT solver of Yosys, by induction: for ever, for all traffic. The situation that they speak
of has to be reachable from reset. Of each mistake in proofs.py a run from reset has to be found that breaks them; where such runs are too
long to be found, it is enough that the proof fails.

  check.py [PROOF...]    all of them, or those whose name begins so
"""

import concurrent.futures
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import configs
import proofs
import single

FORMAL, RTL = pathlib.Path(__file__).resolve().parent, configs.CHIP / "rtl"
# Induction over so many clocks is enough for all of them: properties say what the registers mean.
INDUCTION, LIMIT_S = 2, 1800
READ = """
read_verilog -sv -formal -defer {files}
hierarchy -check -top {top} {parameters}
prep -flatten -nordff
opt -full
dffunmap
opt_clean
"""
INDUCT = "sat -tempinduct -seq 1 -prove-asserts -set-assumes -maxsteps {clocks}"
BREAK = "sat -tempinduct-baseonly -seq 1 -prove-asserts -set-assumes -maxsteps {clocks}"
REACH = "sat -tempinduct-baseonly -seq 1 -prove {signal} 0 -set-assumes -maxsteps {clocks}"
PROVED, BROKEN = "Induction step proven: SUCCESS!", "SAT temporal induction proof finished - model found for base case: FAIL!"


def replaced_once(text, old, new, where):
    if text.count(old) != 1:
        raise RuntimeError(f"{where}: '{old}' stands there {text.count(old)} times, not once")
    return text.replace(old, new)


def with_free_outputs(text, outputs):
    """The module with its ports alone."""
    ports = text[text.index("module "):text.index(");") + 2]
    free = "".join(f"  (* anyseq *) wire [$bits({o})-1:0] any_{o};\n  assign {o} = any_{o};\n" for o in outputs)
    return f"{ports}\n{free}endmodule\n"


def at_end(text, more):
    end = text.rindex("endmodule")
    return text[:end] + more + text[end:]


def show(texts, shown, inside):
    """Leads a signal through the modules around it."""
    modules = [(step.split(":")[-1], step.split(":")[0]) for step in shown.path]
    port = f"shown_{shown.name}"
    for depth, (module, _) in enumerate(modules):
        text = texts[module]
        if module != inside:
            text = replaced_once(text, "\n);\n", f",\n  output logic [{shown.bits - 1}:0] {port}\n);\n", module)
        if depth + 1 == len(modules):
            text = at_end(text, f"  assign {port} = {shown.signal or shown.name};\n")
        else:
            text, found = re.subn(rf"(\b{modules[depth + 1][1]} \([^;]*?)(\n  \);)", rf"\1, .{port}\2", text)
            if found != 1:
                raise RuntimeError(f"{module}: no instance {modules[depth + 1][1]}")
        texts[module] = text


def sources(proof, folder, mistake=None):
    """The RTL made ready for a proof, with a mistake in it if asked for."""
    texts = {module: (RTL / f"{module}.sv").read_text() for module in [*proof.rtl, *proof.free]}
    texts |= {module: (FORMAL / file).read_text() for module, file in proof.stand_ins.items()}
    if mistake:
        _, module, old, new = mistake
        texts[module] = replaced_once(texts[module], old, new, module)
    texts |= {module: with_free_outputs(texts[module], outputs) for module, outputs in proof.free.items()}
    # Without the RTL's own checks: here inputs are anything.
    texts = {module: text.replace("`ifndef SYNTHESIS", "`ifdef SNUG_CHECK_INPUTS") for module, text in texts.items()}
    for shown in proof.shown:
        show(texts, shown, proof.inside)
    properties = (FORMAL / proof.properties).read_text()
    if proof.inside:
        texts[proof.inside] = at_end(texts[proof.inside], properties)
    else:
        texts[proof.top] = properties
    folder.mkdir(parents=True, exist_ok=True)
    for module, text in texts.items():
        (folder / f"{module}.sv").write_text(text)
    return " ".join(str(folder / f"{module}.sv") for module in texts)


def solve(proof, what, command, mistake=None):
    folder = single.WORK / "formal" / re.sub(r"\W+", "-", f"{proof.name} {what}")
    parameters = proof.parameters | (proof.small if mistake else {})
    script = READ.format(files=sources(proof, folder, mistake), top=proof.top,
                         parameters=" ".join(f"-chparam {key} {value}" for key, value in parameters.items())) + command + "\n"
    (folder / "script.ys").write_text(script)
    result = single.run(["yosys", "-s", folder / "script.ys"], timeout=LIMIT_S)
    log = result.stdout + result.stderr
    (folder / "yosys.log").write_text(log)
    if result.returncode != 0 or "Warning" in log:
        raise RuntimeError(f"{proof.name}, {what}: see {folder}/yosys.log\n{log[-2000:]}")
    return "proved" if PROVED in log else "broken" if BROKEN in log else "not proved"


def tasks():
    stages = sorted({v["multiplier_stages"] for v in configs.read().values()})
    for proof in proofs.proofs(stages):
        yield proof, "for ever", INDUCT.format(clocks=INDUCTION), None, "proved"
        for signal in proof.reached:
            yield proof, f"{signal} within {proof.clocks} clocks", REACH.format(signal=signal, clocks=proof.clocks), None, "broken"
        for mistake in proof.mistakes:
            command, expected = (BREAK, "broken") if proof.mistakes_from_reset else (INDUCT, "not proved")
            yield proof, f"mistake: {mistake[0]}", command.format(clocks=proof.clocks if proof.mistakes_from_reset else 1), mistake, expected


def main():
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [t for t in tasks() if t[0].name.startswith(tuple(sys.argv[1:]) or "")]
        jobs = [(t, pool.submit(solve, t[0], t[1], t[2], t[3])) for t in wanted]
        for (proof, what, _, _, expected), job in jobs:
            try:
                found = job.result()
            except (RuntimeError, single.subprocess.TimeoutExpired) as error:
                found = str(error)
            right = found == expected or (expected == "not proved" and found == "broken")  # a run that goes wrong is more than was asked for
            wrong += not right
            reached = {"broken": "found"}.get(found, found)
            print(f"{proof.name}, {what}: {reached}{'' if right else f', not {expected}'}", flush=True)
    print(f"{len(wanted)} proofs, reachable situations and mistakes, {wrong} wrong")
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
