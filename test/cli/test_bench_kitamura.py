"""snug bench kitamura: the sweep of one step on spheres that approach over 72 cycles."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Kitamura(Case):
    def test_mistakes_are_told(self):
        self.assertIn("--rounds", self.expect(CLEAN, "bench", "kitamura", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "kitamura", "--rounds", "few", says=["few"])
        self.expect(WRONG_USAGE, "bench", "kitamura", "more", says=["more"])

    def test_spheres_are_clear_until_the_end(self):
        done = self.expect(CLEAN, "bench", "kitamura", "--rounds", "1", "--csv", "cycles.csv")
        self.assertIn("Shares of the four steps", done.stdout)
        with open(self.path("cycles.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4 * 71 * 2)
        last = {(row["scene"], row["answer"]): row for row in rows if row["cycle"] == "72"}
        for (scene, answer), row in last.items():
            self.assertGreater(int(row["found"]), 10, scene)
            self.assertLessEqual(int(row["found"]), int(row["hulls"]))
            self.assertLess(int(row["hulls"]), int(row["checked"]))
            if answer == "hulls":
                self.assertEqual(row["found"], row["hulls"])
        for row in rows:
            if int(row["cycle"]) <= 60:
                self.assertEqual(row["found"], "0")


if __name__ == "__main__":
    unittest.main()
