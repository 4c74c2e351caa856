"""CAD files of others: parts, faces and losses, and how the faces of neighbouring parts stand to each other. Files that are not
there are skipped, aloud."""

import os
import unittest

from support import CLEAN, FINDINGS, PROGRAM, SOURCE, Case, parse

DATA = os.environ.get("SNUG_DATA", "")
SAMPLES = "test/testfiles/cax-if"  # in the npm package occt-import-js


def skip(words):
    print(f"skipped: {words}")
    raise unittest.SkipTest(words)


def sample(name):
    """A file of npm's occt-import-js: from SNUG_OCCT_IMPORT_JS (its folder), SNUG_DATA/cax-if, or where packages are installed."""
    modules = [os.path.join(SOURCE, "node_modules"), "node_modules", "/usr/share/nodejs", "/usr/lib/node_modules",
               "/usr/local/lib/node_modules", *filter(None, os.environ.get("NODE_PATH", "").split(":"))]
    folders = [os.path.join(os.environ.get("SNUG_OCCT_IMPORT_JS", "/nowhere"), SAMPLES), os.path.join(DATA or "/nowhere", "cax-if")]
    folders += [os.path.join(folder, "occt-import-js", SAMPLES) for folder in modules]
    for folder in folders:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return skip(f"{name} is not there: npm's occt-import-js has it (SNUG_OCCT_IMPORT_JS names its folder)")


def data(name):
    if not DATA or not os.path.exists(os.path.join(DATA, name)):
        return skip(f"{name} is not there: set SNUG_DATA to the folder of the test data")
    return os.path.join(DATA, name)


class CadFiles(Case):
    def setUp(self):
        super().setUp()
        if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "snug-import")):
            self.skipTest("no snug-import: built without OpenCASCADE")

    def info(self, path, *arguments):
        return parse(self.expect(CLEAN, "info", path, *arguments, "--json", "--cache", "off").stdout)

    def relations(self, code, path, *arguments):
        """(parts, relation) of every pair of surfaces that is told."""
        report = parse(self.expect(code, "check", path, *arguments, "--json", "--cache", "off").stdout)
        return [((finding["a"]["part"], finding["b"]["part"]), pair)
                for finding in report["findings"] for pair in finding["relations"]]

    def of(self, relations, parts, kind):
        found = [pair for names, pair in relations if names == parts and pair["relation"] == kind]
        self.assertTrue(found, f"{kind} of {parts}")
        return found

    def test_as1_and_dm1(self):
        """The same two assemblies as five CAD systems wrote them."""
        for name, parts, meshes, faces, units in (
                ("as1-oc-214.stp", 18, 5, 160, "mm"), ("as1-tu-203.stp", 18, 5, 160, "mm"),
                ("as1_pe_203.stp", 18, 5, 160, "in"), ("dm1-oc-214.stp", 7, 3, 61, "mm"),
                ("dm1-id-214.stp", 7, 3, 48, "in"), ("dm1-pe-214.stp", 7, 3, 61, "in")):
            with self.subTest(name):
                document = self.info(sample(name))
                totals = document["totals"]
                self.assertEqual((totals["parts"], totals["meshes"], totals["surfaces"]), (parts, meshes, faces))
                self.assertEqual(document["units"], units)
                self.assertEqual(document["losses"], [])
                self.assertTrue(all(part["closed"] for part in document["parts"]))
                self.assertEqual(sum(part["kinds"]["spline"] for part in document["parts"]), 0)

    def test_bolts_of_as1_fill_their_holes(self):
        relations = self.relations(CLEAN, sample("as1-oc-214.stp"), "--clearance", "0.5mm")
        inside = "as1/l-bracket-assembly_1/"
        parts = (inside + "l-bracket_1", inside + "nut-bolt-assembly_1/bolt_1")
        head = self.of(relations, parts, "planar_mate")
        self.assertLess(max(abs(pair["offset"]) for pair in head), 1e-9)
        # Both cylinders come in halves, of which those that face each other touch all along.
        shank = self.of(relations, parts, "coincident")
        self.assertEqual(len(shank), 4)
        self.assertLess(max(abs(pair["radius_difference"]) for pair in shank), 1e-9)
        self.assertEqual(sum(pair["fit"] is not None for pair in shank), 2)

    def test_plates_of_box_sides_face_each_other(self):
        relations = self.relations(FINDINGS, data("assemblies/box_sides.STEP"), "--clearance", "0.5mm")
        parts = ("box_sides/box_base", "box_sides/side_long")
        mates = self.of(relations, parts, "planar_mate")
        self.assertTrue(any(abs(pair["offset"] - 0.002) < 1e-9 for pair in mates), "a gap of two thousandths of an inch")
        self.assertLess(max(pair["angle"] for pair in mates), 1e-9)
        self.assertLess(max(abs(pair["offset"]) for pair in self.of(relations, parts, "planar_align")), 0.5 / 25.4)

    def test_parts_of_the_motor_fit(self):
        relations = self.relations(FINDINGS, data("assemblies/Motor-c.brep"), "--units", "mm", "--clearance", "0.5mm")
        fits = self.of(relations, ("solid", "solid#15"), "coincident")
        self.assertEqual([pair["fit"] for pair in fits], [0] * len(fits))
        for parts in (("solid", "solid#10"), ("solid", "solid#7"), ("solid#10", "solid#11")):
            mates = self.of(relations, parts, "planar_mate")
            self.assertLess(max(abs(pair["offset"]) for pair in mates), 1e-9)

    def test_a_peg_in_its_hole_is_concentric_with_its_clearance(self):
        self.expect(CLEAN, "scene", "peg", "-o", "peg.step")
        relations = self.relations(CLEAN, "peg.step", "--clearance", "0.2mm", "--pose", "peg that fits=0,0,-40,1,0,0,0")
        fits = [pair for names, pair in relations if "peg that fits" in names and pair["relation"] == "concentric"]
        self.assertEqual(len(fits), 1)
        self.assertAlmostEqual(fits[0]["fit"], 0.05, delta=1e-9)
        self.assertAlmostEqual(fits[0]["radius_difference"], 0.05, delta=1e-9)
        self.assertLess(fits[0]["offset"], 1e-9)


if __name__ == "__main__":
    unittest.main()
