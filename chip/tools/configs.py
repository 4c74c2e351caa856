#!/usr/bin/env python3
"""Reads configs.yaml, the single source of the chip's named configurations, and writes it down for others.

  configs.py --header FILE     a C++ header with the configurations
  configs.py --cmake FILE      CMake lists of the same
  configs.py --table           the table of docs/chip.md
  configs.py --check DOC...    nothing else states the values: RTL has no defaults, sources no widths, tables in DOC are up to date

Files are written only if they change. Exit code 1 for a finding, 3 for a configs.yaml that can not be read.
"""

import argparse
import pathlib
import re
import sys

CHIP = pathlib.Path(__file__).resolve().parent.parent
SOURCE = CHIP / "configs.yaml"
LIMITS = {"width": (4, 35), "k": (24, 24), "axes": (1, 105), "multiplier_stages": (1, 3)}
TABLE_START, TABLE_END = "<!-- configurations: by chip/tools/configs.py -->", "<!-- end of configurations -->"


class Refused(Exception):
    pass


def read(path=SOURCE):
    """The configurations by name, in their order. A small part of YAML on purpose: no library is needed to build."""
    found, inside = {}, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        def refuse(why):
            raise Refused(f"{path.name}:{number}: {why}")

        bare = line.split("#")[0].rstrip()
        if not bare:
            continue
        if bare == "configurations:":
            inside = True
            continue
        match = re.fullmatch(r"  ([a-z][a-z0-9_]*): \{(.*)\}", bare)
        if not inside or not match:
            refuse("expected 'configurations:' and below it lines '  name: {key: value, ...}'")
        name, body = match.groups()
        if name in found:
            refuse(f"'{name}' stands there twice")
        values = {}
        for item in body.split(","):
            pair = re.fullmatch(r"\s*([a-z_]+): ([0-9]+)\s*", item)
            if not pair:
                refuse(f"'{item.strip()}' is not 'key: number'")
            if pair[1] not in LIMITS or pair[1] in values:
                refuse(f"unknown or repeated key '{pair[1]}'")
            values[pair[1]] = int(pair[2])
        for key, (least, most) in LIMITS.items():
            if key not in values:
                refuse(f"'{name}' has no {key}")
            if not least <= values[key] <= most:
                refuse(f"{key} of '{name}' is {values[key]}, not from {least} to {most}")
        if values["multiplier_stages"] != (1 if values["width"] <= 18 else 3):
            refuse(f"'{name}': words of up to 18 bits take 1 multiplier stage, wider ones 3")
        found[name] = values
    if not found:
        raise Refused(f"{path.name}: no configurations")
    return found


def stages(values):
    return 6 + values["multiplier_stages"]


# What there is to verilate and synthesise, and the parameters it has, as the RTL spells them: PascalCase.
TOPS = {"overlap_pipe": ["Width", "K", "MultiplierStages"], "triangle_unit": ["Width"],
        "snug_chip": ["Width", "K", "MultiplierStages", "StackDepth"]}
STACK_DEPTH = 512  # of every configuration, docs/chip-system.md; tests have a chip with less


def rtl_parameters(values, top="overlap_pipe", stack_depth=STACK_DEPTH):
    spelled = {key.title().replace("_", ""): value for key, value in values.items()} | {"StackDepth": stack_depth}
    return {key: spelled[key] for key in TOPS[top]}


def header(configurations):
    rows = "".join(f'    {{"{name}", ' + ", ".join(str(values[key]) for key in LIMITS) + "},\n"
                   for name, values in configurations.items())
    fields = ", ".join(LIMITS)
    return ("// By chip/tools/configs.py from chip/configs.yaml.\n#pragma once\n\n#include \"chip/model/configuration.hpp\"\n\n"
            f"namespace snug::hardware {{\n\n// name, {fields}\ninline constexpr Configuration k_configurations[] = {{\n{rows}}};\n\n"
            "}  // namespace snug::hardware\n")


def cmake(configurations):
    lines = [f'set(SNUG_CHIP_CONFIGURATIONS {" ".join(configurations)})']
    for name, values in configurations.items():
        flags = " ".join(f"-G{key}={value}" for key, value in rtl_parameters(values).items())
        lines.append(f"set(SNUG_CHIP_PARAMETERS_{name} {flags})")
    return "\n".join(lines) + "\n"


def table(configurations):
    lines = ["| name | W | k | axes | multiplier stages | stages | product | sn | sum |", "|---|---|---|---|---|---|---|---|---|"]
    for name, v in configurations.items():
        w = v["width"]
        lines.append(f"| `{name}` | {w} | {v['k']} | {v['axes']} | {v['multiplier_stages']} | {stages(v)} "
                     f"| {2 * w} | {w + 3} | {2 * w + 3} |")
    return "\n".join(lines) + "\n"


def stated_elsewhere(configurations, documents):
    """Places that state a value of their own."""
    widths = "|".join(sorted({str(v["width"]) for v in configurations.values()}))
    parameters = "|".join(sorted({p for v in configurations.values() for p in rtl_parameters(v)}))
    found = []
    for path in sorted(CHIP.rglob("*")):
        if path.suffix not in {".sv", ".cpp", ".hpp", ".py", ".txt", ".ys"} or path.name == "configs.py":
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = re.split(r"//|#(?!\()", line)[0] if path.suffix != ".py" else line
            default = re.search(r"parameter\s+int\s+unsigned\s+\w+\s*=\s*(\w+)", code)
            if default and default[1] != "0":
                found.append((path, number, "an RTL parameter has a default"))
            if re.search(rf"\b({parameters}|width|multiplier_stages)\s*[=:(]+\s*({widths})\b", code, re.IGNORECASE):
                found.append((path, number, "a value of a configuration"))
    try:
        import yaml
        if yaml.safe_load(SOURCE.read_text()) != {"configurations": configurations}:
            found.append((SOURCE, 1, "a YAML library reads something else"))
    except ImportError:
        print("python3-yaml is not here: configs.yaml is not compared with what a YAML library reads")
    for document in documents:
        text = document.read_text()
        if TABLE_START not in text or TABLE_END not in text:
            found.append((document, 1, "no table of configurations"))
        elif text.split(TABLE_START)[1].split(TABLE_END)[0].strip() != table(configurations).strip():
            found.append((document, 1, "its table of configurations is not that of configs.yaml"))
    return [f"{path}:{number}: {why}" for path, number, why in found]


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--cmake", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    try:
        configurations = read()
    except (OSError, Refused) as error:
        print(f"configs.py: {error}", file=sys.stderr)
        return 3
    if arguments.header:
        write_if_changed(arguments.header, header(configurations))
    if arguments.cmake:
        write_if_changed(arguments.cmake, cmake(configurations))
    if arguments.table:
        print(table(configurations), end="")
    if arguments.check:
        found = stated_elsewhere(configurations, arguments.check)
        print("\n".join(found) or f"{len(configurations)} configurations, stated once")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
