"""bench/check/compare.py: the same program beside itself gives the same documents, another document is noticed."""

import json
import os
import subprocess
import sys
import unittest

from support import PROGRAM, SOURCE, Case

COMPARE = os.path.join(SOURCE, "bench", "check", "compare.py")


class BenchCheck(Case):
    def compare(self, former):
        rows = os.path.join(self.folder, "rows.json")
        done = subprocess.run([sys.executable, "-B", COMPARE, "--snug", PROGRAM, "--former", former, "--rounds", "1", "--instances", "60",
                               "--only", "60 instances", "--only", "Motor-c.brep", "--json", rows],
                              capture_output=True, text=True, env={**os.environ, "SNUG_DATA": ""})
        with open(rows, encoding="utf-8") as file:
            return done, json.load(file)["rows"]

    def test_a_program_beside_itself(self):
        done, rows = self.compare(PROGRAM)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([row["scene"] for row in rows], ["60 instances"])
        self.assertIn("left out: Motor-c.brep", done.stderr)
        for row in rows:
            self.assertTrue(row["same"])
            self.assertGreater(row["findings"], 0)
            self.assertGreater(row["now s"], 0)
            self.assertGreater(row["now MB"], 1)

    def test_other_documents_are_noticed(self):
        other = os.path.join(self.folder, "other")
        with open(other, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {PROGRAM} "$@" --clearance 1m\n')
        os.chmod(other, 0o755)
        done, rows = self.compare(other)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("documents differ: 60 instances", done.stdout)
        self.assertFalse(rows[0]["same"])


if __name__ == "__main__":
    unittest.main()
