"""snug bench lehericey: contacts by rays."""

import csv
import json
import os
import unittest

from support import CLEAN, PROGRAM, WRONG_USAGE, Case, validate

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Lehericey(Case):
    def rows(self, *arguments):
        self.bars = json.loads(self.expect(CLEAN, "bench", "lehericey", *arguments, "--json", "--csv", "rows.csv").stdout)["bars"]
        with open(self.path("rows.csv"), encoding="utf-8", newline="") as file:
            return {(row["scene"], row["case"], row["what"]): float(row["value"]) for row in csv.DictReader(file)}

    def test_mistakes_are_told(self):
        self.assertIn("--part", self.expect(CLEAN, "bench", "lehericey", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "lehericey", "--part", "none", says=["none"])
        self.expect(WRONG_USAGE, "bench", "lehericey", "--steps", "few", says=["few"])
        self.expect(WRONG_USAGE, "bench", "lehericey", "--more", says=["more"])

    def test_reprojected_reactions_are_upright(self):
        rows = self.rows("--part", "deviation", "--quick")
        for body in ("sphere", "bunny", "pig"):
            self.assertLess(rows[(body, "re-projected", "percent")], 1e-9)
            self.assertGreater(rows[(body, "standard", "percent")], 0.5)

    def test_one_document(self):
        done = self.expect(CLEAN, "bench", "lehericey", "--part", "deviation", "--quick", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "snug.bench/1")
        self.assertEqual({row["scene"] for row in document["rows"]}, {"sphere", "bunny", "pig"})
        self.assertEqual([bar["state"] for bar in document["bars"]], ["met"] * 3)
        validate(document)

    def test_simulations_are_measured(self):
        if "built without" in self.expect(CLEAN, "bench", "lehericey", "--part", "deviation", "--quick").stderr:
            self.skipTest("built without Bullet")
        rows = self.rows("--part", "recorded", "--bodies", "3", "--steps", "45")
        for scene in ("avalanche", "fountain"):
            for case in ("standard", "iterative", "predictive"):
                for traversal in ("tree", "basic"):
                    self.assertGreaterEqual(rows[(scene, f"{case} {traversal}", "ms")], 0)
            self.assertLessEqual(rows[(scene, "predictive", "percent")], 100)
        rows = self.rows("--part", "realtime", "--bodies", "3", "--quick", "--steps", "5")
        for case in ("snug, threads 1", "snug, threads 2", "GImpact, threads 1"):
            self.assertGreater(rows[("avalanche 3", case, "steps a second")], 0)
        rows = self.rows("--part", "gimpact", "--bodies", "3", "--steps", "45")
        for case in ("snug", "snug, rays alone", "GImpact"):
            self.assertGreater(rows[("avalanche", case, "ms")], 0)
            self.assertGreaterEqual(rows[("avalanche", case, "volume")], 0)

    def test_bars_do_not_vanish_where_nothing_is_measured(self):
        if "built without" in self.expect(CLEAN, "bench", "lehericey", "--part", "deviation", "--quick").stderr:
            self.skipTest("built without Bullet")
        # After two steps nothing of the avalanche has come down.
        for part, bars in (("lengths", 4), ("recorded", 10), ("gimpact", 4)):
            self.rows("--part", part, "--bodies", "1", "--steps", "2")
            self.assertEqual(len(self.bars), bars, self.bars)
            idle = [bar for bar in self.bars if "avalanche" in bar["what"] and "narrow phase" not in bar["what"]]  # which the clock tells of all the same
            self.assertEqual({bar["state"] for bar in idle}, {"not measured"}, self.bars)
            self.assertEqual({bar["measured"] for bar in idle}, {"-"}, self.bars)

    def test_automatic_constants_are_ranked_among_a_grid(self):
        if "built without" in self.expect(CLEAN, "bench", "lehericey", "--part", "deviation", "--quick").stderr:
            self.skipTest("built without Bullet")
        self.expect(WRONG_USAGE, "bench", "lehericey", "--scenes", "moon", says=["moon", "gears"])
        rows = self.rows("--part", "constants", "--scenes", "throw", "--quick")
        self.assertEqual(len(self.bars), 3)  # also where no setting is as good as the automatic one
        settings = {case for scene, case, what in rows if what == "price us"}
        self.assertEqual(len(settings), 3 * 3 * 3 + 1)
        for case in settings:
            self.assertGreaterEqual(rows[("throw", case, "price us")], rows[("throw", case, "us")])
        # Constants make a difference to what rays tell, and none to whether bodies touch.
        self.assertGreater(len({rows[("throw", case, "unannounced")] for case in settings}), 1)
        self.assertEqual(rows[("throw", "all", "other answers")], 0)
        self.assertGreater(rows[("throw", "automatic", "price beside best")], 0)


if __name__ == "__main__":
    unittest.main()
