"""The same input gives the same bytes, whatever the threads, the method or the order of the files."""

import math
import os
import random
import re
import signal
import subprocess
import time
import unittest

from support import FINDINGS, INCOMPLETE, PROGRAM, Case, Mesh, parse

RUN_BLOCK = re.compile(r'\n  "run": \{.*?\n  \},', re.DOTALL)


class Same(Case):
    def setUp(self):
        super().setUp()
        numbers = random.Random(7)
        self.files = []
        for i in range(12):
            mesh = Mesh()
            for k in range(4):
                low = [numbers.randint(0, 12) / 2 for _ in range(3)]
                mesh.box(f"part {k}" if k < 2 else f"part {i} {k}", low, [c + numbers.randint(1, 4) for c in low], groups=k % 2)
            self.files.append(self.write(f"file{i}.obj", mesh))

    def document(self, files, *arguments):
        text = self.expect(FINDINGS, "check", *files, "--units", "mm", "--clearance", "0.3mm", "--json", *arguments).stdout
        parse(text)
        stripped, count = RUN_BLOCK.subn("", text)
        self.assertEqual(count, 1)
        return stripped

    def test_for_every_number_of_threads(self):
        reference = self.document(self.files, "--threads", "1")
        self.assertIn('"clash"', reference)
        for threads in ("1", "2", "4", "8"):
            self.assertEqual(self.document(self.files, "--threads", threads), reference, f"{threads} threads")

    def test_for_every_method(self):
        surface = self.document(self.files, "--pairs", "triangles", "--method", "surface")
        for method in ("brute", "dop", "dop_fixed"):
            other = self.document(self.files, "--pairs", "triangles", "--method", method)
            self.assertEqual(surface.replace('"method": "surface"', f'"method": "{method}"'), other)

    def test_for_every_order_of_files(self):
        reference = parse(self.expect(FINDINGS, "check", *self.files, "--units", "mm", "--json").stdout)
        for seed in range(3):
            shuffled = self.files[:]
            random.Random(seed).shuffle(shuffled)
            other = parse(self.expect(FINDINGS, "check", *shuffled, "--units", "mm", "--json").stdout)
            self.assertEqual([file["path"] for file in other["inputs"]], shuffled)
            other["inputs"].sort(key=lambda file: self.files.index(file["path"]))
            for document in (reference, other):
                document.pop("run", None)
            self.assertEqual(other, reference)

    def test_tables_are_the_same_too(self):
        texts = {self.expect(FINDINGS, "check", *self.files, "--units", "mm", "--threads", n).stdout for n in "148"}
        self.assertEqual(len(texts), 1)


class Interrupted(Case):
    def interrupt(self, signal_number, *arguments):
        """Starts a check that takes minutes, waits until it says that it is at work, and interrupts it."""
        mesh = Mesh()
        for i in range(900):
            mesh.strip(f"ribbon {i}", i / 1000, 150)
        file = self.path(self.write("ribbons.obj", mesh))
        command = [PROGRAM, "check", file, "--units", "mm", "--method", "brute", "--threads", "1", *arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder) as process:
            said = ""
            for line in process.stderr:
                said += line
                if "checking" in line:
                    break
            process.send_signal(signal_number)
            output, rest = process.communicate(timeout=120)
        return process.returncode, output, said + rest

    def test_leaves_a_partial_document(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, output, said = self.interrupt(number, "--json")
            self.assertEqual(code, INCOMPLETE, said)
            document = parse(output)
            self.assertTrue(document["cancelled"])
            self.assertFalse(document["coverage"]["complete"])
            self.assertEqual(document["coverage"]["parts"], 900)
            self.assertIn("stopping", said)

    def test_leaves_a_partial_table_that_says_so(self):
        code, output, said = self.interrupt(signal.SIGINT, "--fail-on", "never", "-o", "partial.json")
        self.assertEqual(code, INCOMPLETE, said)
        self.assertIn("CANCELLED", output)
        with open(os.path.join(self.folder, "partial.json"), encoding="utf-8") as file:
            self.assertTrue(parse(file.read())["cancelled"])

    def test_answers_within_one_pair(self):
        """Two fine spheres that overlap deeply: one pair, whose check takes far longer than anybody waits."""
        def sphere(name, middle, rings=220):
            lines = [f"o {name}"]
            for i in range(1, rings):
                for k in range(rings):
                    t, p = math.pi * i / rings, 2 * math.pi * k / rings
                    lines.append(f"v {middle + math.sin(t) * math.cos(p):.9f} {math.sin(t) * math.sin(p):.9f} {math.cos(t):.9f}")
            lines += [f"v {middle} 0 1", f"v {middle} 0 -1"]
            first = sphere.vertices + 1
            top, bottom = first + (rings - 1) * rings, first + (rings - 1) * rings + 1
            for k in range(rings):
                n = (k + 1) % rings
                lines.append(f"f {top} {first + k} {first + n}")
                last = first + (rings - 2) * rings
                lines.append(f"f {last + k} {bottom} {last + n}")
                for i in range(rings - 2):
                    a, b = first + i * rings, first + (i + 1) * rings
                    lines += [f"f {a + k} {b + k} {b + n}", f"f {a + k} {b + n} {a + n}"]
            sphere.vertices += (rings - 1) * rings + 2
            return "\n".join(lines)
        sphere.vertices = 0
        with open(self.path("spheres.obj"), "w", encoding="utf-8") as file:
            file.write(sphere("a", 0) + "\n" + sphere("b", 0.31) + "\n")
        command = [PROGRAM, "check", "spheres.obj", "--units", "mm", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder) as process:
            time.sleep(1.5)  # a single pair has no progress to wait for
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, rest = process.communicate(timeout=120)
            took = time.monotonic() - begin
        self.assertEqual(process.returncode, INCOMPLETE, rest)
        document = parse(output)
        self.assertTrue(document["cancelled"])
        self.assertEqual(document["coverage"]["pairs_tested"], 0)
        self.assertLess(took, 5, "far more than a second, as machines that test are busy")


if __name__ == "__main__":
    unittest.main()
