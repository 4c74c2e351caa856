"""snug bench devices: rays and DOP-trees on one OpenCL device and on two."""

import csv
import os
import unittest

from support import CLEAN, INCOMPLETE, PROGRAM, WRONG_USAGE, Case

BENCH = os.path.join(os.path.dirname(PROGRAM), "snug-bench")


@unittest.skipUnless(os.path.exists(BENCH), "snug-bench is not built")
class Devices(Case):
    def setUp(self):
        super().setUp()
        os.environ.setdefault("POCL_CACHE_DIR", self.path("pocl"))
        os.makedirs(os.environ["POCL_CACHE_DIR"], exist_ok=True)

    def test_mistakes_are_told(self):
        self.assertIn("--quick", self.expect(CLEAN, "bench", "devices", "--help").stdout)
        self.expect(WRONG_USAGE, "bench", "devices", "--engine", says=["--engine"])
        self.expect(WRONG_USAGE, "bench", "devices", "--steps", "0", says=["--steps"])

    def test_both_divide_the_same_work(self):
        done = self.run_snug("bench", "devices", "--bodies", "6", "--steps", "3", "--quick", "--csv", "devices.csv")
        if done.returncode == INCOMPLETE:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, CLEAN, done.stderr)
        for words in ("90 % of ideal", "below 1 %", "simulated from the recorded work, 16 devices", "bytes moved a step"):
            self.assertIn(words, done.stdout)
        with open(self.path("devices.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        hashes = {(row["scene"], row["query"], row["engine"]): row["hash"] for row in rows}
        answers = {(row["scene"], row["query"], row["engine"]): int(row["answers"]) for row in rows}
        for scene in ("avalanche", "fountain"):
            # Of two devices, rays that tell the same as on one are counted: all of them.
            self.assertEqual(answers[scene, "rays kernel", "2 devices"], answers[scene, "rays kernel", "1 device"])
            for query in ("rays kernel", "dop_fixed kernel"):
                self.assertEqual(hashes[scene, query, "1 device"], hashes[scene, query, "2 devices"])
        self.assertGreater(answers["avalanche", "rays kernel", "1 device"], 0)


if __name__ == "__main__":
    unittest.main()
