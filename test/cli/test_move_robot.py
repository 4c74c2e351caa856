"""`snug move robot.urdf`: which links can collide within the ranges of joints."""

import json
import os
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, SOURCE, UNREADABLE, WRONG_USAGE, Case, parse, validate

PICKER = os.path.join(SOURCE, "examples", "picker.urdf")

CAROUSEL = """<robot name="carousel"><link name="world"/>
<link name="post"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="stand" type="fixed"><parent link="world"/><child link="post"/></joint>
<joint name="turn" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1.57" upper="1.57"/></joint>
</robot>
"""


class Robots(Case):
    def joints(self, code, file, *arguments, **more):
        return parse(self.expect(code, "move", file, *arguments, "--json", **more).stdout)

    def test_share_of_the_range(self):
        self.write("c.urdf", CAROUSEL)
        document = self.joints(FINDINGS, "c.urdf", "--joint", "turn=0..90deg", "--tolerance", "0.1mm")
        # Balls of 0.1 on a circle of 1: they meet up to 2 asin(0.1). The limit, 1.57, is a little less than 90 degrees.
        truth = 0.20033484 / 1.57
        shares = document["shares"]
        self.assertLessEqual(shares["colliding"], truth)
        self.assertGreaterEqual(shares["colliding"] + shares["undecided"], truth)
        self.assertLess(shares["undecided"], 1e-3)
        self.assertAlmostEqual(sum(shares[k] for k in ("free", "colliding", "undecided")), 1)
        [finding] = document["findings"]
        self.assertEqual((finding["a"], finding["b"], finding["verdict"], finding["gap"]), ("arm", "post", "clash", 0))
        self.assertLessEqual(finding["example"]["turn"], 0.2004)
        self.assertGreater(document["free_example"]["turn"], 0.2)
        self.assertTrue(document["joints"][0]["cut"])
        self.assertTrue(document["coverage"]["complete"])
        text = self.expect(FINDINGS, "move", "c.urdf", "--joint", "turn=0..90deg").stdout
        for words in ("cut to its limits", "only within turn 0..11.", "for example", "free", "|#", "world", "touching counts"):
            self.assertIn(words, text)

    def test_free_ranges_values_and_clearance(self):
        self.write("c.urdf", CAROUSEL)
        self.assertEqual(self.joints(CLEAN, "c.urdf", "--joint", "turn=20..60deg")["shares"]["free"], 1)
        self.assertEqual(self.joints(CLEAN, "c.urdf", "--joint", "turn=0.5rad")["coverage"]["poses"], 1)
        self.assertEqual(self.joints(FINDINGS, "c.urdf", "--joint", "turn=5deg")["shares"]["colliding"], 1)
        document = self.joints(CLEAN, "c.urdf", "--joint", "turn=20..60deg", "--clearance", "20cm")
        self.assertEqual([f["verdict"] for f in document["findings"]], ["near"])
        self.joints(FINDINGS, "c.urdf", "--joint", "turn=20..60deg", "--clearance", "20cm", "--fail-on", "near")
        # Links that only come near each other do not collide, and the table does not say so.
        text = self.expect(CLEAN, "move", "c.urdf", "--joint", "turn=20..60deg", "--clearance", "20cm").stdout
        self.assertIn("% too close", text)
        self.assertIn("# too close", text)
        self.assertNotIn("% colliding", text)
        self.assertIn("colliding", self.expect(FINDINGS, "move", "c.urdf", "--joint", "turn=5deg").stdout)
        self.assertEqual(self.joints(FINDINGS, "c.urdf")["joints"][0]["upper"], 1.57)
        self.assertEqual(self.joints(FINDINGS, "c.urdf", "--joint", "turn")["joints"][0]["lower"], -1.57)
        self.joints(CLEAN, "c.urdf", "--fail-on", "never")

    def test_limits_on_the_work_leave_the_rest_undecided(self):
        self.write("c.urdf", CAROUSEL)
        document = self.joints(INCOMPLETE, "c.urdf", "--joint", "turn=11.5..80deg", "--tolerance", "0.001mm", "--max-poses", "3")
        self.assertTrue(document["coverage"]["limit_reached"])
        self.assertFalse(document["coverage"]["complete"])
        self.assertGreater(document["shares"]["undecided"], 0)
        self.assertEqual([f["verdict"] for f in document["findings"]], ["undecided"])

    def test_the_sample_robot(self):
        document = self.joints(FINDINGS, PICKER, "--joint", "elbow=0..120deg", "--joint", "wrist=-90..90deg")
        self.assertEqual([j["name"] for j in document["joints"]], ["swivel", "shoulder", "elbow", "wrist", "grip"])
        self.assertIn({"a": "forearm", "b": "hand", "why": "adjacent"}, document["coverage"]["pairs_excluded"])
        self.assertIn({"a": "bench", "b": "tray", "why": "rigid"}, document["coverage"]["pairs_excluded"])
        self.assertTrue(any(f["verdict"] == "clash" for f in document["findings"]))
        text = self.expect(FINDINGS, "move", PICKER, "--joint", "elbow=0..120deg", "--joint", "wrist=-90..90deg").stdout
        for words in ("elbow, 0..120deg, to the right", "wrist, -89.95..89.95deg, upwards", "6 pairs adjacent, held together by a joint", "3 joints rest"):
            self.assertIn(words, text)
        pairs = {(f["a"], f["b"]) for f in document["findings"]}
        [(a, b), *_] = pairs
        fewer = self.joints(FINDINGS if len(pairs) > 1 else CLEAN, PICKER, "--joint", "elbow=0..120deg", "--joint", "wrist=-90..90deg",
                            "--ignore", f"{a},{b}")
        self.assertNotIn((a, b), {(f["a"], f["b"]) for f in fewer["findings"]})

    def test_threads_change_nothing(self):
        documents = []
        for threads in ("1", "4"):
            document = self.joints(FINDINGS, PICKER, "--joint", "elbow", "--joint", "shoulder", "--tolerance", "1cm", "--threads", threads)
            del document["run"]
            documents.append(document)
        self.assertEqual(*documents)

    def test_page_and_file(self):
        self.expect(FINDINGS, "move", PICKER, "--joint", "elbow", "--tolerance", "1cm", "--html", "p.html", "-o", "r.json", says=["the page is in"])
        with open(self.path("r.json"), encoding="utf-8") as file:
            report = parse(file.read())
        # The page lists what was asked, no more and no less.
        listed, index = self.meetings("p.html")
        self.assertEqual(listed, [(f["a"], f["b"], f["verdict"]) for f in report["findings"]])
        self.assertGreater(len(listed), 0)
        self.assertTrue(index["motion"]["coverage"]["complete"])

    def test_page_of_what_was_not_decided(self):
        self.expect(FINDINGS, "move", PICKER, "--joint", "elbow", "--max-poses", "1", "--html", "p.html")
        listed, index = self.meetings("p.html")
        self.assertEqual({verdict for _, _, verdict in listed}, {"clash", "undecided"})
        self.assertFalse(index["motion"]["coverage"]["complete"])

    def test_page_has_what_poses_the_robot(self):
        for joints, size in ((["--joint", "elbow"], [1024, 1]), (["--joint", "elbow", "--joint", "shoulder"], [256, 256]), ([], None)):
            self.run_snug("move", PICKER, *joints, "--tolerance", "5cm", "--max-poses", "200", "--html", "p.html")
            listed, index = self.meetings("p.html")
            validate(index)
            robot = index["robot"]
            self.assertEqual(sorted(link["part"] for link in robot["links"] if link["part"] is not None), list(range(len(index["parts"]))))
            # A link is the part of its name, and its joint is one that holds it.
            for link in robot["links"]:
                if link["part"] is not None:
                    self.assertEqual(index["parts"][link["part"]]["path"], link["name"])
            self.assertEqual(sorted(robot["order"]), list(range(len(robot["joints"]))))
            self.assertEqual(len(robot["instants"]), len(index["motion"]["playback"]["times"]))
            self.assertTrue(all(len(values) == len(robot["joints"]) for values in robot["instants"]))
            self.assertEqual([(pair["a"], pair["b"]) for pair in robot["pairs"]], [(i["a"], i["b"]) for i in index["motion"]["intervals"]])
            for pair in robot["pairs"]:
                self.assertAlmostEqual(pair["free"] + pair["colliding"] + pair["undecided"], 1)
            if size is None:
                self.assertTrue(robot["map"] is None or len(robot["map"]["joints"]) <= 2)
            else:
                self.assertEqual(robot["map"]["size"], size)
                self.assertEqual(robot["map"]["bytes"][1], size[0] * size[1])
            spans = {joint["name"] for joint in robot["joints"] if joint["span"]}
            if joints:
                self.assertEqual(spans, set(joints[1::2]))

    def meetings(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            index = json.loads(file.read().split('id="snug-page">', 1)[1].split("</script>", 1)[0])
        path = [part["path"] for part in index["parts"]]
        return [(path[i["a"]], path[i["b"]], i["verdict"]) for i in index["motion"]["intervals"]], index

    def test_meshes_beside_the_robot(self):
        self.write("store/pkg/meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        mesh = '<collision><geometry><mesh filename="package://pkg/meshes/t.obj" scale="0.1 0.1 0.1"/></geometry></collision>'
        text = CAROUSEL.replace('<collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>', mesh)
        self.write("store/pkg/urdf/c.urdf", text)
        document = self.joints(FINDINGS, "store/pkg/urdf/c.urdf", "--tolerance", "1cm")
        self.assertEqual(document["summary"]["clash"], 1)
        self.write("elsewhere/c.urdf", text)
        # The folders that were searched are listed.
        self.expect(UNREADABLE, "move", "elsewhere/c.urdf", says=["elsewhere/c.urdf:2:", "package://pkg/meshes/t.obj", "elsewhere'", "--packages"])
        self.joints(FINDINGS, "elsewhere/c.urdf", "--packages", "store", "--tolerance", "1cm")

    def test_meshes_whose_boxes_overlap(self):
        # A block turns in the middle of a U, 0.05 from its walls: the boxes overlap, the meshes never touch.
        def box(lo, hi, first):
            corners = [(x, y, z) for x in (lo[0], hi[0]) for y in (lo[1], hi[1]) for z in (lo[2], hi[2])]
            faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
            return "".join("v %g %g %g\n" % c for c in corners) + "".join("f %d %d %d %d\n" % tuple(first + i for i in f) for f in faces)
        self.write("u.obj", box((-0.3, -0.3, 0), (-0.2, 0.3, 1), 1) + box((0.2, -0.3, 0), (0.3, 0.3, 1), 9))
        self.write("block.obj", box((-0.15, -0.05, 0), (0.15, 0.05, 1), 1))
        text = CAROUSEL.replace('<origin xyz="1 0 0"/>', "")
        for name in ("u.obj", "block.obj"):
            text = text.replace('<sphere radius="0.1"/>', f'<mesh filename="{name}"/>', 1)
        self.write("u.urdf", text)
        document = self.joints(CLEAN, "u.urdf", "--joint", "turn=0..10deg")
        self.assertEqual(document["shares"]["free"], 1)
        self.assertLess(document["coverage"]["poses"], 10)
        self.write("block.obj", box((-0.25, -0.05, 0), (0.25, 0.05, 1), 1))
        document = self.joints(FINDINGS, "u.urdf")
        shares = document["shares"]
        self.assertLess(shares["undecided"], 0.01)
        self.assertGreater(shares["colliding"], 0.3)
        self.assertGreater(shares["free"], 0.3)
        self.assertAlmostEqual(sum(shares["undecided_because"].values()), shares["undecided"])
        self.assertGreater(shares["undecided_because"]["contact"], 0)
        self.assertIn("about to touch", self.expect(FINDINGS, "move", "u.urdf").stdout)

    def test_visual_geometry_and_xacro(self):
        self.write("v.urdf", CAROUSEL.replace("collision", "visual"))
        self.expect(INCOMPLETE, "move", "v.urdf", says=["nothing to test"])
        self.joints(FINDINGS, "v.urdf", "--visual")
        self.write("v.urdf.xacro", CAROUSEL)
        self.expect(UNREADABLE, "move", "v.urdf.xacro", says=["xacro v.urdf.xacro > v.urdf"])

    def test_unreadable_robots(self):
        for text, words in (("", "empty"), ("<robot>", "x.urdf:1:"), ("<sdf/>", "is no URDF"), ("<!DOCTYPE x []><robot/>", "DOCTYPE"),
                            ("<robot>" + "<a>" * 100, "64 levels"), (CAROUSEL.replace("revolute", "planar"), "x.urdf:5: joints of type 'planar'"),
                            (CAROUSEL.replace('radius="0.1"', 'radius="inf"'), "x.urdf:2: 'radius' of <sphere>")):
            self.write("x.urdf", text)
            self.expect(UNREADABLE, "move", "x.urdf", says=[words])
        self.expect(UNREADABLE, "move", "none.urdf", says=["none.urdf"])

    def test_misuse(self):
        self.write("c.urdf", CAROUSEL)
        for arguments, words in ((["--joint", "trun=0..1deg"], "did you mean 'turn'"), (["--joint", "stand=0..1deg"], "is fixed"),
                                 (["--joint", "turn=0..1"], "there is no unit"), (["--joint", "turn=0..1mm"], "it turns"),
                                 (["--joint", "turn=2..1deg"], "the wrong way round"), (["--joint", "turn=100..120deg"], "outside of the limits"),
                                 (["--joint", "turn=a..1deg"], "expected a number"), (["--joint", "turn="], "expected a number"),
                                 (["--joint", "turn", "--joint", "turn=1deg"], "named twice"), (["--joint", ""], "is empty"),
                                 (["--motion", "m.json"], "--motion"), (["--units", "mm"], "in metres"), (["--gaps"], "--gaps"),
                                 (["--tolerance", "0mm"], "above zero"), (["--tolerance", "1s"], "unit"), (["--max-poses", "0"], "whole number"),
                                 (["--ignore", "arm"], "two links"), (["--ignore", "arm,pst"], "did you mean 'post'"), (["--ignore", "arm,arm"], "twice"),
                                 (["--fail-on", "touch"], "not for robots"), (["c.urdf"], "looked at alone"), (["-o", "c.urdf"], "is an input too")):
            self.expect(WRONG_USAGE, "move", "c.urdf", *arguments, says=[words])
        self.write("slide.urdf", CAROUSEL.replace("revolute", "prismatic"))
        self.expect(WRONG_USAGE, "move", "slide.urdf", "--joint", "turn=0..1deg", says=["it slides"])
        self.joints(FINDINGS, "slide.urdf", "--joint", "turn=0..100cm")
        self.write("alone.urdf", '<robot><link name="a"/></robot>')
        self.expect(INCOMPLETE, "move", "alone.urdf", says=["nothing to test"])


if __name__ == "__main__":
    unittest.main()
