"""snug scene: lists, describes and writes scenes; the same bytes each time; motions by their schema; errors with words."""

import os
import unittest

from support import CLEAN, WRONG_USAGE, Case, jsonschema, parse, schema

MOVING = ("headlight", "spheres-240", "spheres-3968", "deforming-spheres", "reaction", "knots", "peg", "thin-plate",
          "tool-and-box")


class Scene(Case):
    def names(self):
        return [line.split()[0] for line in self.expect(CLEAN, "scene", "list").stdout.splitlines()]

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_the_list_names_what_can_be_made(self):
        names = self.names()
        self.assertEqual(len(names), len(set(names)))
        for name in (*MOVING, "avalanche", "fountain", "lattice", "workbench"):
            self.assertIn(name, names)

    def test_scenes_are_described(self):
        done = self.expect(CLEAN, "scene", "lattice", "--size", "27")
        self.assertIn("lattice: 27 parts", done.stdout)
        self.assertIn("designed: 53 contacts", done.stdout)
        self.assertEqual(done.stdout.count("planted: "), 1)
        self.assertIn("60 Hz for 10 s", self.expect(CLEAN, "scene", "avalanche").stdout)
        self.assertIn("flies through", self.expect(CLEAN, "scene", "thin-plate").stdout)

    def test_files_hold_the_parts(self):
        for suffix in ("glb", "obj", "stl", "ply"):
            self.expect(CLEAN, "scene", "lattice", "--size", "8", "-o", f"lattice.{suffix}")
            units = () if suffix == "glb" else ("--units", "mm")
            totals = parse(self.expect(CLEAN, "info", f"lattice.{suffix}", *units, "--json").stdout)["totals"]
            # STL holds one mesh; the others keep parts.
            self.assertEqual(totals["parts"], 1 if suffix == "stl" else 8, suffix)
            self.assertGreater(totals["triangles"], 1000)

    def test_what_is_planted_is_found_in_the_file(self):
        self.expect(CLEAN, "scene", "lattice", "--size", "27", "-o", "lattice.obj")
        report = self.check(1, "lattice.obj", "--units", "mm")
        self.assertEqual((report["summary"]["clash"], report["summary"]["touch"]), (1, 53))

    def test_a_glb_gives_the_verdicts_of_the_scene(self):
        self.expect(CLEAN, "scene", "control-box", "-o", "box.glb")
        report = self.check(1, "box.glb", "--clearance", "0.5mm")
        self.assertEqual(report["units"], "mm")
        self.assertEqual([report["summary"][word] for word in ("contained", "clash", "touch", "near")], [1, 1, 24, 1])
        self.expect(CLEAN, "scene", "lattice", "--size", "27", "-o", "lattice.glb")
        report = self.check(1, "lattice.glb")
        self.assertEqual((report["summary"]["clash"], report["summary"]["touch"]), (1, 53))

    def test_what_is_designed_is_what_check_finds(self):
        self.assertIn("designed: 5 contacts, 1 gap that a clearance of 2.5 mm shows,",
                      self.expect(CLEAN, "scene", "workbench").stdout)
        self.expect(CLEAN, "scene", "workbench", "-o", "bench.glb")
        summary = self.check(1, "bench.glb")["summary"]
        self.assertEqual((summary["touch"], summary["near"], summary["clash"]), (5, 0, 1))
        self.assertEqual(self.check(1, "bench.glb", "--clearance", "2.5mm")["summary"]["near"], 1)
        self.assertNotIn("snug move", self.expect(CLEAN, "scene", "--help").stdout)
        self.expect(WRONG_USAGE, "scene", "workbench", "-o", "bench.xyz", says=[".json"])

    def test_the_same_bytes_each_time_and_others_for_another_seed(self):
        for name, more in (("a.obj", ()), ("b.obj", ()), ("c.obj", ("--seed", "1")), ("d.obj", ("--seed", "2"))):
            self.expect(CLEAN, "scene", "lattice", "--size", "64", "-o", name, *more)
        self.assertEqual(self.bytes_of("a.obj"), self.bytes_of("b.obj"))
        self.assertEqual(self.bytes_of("a.obj"), self.bytes_of("c.obj"))
        self.assertNotEqual(self.bytes_of("a.obj"), self.bytes_of("d.obj"))

    def test_motions_keep_to_their_schema(self):
        if jsonschema is None:
            print("skipped: python3-jsonschema is not installed")
        else:
            jsonschema.Draft202012Validator.check_schema(schema("motion"))
        for name in MOVING:
            self.expect(CLEAN, "scene", name, "-o", "motion.json")
            motion = parse(self.bytes_of("motion.json").decode())
            self.assertEqual(motion["schema"], "snug.motion/1")
            self.assertTrue(motion["tracks"])
            for track in motion["tracks"]:
                times = [key["t"] for key in track["keys"]]
                self.assertEqual(times, sorted(set(times)))
                self.assertEqual(track["keys"][0]["position"], [0, 0, 0])

    def test_a_motion_is_that_of_the_scene(self):
        self.expect(CLEAN, "scene", "peg", "-o", "peg.json")
        motion = parse(self.bytes_of("peg.json").decode())
        self.assertEqual(motion["units"], "mm")
        self.assertEqual([track["part"] for track in motion["tracks"]], ["peg that fits", "peg off its axis"])
        self.assertEqual(motion["tracks"][0]["keys"][1], {"position": [0, 0, -40], "rotation": [1, 0, 0, 0], "t": 0.001})

    def test_deformations_that_a_motion_can_not_hold_are_told(self):
        self.assertIn("change their form", self.expect(CLEAN, "scene", "deforming-spheres", "-o", "eggs.json").stderr)
        self.assertEqual(self.expect(CLEAN, "scene", "deforming-spheres", "-o", "eggs.json", "-q").stderr, "")

    def test_mistakes_are_told(self):
        for arguments, words in (
                (("latice",), "did you mean 'lattice'"), ((), "NAME"), (("peg", "--seed", "3"), "takes no --seed"),
                (("peg", "--size", "3"), "takes no --size"), (("lattice", "--size", "0"), "--size"),
                (("lattice", "--size", "99999999"), "--size"), (("lattice", "--seed", "x"), "--seed"),
                (("list", "-o", "x.obj"), "takes no options"), (("avalanche", "-o", "x.json"), "simulated"),
                (("peg", "-o", "peg.xyz"), "peg.xyz"), (("peg", "-o", "nowhere/peg.obj"), "nowhere")):
            self.expect(WRONG_USAGE, "scene", *arguments, says=(words,))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
