"""OpenCL devices: listed, used with the same result, and absent without harm."""

import os
import unittest

from support import CLEAN, FINDINGS, WRONG_USAGE, Case, parse

HIDDEN = {"SNUG_OPENCL_LIBRARY": "libsnug-there-is-no-such-runtime.so"}


class Devices(Case):
    def setUp(self):
        super().setUp()
        os.environ.setdefault("POCL_CACHE_DIR", self.path("pocl"))
        os.makedirs(os.environ["POCL_CACHE_DIR"], exist_ok=True)
        os.environ["SNUG_OPENCL_CACHE"] = self.path("programs")

    def test_the_list(self):
        result = self.run_snug("devices", "--json")
        document = parse(result.stdout)
        usable = [d for d in document["devices"] if d["refused"] is None]
        self.assertEqual(result.returncode, CLEAN if usable else FINDINGS)
        self.assertEqual(document["why_none"] is None, bool(document["devices"]))
        text = self.run_snug("devices").stdout
        for device in document["devices"]:
            self.assertIn(device["name"], text)
            self.assertGreater(device["units"], 0)
        if not usable:
            self.skipTest(f"no device: {document['why_none']}")
        halves = parse(self.expect(CLEAN, "devices", "--pieces", "2", "--json").stdout)
        self.assertGreaterEqual(len(halves["devices"]), len(document["devices"]))
        self.expect(WRONG_USAGE, "devices", "--pieces", "0", says=["--pieces"])
        self.expect(CLEAN, "devices", "--pieces", "1000", says=["can be divided into 1000"])

    def test_the_same_findings(self):
        if self.run_snug("devices").returncode != CLEAN:
            self.skipTest("no device")
        self.write_pair("clash.obj", gap=-1)
        arguments = ("clash.obj", "--units", "mm", "--pairs", "triangles")
        here = self.check(FINDINGS, *arguments, "--method", "dop_fixed")
        there = self.check(FINDINGS, *arguments, "--device", "opencl")
        self.assertEqual(there["options"]["device"], "opencl")
        self.assertEqual(there["options"]["method"], "dop_fixed")
        self.assertEqual(here["findings"], there["findings"])
        self.assertGreater(len(there["findings"][0]["triangles"]), 0)
        self.expect(WRONG_USAGE, "check", *arguments, "--device", "opencl", "--method", "surface", says=["dop_fixed"])

    def test_some_of_them(self):
        self.write_pair("clash.obj", gap=-1)
        check = ("check", "clash.obj", "--units", "mm")
        self.expect(WRONG_USAGE, *check, "--devices", "0", says=["--devices", "--device opencl"])
        devices = parse(self.run_snug("devices", "--json").stdout)["devices"]
        usable = [i for i, device in enumerate(devices) if device["refused"] is None]
        if not usable:
            self.skipTest("no device")
        there = self.check(FINDINGS, *check[1:], "--device", "opencl", "--devices", str(usable[0]))
        self.assertEqual(there["findings"], self.check(FINDINGS, *check[1:])["findings"])
        self.expect(FINDINGS, *check, "--device", "opencl", "--devices", str(usable[0]), says=["OpenCL: 1 device, 1 pair of DOP-trees\n"])
        check += ("--device", "opencl", "--devices")
        self.expect(WRONG_USAGE, *check, str(len(devices)), says=[f"no device {len(devices)}", "snug devices"])
        self.expect(WRONG_USAGE, *check, f"{usable[0]},", says=["missing"])
        self.expect(WRONG_USAGE, *check, ",", says=["--devices"])
        self.expect(WRONG_USAGE, *check, "first", says=["--devices"])
        self.expect(WRONG_USAGE, *check, str(usable[0]), says=["no device", "--device cpu"], environment=HIDDEN)

    def test_the_same_simulation(self):
        if self.run_snug("devices").returncode != CLEAN:
            self.skipTest("no device")
        arguments = ("simulate", "avalanche", "--steps", "45", "--judge-every", "0", "--json")
        here = self.run_snug(*arguments)
        if here.returncode == WRONG_USAGE:
            self.skipTest("built without Bullet")
        one, other = parse(here.stdout), parse(self.expect(CLEAN, *arguments, "--device", "opencl").stdout)
        for times in ("run", "step_ms", "narrow_ms"):
            del one[times], other[times]
        here, there = one.pop("device"), other.pop("device")
        self.assertEqual(one, other)
        self.assertEqual(here, {"asked": "cpu", "rays": 0, "redone": 0, "used": []})
        self.assertEqual((there["asked"], len(there["used"]) > 0), ("opencl", True))
        self.assertGreater(there["rays"], 0)
        self.assertLess(there["redone"], there["rays"])
        self.assertIn(" % again", self.expect(CLEAN, *arguments[:-1], "--device", "opencl").stdout)
        self.expect(WRONG_USAGE, *arguments, "--device", "abacus", says=["--device"])
        self.expect(WRONG_USAGE, *arguments, "--device", "opencl", says=["no device"], environment=HIDDEN)

    def test_without_a_runtime(self):
        self.write_pair("clash.obj", gap=-1)
        check = ("check", "clash.obj", "--units", "mm")

        os.mkdir(self.path("no-vendors"))
        for environment in (HIDDEN, {"OCL_ICD_VENDORS": self.path("no-vendors")}):
            document = parse(self.expect(FINDINGS, "devices", "--json", environment=environment).stdout)
            self.assertEqual(document["devices"], [])
            self.assertTrue(document["why_none"])
            self.assertIn("no OpenCL device", self.expect(FINDINGS, "devices", environment=environment).stdout)
            self.expect(FINDINGS, *check, environment=environment)
            self.expect(FINDINGS, *check, "--method", "dop_fixed", environment=environment)
            self.expect(WRONG_USAGE, *check, "--device", "opencl", says=["no device", "--device cpu"], environment=environment)


if __name__ == "__main__":
    unittest.main()
