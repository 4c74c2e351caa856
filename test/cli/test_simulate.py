"""`snug simulate`: bodies that fall, deterministic for every number of threads, with all that is written of them."""

import base64
import copy
import itertools
import json
import os
import re
import signal
import struct
import subprocess
import sys
import unittest

from support import CLEAN, INCOMPLETE, PROGRAM, UNREADABLE, WRONG_USAGE, Case, Mesh, jsonschema, parse, schema, validate


def scene(bodies, **more):
    return {"schema": "snug.scene/1", "units": "m", "bodies": bodies, **more}


def sunk(pose, size):
    """How far a box reaches below z = 0."""
    w, x, y, z, *at = pose
    row = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    return max(0, -at[2] - min(sum(r * s * n / 2 for r, s, n in zip(row, sign, size)) for sign in itertools.product((-1, 1), repeat=3)))


FLOOR = {"name": "floor", "box": [10, 10, 1], "position": [0, 0, -0.5], "fixed": True}


def second_shell_turned(mesh):
    """Two boxes as one object, the second one inside out."""
    lines, faces = [], 0
    for line in mesh.lines:
        if line.startswith("o ") and lines:
            continue
        if line.startswith("f "):
            faces += 1
            if faces > 12:
                a, b, c = line[2:].split()
                line = f"f {a} {c} {b}"
        lines.append(line)
    assert faces == 24
    return "\n".join(lines) + "\n"


class Simulate(Case):
    def setUp(self):
        super().setUp()
        self.write("cube.obj", Mesh().box("cube", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
        self.two = scene([FLOOR, {"name": "cube", "file": "cube.obj", "position": [0, 0, 0.6]},
                          {"name": "late", "box": [0.5, 0.5, 0.5], "position": [3, 0, 1], "release": 0.2}], duration=1.5)

    def simulate(self, code, document, *arguments, **more):
        self.write("scene.json", json.dumps(document))
        return self.expect(code, "simulate", "scene.json", *arguments, **more)

    def test_bodies_come_to_rest_on_the_floor(self):
        document = parse(self.simulate(CLEAN, self.two, "--json", "-o", "steps.jsonl", "--judge-every", "1").stdout)
        self.assertEqual((document["steps"], document["steps_asked"], document["bodies"]), (90, 90, 2))
        self.assertFalse(document["cancelled"])
        self.assertLess(document["fastest"], 0.1)
        self.assertGreater(document["contacts_mean"], 1)
        self.assertEqual(document["interpenetration"]["judged"], 90)
        # Never more than the cube sinks in one step from its fall of 0.1 m: 2.3 cm.
        self.assertLess(document["interpenetration"]["most"], 0.03)
        self.assertLess(document["interpenetration"]["last"], 0.003)
        with open(self.path("steps.jsonl"), encoding="utf-8") as file:
            head, *steps = [json.loads(line) for line in file]
        self.assertEqual(head["schema"], "snug.simulate.steps/1")
        self.assertEqual([part["path"] for part in head["parts"]], ["floor", "cube", "late"])
        self.assertEqual([step["step"] for step in steps], list(range(1, 91)))
        self.assertIsNone(steps[5]["poses"][2])  # not released yet
        self.assertAlmostEqual(steps[-1]["poses"][1][6], 0.5, delta=0.01)
        self.assertAlmostEqual(steps[-1]["poses"][2][6], 0.25, delta=0.01)
        self.assertTrue(any(contact["a"] == 0 and contact["b"] == 1 for contact in steps[-1]["contacts"]))
        total = sum(step["interpenetration"] for step in steps)
        self.assertAlmostEqual(total, document["interpenetration_total"], delta=1e-12)

    def test_threads_do_not_show(self):
        # Cubes that fall onto one another: pairs come and go.
        bodies = [FLOOR] + [{"name": f"cube {i}", "file": "cube.obj", "position": [0.3 * (i % 3), 0.2 * (i % 2), 0.6 + 1.05 * i],
                             "rotation": [1, 0.1 * i, 0.2, 0], "spin": [0, 1, i]} for i in range(6)]
        documents, lines = [], []
        for threads in (1, 2, 4, 8):
            document = parse(self.simulate(CLEAN, scene(bodies), "--steps", "60", "--threads", str(threads), "--json", "-o",
                                           "steps.jsonl").stdout)
            self.assertGreater(document["contacts_most"], 3)
            for key in ("run", "step_ms", "narrow_ms"):
                document.pop(key)
            documents.append(document)
            with open(self.path("steps.jsonl"), encoding="utf-8") as file:
                lines.append(file.read())
        self.assertEqual([document["state_hash"] for document in documents], [documents[0]["state_hash"]] * 4)
        self.assertEqual(documents, [documents[0]] * 4)
        self.assertEqual(len(set(lines)), 1)

    def test_the_scene_is_told_by_its_words(self):
        text = self.simulate(CLEAN, self.two, "--steps", "3").stdout
        for words in ("3 steps", "2 bodies", "contacts:", "interpenetration:", "state: "):
            self.assertIn(words, text)
        self.assertIsNone(parse(self.simulate(CLEAN, self.two, "--steps", "3", "--judge-every", "0", "--json").stdout)["interpenetration_total"])

    def test_an_animation_and_a_page(self):
        self.simulate(CLEAN, self.two, "--steps", "30", "--glb", "out.glb", "--html", "page")
        with open(self.path("out.glb"), "rb") as file:
            data = file.read()
        magic, version, total, size = struct.unpack("<4sIII", data[:16])
        self.assertEqual((magic, version, total), (b"glTF", 2, len(data)))
        gltf = json.loads(data[20:20 + size])
        [animation] = gltf["animations"]
        self.assertEqual(len(animation["channels"]), 4)  # two bodies that move, each by place and by rotation
        self.assertEqual({channel["target"]["node"] for channel in animation["channels"]}, {1, 2})
        times = gltf["accessors"][animation["samplers"][0]["input"]]
        self.assertEqual((times["count"], times["min"]), (31, [0]))
        self.assertAlmostEqual(times["max"][0], 0.5, delta=1e-6)
        buffer = data[28 + size:]

        def floats(index, width):
            accessor = gltf["accessors"][index]
            view = gltf["bufferViews"][accessor["bufferView"]]
            return list(struct.iter_unpack(f"<{width}f", buffer[view["byteOffset"]:view["byteOffset"] + view["byteLength"]]))

        for channel in animation["channels"]:
            output = animation["samplers"][channel["sampler"]]["output"]
            if channel["target"]["path"] == "rotation":
                for q in floats(output, 4):
                    self.assertAlmostEqual(sum(x * x for x in q), 1, delta=1e-5)
            elif channel["target"]["node"] == 1:
                heights = [p[2] for p in floats(output, 3)]
                self.assertAlmostEqual(heights[0], 0.6, delta=1e-6)
                self.assertLess(heights[-1], 0.52)
        # What was written is an assembly like any other.
        self.expect(CLEAN, "info", "out.glb", "--json")
        with open(self.path("page/index.html"), encoding="utf-8") as file:
            page = file.read()
        index = json.loads(page.split('id="snug-page">', 1)[1].split("</script>", 1)[0])
        validate(index)
        playback = index["motion"]["playback"]
        self.assertEqual((len(playback["times"]), playback["parts"]), (31, [1, 2]))
        self.assertEqual(playback["poses"][1], 31 * 2 * 28)
        self.assertEqual(playback["contacts"][1] % 40, 0)
        # The cube falls onto the floor and stays; the other one comes later.
        meetings = index["motion"]["intervals"]
        self.assertTrue(any((one["a"], one["b"]) == (0, 1) and one["end"] == index["motion"]["end"] for one in meetings))
        self.assertTrue(all(one["begin"] <= one["end"] for one in meetings))
        # What is inside one another is not told as a touch.
        self.assertTrue(all(one["verdict"] == ("clash" if one["depth"] > 0 else "touch") for one in meetings))
        self.assertGreater(max(one["depth"] for one in meetings), 0)

    ROD = [0.04, 0.04, 1]

    def test_a_line_is_of_one_instant(self):
        rod = {"name": "rod", "box": self.ROD, "position": [0.3, 0.2, 1.5], "spin": [0.1, 0.2, 0]}
        late = {"name": "late", "box": [0.5, 0.5, 0.5], "position": [3, 0, 0.2], "release": 0.5}  # appears in the floor
        self.simulate(CLEAN, scene([FLOOR, rod, late]), "--steps", "60", "-o", "steps.jsonl", "--html", "page.html", "--judge-every", "1")
        with open(self.path("steps.jsonl"), encoding="utf-8") as file:
            _, *steps = [json.loads(line) for line in file]
        self.assertEqual([step["step"] for step in steps], list(range(1, 61)))
        deep = 0
        for step in steps:
            for contact in step["contacts"]:
                self.assertIsNotNone(step["poses"][contact["a"]])
                self.assertIsNotNone(step["poses"][contact["b"]])
            by_corners = sunk(step["poses"][1], self.ROD)
            contacts = [one for one in step["contacts"] if (one["a"], one["b"]) == (0, 1)]
            if by_corners < 1e-4:
                continue
            deep += 1
            # The point is halfway between where the rod is and where it ought to be.
            deepest = max(contacts, key=lambda one: one["depth"], default=None)
            self.assertIsNotNone(deepest, f"step {step['step']}: {by_corners} m deep without a contact")
            self.assertAlmostEqual(deepest["depth"], by_corners, delta=1e-6, msg=f"step {step['step']}")
            self.assertAlmostEqual(deepest["point"][2], -by_corners / 2, delta=1e-6, msg=f"step {step['step']}")
        self.assertGreater(deep, 5)
        impact = next(step for step in steps if sunk(step["poses"][1], self.ROD) > 1e-3)
        self.assertIsNone(impact["poses"][2])
        volume = self.ROD[0] * self.ROD[1] * sunk(impact["poses"][1], self.ROD)
        self.assertAlmostEqual(impact["interpenetration"], volume, delta=0.2 * volume)  # it leans a little
        self.assertTrue(any(one["b"] == 2 for one in steps[-1]["contacts"]))

        # The page has the same instants.
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        index = json.loads(page.split('id="snug-page">', 1)[1].split("</script>", 1)[0])
        data = b"".join(map(base64.b64decode, re.findall(r'class="snug-buffer">([^<]*)<', page)))
        playback = index["motion"]["playback"]
        begin, size = playback["poses"]
        poses = list(struct.iter_unpack("<7f", data[begin:begin + size]))
        begin, size = playback["contacts"]
        depths = {}
        for frame, a, b, *numbers in struct.iter_unpack("<3I7f", data[begin:begin + size]):
            if (a, b) == (0, 1):
                depths[frame] = max(depths.get(frame, 0), numbers[6])
        self.assertEqual(len(playback["times"]), 61)
        for frame in range(61):
            self.assertAlmostEqual(depths.get(frame, 0), sunk(poses[2 * frame], self.ROD), delta=1e-5, msg=f"frame {frame}")
        [told] = {max(one["depth"] for one in index["motion"]["intervals"] if (one["a"], one["b"]) == (0, 1))}
        self.assertAlmostEqual(told, max(depths.values()), delta=1e-6)

    def test_bad_scenes_are_told_with_their_element(self):
        for change, words in (({"bodies": []}, "has no bodies"), ({"units": "ell"}, "'ell'"), ({"rate_hz": -1}, "'rate_hz'"),
                              ({"bodies": [FLOOR, {"name": "x", "file": "absent.obj"}]}, "body 2 ('x')"),
                              ({"bodies": [FLOOR, {"name": "x", "box": [1, 1, 1], "friction": "much"}]}, "body 2 ('x'): 'friction'")):
            told = self.simulate(UNREADABLE, {**self.two, **change}).stderr
            self.assertIn(words, told)
            self.assertIn("scene.json", told)
        self.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        sheet = {"name": "sheet", "file": "sheet.obj", "position": [0, 0, 1]}
        told = self.simulate(UNREADABLE, {**self.two, "bodies": [FLOOR, sheet]}).stderr
        self.assertIn("body 2 ('sheet'): has no mass", told)
        self.simulate(CLEAN, {**self.two, "bodies": [FLOOR, {**sheet, "fixed": True}]}, "--steps", "2")
        self.simulate(UNREADABLE, {**self.two, "bodies": [FLOOR, {"name": "mote", "box": [1e-120, 1e-120, 1e-120]}]})
        self.write("broken.json", '{"schema":"snug.scene/1",')
        self.assertIn("broken.json", self.expect(UNREADABLE, "simulate", "broken.json").stderr)
        self.assertIn("absent.json", self.expect(UNREADABLE, "simulate", "absent.json").stderr)

    def test_files_of_bodies_are_inputs(self):
        self.expect(CLEAN, "convert", "cube.obj", "--units", "m", "-o", "cube.glb")
        document = {**self.two, "bodies": [FLOOR, {"name": "cube", "file": "cube.glb", "position": [0, 0, 0.6]}]}
        inputs = parse(self.simulate(CLEAN, document, "--steps", "2", "--json").stdout)["inputs"]
        self.assertEqual([os.path.basename(one["path"]) for one in inputs], ["scene.json", "cube.glb"])
        self.assertTrue(all(len(one["sha256"]) == 64 for one in inputs))
        with open(self.path("cube.glb"), "rb") as file:
            before = file.read()
        self.simulate(WRONG_USAGE, document, "--steps", "2", "--glb", "cube.glb", says=["is an input too"])
        with open(self.path("cube.glb"), "rb") as file:
            self.assertEqual(file.read(), before)

    def test_every_shell_is_judged(self):
        # The second of two boxes of one body lies inside the other body, in either order.
        for first, second in (((5, 0, 0), (0, 0, 0)), ((0, 0, 0), (5, 0, 0))):
            mesh = Mesh()
            for x, y, z in (first, second):
                mesh = mesh.box("two", (x - 0.5, y - 0.5, z - 0.5), (x + 0.5, y + 0.5, z + 0.5))
            named = [line for line in mesh.lines if line == "o two"][1:]
            self.write("two.obj", "\n".join(line for line in mesh.lines if line not in named) + "\n")  # one object
            document = scene([{"name": "block", "box": [4, 4, 4], "fixed": True}, {"name": "two", "file": "two.obj"}])
            report = parse(self.simulate(CLEAN, document, "--steps", "1", "--judge-every", "1", "--json").stdout)
            self.assertAlmostEqual(report["interpenetration_total"], 1, delta=0.1)

    def test_small_bodies_and_slow_rates_are_remarked(self):
        mote = {**self.two, "units": "um", "duration": 0.1,
                "bodies": [{**FLOOR, "box": [1000, 1000, 100], "position": [0, 0, -50]},
                           {"name": "mote", "box": [100, 100, 100], "position": [0, 0, 60]}]}
        report = parse(self.simulate(CLEAN, mote, "--json").stdout)
        self.assertEqual(len(report["remarks"]), 1)
        self.assertIn("mote moves by up to ", report["remarks"][0])
        self.assertIn("remark: ", self.simulate(CLEAN, mote).stdout)
        report = parse(self.simulate(CLEAN, {**mote, "rate_hz": 2000, "duration": 0.01}, "--json").stdout)
        self.assertEqual(report["remarks"], [])

    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_bounds_are_those_of_the_schema(self):
        check = jsonschema.Draft202012Validator(schema("scene"))
        body = {"name": "x", "box": [1, 1, 1]}
        for change, good in (({"density": 1e9}, True), ({"density": 2e9}, False), ({"position": [1e10, 0, 0]}, False),
                             ({"friction": 101}, False), ({"box": [1, 1, 2e9]}, False), ({"release": 2e9}, False)):
            document = {**self.two, "bodies": [FLOOR, {**body, **change}]}
            self.assertEqual(check.is_valid(document), good, change)
            self.simulate(CLEAN if good else UNREADABLE, document, "--steps", "1")

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_lines_keep_to_their_schema(self):
        self.simulate(CLEAN, self.two, "--steps", "40", "-o", "steps.jsonl")
        check = jsonschema.Draft202012Validator(schema("simulate.steps"))
        lines = self.lines("steps.jsonl")
        self.assertEqual(len(lines), 41)
        self.assertTrue(any(line.get("contacts") for line in lines))
        for line in lines:
            check.validate(line)
            for key in line:
                self.assertFalse(check.is_valid({name: value for name, value in line.items() if name != key}), key)
            self.assertFalse(check.is_valid({**line, "surprise": 1}))
        for broken in ({"poses": [[1, 0, 0]]}, {"step": -1}, {"contacts": [{"a": 0}]}):
            self.assertFalse(check.is_valid({**lines[-1], **broken}), broken)

    def test_lines_can_be_thinned(self):
        self.simulate(CLEAN, self.two, "--steps", "25", "-o", "all.jsonl")
        self.simulate(CLEAN, self.two, "--steps", "25", "-o", "some.jsonl", "--every", "10")
        head, *steps = self.lines("some.jsonl")
        self.assertEqual([step["step"] for step in steps], [10, 20, 25])
        everything = self.lines("all.jsonl")
        self.assertEqual(everything[0], head)
        for step in steps:
            self.assertEqual(step, everything[step["step"]])
        self.simulate(WRONG_USAGE, self.two, "--every", "10", says=["--every"])
        self.simulate(WRONG_USAGE, self.two, "-o", "x.jsonl", "--every", "0", says=["--every"])

    def test_lines_to_standard_output(self):
        self.simulate(CLEAN, self.two, "--steps", "5", "-o", "steps.jsonl")
        done = self.simulate(CLEAN, self.two, "--steps", "5", "-o", "-")
        with open(self.path("steps.jsonl"), encoding="utf-8") as file:
            self.assertEqual(done.stdout, file.read())
        self.assertFalse(os.path.exists(self.path("-")))
        self.simulate(WRONG_USAGE, self.two, "-o", "-", "--json", says=["standard output"])

    def test_what_is_said_twice_or_with_a_wrong_type_is_refused(self):
        body = '{"name": "x", "box": [1, 1, 1]}'
        for text, words in (('"units": "m", "units": "mm", "bodies": [%s]' % body, "the key 'units' twice"),
                            ('"units": "m", "bodies": [{"name": "x", "box": [1, 1, 1], "box": [2, 2, 2]}]', "body 1 ('x'): has the key 'box' twice"),
                            ('"units": "m", "name": 5, "bodies": [%s]' % body, "'name' must be a text"),
                            ('"units": "m", "bodies": [{"name": 5, "box": [1, 1, 1]}]', "body 1: 'name' must be a text"),
                            ('"units": "m", "bodies": [{"name": "x", "file": "cube.obj", "part": 7}]', "'part' must be a text"),
                            ('"units": "m", "bodies": [{"name": "x", "box": [1, 1, 1], "part": "cube"}]', "'part' goes with 'file'")):
            self.write("scene.json", '{"schema": "snug.scene/1", %s}' % text)
            told = self.expect(UNREADABLE, "simulate", "scene.json", "--steps", "1").stderr
            self.assertIn(words, told)
            self.assertIn("scene.json", told)

    def test_links_do_not_lead_out_of_the_folder(self):
        os.makedirs(self.path("inner/below"))
        os.symlink(self.path("cube.obj"), self.path("inner/out.obj"))
        self.write("inner/below/own.obj", Mesh().box("cube", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
        os.symlink("below/own.obj", self.path("inner/in.obj"))
        for name, code in (("out.obj", UNREADABLE), ("in.obj", CLEAN)):
            self.write("inner/scene.json", json.dumps(scene([FLOOR, {"name": "cube", "file": name, "position": [0, 0, 1]}])))
            done = self.expect(code, "simulate", "inner/scene.json", "--steps", "1")
            self.assertEqual("link out of the folder" in done.stderr, code == UNREADABLE)

    def test_open_bodies_and_bodies_given_up_are_remarked(self):
        self.write("cup.obj", Mesh().box("cup", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), skip=2))
        cup = scene([FLOOR, {"name": "cup", "file": "cup.obj", "position": [0, 0, 0.6]}])
        [remark] = parse(self.simulate(CLEAN, cup, "--steps", "2", "--json").stdout)["remarks"]
        self.assertIn("cup is not closed", remark)
        self.assertIn("mass is that of the box", remark)
        # Falls ever faster, and ever further in a step.
        far = scene([FLOOR, {"name": "bolt", "box": [1, 1, 1], "position": [0, 0, 5]}], gravity=[0, 0, 1e8])
        document = parse(self.simulate(CLEAN, far, "--steps", "60", "--json").stdout)
        self.assertTrue(any("bolt is no longer moved by Bullet" in remark for remark in document["remarks"]), document["remarks"])
        self.assertGreater(document["fastest"], 1e6)
        # Who is beyond it from the start is refused.
        for body, more in (({"velocity": [1e9, 0, 0]}, {}), ({"box": [1e9, 1e9, 1e9]}, {}), ({}, {"gravity": [0, 0, 1e9]})):
            told = self.simulate(UNREADABLE, scene([FLOOR, {"name": "bolt", "box": [1, 1, 1], **body}], **more)).stderr
            self.assertIn("body 2 ('bolt'): reaches ", told)
        self.assertIn("steps", self.simulate(UNREADABLE, {**self.two, "duration": 1e9, "rate_hz": 1e6}).stderr)

    def test_bodies_that_get_too_fast_are_remarked(self):
        # At rest at first: it goes by more than its thickness of 2 cm after falling for an eighth of a second.
        plate = scene([FLOOR, {"name": "plate", "box": [1, 1, 0.02], "position": [0, 0, 3]}], duration=0.5)
        [remark] = parse(self.simulate(CLEAN, plate, "--json").stdout)["remarks"]
        self.assertIn("plate moves by up to 4.", remark)
        self.assertIn("since step 8", remark)
        self.assertEqual(parse(self.simulate(CLEAN, plate, "--steps", "7", "--json").stdout)["remarks"], [])

    def test_bodies_that_overlap_or_never_come_are_remarked(self):
        bodies = [FLOOR, {"name": "cube", "box": [1, 1, 1], "position": [0, 0, 0.3]}, {"name": "other", "box": [1, 1, 1], "position": [3, 0, 0.5]},
                  {"name": "late", "box": [1, 1, 1], "position": [0, 0, 5], "release": 0.5}]
        overlap, late = parse(self.simulate(CLEAN, scene(bodies), "--steps", "30", "--json").stdout)["remarks"]
        self.assertEqual(overlap, "floor and cube overlap by 0.2 m at the start: they fly apart, the faster the deeper")
        self.assertIn("late is not released before the last step", late)
        self.assertIn(overlap, self.simulate(CLEAN, scene(bodies), "--steps", "30").stdout)
        self.assertEqual(parse(self.simulate(CLEAN, scene(bodies), "--steps", "31", "--json").stdout)["remarks"], [overlap])

    def test_one_is_told_as_one(self):
        one = scene([FLOOR, {"name": "cube", "box": [1, 1, 1], "position": [0, 0, 0.4]}])
        told = self.simulate(CLEAN, one, "--steps", "1", "--html", "one.html").stdout
        self.assertIn(": 1 step, ", told)
        self.assertIn(", 1 body\n", told)
        self.assertIn(" over 1 instant, ", told)
        self.assertIn(" in 1 pair\n", told)
        with open(self.path("one.html"), encoding="utf-8") as page:
            self.assertIn("Simulated: 1 step at 60 Hz.", page.read())
        told = self.simulate(CLEAN, one, "--steps", "2", "--judge-every", "1").stdout
        self.assertIn(": 2 steps, ", told)
        self.assertIn(" over 2 instants, ", told)

    def test_slow_is_not_asleep(self):
        # Bullet would have a body of any size stand still that was slower than 0.8 m/s for two seconds.
        for size, speed, gravity in ((1, 0.5, 0), (0.05, 0.4, 9.81)):
            floor = {**FLOOR, "friction": 0}
            puck = {"name": "puck", "box": [size, size, 0.4 * size], "position": [-2, 0, 0.2 * size], "velocity": [speed, 0, 0], "friction": 0}
            self.simulate(CLEAN, scene([floor, puck], duration=4, rate_hz=240, gravity=[0, 0, -gravity]), "--judge-every", "0", "-o", "steps.jsonl")
            *_, last = self.lines("steps.jsonl")
            self.assertAlmostEqual(last["poses"][1][4], -2 + 4 * speed, delta=0.02)

    def test_what_is_thin_is_thin_for_all(self):
        # A cube of 5 cm that falls by 2.6 cm a step is not too fast for itself, but for a plate of 2 mm.
        thin = {"name": "thin", "box": [1, 1, 0.002], "position": [0, 0, -0.001], "fixed": True}
        cube = {"name": "cube", "box": [0.05, 0.05, 0.05], "position": [0, 0, 0.3]}
        [remark] = parse(self.simulate(CLEAN, scene([thin, cube], duration=0.2), "--json").stdout)["remarks"]
        self.assertIn("cube moves by up to ", remark)
        self.assertIn(" times the thickness of thin in a step", remark)
        self.assertEqual(parse(self.simulate(CLEAN, scene([FLOOR, cube], duration=0.2), "--json").stdout)["remarks"], [])
        # Walls count, not the box around them: a cup with walls of 1 mm.
        walls = Mesh().box("cup", (-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)).box("cup", (-0.099, -0.099, -0.099), (0.099, 0.099, 0.099))
        self.write("cup.obj", second_shell_turned(walls))
        hollow = {"name": "hollow", "file": "cup.obj", "position": [0, 0, 1]}
        [remark] = parse(self.simulate(CLEAN, scene([FLOOR, hollow], duration=0.2), "--json").stdout)["remarks"]
        self.assertIn("hollow moves by up to ", remark)
        self.assertIn(" times its own thickness in a step", remark)

    def test_a_shell_inside_out_is_as_heavy_as_it_looks(self):
        mesh = Mesh().box("two", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)).box("two", (2.55, -0.45, -0.45), (3.45, 0.45, 0.45))
        self.write("two.obj", second_shell_turned(mesh))
        document = parse(self.simulate(CLEAN, scene([FLOOR, {"name": "two", "file": "two.obj", "position": [0, 0, 0.6]}]), "--steps", "120",
                                       "--json").stdout)
        self.assertEqual(document["remarks"], [])
        self.assertLessEqual(document["energy"]["most"], 1.01 * document["energy"]["first"])
        self.assertLess(document["fastest"], 1)

    def test_flush_seams_stop_nobody(self):
        # The outward ray of a corner that slides on one tile runs through it into the covered side of the next.
        tiles = [{"name": f"tile {i}", "box": [1.3, 4, 1], "position": [1.3 * i - 2, 0, -0.5], "fixed": True, "friction": 0} for i in range(8)]
        for speed, rate in ((2, 60), (1.7, 60), (1.3, 240)):
            cube = {"name": "cube", "box": [1, 1, 1], "position": [-1.7, 0.1, 0.502], "velocity": [speed, 0, 0], "friction": 0, "restitution": 0}
            self.simulate(CLEAN, scene(tiles + [cube], duration=3, rate_hz=rate), "--judge-every", "0", "-o", "steps.jsonl")
            *_, last = self.lines("steps.jsonl")
            self.assertAlmostEqual(last["poses"][8][4], -1.7 + 3 * speed, delta=0.01, msg=f"{speed} m/s at {rate} Hz")
            self.assertAlmostEqual(last["poses"][8][6], 0.5, delta=0.001)

    def test_options_are_refused_in_words(self):
        for arguments, words in ((["--seed", "x"], "'x' is not a whole number"), (["--threads", "0"], "'0' is not a whole number from 1 to 1024"),
                                 (["--device", "gpu"], "did you mean 'opencl'"), (["-o", "a.obj"], "name it .jsonl")):
            self.assertIn(words, self.expect(WRONG_USAGE, "simulate", "avalanche", "--steps", "1", *arguments).stderr)

    def test_parts_of_a_file_are_named(self):
        self.write("pair.obj", Mesh().box("lid", (0, 0, 0), (1, 1, 1)).box("case", (2, 0, 0), (3, 1, 1)))
        for part, words in (({}, "'lid', 'case'"), ({"part": "cover"}, "there is no part 'cover' in 'pair.obj', which has 'lid', 'case'")):
            self.assertIn(words, self.simulate(UNREADABLE, scene([{"name": "x", "file": "pair.obj", **part}])).stderr)

    def test_wrong_usage(self):
        for arguments in (["avalance"], ["digger"], ["avalanche", "--steps", "0"], ["avalanche", "--glb", "a.obj"],
                          ["scene.json", "--seed", "2"], ["avalanche", "--threads", "0"]):
            self.write("scene.json", json.dumps(self.two))
            self.expect(WRONG_USAGE, "simulate", *arguments)
        self.expect(WRONG_USAGE, "simulate", "scene.json", "-o", "a.html", "--html", "a.html", says=("a.html: two outputs",))

    def test_an_interrupt_leaves_what_was_done(self):
        self.write("scene.json", json.dumps({**self.two, "duration": 100000}))
        process = subprocess.Popen([PROGRAM, "simulate", "scene.json", "--json", "--judge-every", "0"], cwd=self.path("."),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("simulating", process.stderr.readline())  # told once it is at work
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INCOMPLETE)
        document = parse(out)
        self.assertTrue(document["cancelled"])
        self.assertGreater(document["steps"], 0)
        self.assertLess(document["steps"], document["steps_asked"])

    @unittest.skipIf(jsonschema is None, "jsonschema is not installed")
    def test_the_schemas_hold_and_can_fail(self):
        self.simulate(CLEAN, self.two, "--steps", "1")
        validate(self.two)
        document = parse(self.simulate(CLEAN, self.two, "--steps", "1", "--json").stdout)
        for broken in ({**document, "surprise": 1}, {**document, "state_hash": "x"}, {**document, "steps": -1}):
            with self.assertRaises(jsonschema.ValidationError):
                validate(broken)
        for key in document:
            if key != "schema":
                broken = copy.deepcopy(document)
                del broken[key]
                with self.assertRaises(jsonschema.ValidationError):
                    validate(broken)
        for change in ({"bodies": [{"name": "x"}]}, {"bodies": [{"name": "x", "box": [1, 1, 1], "colour": 1}]}, {"units": "ell"}):
            with self.assertRaises(jsonschema.ValidationError):
                validate({**self.two, **change})


if __name__ == "__main__":
    told = subprocess.run([PROGRAM, "simulate", "avalanche", "--steps", "1", "--judge-every", "0"], capture_output=True, text=True, check=False)
    if "built without" in told.stderr:
        print("skipped: the program was built without Bullet")
        sys.exit(77)
    unittest.main()
