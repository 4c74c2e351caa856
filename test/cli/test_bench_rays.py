"""snug bench rays: single rays at the knot, beside Embree where installed."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Rays(Case):
    def test_mistakes_are_told(self):
        self.assertIn("--quick", self.expect(CLEAN, "bench", "rays", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "rays", "--engine", says=["--engine"])
        self.expect(WRONG_USAGE, "bench", "rays", "--csv", says=["--csv"])

    def test_hits_and_bytes_are_told(self):
        done = self.expect(CLEAN, "bench", "rays", "--quick", "--csv", "rays.csv")
        self.assertIn("bytes a triangle", done.stdout)
        self.assertIn("at least 0.8x", done.stdout)
        with open(self.path("rays.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((rows[0]["suite"], rows[0]["scene"], rows[0]["engine"]), ("rays", "knot60k", "snug"))
        hits = [int(row["answers"]) for row in rows]
        self.assertGreater(hits[0], 1000)
        for other in hits:  # floats lose or find a few
            self.assertLess(abs(other - hits[0]), hits[0] / 100)


if __name__ == "__main__":
    unittest.main()
