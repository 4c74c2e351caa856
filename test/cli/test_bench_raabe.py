"""snug bench raabe: the software figures of Raabe et al. (2006), in short."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Raabe(Case):
    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_mistakes_are_told(self):
        self.assertIn("--counts", self.expect(CLEAN, "bench", "raabe", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "raabe", "--part", "engine", says=["engine"])
        self.expect(WRONG_USAGE, "bench", "raabe", "--csv", says=["--csv"])
        self.expect(WRONG_USAGE, "bench", "raabe", "more", says=["more"])

    def test_counts_have_the_shape_they_must(self):
        done = self.expect(CLEAN, "bench", "raabe", "--quick", "--part", "widths,axes", "--counts", "counts.csv")
        self.assertIn("Fig. 5", done.stdout)
        rows = self.read("counts.csv")
        # Fixed point leaves no fewer pairs than doubles, and with more bits ever fewer.
        widths = [float(r["y"]) for r in rows if r["figure"] == "widths" and r["series"] == "b = c = z"]
        self.assertGreater(len(widths), 10)
        self.assertTrue(all(share >= 0 for share in widths))
        self.assertEqual(widths, sorted(widths, reverse=True))
        self.assertGreater(widths[0], 10 * widths[-1])
        total = [float(r["y"]) for r in rows if r["figure"] == "fig5-total"]
        self.assertEqual(len(total), 105)
        self.assertEqual(total, sorted(total))
        self.assertEqual(total[-1], 1)
        self.assertGreater(total[23], 0.9)

    def test_all_engines_agree_on_the_headlights(self):
        self.expect(CLEAN, "bench", "raabe", "--quick", "--part", "distance", "--csv", "times.csv")
        rows = [r for r in self.read("times.csv") if r["scene"] == "headlight"]
        ours = {"surface", "dop", "dop_fixed-w18", "dop_fixed-w35", "brute"}
        for bucket in {r["bucket"] for r in rows}:
            found = [r for r in rows if r["bucket"] == bucket and r["engine"] in ours]
            self.assertEqual({r["engine"] for r in found}, ours)
            self.assertEqual(len({(r["answers"], r["hash"]) for r in found}), 1, bucket)

    def test_engines_agree_however_headlights_are_turned(self):
        self.expect(CLEAN, "bench", "raabe", "--quick", "--part", "rotation", "--csv", "times.csv", "--counts", "counts.csv")
        rows = self.read("times.csv")
        ours = {"surface", "dop", "dop_fixed-w18", "dop_fixed-w35"}
        buckets = {r["bucket"] for r in rows}
        self.assertEqual(len(buckets), 8)
        for bucket in buckets:
            found = [r for r in rows if r["bucket"] == bucket and r["engine"] in ours]
            self.assertEqual({r["engine"] for r in found}, ours)
            self.assertEqual(len({(r["answers"], r["hash"]) for r in found}), 1, bucket)
        self.assertTrue(any(r["figure"] == "fig8-rotation" for r in self.read("counts.csv")))

    def test_the_chip_has_the_papers_steps(self):
        done = self.expect(CLEAN, "bench", "raabe", "--chip", "--quick", "--part", "chip-widths,chip-schedule", "--counts", "counts.csv")
        self.assertIn("Fig. 3", done.stdout)
        rows = self.read("counts.csv")
        time = {int(r["x"]): float(r["y"]) for r in rows if r["figure"] == "chip-fig3"}
        # One burst up to 18 bits, two up to 40, three beyond; false positives below.
        self.assertGreater(time[19], 1.02 * time[18])
        self.assertGreater(time[41], 1.02 * time[40])
        self.assertLess(abs(time[40] / time[19] - 1), 0.03)
        self.assertGreater(time[8], 1.5 * time[18])
        self.assertEqual(min(time, key=time.get), 18)
        entries = {r["series"]: float(r["y"]) for r in rows if r["figure"] == "chip-schedule"}
        self.assertGreater(entries["queue"], 10 * entries["stack"])

    def test_variants_of_the_chip_find_the_same_pairs(self):
        done = self.expect(CLEAN, "bench", "raabe", "--chip", "--quick", "--part", "chip-relative,chip-quads,chip-deform",
                           "--csv", "times.csv", "--counts", "counts.csv")
        self.assertNotIn("differs", done.stdout)
        self.assertNotIn("were missed", done.stdout)
        rows = self.read("times.csv")
        self.assertGreater(len(rows), 20)
        self.assertEqual(len({(r["answers"], r["hash"]) for r in rows}), 1)
        self.assertGreater(int(rows[0]["answers"]), 1000)
        time = {(r["figure"], r["series"], r["x"]): float(r["y"]) for r in self.read("counts.csv")}
        # Relative coefficients make pipes pay; quadrangles take fewer pairs of nodes; refitting at rest loses next to nothing.
        self.assertLess(time["chip-relative", "w35", "9 bits, 2 pipes"], 0.8 * time["chip-relative", "w35", "as they are"])
        self.assertLess(time["chip-units", "w18 quadrangles", "4"], 0.8 * time["chip-units", "w18 triangles", "4"])
        self.assertLess(time["chip-deform", "w18 refitted", "0.00"], 1.02 * time["chip-deform", "w18 built anew", "0.00"])


if __name__ == "__main__":
    unittest.main()
