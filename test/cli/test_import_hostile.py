"""Damaged CAD files: 400 made from real ones by seeded mutation. Each must end in time, with a valid document or with words,
and leave nothing behind: no process, no file."""

import collections
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from support import CLEAN, FINDINGS, INCOMPLETE, PROGRAM, UNREADABLE, parse

SEED = int(os.environ.get("SNUG_SEED", "20"))
LIMIT = 5.0  # seconds for the importer
SLACK = 40.0  # for all else, on a machine that does other things too
DATA = os.environ.get("SNUG_DATA", "")
SAMPLES = "/usr/share/opencascade/data"  # Debian's occt-misc

# Small ones more often than large ones, which take the limit of time whatever is in them.
SOURCES = [
    (f"{DATA}/parts_step/NIST_MBE_PMI_11.stp", 110),
    (f"{SAMPLES}/step/screw.step", 110),
    (f"{DATA}/assemblies/box_sides.STEP", 20),
    (f"{SAMPLES}/occ/wedge_ok.brep", 40),
    (f"{SAMPLES}/occ/Room.brep", 40),
    (f"{SAMPLES}/occ/mal_ecrou.brep", 30),
    (f"{SAMPLES}/occ/wing.brep", 20),
    (f"{SAMPLES}/occ/face1.brep", 10),
    (f"{DATA}/assemblies/Motor-c.brep", 6),
    (f"{SAMPLES}/iges/bearing.iges", 7),
    (f"{SAMPLES}/iges/hammer.iges", 7),
]
EXTREMES = [b"1e308", b"-1e308", b"-1e-320", b"1e999", b"0.", b"99999999999999999999", b"-2147483648", b"nan", b"1.E+38"]
NUMBER = re.compile(rb"-?\d+\.\d*(?:[eE][-+]?\d+)?")
REFERENCE = re.compile(rb"#\d+")
INTEGER = re.compile(rb"(?<=\s)-?\d+(?=\s)")


def replace_some(data, pattern, count, make, chance):
    """`count` of the places where the pattern occurs, replaced by what make() gives."""
    places = [match.span() for match in pattern.finditer(data)]
    out, at = [], 0
    for start, end in sorted(chance.sample(places, min(count, len(places)))):
        out += [data[at:start], make(data[start:end])]
        at = end
    return b"".join(out) + data[at:]


def truncated(data, chance):
    return data[: chance.randrange(1, len(data))]


def bytes_changed(data, chance):
    out = bytearray(data)
    for _ in range(chance.choice((1, 5, 20, 200))):
        out[chance.randrange(len(out))] = chance.randrange(256)
    return bytes(out)


def references_swapped(data, chance):
    pattern = REFERENCE if data.startswith(b"ISO") else INTEGER
    known = pattern.findall(data)
    wrong = [b"#0", b"#999999", b"#4294967296"] if pattern is REFERENCE else [b"0", b"-1", b"999999", b"4294967296"]
    make = lambda _: chance.choice(known) if chance.random() < 0.6 else chance.choice(wrong)
    return replace_some(data, pattern, chance.choice((1, 4, 30)), make, chance)


def extreme_numbers(data, chance):
    return replace_some(data, NUMBER, chance.choice((1, 5, 50)), lambda _: chance.choice(EXTREMES), chance)


def deeply_nested(data, chance):
    depth = chance.choice((100, 10_000, 200_000))
    if chance.random() < 0.5:
        at = data.find(b"(", chance.randrange(len(data)))
        at = max(at, 0)
        return data[:at] + b"(" * depth + b"1" + b")" * depth + data[at:]
    # An entity that refers to itself, by way of another: a tree without an end.
    known = [m for m in re.finditer(rb"#\d+ ?=", data)]
    if not known:
        return data.replace(b"\n", b"\n" * 1000, 3) + data
    first = chance.choice(known).group().rstrip(b" =")
    return replace_some(data, REFERENCE, 40, lambda _: first, chance)


MUTATIONS = [truncated, bytes_changed, references_swapped, extreme_numbers, deeply_nested]


def cases():
    """(number, source, mutation): the same for everybody."""
    plan = [path for path, count in SOURCES for _ in range(count)]
    return [(i, path, MUTATIONS[i % len(MUTATIONS)]) for i, path in enumerate(plan)]


def processes_of(session):
    """What is left of a session: none of it may be."""
    left = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            left.append(int(name))
    return left


def run_case(folder, number, path, mutation):
    """What is wrong with how it ended, and a word for how it did."""
    with open(path, "rb") as file:
        data = mutation(file.read(), random.Random(f"{SEED} {number}"))
    name = f"{folder}/{number}{os.path.splitext(path)[1]}"
    with open(name, "wb") as file:
        file.write(data)
    # A unit for formats that have none; those that have one of their own are told none.
    units = ["--units", "mm"] if path.endswith(".brep") else []
    command = [PROGRAM, "check", name, "--json", "-q", "--cache", f"{folder}/cache", "--import-seconds", str(LIMIT),
               "--import-memory", "1GiB", "--sag", "1mm", "--angle", "30deg", "--threads", "1", *units]
    environment = {**os.environ, "TMPDIR": f"{folder}/tmp"}
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          env=environment, start_new_session=True) as process:
        try:
            output, words = process.communicate(timeout=LIMIT + SLACK)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return f"took more than {LIMIT + SLACK} s", "hang", LIMIT + SLACK
    seconds = time.monotonic() - start
    code = process.returncode
    wrong = ""
    if left := processes_of(process.pid):
        wrong = f"left processes: {left}"
    elif code in (CLEAN, FINDINGS, INCOMPLETE):
        try:
            document = parse(output)
        except Exception as error:  # whatever is wrong with the document is the finding
            return f"document: {error}", "invalid", seconds
        coverage = document["coverage"]
        complete = coverage["complete"] and not coverage["undecided"]
        if code != FINDINGS and complete != (code == CLEAN):
            wrong = f"exit {code}, but the document says: {coverage}"
        how = {CLEAN: "read, clean", FINDINGS: "read, findings", INCOMPLETE: "read, incomplete"}[code]
        if document["coverage"].get("losses"):
            how += " with losses"
    elif code == UNREADABLE:
        if not words.strip() or output:
            wrong = "exit 3 without words, or with data"
        how = next((how for what, how in (("crashed", "refused: crash"), ("limit of time", "refused: time"),
                                          ("limit of memory", "refused: memory"), ("limit of the answer", "refused: output"),
                                          ("kernel says", "refused: words")) if what in words), "refused: other")
    elif code == 2 and "--units" in words:
        how = "refused: no longer a CAD file by its content"
    else:
        wrong, how = f"exit {code}: {words[-400:]}", "BAD"
    if not wrong:
        os.unlink(name)
    return wrong, how, seconds


def main():
    if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "snug-import")):
        print("skipped: snug-import is not built")
        return 77
    missing = [path for path, _ in SOURCES if not os.path.exists(path)]
    for path in missing:
        print(f"skipped: {path} is not there (SNUG_DATA, Debian's occt-misc)")
    wanted = [case for case in cases() if case[1] not in missing]
    if not wanted:
        return 77
    scale = min(100, int(os.environ.get("SNUG_TEST_SCALE", "100")))
    picked = random.Random(SEED).sample(wanted, max(1, len(wanted) * scale // 100))
    print(f"seed {SEED}: {len(picked)} of {len(cases())} damaged files, {LIMIT} s each")

    bad, tally, slowest = [], collections.Counter(), 0.0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/tmp")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {pool.submit(run_case, folder, *case): case for case in picked}
            for job in concurrent.futures.as_completed(jobs):
                number, path, mutation = jobs[job]
                wrong, how, seconds = job.result()
                tally[how] += 1
                tally[f"  by {mutation.__name__}: {how}"] += 1
                slowest = max(slowest, seconds)
                if wrong:
                    bad.append(f"{number} ({os.path.basename(path)}, {mutation.__name__}): {wrong}")
        left = os.listdir(f"{folder}/tmp")
        left += [name for name in os.listdir(f"{folder}/cache") if not name.endswith(".cad")] if os.path.isdir(
            f"{folder}/cache") else []
        if left:
            bad.append(f"left files: {left}")
    for how, count in sorted(tally.items()):
        print(f"{count:4} {how}")
    print(f"{time.monotonic() - start:.0f} s in all, the slowest {slowest:.1f} s, {len(bad)} bad")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
