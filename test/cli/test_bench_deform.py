"""snug bench deform and self: refitted and new trees answer the same, and so does CGAL."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Deform(Case):
    def test_mistakes_are_told(self):
        self.assertIn("--form", self.expect(CLEAN, "bench", "deform", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "deform", "--form", "cloth,jelly", says=["jelly"])
        self.expect(WRONG_USAGE, "bench", "deform", "--csv", says=["--csv"])
        self.expect(WRONG_USAGE, "bench", "self", "--form", says=["--form"])

    def test_both_trees_answer_the_same(self):
        document = parse(self.expect(CLEAN, "bench", "deform", "--quick", "--form", "twisting", "--json", "--csv", "t.csv").stdout)
        self.assertEqual((document["schema"], document["suite"], document["remarks"]), ("snug.bench/1", "deform", []))
        with open(self.path("t.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["query"] for row in rows}, {"tree", "all", "distance"})
        for time in {row["bucket"] for row in rows}:
            found = [row for row in rows if row["bucket"] == time]
            self.assertEqual({row["engine"] for row in found}, {"refitted", "rebuilt"})
            self.assertEqual(len({(row["answers"], row["hash"]) for row in found}), 1, time)
            self.assertGreater(int(found[0]["answers"]), 100)


if __name__ == "__main__":
    unittest.main()
