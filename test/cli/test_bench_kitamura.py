"""snug bench kitamura: the sweep of one step on spheres that approach over 72 cycles."""

import csv
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, parse

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
        # Section 6.1: P + p, and 2P + p where pairs are handed over.
        counted = [line.split() for line in done.stdout.splitlines() if line.startswith("spheres-") and len(line.split()) == 8]
        counted = [words for words in counted if words[1] in ("fixed", "flowing", "stealing")]
        self.assertEqual(len(counted), 4 * 3)
        for words in counted:
            self.assertEqual(words[4], words[5], words)
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

    def test_schedules_beyond_the_cores_are_marked_as_simulated(self):
        document = parse(self.expect(CLEAN, "bench", "kitamura", "--rounds", "1", "--json", "--svg", "k.svg").stdout)
        self.assertEqual([bar["asked"] for bar in document["bars"]], ["at most 200 us"])
        over_threads = [row for row in document["rows"] if row["query"] == "threads, last cycle"]
        for row in over_threads:
            if row["threads"] > (os.cpu_count() or 1):
                self.assertTrue(row["engine"].endswith("(simulated)") or row["engine"].startswith("ideal"), row)
        times = {(row["scene"], row["engine"], row["threads"]): row["mean_us"] for row in over_threads}
        for (scene, engine, threads), us in times.items():
            if engine == "fixed (simulated)":
                self.assertGreaterEqual(us, 0.999 * times[scene, "ideal T_N", threads])
        with open(self.path("k.svg"), encoding="utf-8") as file:
            self.assertIn("ideal T_N", file.read())


if __name__ == "__main__":
    unittest.main()
