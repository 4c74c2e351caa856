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
        for option in ("--csv", "--curves"):
            self.expect(WRONG_USAGE, "bench", "devices", option, "no-folder/x.csv", says=[option, "no folder 'no-folder'"])

    def test_both_divide_the_same_work(self):
        done = self.run_snug("bench", "devices", "--bodies", "6", "--steps", "3", "--quick", "--csv", "devices.csv", "--curves", "curves.csv")
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
            # What comes back is counted: the same of two devices as of one.
            self.assertEqual(answers[scene, "rays kernel", "2 devices"], answers[scene, "rays kernel", "1 device"])
            for query in ("rays kernel", "walks kernel", "dop_fixed kernel"):
                self.assertEqual(hashes[scene, query, "1 device"], hashes[scene, query, "2 devices"])
            # Each kernel by itself, and what is moved.
            for part in ("rays snug_rays", "rays snug_project", "rays transfer", "dop_fixed snug_dop_roots", "dop_fixed transfer"):
                self.assertIn((scene, part, "1 device"), answers)
        self.assertGreater(answers["avalanche", "rays kernel", "1 device"], 0)
        self.assertIn("all the same", done.stdout)
        self.assertNotIn("not the same", done.stdout)
        with open(self.path("curves.csv"), encoding="utf-8", newline="") as file:
            curves = list(csv.DictReader(file))
        for scene in ("avalanche", "fountain"):
            steps = [int(row["step"]) for row in curves if row["scene"] == scene and row["query"] == "rays"]
            self.assertEqual(steps, sorted(set(steps)))
            self.assertLessEqual(len(steps), 3)
        self.assertGreater(len(curves), 3)
        self.assertTrue(all(float(row["one_device_us"]) > 0 and float(row["two_devices_us"]) > 0 for row in curves))


if __name__ == "__main__":
    unittest.main()
