"""`snug check`, `snug info` and `snug demo`: verdicts, exit codes, names, documents."""

import hashlib
import json
import os
import shutil
import struct
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, SOURCE, UNREADABLE, WRONG_USAGE, Case, Mesh, parse


class Verdicts(Case):
    def verdict(self, code, gap, *arguments):
        return self.check(code, self.write_pair(gap=gap), "--units", "mm", *arguments)["findings"]

    def test_each_band(self):
        self.assertEqual(self.verdict(CLEAN, 1), [])
        [near] = self.verdict(CLEAN, 1, "--clearance", "0.2cm")
        self.assertEqual((near["verdict"], near["gap"], near["depth"]), ("near", 1, None))
        [touch] = self.verdict(CLEAN, 0)
        self.assertEqual((touch["verdict"], touch["gap"], touch["patches"][0]["area"]), ("touch", 0, 100))
        [touch] = self.verdict(CLEAN, 1, "--touch-gap", "0.1cm")
        self.assertEqual(touch["verdict"], "touch")
        [clash] = self.verdict(FINDINGS, -2)
        self.assertEqual((clash["verdict"], clash["gap"]), ("clash", None))
        self.assertLessEqual(clash["depth"]["lower"], clash["depth"]["upper"])
        self.assertAlmostEqual(clash["depth"]["upper"], 2, places=9)
        self.assertAlmostEqual(clash["volume"]["value"], 200, places=9)
        [touch] = self.verdict(CLEAN, -2, "--touch-overlap", "3mm")
        self.assertEqual(touch["verdict"], "touch")

    def test_buffers_of_a_gltf_are_listed_with_their_hash(self):
        corners, triangles = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
        buffer = b"".join(struct.pack("<3f", *p) for p in corners) + b"".join(struct.pack("<3H", *t) for t in triangles)
        with open(self.path("two.bin"), "wb") as file:
            file.write(buffer + b"bytes that nobody reads")
        with open(self.path("two.bin"), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        with open(self.path("two.gltf"), "w", encoding="utf-8") as file:
            json.dump({
                "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
                "nodes": [{"mesh": 0, "name": "a"}, {"mesh": 0, "name": "b", "translation": [0.1, 0, 0]}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "buffers": [{"uri": "two.bin", "byteLength": len(buffer)}],
                "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
                              {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]}, file)
        [whole] = parse(self.expect(FINDINGS, "check", "two.gltf", "--json").stdout)["inputs"]
        self.assertEqual(whole["references"], [{"path": "two.bin", "sha256": digest}])
        with open(self.path("two.bin"), "ab") as file:
            file.write(b"!")
        changed = parse(self.expect(FINDINGS, "check", "two.gltf", "--json").stdout)["inputs"][0]["references"][0]
        self.assertNotEqual(changed["sha256"], digest)

    def test_a_foil_that_is_there_twice_is_a_clash(self):
        """Thinner than the default touch overlap."""
        foil = Mesh()
        for name in "ab":
            foil.box(name, (0, 0, 0), (10, 10, 0.0005))
        self.write("foil.obj", foil.text())
        [clash] = parse(self.expect(FINDINGS, "check", "foil.obj", "--units", "mm", "--json").stdout)["findings"]
        self.assertEqual((clash["verdict"], clash["duplicate"], clash["firm"]), ("clash", True, True))

    def test_the_default_touch_overlap_is_a_micrometre_and_printed(self):
        file = self.write_pair(gap=-3e-6)
        document = self.check(CLEAN, file, "--units", "mm")
        self.assertEqual((document["findings"][0]["verdict"], document["options"]["touch_overlap"]), ("touch", 0.001))
        self.assertEqual(self.check(CLEAN, self.write_pair("metres.obj", gap=0), "--units", "m")["options"]["touch_overlap"], 1e-6)
        for zero in ("0", "0mm"):
            document = self.check(FINDINGS, file, "--units", "mm", "--touch-overlap", zero)
            self.assertEqual((document["findings"][0]["verdict"], document["options"]["touch_overlap"]), ("clash", 0))
        self.expect(WRONG_USAGE, "check", file, "--units", "mm", "--touch-overlap", "3", says=["has no unit"])

    def test_a_depth_names_its_two_numbers(self):
        # A bar through a wall: as thick as the bar, and out along it.
        mesh = Mesh().box("wall", (0, 0, 0), (20, 2, 20)).box("bar", (9, -5, 9), (10, 9, 10))
        file = self.write("bar.obj", mesh)
        [clash] = self.check(FINDINGS, file, "--units", "mm")["findings"]
        depth = clash["depth"]
        self.assertAlmostEqual(depth["thickness"]["lower"], 1, places=6)
        self.assertIsNone(depth["thickness"]["upper"])
        self.assertEqual(depth["separation"]["part"], clash["b"]["part"])
        self.assertEqual(depth["separation"]["vector"], depth["escape"])
        self.assertAlmostEqual(depth["separation"]["length"], 7, places=6)
        self.assertRegex(self.expect(FINDINGS, "check", file, "--units", "mm").stdout, r"1 mm thick, b out by 7 mm")

    def test_crossings_of_open_parts_have_sizes(self):
        for below, depth in ((1, 1), (4, 4)):
            mesh = Mesh().box("sheet", (0, 0, 0), (20, 20, 9), skip=0).box("rod", (5, 5, 9 - below), (7, 8, 30), skip=1)
            file = self.write("open.obj", mesh)
            [clash] = self.check(FINDINGS, file, "--units", "mm")["findings"]
            self.assertIsNone(clash["depth"])
            self.assertAlmostEqual(clash["crossing"]["length"], 10, places=6)
            self.assertAlmostEqual(clash["crossing"]["depth"], depth, delta=0.2)
            self.assertEqual(clash["crossing"]["separation"]["part"], clash["b"]["part"])
            self.assertIn("crosses along 10 mm", self.expect(FINDINGS, "check", file, "--units", "mm").stdout)

    def test_lengths_are_converted(self):
        document = self.check(CLEAN, self.write_pair(), "--units", "m", "--clearance", "250mm", "--touch-gap", "1ft")
        self.assertEqual(document["options"]["clearance"], 0.25)
        self.assertEqual(document["options"]["touch_gap"], 0.3048)

    def test_fail_on(self):
        inside = self.write("inside.obj", Mesh().box("out", (0, 0, 0), (9, 9, 9)).box("in", (3, 3, 3), (4, 4, 4)))
        for gap, thresholds in ((1, {"near"}), (0, {"near", "touch"}), (-1, {"near", "touch", "undecided", "clash"})):
            for fail_on in ("near", "touch", "undecided", "clash", "contained", "never"):
                code = FINDINGS if fail_on in thresholds else CLEAN
                self.verdict(code, gap, "--clearance", "2mm", "--fail-on", fail_on)
        for fail_on in ("clash", "contained"):
            self.check(FINDINGS, inside, "--units", "mm", "--fail-on", fail_on)
        self.assertIn("a lies inside b", self.expect(FINDINGS, "check", inside, "--units", "mm").stdout)
        self.expect(CLEAN, "check", self.write_pair(), "--units", "mm", "--fail-on", "near", says=["without --clearance"])

    def test_undecided_is_incomplete(self):
        mesh = Mesh().box("open", (0, 0, 0), (9, 9, 9), skip=1).box("in", (3, 3, 3), (4, 4, 4))
        file = self.write("open.obj", mesh)
        document = self.check(INCOMPLETE, file, "--units", "mm")
        [finding] = document["findings"]
        self.assertEqual((finding["verdict"], document["coverage"]["undecided"]), ("undecided", 1))
        self.assertTrue(finding["reason"])
        self.assertIn(finding["reason"], self.expect(INCOMPLETE, "check", file, "--units", "mm").stdout)
        self.check(FINDINGS, file, "--units", "mm", "--fail-on", "undecided")
        self.check(INCOMPLETE, file, "--units", "mm", "--fail-on", "never")

    def test_nothing_to_test_is_incomplete(self):
        file = self.write("one.obj", Mesh().box("one", (0, 0, 0), (1, 1, 1)))
        for fail_on in ("clash", "never"):
            document = self.check(INCOMPLETE, file, "--units", "mm", "--fail-on", fail_on)
            self.assertFalse(document["coverage"]["complete"])
        self.expect(INCOMPLETE, "check", file, "--units", "mm", says=["two parts"])

    def test_poses(self):
        mesh = Mesh().box("a=b", (0, 0, 0), (1, 1, 1)).box("c", (5, 0, 0), (6, 1, 1))
        document = self.check(FINDINGS, self.write("m.obj", mesh), "--units", "mm", "--pose", "a=b=5,0,0.5,2,0,0,0")
        self.assertEqual(document["options"]["poses"], [{"part": "a=b", "position": [5, 0, 0.5], "rotation": [1, 0, 0, 0]}])
        self.assertEqual(document["summary"]["clash"], 1)
        self.check(CLEAN, "m.obj", "--units", "mm", "--pose", "a=b=5,0,0.5,1,0,0,0", "--pose", "c=50,0,0,1,0,0,0")

    def test_triangles_on_request(self):
        [finding] = self.verdict(FINDINGS, -1, "--pairs", "triangles")
        self.assertEqual(len(finding["triangles"]), finding["triangle_pairs"])
        self.assertNotIn("triangles", self.verdict(FINDINGS, -1)[0])

    def test_extreme_coordinates_stay_valid(self):
        for scale in (1e-200, 1e-9, 1e150, 1e298):
            mesh = Mesh().box("a", (0, 0, 0), (scale, scale, scale))
            mesh.box("b", (scale / 2, scale / 2, scale / 2), (2 * scale, 2 * scale, 2 * scale))
            file = self.write("m.obj", mesh)
            parse(self.run_snug("check", file, "--units", "mm", "--json", "--clearance", "1mm").stdout)
            parse(self.expect(CLEAN, "info", file, "--units", "mm", "--json").stdout)
            self.run_snug("check", file, "--units", "mm")


class Files(Case):
    def test_names_over_several_files(self):
        one = Mesh().box("lid", (0, 0, 0), (1, 1, 1)).box("only here", (10, 0, 0), (11, 1, 1))
        self.write("a.obj", one)
        self.write("b.obj", Mesh().box("lid", (0, 0, 0.5), (1, 1, 2)))
        self.write("sub/a.obj", Mesh().box("lid", (0, 0, 1.5), (1, 1, 3)))
        document = parse(self.expect(CLEAN, "info", "a.obj", "b.obj", "sub/a.obj", "--units", "mm", "--json").stdout)
        self.assertEqual([part["path"] for part in document["parts"]], ["a/lid", "only here", "b/lid", "a/lid (2)"])
        document = self.check(FINDINGS, "a.obj", "b.obj", "sub/a.obj", "--units", "mm")
        self.assertEqual([(f["a"]["part"], f["b"]["part"]) for f in document["findings"]],
                         [("a/lid", "b/lid"), ("a/lid (2)", "b/lid")])

    def test_inputs_are_hashed(self):
        document = self.check(CLEAN, self.write_pair(), "--units", "mm")
        with open(self.path("pair.obj"), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(document["inputs"], [{"path": "pair.obj", "sha256": digest, "units": "mm"}])

    def test_units_of_the_file_and_of_the_option(self):
        gltf = self.gltf()
        document = self.check(INCOMPLETE, gltf)
        self.assertEqual(document["units"], "m")
        self.check(CLEAN, gltf, self.write_pair(gap=100), "--units", "m", "--pose", "upper=1000,0,0,1,0,0,0",
                   "--pose", "lower=-1000,0,0,1,0,0,0")
        document = self.check(CLEAN, gltf, self.write_pair(gap=100), "--units", "mm", "--pose", "upper=1000,0,0,1,0,0,0",
                              "--pose", "lower=-1000,0,0,1,0,0,0")
        self.assertEqual((document["units"], [file["units"] for file in document["inputs"]]), ("m", ["m", "mm"]))
        document = self.check(INCOMPLETE, gltf, "--units", "mm")
        self.assertEqual((document["units"], document["inputs"][0]["units"]), ("mm", "mm"))
        self.assertIn("lengths are taken to be in mm, as declared", self.expect(INCOMPLETE, "check", gltf, "--units", "mm").stdout)

    def sagging_pair(self, gap):
        """Two boxes above one another as glTF, in metres, whose faces are noted to be up to 0.5 off their triangles."""
        import base64
        import struct
        corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
        indices = [i for a, b, c, d in quads for i in (a, b, c, a, c, d)]
        data = b"".join(struct.pack("<3f", *c) for c in corners) + struct.pack("<36I", *indices)
        note = {"snug": {"surfaces": [{"name": "all", "kind": "spline", "sag": 0.5}]}}
        return self.write("sag.gltf", json.dumps({
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0, "name": "low"}, {"mesh": 0, "name": "high", "translation": [0, 0, 1 + gap]}],
            "meshes": [{"extras": note, "primitives": [{"attributes": {"POSITION": 0}, "indices": 1,
                                                        "extras": {"snug": {"surface": 0}}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5125, "count": 36, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 144}],
            "buffers": [{"byteLength": 240, "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]}))

    def test_verdicts_that_are_not_firm_can_be_asked_for(self):
        near = self.sagging_pair(0.25)
        document = self.check(CLEAN, near, says=["1 verdict is not firm", "--fail-on not-firm"])
        self.assertEqual((document["findings"][0]["verdict"], document["findings"][0]["firm"]), ("touch", False))
        self.assertEqual(self.expect(CLEAN, "check", near, "--quiet").stderr, "")
        self.check(FINDINGS, near, "--fail-on", "not-firm")
        self.check(CLEAN, near, "--fail-on", "clash")
        self.check(CLEAN, near, "--fail-on", "never")
        self.check(CLEAN, self.sagging_pair(3), "--fail-on", "not-firm")
        self.check(CLEAN, self.write_pair(gap=0), "--units", "mm", "--fail-on", "not-firm")
        self.check(FINDINGS, self.write_pair(gap=-1), "--units", "mm", "--fail-on", "not-firm")

    def test_a_document_does_not_pass_for_a_model(self):
        pair = self.write_pair()
        for name in ("x.step", "x.STP", "x.obj", "x.glb", "x.igs"):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "-o", name, says=[name, "JSON document"])
            self.assertFalse(os.path.exists(self.path(name)))
        self.expect(CLEAN, "check", pair, "--units", "mm", "-o", "x.json")

    def test_problems_are_cut_for_a_terminal_only(self):
        long_name = "x" * 180
        self.write("lower.obj", Mesh().box("lower", (0, 0, 0), (1, 1, 1)))
        self.expect(CLEAN, "convert", "lower.obj", "--units", "mm", "-o", "lower.glb")
        self.write(long_name + ".obj", Mesh().box("upper", (5, 0, 0), (6, 1, 1)))
        check = ["check", "lower.glb", long_name + ".obj", "--units", "in"]
        whole = long_name + ".obj: lengths converted from in to mm, each rounded by up to a unit in its last place\n"
        self.assertIn(whole, self.expect(CLEAN, *check).stdout)
        screen = self.on_a_terminal(100, *check)
        self.assertNotIn(whole, screen)
        self.assertIn("problems    xxx", screen)
        self.assertLessEqual(max(map(len, screen.splitlines())), 100)

    def on_a_terminal(self, columns, *arguments):
        import fcntl
        import pty
        import struct
        import termios
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        attributes = termios.tcgetattr(slave)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        try:
            with open(self.path("screen"), "wb") as screen:
                import threading

                def copy():
                    while True:
                        try:
                            piece = os.read(master, 65536)
                        except OSError:
                            return
                        if not piece:
                            return
                        screen.write(piece)
                reader = threading.Thread(target=copy)
                reader.start()
                self.run_snug(*arguments, stdout=slave)
                os.close(slave)
                reader.join(20)
        finally:
            os.close(master)
        with open(self.path("screen"), encoding="utf-8") as file:
            return file.read()

    def test_a_terminal_of_80_columns_is_enough(self):
        mesh = Mesh().box("a part with quite a long name", (0, 0, 0), (10, 10, 10), groups=True)
        mesh.box("another part with a name of its own", (0, 0, 9.8765), (10, 10, 20), groups=True)
        mesh.box("open", (50, 0, 0), (60, 10, 10), skip=1)
        file = self.write("m.obj", mesh)
        for columns in (80, 100, 160):
            for command in (("check", file, "--units", "mm", "--clearance", "1mm"), ("info", file, "--units", "mm")):
                text = self.on_a_terminal(columns, *command, "--color", "never", "-q")
                self.assertIn("mm", text)
                for line in text.splitlines():
                    self.assertLessEqual(len(line), columns, line)
        self.assertIn("at (", self.on_a_terminal(80, "check", file, "--units", "mm", "--color", "never", "-q"))

    def gltf(self):
        import base64
        import struct
        data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        return self.write("t.gltf", json.dumps({
            "asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "name": "t"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                           "max": [1, 1, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": len(data)}], "buffers": [{"byteLength": len(data), "uri": uri}]}))


class Table(Case):
    def test_tells_what_is_needed_to_judge(self):
        text = self.expect(FINDINGS, "check", self.write_pair(gap=-2), "--units", "mm").stdout
        for words in ("clash", "2 mm deep", "200 mm³", "lower", "upper", "summary", "1 clash", "2 parts, 1 pair",
                      "complete", "clearance 0 mm", "touch overlap 0.001 mm (the default)", "resolution", "what to do", "moved by"):
            self.assertIn(words, text)
        self.assertIn("no findings", self.expect(CLEAN, "check", self.write_pair(), "--units", "mm").stdout)

    def test_columns_line_up_for_any_script(self):
        mesh = Mesh().box("Gehäuse", (0, 0, 0), (9, 9, 9)).box("部品", (1, 1, 8), (8, 8, 12)).box("e\u0301", (2, 2, 11), (3, 3, 14))
        lines = self.expect(FINDINGS, "check", self.write("m.obj", mesh), "--units", "mm").stdout.splitlines()
        rows = [line for line in lines if line.startswith("  clash ") and "mm deep" in line]
        self.assertEqual(len(rows), 2)
        wide = {"部": 2, "品": 2, "\u0301": 0}
        ends = {sum(wide.get(c, 1) for c in row[: row.index(" mm deep")]) for row in rows}
        self.assertEqual(len(ends), 1, rows)

    def test_long_names_lose_their_middle(self):
        name = "machine/" + "x" * 100 + "/bolt "
        mesh = Mesh().box(name + "1", (0, 0, 0), (2, 2, 2)).box(name + "2", (1, 1, 1), (3, 3, 3)).box("machine/y", (9, 9, 9), (10, 10, 10))
        text = self.expect(FINDINGS, "check", self.write("m.obj", mesh), "--units", "mm").stdout
        [row] = [line for line in text.splitlines() if line.startswith("  clash ") and "deep" in line]
        self.assertIn("x/bolt 1", row)
        self.assertIn("x/bolt 2", row)
        self.assertIn("…", row)
        self.assertIn("names are below machine/", text)
        self.assertLessEqual(len(row), 160)


    def test_names_keep_what_differs(self):
        mesh = Mesh()
        for i, side in enumerate(("left", "right")):
            name = "machine/" + "x" * 60 + f"/{side}/" + "y" * 60
            mesh.box(name, (9 * i, 0, 0), (9 * i + 2, 2, 2)).box(f"machine/pin {i}", (9 * i + 1, 1, 1), (9 * i + 4, 4, 4))
        file = self.write("m.obj", mesh)
        for command, code in ((["check"], FINDINGS), (["info"], CLEAN)):
            text = self.expect(code, *command, file, "--units", "mm").stdout
            rows = [line for line in text.splitlines() if "xxx" in line or "yyy" in line]
            self.assertTrue(any("left" in row for row in rows), text)
            self.assertTrue(any("right" in row for row in rows), text)

    def test_the_worst_comes_first(self):
        mesh = Mesh().box("plate", (0, 0, -10), (100, 40, 0)).box("a", (10, 10, -1), (30, 30, 9))
        mesh.box("b", (40, 10, -3), (44, 14, 9)).box("c", (60, 10, -2), (80, 30, 9))
        file = self.write("m.obj", mesh)

        def table(*arguments):
            text = self.expect(FINDINGS, "check", file, "--units", "mm", *arguments).stdout
            return "".join(line.split()[1] for line in text.splitlines() if "mm deep" in line and "clash" in line)

        def document(*arguments):
            found = self.check(FINDINGS, file, "--units", "mm", *arguments)
            return "".join(finding["a"]["part"] for finding in found["findings"]), found["options"]["sort"]

        self.assertEqual([table(), table("--sort", "depth"), table("--sort", "volume"), table("--sort", "name")],
                         ["bca", "bca", "cab", "abc"])
        self.assertEqual([document(), document("--sort", "depth"), document("--sort", "volume")],
                         [("abc", None), ("bca", "depth"), ("cab", "volume")])
        self.expect(WRONG_USAGE, "check", file, "--units", "mm", "--sort", "size", says=["--sort"])
        text = self.expect(FINDINGS, "check", file, "--units", "mm").stdout
        for finding in self.check(FINDINGS, file, "--units", "mm")["findings"]:
            self.assertIn(finding["id"], text)

    def test_places_far_away_can_be_found(self):
        mesh = Mesh().box("a", (5.3e9, 0, 0), (5.3e9 + 1, 1, 1)).box("b", (5.3e9 + 0.5, 0, 0), (5.3e9 + 2, 1, 1))
        text = self.expect(FINDINGS, "check", self.write("m.obj", mesh), "--units", "mm").stdout
        self.assertIn("(5300000000.75, ", text)
        self.assertNotIn("e+", text)


class Info(Case):
    def test_tells_poses_and_frames(self):
        import base64
        import struct
        data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        half = 0.7071067811865476
        file = self.write("t.gltf", json.dumps({
            "asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 4]}], "scene": 0,
            "nodes": [{"name": "machine", "children": [1], "translation": [1, 0, 0]},
                      {"name": "arm", "children": [2, 3], "translation": [0, 2, 0], "rotation": [0, 0, half, half]},
                      {"name": "hand", "mesh": 0, "translation": [3, 0, 0]}, {"name": "cover", "mesh": 0},
                      {"name": "floor", "mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                           "max": [1, 1, 0]}],
            "bufferViews": [{"buffer": 0, "byteLength": len(data)}], "buffers": [{"byteLength": len(data), "uri": uri}]}))
        document = parse(self.expect(CLEAN, "info", file, "--json").stdout)
        self.assertEqual([frame["path"] for frame in document["frames"]], ["machine", "machine/arm"])
        self.assertEqual([frame["pose"]["position"] for frame in document["frames"]], [[1, 0, 0], [1, 2, 0]])
        self.assertEqual({part["path"]: part["frame"] for part in document["parts"]},
                         {"machine/arm/hand": 1, "machine/arm/cover": 1, "floor": None})
        hand = next(part for part in document["parts"] if part["path"].endswith("hand"))
        for value, expected in zip(hand["pose"]["position"], [1, 5, 0]):
            self.assertAlmostEqual(value, expected, 9)
        # Several files form one assembly, and frames keep their parts; lengths are converted.
        other = self.write("m.obj", Mesh().box("box", (0, 0, 0), (1, 1, 1)))
        both = parse(self.expect(CLEAN, "info", other, file, "--units", "mm", "--json").stdout)
        self.assertEqual([frame["pose"]["position"] for frame in both["frames"]], [[1000, 0, 0], [1000, 2000, 0]])
        self.assertEqual({part["path"]: part["frame"] for part in both["parts"]},
                         {"box": None, "machine/arm/hand": 1, "machine/arm/cover": 1, "floor": None})

    def test_tells_what_is_odd(self):
        mesh = Mesh().box("good", (0, 0, 0), (2, 3, 4), groups=True).box("open", (5, 0, 0), (6, 1, 1), skip=1)
        file = self.write("m.obj", mesh)
        document = parse(self.expect(CLEAN, "info", file, "--units", "mm", "--json").stdout)
        good, bad = document["parts"]
        self.assertEqual((good["closed"], good["volume"], good["surfaces"], good["shells"], good["problems"]), (True, 24, 6, 1, []))
        self.assertEqual(good["bounds"], {"max": [2, 3, 4], "min": [0, 0, 0]})
        self.assertEqual((bad["closed"], bad["volume"], bad["triangles"]), (False, None, 11))
        self.assertTrue(any(problem.startswith("3 open edges: ") for problem in bad["problems"]), bad)
        self.assertEqual(document["totals"], {"meshes": 2, "parts": 2, "surfaces": 7 + bad["surfaces"] - 1,
                                              "triangles": 23, "vertices": 16})
        text = self.expect(CLEAN, "info", file, "--units", "mm").stdout
        for words in ("good", "open", "3 open edges", "2 x 3 x 4", "2 parts", "in mm"):
            self.assertIn(words, text)


    def test_tells_where_parts_meet_themselves(self):
        lone = self.write("lone.obj", Mesh().box("lone", (0, 0, 0), (2, 3, 4)))
        document = parse(self.expect(CLEAN, "info", lone, "--units", "mm", "--json", "--self").stdout)
        self.assertEqual(document["parts"][0]["self_intersections"], {"crossing": 0, "first": [], "pairs": 0})
        self.assertNotIn("self_intersections", self.expect(CLEAN, "info", lone, "--units", "mm", "--json").stdout)
        # Two boxes that overlap, as one part.
        boxes = Mesh().box("a", (0, 0, 0), (2, 2, 2)).box("b", (1, 1, 1), (3, 3, 3)).text()
        both = self.write("both.obj", boxes.replace("o b\n", ""))
        document = parse(self.expect(FINDINGS, "info", both, "--units", "mm", "--json", "--self").stdout)
        found = document["parts"][0]["self_intersections"]
        self.assertGreater(found["crossing"], 0)
        self.assertGreaterEqual(found["pairs"], found["crossing"])
        self.assertEqual(found["first"], sorted(found["first"]))
        self.assertTrue(all(a < b for a, b in found["first"]))
        text = self.expect(FINDINGS, "info", both, "--units", "mm", "--self").stdout
        self.assertIn(f"{found['pairs']} pairs of triangles that meet", text)
        self.expect(CLEAN, "info", both, "--units", "mm")


class Output(Case):
    def test_an_input_is_never_replaced(self):
        shutil.copyfile(os.path.join(SOURCE, "examples", "post.obj"), self.path("post.obj"))
        shutil.copyfile(os.path.join(SOURCE, "examples", "screw.obj"), self.path("screw.obj"))
        with open(self.path("post.obj"), "rb") as file:
            before = file.read()
        for name in ("post.obj", "./post.obj", "screw.obj"):
            self.expect(WRONG_USAGE, "check", "post.obj", "screw.obj", "--units", "mm", "-o", name, says=["is an input too"])
        with open(self.path("post.obj"), "rb") as file:
            self.assertEqual(file.read(), before)


class Demo(Case):
    def test_shows_and_writes(self):
        done = self.expect(CLEAN, "demo", "-o", "here/demo", says=["ms", "snug-demo.json"])
        self.assertIn("screw", done.stdout)
        with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
            shown = file.read()
        for line in done.stdout.split("\nwhat to do")[0].splitlines():
            self.assertIn("    " + line if line else "", shown, "README.md shows another table")
        with open(self.path("here/demo/snug-demo.json"), encoding="utf-8") as file:
            document = parse(file.read())
        self.assertEqual({verdict: n for verdict, n in document["summary"].items() if n},
                         {"contained": 1, "clash": 1, "touch": 24, "near": 1})
        again = self.check(FINDINGS, os.path.join("here", "demo", "control-box.obj"), "--units", "mm",
                           "--clearance", "0.5mm")
        self.assertEqual(again["summary"], document["summary"])


if __name__ == "__main__":
    unittest.main()
