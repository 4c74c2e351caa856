"""snug bench paths: the first contact of bodies on their ways, held to dense conservative advancement."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Paths(Case):
    def test_mistakes_are_told(self):
        self.assertIn("--scene", self.expect(CLEAN, "bench", "paths", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "paths", "--scene", "thin-plate,moon", says=["moon"])
        self.expect(WRONG_USAGE, "bench", "paths", "--paths", "none", says=["none"])
        self.expect(WRONG_USAGE, "bench", "paths", "--csv", says=["--csv"])

    def test_every_answer_is_right(self):
        done = self.expect(CLEAN, "bench", "paths", "--scene", "thin-plate,spinning-rod", "--paths", "30", "--json", "--csv", "p.csv")
        document = parse(done.stdout)
        self.assertEqual((document["schema"], document["suite"]), ("snug.bench/1", "paths"))
        bars = {bar["what"].split(" on ")[0]: bar for bar in document["bars"]}
        self.assertEqual(bars["right answers"]["state"], "met")
        self.assertEqual(bars["error of the contact time"]["state"], "met")
        self.assertEqual(bars["contacts that 100 sub-steps miss"]["state"], "met")
        with open(self.path("p.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        ours = [row for row in rows if row["engine"] == "snug"]
        self.assertEqual({row["scene"] for row in ours}, {"thin-plate", "spinning-rod"})
        for row in ours:
            self.assertIn(" 0 missed, 0 made up", row["answers"])
            self.assertGreater(int(row["answers"].split()[0]), 0)

    def test_missing_data_is_told(self):
        done = self.expect(CLEAN, "bench", "paths", "--scene", "env-rob", "--paths", "2", environment={"SNUG_DATA": ""})
        self.assertIn("SNUG_DATA is not set", done.stdout)


if __name__ == "__main__":
    unittest.main()
