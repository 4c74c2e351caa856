"""What the tests of the program share: running it, meshes to feed it, and the schemas its documents must keep to."""

import json
import os
import subprocess
import tempfile
import time
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = os.environ["SNUG_PROGRAM"]
SOURCE = os.environ["SNUG_SOURCE"]

CLEAN, FINDINGS, WRONG_USAGE, UNREADABLE, INCOMPLETE, INTERNAL = range(6)


def schema(kind):
    with open(os.path.join(SOURCE, "docs", "schema", f"snug.{kind}-1.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def validate(document):
    """Against the schema the document names; where jsonschema is missing, test_schema.py says so."""
    if jsonschema is None:
        return
    kind = document["schema"].removeprefix("snug.").removesuffix("/1")
    jsonschema.Draft202012Validator(schema(kind)).validate(document)


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def parse(text):
    """JSON as the standard has it (Python's reader takes NaN), keys sorted, and valid by its schema."""

    def sorted_object(pairs):
        keys = [key for key, _ in pairs]
        assert keys == sorted(set(keys)), f"keys are not sorted: {keys}"
        return dict(pairs)

    document = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=sorted_object)
    validate(document)
    return document


class Mesh:
    """Triangles for an OBJ file, in groups."""

    def __init__(self):
        self.lines, self.count = [], 0

    def box(self, name, low, high, groups=False, skip=0):
        """Outward; `skip` leaves that many triangles out, so that it is open."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        corners = [(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)]
        quads = {"bottom": (0, 2, 3, 1), "top": (4, 5, 7, 6), "front": (0, 1, 5, 4), "back": (2, 6, 7, 3),
                 "left": (0, 4, 6, 2), "right": (1, 3, 7, 5)}
        self.lines.append(f"o {name}")
        self.lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in corners]
        left_out = 0
        for side, (a, b, c, d) in quads.items():
            if groups:
                self.lines.append(f"g {side}")
            for triangle in ((a, b, c), (a, c, d)):
                if left_out < skip:
                    left_out += 1
                    continue
                self.lines.append("f " + " ".join(str(self.count + corner + 1) for corner in triangle))
        self.count += len(corners)
        return self

    def strip(self, name, offset, length):
        """A diagonal ribbon of 2 * length triangles: its box is large, and it touches none of its neighbours."""
        self.lines.append(f"o {name}")
        for i in range(length + 1):
            self.lines.append(f"v {i} {i} {i + offset}")
            self.lines.append(f"v {i + 1} {i} {i + offset}")
        for i in range(length):
            a = self.count + 2 * i + 1
            self.lines += [f"f {a} {a + 1} {a + 3}", f"f {a} {a + 3} {a + 2}"]
        self.count += 2 * length + 2
        return self

    def text(self):
        return "\n".join(self.lines) + "\n"


def wait_until(happened, what, seconds=100):
    """Waits for as long as a busy machine may take; what tests do at the right moment must not hang on its speed."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.02)


def children(process, name):
    """How many programs whose names begin like this `process` has started and not yet seen end."""
    tasks, count = f"/proc/{process.pid}/task", 0
    try:
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/children", encoding="utf-8") as file:
                for child in file.read().split():
                    with open(f"/proc/{child}/comm", encoding="utf-8") as comm:
                        count += comm.read().startswith(name)
    except OSError:  # one that ended meanwhile
        pass
    return count


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content.text() if isinstance(content, Mesh) else content)
        return name

    def run_snug(self, *arguments, **more):
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
        environment.update(more.pop("environment", {}))
        more.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=240, **more)

    def expect(self, code, *arguments, says=(), **more):
        """The run, which must end with `code` and have all of `says` in what it tells on stderr."""
        done = self.run_snug(*arguments, **more)
        self.assertEqual(done.returncode, code, f"snug {arguments}\n{done.stdout}\n{done.stderr}")
        for words in says:
            self.assertIn(words, done.stderr)
        if code in (WRONG_USAGE, UNREADABLE):
            self.assertEqual(done.stdout, "", "data on stdout beside an error")
            self.assertNotEqual(done.stderr, "", "an error without words")
        return done

    def check(self, code, *arguments, **more):
        """The document of `snug check … --json`."""
        return parse(self.expect(code, "check", *arguments, "--json", **more).stdout)

    def write_pair(self, name="pair.obj", gap=1):
        """Two boxes, one above the other."""
        mesh = Mesh().box("lower", (0, 0, 0), (10, 10, 10), groups=True)
        return self.write(name, mesh.box("upper", (0, 0, 10 + gap), (10, 10, 20 + gap), groups=True))
