"""snug bench ccd: labelled queries of continuous contact, read from files of the sample queries' form."""

import os
import unittest

from support import CLEAN, FINDINGS, PROGRAM, UNREADABLE, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")

FACE = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]


def query(start, end, label, denominator=1):
    """Four points at the start, four at the end, as eight rows."""
    return "".join(",".join(f"{c},{denominator}" for c in point) + f",{label}\n" for point in (*start, *end))


def falling(x, y, label):
    return query([(x, y, 3), *FACE], [(x, y, -1), *FACE], label)


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Ccd(Case):
    def write(self, path, text):
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)

    def ask(self, code, folder):
        return parse(self.expect(code, "bench", "ccd", folder, "--quick", "--json").stdout)

    def test_mistakes_are_told(self):
        self.assertIn("vertex-face", self.expect(CLEAN, "bench", "ccd", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "ccd", "here", "there", says=["there"])
        self.expect(WRONG_USAGE, "bench", "ccd", "here", "--rounds", "none", says=["none"])
        self.expect(UNREADABLE, "bench", "ccd", "nowhere", says=["nowhere"])
        self.write("odd/vertex-face/a.csv", falling(1, 1, 1) + "1,1,2\n")
        self.expect(UNREADABLE, "bench", "ccd", "odd", says=["a.csv:9"])
        self.write("odd/vertex-face/a.csv", falling(1, 1, 1) + "1,1,2,1,3,1,0\n")
        self.expect(UNREADABLE, "bench", "ccd", "odd", says=["ends within"])
        self.write("odd/vertex-face/a.csv", falling(1, 1, 1).replace("1,1,", "1,0,", 1))
        self.expect(UNREADABLE, "bench", "ccd", "odd", says=["a.csv:1"])
        self.write("kindless/a.csv", falling(1, 1, 1))
        self.expect(UNREADABLE, "bench", "ccd", "kindless", says=["vertex-face"])

    def test_right_answers_are_counted(self):
        edges = query([(-1, 0, 0), (1, 0, 0), (0, -1, 3), (0, 1, 3)], [(-1, 0, 0), (1, 0, 0), (0, -1, -1), (0, 1, -1)], 1)
        self.write("set/vertex-face/a.csv", falling(1, 1, 1) + falling(3, 3, 0) + falling(2, 2, 1))
        self.write("set/edge-edge/b.csv", edges)
        document = self.ask(CLEAN, "set")
        self.assertEqual((document["queries"], document["right_hits"], document["right_misses"]), (4, 3, 1))
        self.assertEqual((document["false_negatives"], document["false_positives"], document["undecided"]), (0, 0, 0))
        self.assertEqual([entry["set"] for entry in document["sets"]], ["edge-edge/b.csv", "vertex-face/a.csv"])
        self.assertEqual(len(document["plain"]), 2)

    def test_wrong_labels_are_found_out(self):
        self.write("set/vertex-face/a.csv", falling(1, 1, 0) + falling(3, 3, 1) + falling(3, 3, 1))
        document = self.ask(FINDINGS, "set")
        self.assertEqual((document["false_negatives"], document["false_positives"]), (2, 1))

    def test_what_is_no_double_is_undecided(self):
        self.write("set/vertex-face/a.csv", query([(1, 1, 3), *FACE], [(1, 1, -1), *FACE], 1, denominator=3))
        document = self.ask(FINDINGS, "set")
        self.assertEqual((document["queries"], document["undecided"], document["right_hits"]), (1, 1, 0))


if __name__ == "__main__":
    unittest.main()
