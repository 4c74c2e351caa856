"""Units: files in different ones form one assembly, nothing is converted in silence, contradictions are refused."""

import os
import unittest

from support import CLEAN, FINDINGS, UNREADABLE, WRONG_USAGE, Case, Mesh, parse


class Units(Case):
    def box_file(self, name, part, low, high, unit=None):
        """A box as OBJ, which has no unit, or as GLB or STEP, which have."""
        mesh = Mesh().box(part, low, high, groups=True)
        if unit is None:
            return self.write(name, mesh)
        self.write("source.obj", mesh)
        self.expect(CLEAN, "convert", "source.obj", "--units", unit, "-o", name)
        return name

    def test_files_in_different_units_form_one_assembly(self):
        lower = self.box_file("lower.glb", "lower", (0, 0, 0), (254, 254, 25.4), "mm")
        upper = self.box_file("upper.obj", "upper", (0, 0, 1), (10, 10, 2))
        document = self.check(CLEAN, lower, upper, "--units", "in")
        self.assertEqual(document["units"], "mm")
        self.assertEqual([file["units"] for file in document["inputs"]], ["mm", "in"])
        self.assertEqual(document["summary"]["touch"], 1)
        self.assertEqual([p["text"] for p in document["problems"]],
                         ["upper.obj: lengths converted from in to mm, each rounded by up to a unit in its last place"])
        # The other way round the unit is the other one, and so it is when it is asked for.
        document = self.check(CLEAN, upper, lower, "--units", "in")
        self.assertEqual((document["units"], document["summary"]["touch"]), ("in", 1))
        document = self.check(CLEAN, lower, upper, "--units", "in", "--to-units", "um", "--clearance", "1in")
        self.assertEqual((document["units"], document["options"]["clearance"], len(document["problems"])), ("um", 25400, 2))
        self.assertIn("lengths converted from in to mm", self.expect(CLEAN, "check", lower, upper, "--units", "in").stdout)

    def test_a_step_in_inches_meets_one_in_millimetres(self):
        a = self.box_file("a.glb", "a", (0, 0, 0), (10, 10, 10), "mm")
        b = self.box_file("b.glb", "b", (0, 0, 0.25), (1, 1, 1), "in")
        finding = self.check(FINDINGS, a, b)["findings"][0]
        self.assertEqual(finding["verdict"], "clash")
        self.assertAlmostEqual(finding["depth"]["upper"], 10 - 6.35, places=9)

    def test_convert_to_units(self):
        self.box_file("a.obj", "a", (0, 0, 0), (25.4, 50.8, 254))
        done = self.expect(CLEAN, "convert", "a.obj", "--units", "mm", "--to-units", "in", "-o", "b.obj",
                           says=["lengths converted from mm to in", "(OBJ, in inches)"])
        self.assertNotIn("in in)", done.stderr)
        with open(self.path("b.obj"), encoding="utf-8") as file:
            corners = [line.split()[1:] for line in file if line.startswith("v ")]
        self.assertEqual(max(float(c[2]) for c in corners), 10)
        self.expect(CLEAN, "convert", "a.obj", "--units", "mm", "--to-units", "cm", "-o", "c.glb")
        info = parse(self.expect(CLEAN, "info", "c.glb", "--json").stdout)
        self.assertEqual((info["units"], info["inputs"][0]["units"]), ("cm", "cm"))
        info = parse(self.expect(CLEAN, "info", "c.glb", "--to-units", "ft", "--json").stdout)
        self.assertEqual((info["units"], info["inputs"][0]["units"]), ("ft", "cm"))

    def test_a_unit_contradicts_only_where_no_file_needs_it(self):
        a = self.box_file("a.glb", "a", (0, 0, 0), (1, 1, 1), "mm")
        b = self.box_file("b.obj", "b", (5, 0, 0), (6, 1, 1))
        self.expect(CLEAN, "check", a, b, "--units", "cm")
        self.expect(UNREADABLE, "check", a, a, "--units", "cm", says=["a.glb", "cm was asked for"])
        self.expect(CLEAN, "info", a, "--units", "mm")
        # glTF is in metres, whatever it was made in.
        info = parse(self.expect(CLEAN, "info", a, "--units", "m", "--json").stdout)
        self.assertEqual((info["units"], info["inputs"][0]["units"]), ("m", "mm"))
        self.assertEqual(info["problems"],
                         ["a.glb: lengths converted from mm to m, each rounded by up to a unit in its last place"])
        self.expect(WRONG_USAGE, "check", a, b, says=["--units mm"])
        self.expect(WRONG_USAGE, "check", a, b, "--units", "miles", says=["miles"])
        self.expect(WRONG_USAGE, "convert", a, "--to-units", "parsec", "-o", "c.obj", says=["parsec"])
        self.expect(WRONG_USAGE, "convert", a, "--to-units", "", "-o", "c.obj", says=["--to-units"])
        self.assertFalse(os.path.exists(self.path("c.obj")))

    def test_what_is_too_large_in_the_other_unit_is_refused(self):
        self.box_file("far.obj", "far", (0, 0, 0), (1, 1, 5e299))
        self.expect(CLEAN, "info", "far.obj", "--units", "m")
        self.expect(UNREADABLE, "info", "far.obj", "--units", "m", "--to-units", "um", says=["too large to be told in um"])


if __name__ == "__main__":
    unittest.main()
