"""snug bench figueiredo: the tables of Figueiredo (2010), on the smallest of the three scenes."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")
SETTINGS = {"snug", "snug-aligned", "snug-aligned-no-overlap-box", "snug-aligned-cover", "snug-aligned-simultaneous",
            "snug-aligned-exchanged"}
DIGGER = ("bench", "figueiredo", "--quick", "--scene", "digger", "--budget", "0")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Figueiredo(Case):
    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_mistakes_are_told(self):
        self.assertIn("--counts", self.expect(CLEAN, "bench", "figueiredo", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "figueiredo", "--scene", "quarry", says=["quarry", "digger"])
        self.expect(WRONG_USAGE, "bench", "figueiredo", "--budget", "much", says=["much"])
        self.expect(WRONG_USAGE, "bench", "figueiredo", "--csv", says=["--csv"])
        self.expect(WRONG_USAGE, "bench", "figueiredo", "more", says=["more"])

    def test_the_digger_has_its_steps_and_all_settings_agree(self):
        done = self.expect(CLEAN, *DIGGER, "--csv", "times.csv", "--counts", "counts.csv")
        for number in range(1, 7):
            self.assertIn(f"Table {number}.", done.stdout)
        steps = [line.split() for line in done.stdout.splitlines() if line.startswith("intersecting steps")]
        self.assertEqual([line[3:] for line in steps], [["507", "980", "233"], ["507", "-", "-"]])

        rows = self.read("times.csv")
        for query in ("first-surface", "surfaces", "first", "all"):
            ours = [row for row in rows if row["query"] == query and row["engine"] in SETTINGS]
            self.assertEqual({row["engine"] for row in ours}, SETTINGS)
            self.assertEqual(len({(row["answers"], row["hash"]) for row in ours}), 1, query)
            self.assertGreater(int(ours[0]["answers"]), 0)
            for row in ours:
                self.assertEqual((row["suite"], row["scene"]), ("figueiredo", "digger"))
                self.assertGreater(float(row["mean_us"]), 0)

        counts = {(row["query"], row["engine"]): row for row in self.read("counts.csv")}
        for query in ("first-surface", "surfaces", "all"):
            with_box, without = (counts[query, "snug-aligned" + rest] for rest in ("", "-no-overlap-box"))
            self.assertLess(float(with_box["box_updates"]), float(without["box_updates"]))
            self.assertLess(float(with_box["box_tests"]), float(without["box_tests"]))
            self.assertEqual(with_box["exact_tests"], without["exact_tests"])

    def test_json_is_one_document(self):
        document = parse(self.expect(CLEAN, *DIGGER, "--json").stdout)
        self.assertEqual((document["schema"], document["suite"]), ("snug.bench/1", "figueiredo"))
        self.assertTrue(any("PQP" in remark for remark in document["remarks"]))
        self.assertLessEqual(SETTINGS, {row["engine"] for row in document["rows"]})


if __name__ == "__main__":
    unittest.main()
