"""Files in other formats: what is written, what is told, and what is refused."""

import os
import unittest

from support import CLEAN, INTERNAL, PROGRAM, UNREADABLE, WRONG_USAGE, Case, Mesh, parse


class Convert(Case):
    def test_every_format_that_is_written(self):
        self.write("box.obj", Mesh().box("box", (0, 0, 0), (1, 2, 3), groups=True))
        for name in ("a.stl", "a.obj", "a.ply", "a.off", "a.glb", "a.step", "a.STP"):
            done = self.expect(CLEAN, "convert", "box.obj", "--units", "mm", "-o", name, says=["1 part", "6 surfaces", name])
            self.assertEqual(done.stdout, "")
            self.assertGreater(os.path.getsize(self.path(name)), 100)
        self.expect(CLEAN, "convert", "box.obj", "--units", "mm", "-o", "odd.name", "--to", "step")
        with open(self.path("odd.name"), encoding="ascii") as file:
            text = file.read()
        self.assertTrue(text.startswith("ISO-10303-21;"))
        self.assertEqual(text.count("=ADVANCED_FACE("), 6)
        for name in ("a.obj", "a.ply", "a.off"):
            self.expect(CLEAN, "convert", name, "--units", "mm", "-o", "back.obj", says=["12 triangles"])

    def test_text_or_binary(self):
        self.write("box.obj", Mesh().box("box", (0, 0, 0), (1, 2, 3)))
        self.expect(CLEAN, "convert", "box.obj", "--units", "mm", "-o", "a.stl", "--ascii")
        with open(self.path("a.stl"), "rb") as file:
            self.assertTrue(file.read().startswith(b"solid box"))
        self.expect(WRONG_USAGE, "convert", "box.obj", "--units", "mm", "-o", "a.glb", "--ascii", says=["GLB is binary"])

    def test_losses_are_told_unless_quiet(self):
        pair = self.write_pair()
        self.expect(CLEAN, "convert", pair, "--units", "mm", "-o", "a.off", says=["2 parts become one"])
        done = self.expect(CLEAN, "convert", pair, "--units", "mm", "-o", "b.off", "--quiet")
        self.assertEqual(done.stderr, "")

    def test_cad_formats_by_way_of_the_importer(self):
        if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "snug-import")):
            self.skipTest("no snug-import: built without OpenCASCADE")
        self.expect(CLEAN, "scene", "workbench", "-o", "bench.step")
        for name, units, lost in (("a.iges", (), "instances are not kept"), ("a.igs", (), "levels of paths"),
                                  ("a.brep", ("--units", "mm"), "names of parts and surfaces are not kept"),
                                  ("a.BRP", ("--units", "mm"), "nor is the unit: to be read in mm")):
            done = self.expect(CLEAN, "convert", "bench.step", "-o", name, says=["8 parts", "39 surfaces", lost])
            self.assertEqual(done.stdout, "")
            totals = parse(self.expect(CLEAN, "info", name, *units, "--json", "--cache", "off").stdout)["totals"]
            self.assertEqual((totals["parts"], totals["surfaces"]), (8, 39), name)
        self.expect(CLEAN, "convert", "a.brep", "--units", "mm", "-o", "b.iges", says=["8 parts"])

    def test_without_the_importer_cad_formats_are_refused_in_words(self):
        pair = self.write_pair()
        for name in ("a.iges", "a.brep"):
            self.expect(INTERNAL, "convert", pair, "--units", "mm", "-o", name, says=["SNUG_IMPORT", "nowhere"],
                        environment={"SNUG_IMPORT": self.path("nowhere")})
        self.assertEqual(os.listdir(self.folder), [pair])

    def test_what_is_refused(self):
        pair = self.write_pair()
        def refused(output, *words):
            self.expect(WRONG_USAGE, "convert", pair, "--units", "mm", "-o", output, says=words)
            self.assertEqual(os.listdir(self.folder), [pair])
        refused("a.gltf", ".glb only")
        refused("a.xyz", "--to")
        refused("a", "--to")
        refused(pair, "input")
        refused("no/such/a.obj", "no folder")
        self.expect(WRONG_USAGE, "convert", pair, "--units", "mm", says=["--output"])
        self.expect(WRONG_USAGE, "convert", pair, "-o", "a.stl", says=["--units mm"])
        self.expect(UNREADABLE, "convert", "missing.obj", "--units", "mm", "-o", "a.stl", says=["missing.obj"])


if __name__ == "__main__":
    unittest.main()
