"""CAD files of others: parts, faces and losses, and how the faces of neighbouring parts stand to each other. Files that are not
there are skipped, aloud."""

import hashlib
import os
import shutil
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, PROGRAM, SOURCE, UNREADABLE, Case, parse

DATA = os.environ.get("SNUG_DATA", "")
SAMPLES = "test/testfiles"  # in the npm package occt-import-js


def skip(words):
    print(f"skipped: {words}")
    raise unittest.SkipTest(words)


def sample(name):
    """A file of npm's occt-import-js: from SNUG_OCCT_IMPORT_JS (its folder), viewer/node_modules, or where packages are installed."""
    modules = [os.path.join(SOURCE, "viewer", "node_modules"), os.path.join(SOURCE, "node_modules"), "node_modules", "/usr/share/nodejs", "/usr/lib/node_modules",
               "/usr/local/lib/node_modules", *filter(None, os.environ.get("NODE_PATH", "").split(":"))]
    folders = [os.path.join(os.environ.get("SNUG_OCCT_IMPORT_JS", "/nowhere"), SAMPLES)]
    folders += [os.path.join(folder, "occt-import-js", SAMPLES) for folder in modules]
    for folder in folders:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return skip(f"{name} is not there: npm's occt-import-js has it (npm ci in viewer/, or SNUG_OCCT_IMPORT_JS names its folder)")


def data(name):
    if not DATA or not os.path.exists(os.path.join(DATA, name)):
        return skip(f"{name} is not there: set SNUG_DATA to the folder of the test data")
    return os.path.join(DATA, name)


class CadFiles(Case):
    COARSE = ("--sag", "1mm", "--angle", "40deg")  # where it is not about triangles

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
                document = self.info(sample("cax-if/" + name))
                totals = document["totals"]
                self.assertEqual((totals["parts"], totals["meshes"], totals["surfaces"]), (parts, meshes, faces))
                self.assertEqual(document["units"], units)
                self.assertEqual(document["losses"], [])
                self.assertTrue(all(part["closed"] for part in document["parts"]))
                self.assertEqual(sum(part["kinds"]["spline"] for part in document["parts"]), 0)

    def report(self, code, *arguments):
        return parse(self.expect(code, "check", *arguments, "--json", "--cache", "off").stdout)

    def test_a_thread_is_allowed_by_its_thickness(self):
        files = data("repro/tapped.step"), data("repro/screw.step")
        [clash] = self.report(FINDINGS, *files)["findings"]
        self.assertAlmostEqual(clash["depth"]["thickness"]["lower"], 0.25, delta=0.01)
        self.assertGreater(clash["depth"]["separation"]["length"], 6)
        [touch] = self.report(CLEAN, *files, "--touch-overlap", "0.5mm")["findings"]
        self.assertEqual(touch["verdict"], "touch")
        self.report(FINDINGS, *files, "--touch-overlap", "0.2mm")

    def test_a_wall_with_a_hole_stands_firmly_on_its_plate(self):
        report = self.report(CLEAN, data("repro/plate.step"), data("repro/wallhole.step"), "--fail-on", "not-firm")
        self.assertEqual([(f["verdict"], f["firm"]) for f in report["findings"]], [("touch", True)])

    def test_contacts_of_as1_are_firm_and_stay_contacts_when_written_again(self):
        path = sample("cax-if/as1-oc-214.stp")
        self.expect(CLEAN, "convert", path, "-o", "again.step", "--cache", "off")
        for file in (path, "again.step"):
            report = self.report(CLEAN, file, "--fail-on", "not-firm")
            self.assertEqual(report["summary"]["touch"], 32)
            self.assertEqual([f["depth"] for f in report["findings"]], 32 * [None])

    def test_round_contacts_are_firm(self):
        """Bolts and rods in holes of their own radius: as1 by splines, dm1; plates and gussets. What is left of the motor, which is
        cut along its axis, is named in docs/verdicts.md."""
        for name in ("as1-tu-203.stp", "as1_pe_203.stp", "dm1-oc-214.stp", "dm1-pe-214.stp", "dm1-id-214.stp"):
            with self.subTest(name):
                report = self.report(CLEAN, sample("cax-if/" + name), "--fail-on", "not-firm")
                self.assertEqual(report["coverage"]["not_firm"], 0)
        self.assertEqual(self.report(FINDINGS, data("assemblies/box_sides.STEP"))["coverage"]["not_firm"], 0)
        self.assertEqual(self.report(CLEAN, data("assemblies/sonde_xilinx.step"))["coverage"]["not_firm"], 0)
        open_pairs = [(f["a"]["part"], f["b"]["part"])
                      for f in self.report(FINDINGS, data("assemblies/Motor-c.brep"), "--units", "mm")["findings"] if not f["firm"]]
        self.assertEqual(sorted(open_pairs), [("solid", "solid#8"), ("solid#14", "solid#2")])

    def test_finer_triangles_are_not_tried_where_nothing_is_open(self):
        report = self.report(CLEAN, sample("cax-if/as1_pe_203.stp"), "--sag", "auto", "--fail-on", "not-firm")
        self.assertEqual((report["options"]["cad"]["rounds"], report["options"]["cad"]["limit_reached"]), (0, False))

    def test_annotations_among_shapes_are_no_loss(self):
        for name, count in (("io1-cm-214.stp", 15), ("io1-tu-203.stp", 9)):
            with self.subTest(name):
                document = self.info(sample("cax-if/" + name), *self.COARSE)
                self.assertEqual(document["losses"], [])
                self.assertTrue(any(f"{count} entities damaged in texts, styles, annotations" in remark
                                    for remark in document["problems"]), document["problems"])

    def test_every_node_of_as1_keeps_its_place(self):
        """Two brackets of one name with three bolts each; the shapes of products have no names of their own."""
        paths = [part["path"] for part in self.info(sample("cax-if/as1_pe_203.stp"))["parts"]]
        bolts = [path for path in paths if path.endswith("/BOLT")]
        self.assertEqual(len(set(paths)), 18)
        self.assertEqual(bolts, [f"AS1_PE_ASM/L_BRACKET_ASSEMBLY{bracket}/NUT_BOLT_ASSEMBLY{number}/BOLT"
                                 for bracket in ("", "#2") for number in ("", "#2", "#3")])
        self.assertFalse([path for path in paths if "SOLID" in path or "COMPOUND" in path])

    def test_assemblies_in_many_files_are_read(self):
        """The same space ship by three CAD systems: an assembly, its files of parts, and files of assemblies in between."""
        for name, foot in (("s1_pe_214/s1_pe_214.stp", "S1_PE_TOP/FOOT#2/FOOT_BACK"), ("s1-tu-203/s1-tu-203.stp", "s1/FOOT::2/FOOTBACK"),
                           ("s1-c5-214/s1-c5-214.stp", "*MASTER/FOOT#2/FOOT_BACK_000")):
            with self.subTest(name):
                document = self.info(sample("cax-if/" + name), *self.COARSE)
                self.assertEqual(document["losses"], [])
                paths = [part["path"] for part in document["parts"]]
                self.assertEqual((len(paths), len(set(paths))), (11, 11))
                self.assertIn(foot, paths)
                self.assertTrue(all(part["closed"] for part in document["parts"]))

    def test_every_file_that_was_read_is_listed_with_its_hash(self):
        folder = os.path.dirname(sample("cax-if/s1_pe_214/s1_pe_214.stp"))
        shutil.copytree(folder, self.path("s1"))
        [whole] = self.info("s1/s1_pe_214.stp", *self.COARSE)["inputs"]
        listed = {os.path.basename(file["path"]): file["sha256"] for file in whole["references"]}
        files = {name for name in os.listdir(self.path("s1")) if name.endswith(".stp")} - {"s1_pe_214.stp"}
        self.assertEqual(set(listed), files)
        for name, digest in listed.items():
            with open(self.path("s1/" + name), "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).hexdigest(), digest, name)
        # A part file that changes changes the report, and nothing else in the list.
        with open(self.path("s1/foot_back_prt.stp"), "ab") as file:
            file.write(b"\n")
        [again] = self.info("s1/s1_pe_214.stp", *self.COARSE)["inputs"]
        changed = {os.path.basename(file["path"]) for file in again["references"]
                   if file["sha256"] != listed[os.path.basename(file["path"])]}
        self.assertEqual(changed, {"foot_back_prt.stp"})
        self.assertNotIn("references", self.info(sample("cax-if/as1-oc-214.stp"), *self.COARSE)["inputs"][0])

    def test_what_is_missing_of_many_files_is_named(self):
        folder = os.path.dirname(sample("cax-if/s1_pe_214/s1_pe_214.stp"))
        shutil.copytree(folder, self.path("s1"))
        for name in ("foot_asm.stp", "head_back_prt.stp", "tail_turbine_prt.stp"):
            os.unlink(self.path("s1/" + name))
        document = parse(self.expect(INCOMPLETE, "info", "s1/s1_pe_214.stp", *self.COARSE, "--json", "--cache", "off").stdout)
        losses = "\n".join(loss["text"] for loss in document["losses"])
        for name in ("foot_asm.stp", "head_back_prt.stp", "tail_turbine_prt.stp"):
            self.assertIn(name, losses)
        self.assertEqual(len(document["losses"]), 3)
        # Where nothing is left, too, and all at once.
        shutil.copy(os.path.join(folder, "s1_pe_214.stp"), self.path("alone.stp"))
        words = self.expect(UNREADABLE, "info", "alone.stp", "--cache", "off").stderr
        for name in ("mainbody_asm.stp", "head_asm.stp", "tail_asm.stp", "foot_asm.stp"):
            self.assertIn(name + ", which is not in the folder", words)

    def test_a_cone_that_the_kernel_does_not_mesh_is_meshed(self):
        for options in ((), ("--angle", "25deg"), ("--angle", "7deg"), ("--sag", "0.01mm")):
            with self.subTest(options):
                document = self.info(sample("conical-surface/conical-surface.step"), *options)
                self.assertEqual(document["losses"], [])
                part = document["parts"][0]
                self.assertTrue(part["closed"])
                self.assertEqual(part["kinds"]["cone"], 1)
                cone = next(face for face in part["faces"] if face["kind"] == "cone")
                self.assertLessEqual(cone["sag"], (0.01 if options[:1] == ("--sag",) else 0.1) / 25.4)

    def test_bolts_of_as1_fill_their_holes(self):
        relations = self.relations(CLEAN, sample("cax-if/as1-oc-214.stp"), "--clearance", "0.5mm")
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
