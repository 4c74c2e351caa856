"""snug bench broad: every engine finds the same pairs of moving boxes."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")
SMALL = ("bench", "broad", "--boxes", "10k", "--steps", "3")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Broad(Case):
    def test_mistakes_are_told(self):
        self.assertIn("--motion", self.expect(CLEAN, "bench", "broad", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "broad", "--boxes", "11k", says=["11k"])
        self.expect(WRONG_USAGE, "bench", "broad", "--motion", "slow,backwards", says=["backwards"])
        self.expect(WRONG_USAGE, "bench", "broad", "--engine", "steam", says=["steam"])
        self.expect(WRONG_USAGE, "bench", "broad", "--steps", "many", says=["many"])
        self.expect(WRONG_USAGE, "bench", "broad", "--csv", says=["--csv"])

    def test_engines_find_the_same_pairs(self):
        self.expect(CLEAN, *SMALL, "--csv", "times.csv")
        with open(self.path("times.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for motion in ("slow", "fast", "few"):
            found = [row for row in rows if row["bucket"] == motion]
            self.assertEqual(found[0]["engine"], "snug")
            self.assertEqual(len({(row["answers"], row["hash"]) for row in found}), 1, motion)
            self.assertGreater(int(found[0]["answers"]), 1000)
            for row in found:
                self.assertEqual((row["suite"], row["scene"]), ("broad", "boxes10k"))
                self.assertGreater(float(row["mean_us"]), 0)

    def test_json_is_one_document(self):
        document = parse(self.expect(CLEAN, *SMALL, "--motion", "slow", "--json").stdout)
        self.assertEqual((document["schema"], document["suite"]), ("snug.bench/1", "broad"))
        self.assertEqual({row["bucket"] for row in document["rows"]}, {"slow"})
        self.assertEqual(document["remarks"], [])


if __name__ == "__main__":
    unittest.main()
