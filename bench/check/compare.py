#!/usr/bin/env python3
"""Whole assemblies through `snug check`: this build, and a former one beside it.

    ./run bench check [--former PROGRAM] [--rounds N] [--instances N]... [--only SCENE]... [--json FILE]

The programs take turns, another first in each round, on one thread; CPU seconds are the least of the rounds, memory is the peak of
the process. Their documents must be the same, apart from the block `run`. Assemblies of others are looked for in SNUG_DATA, and
named where they are absent. A row says how many times as fast as the former build this one is.
"""

import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

SIDE = 13  # cells along an edge: 2028 triangles a cube


def cube():
    """A cube of unit edges, each face a grid: vertices and triangles."""
    vertices, triangles, ids = [], [], {}

    def vertex(p):
        if p not in ids:
            ids[p] = len(vertices)
            vertices.append(p)
        return ids[p]

    for axis in range(3):
        for side in (0, 1):
            for i in range(SIDE):
                for j in range(SIDE):
                    corner = []
                    for u, v in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
                        p = [0, 0, 0]
                        p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = side * SIDE, u, v
                        corner.append(vertex(tuple(p)))
                    a, b, c, d = corner if side else corner[::-1]
                    triangles += [(a, b, c), (a, c, d)]
    return [tuple(x / SIDE for x in p) for p in vertices], triangles


def instances(count, path):
    """One cube, so many times in a lattice with gaps of half an edge; a tenth of them touch their neighbour flush."""
    vertices, triangles = cube()
    points = b"".join(struct.pack("<3f", *v) for v in vertices)
    indices = b"".join(struct.pack("<3I", *t) for t in triangles)
    across = math.ceil(count ** (1 / 3))
    nodes = []
    for i in range(count):
        x, y, z = i % across, i // across % across, i // across ** 2
        shift = -0.5 if (x + 3 * y + 7 * z) % 10 == 5 and x > 0 else 0.0
        nodes.append({"mesh": 0, "name": f"cube {i}", "translation": [1.5 * x + shift, 1.5 * y, 1.5 * z]})
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(count))}], "nodes": nodes,
                "meshes": [{"name": "cube", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "buffers": [{"byteLength": len(points) + len(indices)}],
                "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
                                {"buffer": 0, "byteOffset": len(points), "byteLength": len(indices)}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
                              {"bufferView": 1, "componentType": 5125, "count": 3 * len(triangles), "type": "SCALAR"}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = points + indices
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(body)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(body), b"BIN\0") + body)


def scenes(snug, folder, counts, only):
    for name in ("control-box", "plant"):
        if only and name not in only:
            continue
        path = os.path.join(folder, name + ".glb")
        subprocess.run([snug, "scene", name, "-q", "-o", path], check=True)
        yield name, [path]
    for name in ("box_sides.STEP", "Motor-c.brep", "sonde_xilinx.step"):
        if only and name not in only:
            continue
        path = os.path.join(os.environ.get("SNUG_DATA", ""), "assemblies", name)
        if os.path.exists(path):
            yield name, [path, "--units", "mm"] if name.endswith(".brep") else [path]
        else:
            print(f"left out: {name} is not there (folder assemblies in SNUG_DATA)", file=sys.stderr)
    for count in counts:
        if only and f"{count} instances" not in only:
            continue
        path = os.path.join(folder, f"{count}.glb")
        instances(count, path)
        yield f"{count} instances", [path]


def run(snug, arguments):
    """The document, CPU seconds and peak memory in MB of one check."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write, 1)
        os.close(read)
        os.execv(snug, [snug, "check", *arguments, "--json", "--quiet", "--threads", "1"])
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1, 4):
        sys.exit(f"{snug} check {' '.join(arguments)}: exit {os.waitstatus_to_exitcode(status)}")
    document = json.loads(text)
    document.pop("run")
    return document, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snug", default="build/release/bin/snug")
    parser.add_argument("--former", help="the program of another build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--instances", type=int, action="append")
    parser.add_argument("--only", action="append", help="a scene by its name; repeatable")
    parser.add_argument("--json", help="write the rows there")
    options = parser.parse_args()
    programs = {"now": os.path.abspath(options.snug)} | ({"former": os.path.abspath(options.former)} if options.former else {})
    rows, ratios, differ = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in scenes(programs["now"], folder, options.instances or [1000, 10000], options.only):
            best = {}
            documents = {}
            for program in programs.values():  # CAD files are imported once, and the time of that is not measured
                run(program, arguments)
            for turn in range(options.rounds):
                for which in sorted(programs, reverse=turn % 2 == 1):
                    documents[which], seconds, memory = run(programs[which], arguments)
                    seconds_before, memory_before = best.get(which, (math.inf, math.inf))
                    best[which] = (min(seconds, seconds_before), min(memory, memory_before))
            row = {"scene": name, "findings": len(documents["now"]["findings"])} | {
                f"{which} {unit}": value for which, values in best.items() for unit, value in zip(("s", "MB"), values)}
            if options.former:
                row["faster"] = best["former"][0] / best["now"][0]
                row["same"] = documents["now"] == documents["former"]
                ratios.append(row["faster"])
                if not row["same"]:
                    differ.append(name)
            rows.append(row)
            print("  ".join(f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()), flush=True)
    if ratios:
        print(f"geometric mean of {len(ratios)} scenes: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} times as fast as the former build")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"schema": "snug.bench.check/1", "rows": rows}, file, indent=1)
    if differ:
        print("documents differ: " + ", ".join(differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
