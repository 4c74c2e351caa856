"""snug bench continuity: how far contact forces jump along smooth motions, beside Bullet's GImpact where installed."""

import csv
import os
import unittest
import xml.etree.ElementTree

from support import CLEAN, PROGRAM, Case

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Continuity(Case):
    def test_forces_of_regions_between_convex_bodies_do_not_jump(self):
        self.expect(CLEAN, "bench", "continuity", "--quick", "--csv", "c.csv", "--svg", "c.svg")
        with open(self.path("c.csv"), encoding="utf-8", newline="") as file:
            rows = {(row["bodies"], row["force by"]): row for row in csv.DictReader(file)}
        regions = rows["convex", "regions, depth x area x normal"]
        self.assertGreater(int(regions["steps"]), 1000)
        self.assertEqual(int(regions["above 4"]), 0)
        self.assertLess(float(regions["largest"]), 4)
        rays = rows["convex", "vertex rays, mean"]
        self.assertGreater(float(rays["largest"]), 4)
        drawing = xml.etree.ElementTree.parse(self.path("c.svg")).getroot()
        self.assertTrue(drawing.tag.endswith("svg"))


if __name__ == "__main__":
    unittest.main()
