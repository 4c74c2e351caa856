"""`snug move`: parts along ways of a motion file."""

import json
import os
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, UNREADABLE, WRONG_USAGE, Case, Mesh, parse, validate


def key(t, position=(0, 0, 0), rotation=(1, 0, 0, 0)):
    return {"t": t, "position": list(position), "rotation": list(rotation)}


def motion(tracks, units="mm"):
    return json.dumps({"schema": "snug.motion/1", "units": units,
                       "tracks": [{"part": part, "keys": keys} for part, keys in tracks.items()]})


class Move(Case):
    def setUp(self):
        super().setUp()
        # A slab with a block above it that can be let down, and one aside that rests on the slab.
        mesh = Mesh().box("slab", (0, 0, 0), (40, 40, 10), groups=True).box("block", (5, 5, 20), (15, 15, 30), groups=True)
        self.write("m.obj", mesh.box("rest", (25, 25, 10), (30, 30, 15), groups=True))

    def move(self, code, tracks, *arguments, **more):
        self.write("way.json", motion(tracks, more.pop("units", "mm")))
        return parse(self.expect(code, "move", "m.obj", "--units", "mm", "--motion", "way.json", *arguments, "--json", **more).stdout)

    def finding(self, document, a, b):
        [found] = [f for f in document["findings"] if {f["a"]["part"], f["b"]["part"]} == {a, b}]
        return found

    def down(self, depth):
        """Down by that much and up again, in two seconds."""
        return {"block": [key(0), key(1, (0, 0, -depth)), key(2)]}

    def test_a_block_let_into_the_slab(self):
        document = self.move(FINDINGS, self.down(20), "--tolerance", "1ms")
        clash = self.finding(document, "block", "slab")
        self.assertEqual(clash["verdict"], "clash")
        # Touches after 10 mm, half a second.
        [[begin, end]] = clash["intervals"]
        self.assertAlmostEqual(begin, 0.5, delta=2e-3)
        self.assertAlmostEqual(end, 1.5, delta=2e-3)
        self.assertLessEqual(clash["first_contact"]["t_lo"], 0.5 + 1e-9)
        self.assertAlmostEqual(clash["first_contact"]["t_hi"], 0.5, delta=2e-3)
        self.assertTrue(clash["surface_pairs"])
        rest = self.finding(document, "rest", "slab")
        self.assertEqual((rest["verdict"], rest["at_rest"], rest["intervals"]), ("touch", True, []))
        self.assertEqual(document["range"], [0, 2])
        self.assertEqual(document["coverage"]["parts_moving"], 1)
        self.assertEqual(document["motion"]["parts"], ["block"])
        self.assertTrue(document["coverage"]["complete"])

    def test_clear_touching_and_near(self):
        self.move(CLEAN, self.down(5))
        touch = self.finding(self.move(CLEAN, self.down(10)), "block", "slab")
        self.assertEqual((touch["verdict"], touch["intervals"]), ("touch", []))
        self.assertTrue(any(a <= 1 <= b for a, b in touch["touch_intervals"]))
        near = self.finding(self.move(CLEAN, self.down(9), "--clearance", "2mm"), "block", "slab")
        self.assertEqual(near["verdict"], "near")
        self.assertAlmostEqual(near["smallest_gap"]["value"], 1, delta=1e-3)
        self.assertAlmostEqual(near["smallest_gap"]["t"], 1, delta=1e-2)
        self.move(FINDINGS, self.down(9), "--clearance", "2mm", "--fail-on", "near")
        self.move(FINDINGS, self.down(10), "--fail-on", "touch")
        self.move(CLEAN, self.down(11), "--touch-overlap", "2mm")
        self.move(CLEAN, self.down(20), "--fail-on", "never")

    def test_nothing_is_missed_between_keys(self):
        # Through the slab and out below: free at every key.
        document = self.move(FINDINGS, {"block": [key(0), key(1, (0, 0, -60))]})
        [[begin, end]] = self.finding(document, "block", "slab")["intervals"]
        self.assertAlmostEqual(begin, 10 / 60, delta=1e-3)
        self.assertAlmostEqual(end, 0.5, delta=1e-3)

    def test_keys_in_other_units_and_gaps(self):
        document = self.move(CLEAN, {"block": [key(0), key(1, (0, 0, -0.005))]}, "--gaps", "--moving-only", units="m")
        self.assertEqual(document["findings"], [])
        gaps = {(g["a"], g["b"]): g["gap"]["value"] for g in document["gaps"]}
        self.assertAlmostEqual(gaps["block", "slab"], 5, delta=1e-3)

    def test_moving_only_leaves_out_what_rests(self):
        with_rest = self.move(CLEAN, self.down(5))
        without = self.move(CLEAN, self.down(5), "--moving-only")
        self.assertEqual([f["at_rest"] for f in with_rest["findings"]], [True])
        self.assertEqual((without["findings"], without["summary"]["touch"]), ([], 0))
        self.assertTrue(without["options"]["moving_only"])

    def test_moving_only_leaves_out_what_rests_undecided(self):
        # A box without a lid, and a block inside it: nobody can know. Something else moves, far from both.
        faces = [(0, 2, 1), (1, 2, 3), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]
        corners = [(20 * (i & 1), 20 * (i >> 1 & 1), 20 * (i >> 2)) for i in range(8)]
        with open(self.path("m.obj"), "w", encoding="utf-8") as file:
            file.write("o shell\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in corners))
            file.write("".join("f " + " ".join(str(i + 1) for i in face) + "\n" for face in faces))
        self.write("inner.obj", Mesh().box("inner", (5, 5, 5), (15, 15, 15)).box("block", (100, 0, 0), (101, 1, 1)))
        tracks = {"block": [key(0), key(1, (5, 0, 0))]}
        both = self.move(INCOMPLETE, tracks, "inner.obj")
        self.assertEqual([(f["verdict"], f["at_rest"]) for f in both["findings"]], [("undecided", True)])
        moving = self.move(CLEAN, tracks, "inner.obj", "--moving-only")
        self.assertEqual((moving["findings"], moving["coverage"]["undecided"], moving["coverage"]["complete"]), ([], 0, True))

    def test_a_clearance_that_the_budget_does_not_prove_is_undecided(self):
        self.write("m.obj", Mesh().box("block", (0, 0, 0), (1, 1, 1)).box("post", (0, 0, 0), (1, 1, 1)))
        past = {"block": [key(0, (-53, 1.1, 0)), key(1, (47, 1.1, 0))]}
        few = self.move(INCOMPLETE, past, "--clearance", "0.2mm", "--max-pieces", "3")
        [finding] = few["findings"]
        self.assertEqual(finding["verdict"], "undecided")
        self.assertIn("budget", finding["reason"])
        self.assertTrue(any(a <= 0.53 <= b for a, b in finding["undecided"]))
        self.assertFalse(few["coverage"]["complete"])
        self.move(FINDINGS, past, "--clearance", "0.2mm", "--fail-on", "near", "--max-pieces", "3")  # undecided is graver
        self.move(FINDINGS, past, "--clearance", "0.2mm", "--fail-on", "near")
        # A hundred-thousandth less than asked for is less.
        past = {"block": [key(0, (-53, 1.199998, 0)), key(1, (47, 1.199998, 0))]}
        self.move(FINDINGS, past, "--clearance", "0.2mm", "--fail-on", "near")

    def test_a_gap_that_the_budget_does_not_prove_is_incomplete(self):
        self.write("m.obj", Mesh().box("block", (0, 0, 0), (1, 1, 1)).box("post", (0, 0, 0), (1, 1, 1)))
        past = {"block": [key(0, (-53, 1.15, 0)), key(1, (47, 1.15, 0))]}
        self.assertTrue(self.move(CLEAN, past, "--gaps")["coverage"]["complete"])
        for more in ([], ["--moving-only"]):
            few = self.move(INCOMPLETE, past, "--gaps", "--max-pieces", "12", *more)
            self.assertEqual((few["findings"], len(few["gaps"])), ([], 1))
            self.assertLess(few["gaps"][0]["gap"]["lower"], 0.1)
            self.assertFalse(few["coverage"]["complete"])

    def test_where_nothing_moves_moving_only_has_nothing_to_test(self):
        for keys in ([key(0)], [key(0), key(1)]):
            document = self.move(INCOMPLETE, {"block": keys}, "--moving-only")
            self.assertFalse(document["coverage"]["complete"])

    def test_same_document_for_every_number_of_threads(self):
        documents = []
        for threads in ("1", "3"):
            document = self.move(FINDINGS, self.down(20), "--threads", threads)
            del document["run"]
            documents.append(document)
        self.assertEqual(*documents)

    def test_the_timeline_is_readable(self):
        self.write("way.json", motion(self.down(20)))
        done = self.expect(FINDINGS, "move", "m.obj", "--units", "mm", "--motion", "way.json", "--touch-overlap", "0")
        for words in ("clash", "block", "slab", "#", "interfering", "clash 0.5 to 1.5", "faces: ", "bottom", "1 part moves, from 0 to 2 s", "complete",
                      "touch at rest"):
            self.assertIn(words, done.stdout)
        bar = next(line for line in done.stdout.splitlines() if "#" in line and "clash" in line)
        self.assertRegex(bar, r"\.{7,9}[=#]#{13,16}[=#]\.{7,9}")

    def test_page_and_file(self):
        self.write("way.json", motion(self.down(20)))
        self.expect(FINDINGS, "move", "m.obj", "--units", "mm", "--motion", "way.json", "--html", "page", "-o", "r.json", says=["the page is in"])
        with open(self.path("r.json"), encoding="utf-8") as file:
            parse(file.read())
        with open(self.path("page/index.html"), encoding="utf-8") as file:
            page = file.read()
        index = json.loads(page.split('id="snug-page">')[1].split("</script>")[0])
        validate(index)
        self.assertEqual({i["verdict"] for i in index["motion"]["intervals"]}, {"clash", "touch"})
        self.assertEqual(len(index["motion"]["tracks"]), 1)
        self.assertEqual(index["motion"]["coverage"], {"parts": 3, "pairs": 3, "complete": True})
        meeting = next(m for m in index["motion"]["meetings"] if m["surface_pairs"] and m["first_contact"][0] > 0)
        self.assertAlmostEqual(meeting["first_contact"][1], 0.5, delta=1e-2)

    def test_bad_motions_are_unreadable_input(self):
        for text, words in (("", "way.json"), ("{", "way.json"), ('{"schema":"snug.motion/2"}', "is no snug.motion/1 document"),
                            (motion({"nobody": [key(0)]}), "track 1 ('nobody')"), (motion({"block": []}), "has no key"),
                            (motion({"block": [key(0), key(0)]}), "key 2"), (motion({"block": [key(0, rotation=(0, 0, 0, 0))]}), "key 1"),
                            (motion({"block": [key(0)]}).replace('"mm"', '"yd"'), "unit 'yd'"), (motion({}), "has no tracks"),
                            (motion({"block": [key(float("nan"))]}), "way.json"), (motion({"block": [key(0, (1e308, 0, 0))]}), "key 1")):
            self.write("way.json", text)
            self.expect(UNREADABLE, "move", "m.obj", "--units", "mm", "--motion", "way.json", says=[words])
        self.expect(UNREADABLE, "move", "m.obj", "--units", "mm", "--motion", "none.json", says=["none.json"])
        self.expect(UNREADABLE, "move", "m.obj", "--units", "mm", "--motion", ".", says=["is not a file"])
        self.expect(UNREADABLE, "move", "none.obj", "--units", "mm", "--motion", "way.json", says=["none.obj"])

    def test_misuse(self):
        self.write("way.json", motion(self.down(1)))
        here = ("move", "m.obj", "--units", "mm", "--motion", "way.json")
        self.expect(WRONG_USAGE, "move", says=["FILE"])
        self.expect(WRONG_USAGE, "move", "m.obj", "--units", "mm", says=["how do the parts move?"])
        self.expect(WRONG_USAGE, *here, "--joint", "a=0..1deg", says=["is for robots"])
        self.expect(WRONG_USAGE, *here, "--adjacent", says=["is for robots"])
        self.expect(WRONG_USAGE, *here, "--tolerance", "1mm", says=["--tolerance", "unit"])
        self.expect(WRONG_USAGE, *here, "--tolerance", "0s", says=["above zero"])
        self.expect(WRONG_USAGE, *here, "--tolerance", "1", says=["no unit"])
        self.expect(WRONG_USAGE, *here, "--clearance", "1", says=["no unit"])
        self.expect(WRONG_USAGE, *here, "--max-pieces", "0", says=["whole number"])
        self.expect(WRONG_USAGE, *here, "--max-pieces", "many", says=["whole number"])
        self.expect(WRONG_USAGE, *here, "--fail-on", "clsh", says=["clash"])
        self.expect(WRONG_USAGE, *here, "-o", "way.json", says=["is an input too"])
        self.expect(WRONG_USAGE, *here, "-o", "x.obj", says=["JSON document"])
        self.expect(WRONG_USAGE, *here, "--sag", "auto", says=["for 'snug check' alone"])
        self.expect(WRONG_USAGE, "move", "m.obj", "--motion", "way.json", says=["--units"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["m.obj", "way.json"])

    def test_a_half_turn_between_keys_is_remarked_on(self):
        for angle, remarked in (((0, 0, 0, 1), True), ((1e-8, 0, 0, 1), True), ((0.01, 0, 0, 1), False)):
            self.write("way.json", motion({"block": [key(0), key(1, (0, 0, 5)), key(2, (0, 0, 5), angle)]}))
            done = self.expect(CLEAN, "move", "m.obj", "--units", "mm", "--motion", "way.json")
            self.assertEqual("'block': from key 2 to key 3 it turns by half a turn" in done.stderr, remarked, angle)
        self.write("way.json", motion({"block": [key(0), key(1, rotation=(0, 0, 0, 1))]}))
        done = self.expect(CLEAN, "move", "m.obj", "--units", "mm", "--motion", "way.json", "--quiet")
        self.assertEqual(done.stderr, "")

    def test_quaternions_more_than_half_a_turn_apart_are_remarked_on(self):
        self.write("way.json", motion({"block": [key(0), key(1, (0, 0, 5), (-0.178246, 0, 0, 0.983986))]}))
        self.expect(CLEAN, "move", "m.obj", "--units", "mm", "--motion", "way.json",
                    says=["'block': from key 1 to key 2 the quaternions are more than half a turn apart", "the shorter way"])

    def turned(self, track):
        self.write("way.json", json.dumps({"schema": "snug.motion/1", "units": "mm", "tracks": [track]}))
        with open(self.path("way.json"), encoding="utf-8") as file:
            validate(json.load(file))
        return ("move", "m.obj", "--units", "mm", "--motion", "way.json", "--json")

    def test_a_turn_about_an_axis_is_an_arc(self):
        # The block swings down about an edge line at x = 5, z = 40: its corner (15, 30) is 14.14 from it and comes down to 25.86, (15, 20) is 22.4
        # from it and reaches the slab at z = 17.6 nowhere; about one at z = 31 it is 14.9 from it, and would have to come down by 21.
        turn = {"point": [5, 0, 31], "direction": [0, 1, 0], "degrees": 90}
        track = {"part": "block", "frame": "assembly", "keys": [{"t": 0, "shift": [0, 0, 0]}, {"t": 1, "turn": turn}]}
        self.assertEqual(self.finding_or_none(parse(self.expect(CLEAN, *self.turned(track)).stdout), "block", "slab"), None)
        # About the block's middle after it was let down by 9 mm, its lower edges come 7.07 mm below it, to 8.93.
        track["keys"] = [{"t": 0, "shift": [0, 0, 0]}, {"t": 1, "shift": [0, 0, -9]},
                         {"t": 2, "turn": {"point": [10, 10, 16], "direction": [0, 1, 0], "degrees": 450, "pitch": 0}}]
        document = parse(self.expect(FINDINGS, *self.turned(track)).stdout)
        clash = self.finding(document, "block", "slab")
        self.assertEqual(len(clash["intervals"]), 5)
        self.assertEqual([len(clash[name]) for name in ("depths", "interval_travel")], [5, 5])
        # The first after the angle at which 7.071 cos(45 - a) is 6: 13.05 degrees.
        first = clash["first_contact"]
        self.assertAlmostEqual(first["t_hi"], 1 + 13.05 / 450, delta=1e-4)
        moved = first["travel"]["a" if clash["a"]["part"] == "block" else "b"]
        self.assertAlmostEqual(moved["degrees"], 13.05, delta=0.01)
        self.assertAlmostEqual(moved["length"], 9, delta=1e-6)
        for depth in clash["depths"]:
            self.assertLessEqual(depth["lower"], depth["upper"])
            self.assertAlmostEqual(depth["upper"], 1.071, delta=0.02)

    def finding_or_none(self, document, a, b):
        return next((f for f in document["findings"] if {f["a"]["part"], f["b"]["part"]} == {a, b}), None)

    def test_steps(self):
        here = ("move", "m.obj", "--units", "mm")
        document = parse(self.expect(FINDINGS, *here, "--step", "block=shift 0,0,-9mm",
                                     "--step", "block=turn 90deg about 10,10,16mm along 0,1,0", "--json").stdout)
        self.assertEqual(document["motion"], None)
        self.assertEqual(document["options"]["steps"], ["block=shift 0,0,-9mm", "block=turn 90deg about 10,10,16mm along 0,1,0"])
        self.assertEqual(document["range"], [0, 2])
        clash = self.finding(document, "block", "slab")
        self.assertAlmostEqual(clash["first_contact"]["t_hi"], 1 + 13.05 / 90, delta=1e-3)
        # Aside and down in metres, the other way round, as a screw: ten turns to the left raise it by 10 mm.
        self.expect(CLEAN, *here, "--step", "block=shift 0.05, 0, 0 m", "--step", "block=shift 0,0,-0.03m", "--json")
        self.expect(CLEAN, *here, "--step", "block=turn 3600deg about 10,10,0mm along 0,0,1 pitch 1mm")
        done = self.expect(FINDINGS, *here, "--step", "block=turn -62.83185rad about 10,10,0mm along 0,0,1 pitch 1.1mm")
        for words in ("1 step of a second", "at least 1", "after 10 mm and 3", "of block"):
            self.assertIn(words, done.stdout)

    def test_misuse_of_steps(self):
        here = ("move", "m.obj", "--units", "mm")
        for step, words in (("block", "there is no '='"), ("=shift 0,0,1mm", "no part before"), ("block=jump 0,0,1mm", "it must shift or turn"),
                            ("block=shift 0,0,1", "the shift has no unit"), ("block=shift 0,0,1yd", "unknown unit 'yd'"),
                            ("block=shift 0,1mm", "three numbers"), ("block=shift 0,0,xmm", "number 3 of 3"),
                            ("block=shift 0,0,1mm fast", "'fast' follows"), ("block=turn 90 about 0,0,0mm along 0,0,1", "the angle has no unit"),
                            ("block=turn 90deg along 0,0,1", "'about' is missing"), ("block=turn 90deg about 0,0,0mm along 0,0,0", "direction of the axis is zero"),
                            ("block=turn 90deg about 0,0,0mm along 0,0,1 pitch 1", "the pitch has no unit"),
                            ("block=turn 1e9deg about 0,0,0mm along 0,0,1", "angle beyond"), ("block=shift nan,0,0mm", "not a number"),
                            ("blok=shift 0,0,1mm", "did you mean 'block'?")):
            self.expect(WRONG_USAGE, *here, "--step", step, says=[words])
        self.write("way.json", motion(self.down(1)))
        self.expect(WRONG_USAGE, *here, "--step", "block=shift 0,0,1mm", "--motion", "way.json", says=["name one of them"])

    def test_a_sub_assembly_moves_as_one(self):
        self.expect(CLEAN, "scene", "digger", "-o", "digger.glb")
        document = parse(self.run_snug("move", "digger.glb", "--step", "digger=turn 400deg about 1,2,3m along 0,0,1", "--json").stdout)
        self.assertEqual(document["coverage"]["parts_moving"], document["coverage"]["parts"])
        self.assertEqual(document["coverage"]["pairs_at_rest"], document["coverage"]["pairs_tested"])

    def test_one_part_is_nothing_to_test(self):
        self.write("one.obj", Mesh().box("block", (0, 0, 0), (1, 1, 1)))
        self.write("way.json", motion(self.down(1)))
        self.expect(INCOMPLETE, "move", "one.obj", "--units", "mm", "--motion", "way.json", says=["two parts"])

    def test_bundled_scene(self):
        self.expect(CLEAN, "scene", "peg", "-o", "peg.glb")
        self.expect(CLEAN, "scene", "peg", "-o", "peg.json")
        done = self.run_snug("move", "peg.glb", "--motion", "peg.json", "--json")
        self.assertIn(done.returncode, (CLEAN, FINDINGS), done.stderr)
        parse(done.stdout)


if __name__ == "__main__":
    unittest.main()
