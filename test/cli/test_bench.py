"""snug bench: hands over to snug-bench; tables, CSV, JSON and SVG hold what they should, and exact engines agree."""

import csv
import os
import shutil
import unittest
import xml.etree.ElementTree

from support import CLEAN, PROGRAM, UNREADABLE, WRONG_USAGE, Case, parse

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")
COLUMNS = "suite,scene,bucket,query,engine,threads,mean_us,p99_us,answers,hash"
BUCKETS = {"d=0.2": True, "touch-0.005": True, "touch+0.0005": False}
TINY = ("--poses", "3", "--caches", "warm")


class Missing(Case):
    def test_without_the_other_program_it_says_so(self):
        alone = self.path("snug")
        shutil.copy(PROGRAM, alone)
        done = self.expect(UNREADABLE, "bench", "pairs", executable=alone, says=["not installed", "snug-bench"])
        self.assertEqual(done.stdout, "")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Bench(Case):
    def rows(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as file:
            self.assertEqual(file.readline().rstrip("\n"), COLUMNS)
            file.seek(0)
            return list(csv.DictReader(file))

    def test_suites_are_listed_and_mistakes_told(self):
        listed = self.expect(CLEAN, "bench", "--list").stdout.split()
        self.assertIn("pairs", listed)
        self.assertIn("--scene", self.expect(CLEAN, "bench", "pairs", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "pears", says=["no suite 'pears'", "pairs"])
        self.expect(WRONG_USAGE, "bench", "pairs", "--scene", "knit", says=["'knit'"])
        self.expect(WRONG_USAGE, "bench", "pairs", "--engine", "steam", says=["'steam'", "snug"])
        self.expect(WRONG_USAGE, "bench", "pairs", "--poses", "some", says=["some"])
        self.expect(WRONG_USAGE, "bench", "pairs", "--csv", says=["--csv"])
        self.expect(WRONG_USAGE, "bench", "broad", "--boxes", ",", says=["names nothing"])
        self.expect(WRONG_USAGE, "bench", "ccd", "--rounds", "1.5", says=["1.5"])
        self.expect(WRONG_USAGE, "bench", "raabe", "--chip", "--part", "widths", says=["chip-widths is"])
        for suite in listed:
            help = self.expect(CLEAN, "bench", suite, "--help").stdout
            self.assertIn("--quick", help)
            self.expect(WRONG_USAGE, "bench", suite, "--unheard-of", says=["unheard-of"])
            # Said before the work is done, not after it.
            for option in {"--csv", "--svg", "--counts"}.intersection(help.replace("[", " ").split()):
                self.expect(WRONG_USAGE, "bench", suite, option, "nowhere/out", says=["no folder 'nowhere'"])
                self.expect(WRONG_USAGE, "bench", suite, option, ".", says=["not the name of a file"])
        self.expect(WRONG_USAGE, "bench", "pairs", "--scene", "knot6k", "--bucket", "nowhere", says=["nothing"])

    def test_knots_are_answered_alike(self):
        done = self.expect(CLEAN, "bench", "pairs", "--scene", "knot6k", "--bucket", ",".join(BUCKETS), "--query",
                           "all,first", *TINY, "--csv", "out.csv", "--svg", "out.svg")
        self.assertIn("knot6k, all", done.stdout)
        rows = self.rows("out.csv")
        engines = {row["engine"] for row in rows}
        self.assertIn("snug", engines)
        self.assertEqual(len(rows), len(engines) * len(BUCKETS) * 2)
        for row in rows:
            self.assertEqual((row["suite"], row["scene"], row["threads"]), ("pairs", "knot6k", "1"))
            self.assertGreater(float(row["mean_us"]), 0)
            self.assertGreaterEqual(float(row["p99_us"]), 0.999 * float(row["mean_us"]))
            if row["engine"] not in ("snug", "fcl", "cgal"):
                continue
            ours = next(r for r in rows if r["engine"] == "snug" and r["bucket"] == row["bucket"]
                        and r["query"] == row["query"])
            self.assertRegex(row["hash"], "^[0-9a-f]{16}$")
            self.assertEqual((row["answers"], row["hash"]), (ours["answers"], ours["hash"]), row)
            self.assertEqual(int(row["answers"]) > 0, BUCKETS[row["bucket"]], row)
            if row["query"] == "first":
                self.assertEqual(int(row["answers"]), 3 if BUCKETS[row["bucket"]] else 0)
        drawing = xml.etree.ElementTree.parse(self.path("out.svg")).getroot()
        self.assertGreaterEqual(len(drawing.findall("{http://www.w3.org/2000/svg}path")), 2 * len(engines))

    def test_the_same_seed_gives_the_same_answers(self):
        arguments = ("bench", "pairs", "--scene", "knot6k", "--bucket", "d=0.1", "--query", "all", "--engine", "snug", *TINY)
        for seed, name in ((1, "a.csv"), (1, "b.csv"), (2, "c.csv")):
            self.expect(CLEAN, *arguments, "--seed", str(seed), "--csv", name)
        a, b, c = (self.rows(name)[0]["hash"] for name in ("a.csv", "b.csv", "c.csv"))
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_one_document_keeps_to_its_schema(self):
        document = parse(self.expect(CLEAN, "bench", "pairs", "--scene", "knot6k,flush,digger", "--bucket",
                                     "build,hard,motion", "--query", "all,build", "--poses", "2", "--json").stdout)
        self.assertEqual(document["schema"], "snug.bench/1")
        self.assertEqual({row["scene"] for row in document["rows"]}, {"knot6k", "flush", "digger"})
        flush = {row["engine"]: row["hash"] for row in document["rows"] if row["scene"] == "flush"}
        for engine in ("fcl", "cgal"):
            if engine in flush:
                self.assertEqual(flush[engine], flush["snug"], engine)

    def test_what_can_not_be_written_is_told(self):
        # What fails only in the end: there is the folder, but no room.
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        done = self.run_snug("bench", "pairs", "--scene", "knot6k", "--bucket", "d=0.1", "--query", "first", "--engine",
                             "snug", *TINY, "--csv", "/dev/full")
        self.assertEqual(done.returncode, 5)
        self.assertIn("/dev/full", done.stderr)


if __name__ == "__main__":
    unittest.main()
