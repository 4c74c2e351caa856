"""Pages: --html, --images, view, and those of scenes and of the demo. What they look like is for test/browser."""

import json
import os
import re
import signal
import stat
import struct
import subprocess
import time
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, INTERNAL, PROGRAM, UNREADABLE, WRONG_USAGE, Case, Mesh, validate


class Page(Case):
    def html(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def embedded(self, name, block="snug-report"):
        found = re.search(f'<script type="application/json" id="{block}">(.*?)</script>', self.html(name), re.S)
        return json.loads(found.group(1)) if found else None

    def index(self, name):
        page = self.embedded(name, "snug-page")
        validate(page)
        return page

    def write_clash(self, name="clash.obj"):
        mesh = Mesh().box("a", (0, 0, 0), (10, 10, 10), groups=True).box("b", (8, 1, 1), (20, 9, 9), groups=True)
        return self.write(name, mesh)

    def script(self, name, text):
        self.write(name, text)
        os.chmod(self.path(name), 0o755)
        return self.path(name)

    def test_html_is_one_file_with_the_report_in_it(self):
        self.write_clash()
        done = self.expect(FINDINGS, "check", "clash.obj", "--units", "mm", "--html", "out.html", "-o", "r.json",
                           says=("the page is in out.html",))
        self.assertIn("clash", done.stdout)
        with open(self.path("r.json"), encoding="utf-8") as file:
            self.assertEqual(self.embedded("out.html"), json.load(file))
        page = self.index("out.html")
        self.assertEqual(page["title"], "clash.obj")
        self.assertEqual([part["path"] for part in page["parts"]], ["a", "b"])
        self.assertEqual(len(page["curves"]), 1)
        self.assertEqual(page["motion"], None)

    def test_html_to_a_folder_writes_index_html(self):
        self.write_clash()
        for folder in ("report/", "deep/er", "report"):
            self.expect(FINDINGS, "check", "clash.obj", "--units", "mm", "--html", folder)
            self.assertTrue(os.path.exists(self.path(os.path.join(folder, "index.html"))))

    def test_html_does_not_change_the_document(self):
        self.write_clash()
        plain = self.check(FINDINGS, "clash.obj", "--units", "mm")
        paged = self.check(FINDINGS, "clash.obj", "--units", "mm", "--html", "x.html")
        for document in (plain, paged):
            document["run"] = None
        self.assertEqual(plain, paged)

    def test_html_goes_to_no_other_suffix_and_no_missing_folder(self):
        self.write_clash()
        self.expect(WRONG_USAGE, "check", "clash.obj", "--units", "mm", "--html", "x.json", says=("ends in .html",))
        self.expect(WRONG_USAGE, "check", "clash.obj", "--units", "mm", "--html", "no/x.html", says=("no folder",))
        self.expect(WRONG_USAGE, "check", "clash.obj", "--units", "mm", "--html", "")
        self.assertFalse(os.path.exists(self.path("x.json")))

    def test_pages_are_the_same_each_time(self):
        self.expect(CLEAN, "scene", "workbench", "-o", "1.html")
        self.expect(CLEAN, "scene", "workbench", "-o", "2.html")
        without_times = [re.sub(r'"run":\{.*?\}', "", self.html(name)) for name in ("1.html", "2.html")]
        self.assertEqual(*without_times)

    def test_scenes_carry_their_motion(self):
        self.expect(CLEAN, "scene", "peg", "-o", "peg.html")
        motion = self.index("peg.html")["motion"]
        self.assertEqual([interval["begin"] for interval in motion["intervals"]], [0.00025])
        self.expect(CLEAN, "scene", "digger", "-o", "digger.html")
        motion = self.index("digger.html")["motion"]
        self.assertEqual(len(motion["tracks"]), 4)
        self.assertTrue(motion["intervals"] and all(interval["sampled"] for interval in motion["intervals"]))
        self.assertGreater(motion["sampling"], 0)

    def test_parts_that_change_their_form_are_told_key_by_key(self):
        self.expect(CLEAN, "scene", "deforming-spheres", "-o", "d.html")
        page = self.index("d.html")
        self.assertEqual(page["remarks"], [])
        deformed = {deformation["part"] for deformation in page["motion"]["deformations"]}
        self.assertTrue(deformed)
        for part in deformed:
            mesh = page["parts"][part]["mesh"]
            self.assertEqual([other["mesh"] for other in page["parts"]].count(mesh), 1, "it shares its mesh with nobody")
        # Every vertex at every key takes three numbers of at least a byte each.
        for deformation in page["motion"]["deformations"]:
            vertices = page["meshes"][page["parts"][deformation["part"]]["mesh"]]["vertices"]
            self.assertGreaterEqual(deformation["bytes"][1], 3 * vertices * len(deformation["times"]))

    def test_every_kind_of_page_keeps_to_the_schema(self):
        for scene in ("workbench", "thin-plate", "reaction"):
            self.expect(CLEAN, "scene", scene, "-o", f"{scene}.html")
            page = self.index(f"{scene}.html")
            slices = [mesh["bytes"] for mesh in page["meshes"]] + [curve["bytes"] for curve in page["curves"]]
            playback = (page["motion"] or {}).get("playback")
            if playback:
                slices += [playback["poses"], playback["contacts"]]
            self.assertEqual(sum(length for _, length in slices), page["bytes"], "the buffer holds what is told, and no more")

    def test_the_demo_has_a_page_and_says_where(self):
        self.expect(CLEAN, "demo", "-o", "d", says=("open d/index.html in a browser",))
        self.assertEqual(self.embedded("d/index.html")["summary"]["clash"], 1)

    def test_view_shows_a_report_with_its_files(self):
        self.write_clash()
        self.expect(FINDINGS, "check", "clash.obj", "--units", "in", "--pose", "b=0,0,1,1,0,0,0", "-o", "r.json")
        done = self.expect(CLEAN, "view", "r.json", "-o", "v.html", "--no-open")
        self.assertEqual(done.stdout, self.path("v.html") + "\n")
        page = self.index("v.html")
        self.assertEqual(page["units"], "in")
        self.assertEqual(page["parts"][1]["pose"], [1, 0, 0, 0, 0, 0, 1])
        with open(self.path("r.json"), encoding="utf-8") as file:
            self.assertEqual(self.embedded("v.html"), json.load(file))

    def test_view_finds_the_files_beside_the_report(self):
        self.write_clash("sub/clash.obj")
        self.expect(FINDINGS, "check", "sub/clash.obj", "--units", "mm", "-o", "sub/r.json")
        os.rename(self.path("sub"), self.path("moved"))
        self.expect(CLEAN, "view", "moved/r.json", "-o", "v.html", "--no-open")
        self.assertEqual(len(self.index("v.html")["parts"]), 2)

    def test_view_does_not_pass_other_geometry_for_what_was_checked(self):
        self.write_clash()
        self.expect(FINDINGS, "check", "clash.obj", "--units", "mm", "-o", "r.json")
        self.write_pair("clash.obj")
        self.expect(CLEAN, "view", "r.json", "-o", "v.html", "--no-open", says=("not the file that was checked",))
        page = self.index("v.html")
        self.assertEqual(page["parts"], [])
        self.assertIn("not the file that was checked", page["remarks"][0])
        os.remove(self.path("clash.obj"))
        self.expect(CLEAN, "view", "r.json", "-o", "v.html", "--no-open", says=("is not there",))

    def test_view_shows_assemblies_and_motions(self):
        self.expect(CLEAN, "scene", "digger", "-o", "d.glb")
        self.expect(CLEAN, "scene", "digger", "-o", "d.json")
        self.expect(CLEAN, "view", "d.glb", "--motion", "d.json", "-o", "d.html", "--no-open")
        self.assertEqual(len(self.index("d.html")["motion"]["tracks"]), 4)
        self.assertEqual(self.embedded("d.html"), None)
        self.write_clash()
        self.expect(WRONG_USAGE, "view", "clash.obj", "--no-open", says=("--units",))
        self.expect(UNREADABLE, "view", "clash.obj", "--units", "mm", "--motion", "d.json", "--no-open", says=("no such part",))

    def test_view_goes_by_the_schema_and_not_by_names_of_parts(self):
        self.write("m.obj", Mesh().box("snug.move/1", (0, 0, 0), (10, 10, 10)).box("other", (8, 1, 1), (20, 9, 9)))
        self.expect(FINDINGS, "check", "m.obj", "--units", "mm", "-o", "r.json")
        self.expect(CLEAN, "view", "r.json", "-o", "v.html", "--no-open")
        self.assertEqual(self.index("v.html")["parts"][0]["path"], "snug.move/1")
        for schema in ("snug.move/1", "snug.move.joints/1"):
            self.write("x.json", json.dumps({"schema": schema}))
            self.expect(UNREADABLE, "view", "x.json", "--no-open", says=("x.json", "document of 'snug move'"))

    def test_two_outputs_are_two_files(self):
        self.write_clash()
        os.mkdir(self.path("sub"))
        os.symlink(self.path("sub"), self.path("link"))
        for html, output, words in (("x.html", "x.html", "x.html: two outputs"), ("x.html", "./x.html", "x.html: two outputs"),
                                    ("sub", "sub/index.html", "sub/index.html: two outputs"),
                                    ("link/x.html", "sub/x.html", "link/x.html: two outputs"), ("made", "made", "made: is a folder")):
            self.expect(WRONG_USAGE, "check", "clash.obj", "--units", "mm", "--html", html, "-o", output, says=(words,))
        self.assertFalse(os.path.exists(self.path("x.html")))
        self.expect(FINDINGS, "check", "clash.obj", "--units", "mm", "--html", "sub/x.html", "-o", "x.json")
        way = {"schema": "snug.motion/1", "units": "mm", "tracks": [{"part": "b", "keys": [
            {"t": t, "position": [0, 0, t], "rotation": [1, 0, 0, 0]} for t in (0, 1)]}]}
        self.write("way.json", json.dumps(way))
        self.expect(WRONG_USAGE, "move", "clash.obj", "--units", "mm", "--motion", "way.json", "--html", "m.html", "-o", "m.html",
                    says=("m.html: two outputs",))
        self.assertFalse(os.path.exists(self.path("m.html")))

    def test_overlaps_with_flush_sides_have_a_curve(self):
        self.write("flush.obj", Mesh().box("a", (0, 0, 0), (10, 10, 10)).box("b", (7.5, 0, 0), (17.5, 10, 10)))
        self.expect(FINDINGS, "check", "flush.obj", "--units", "mm", "--html", "flush.html")
        self.assertEqual(self.embedded("flush.html")["findings"][0]["crossing_pairs"], 0)
        [curve] = self.index("flush.html")["curves"]
        self.assertEqual((curve["crossing"], curve["origin"]), (0, [7.5, 0, 0]))
        self.assertGreaterEqual(curve["segments"], 12)

    def test_view_refuses_what_is_no_report(self):
        for text in ("", "{", '{"schema":"snug.info/1"}', "[1,2]"):
            self.write("x.json", text)
            self.expect(UNREADABLE, "view", "x.json", "--no-open", says=("x.json",))
        self.expect(UNREADABLE, "view", "missing.json", "--no-open")
        self.write("r.json", "{}")
        self.expect(WRONG_USAGE, "view", "r.json", "--motion", "r.json", "--no-open")

    def test_view_opens_the_page_with_what_the_desktop_has(self):
        self.write_clash()
        self.script("bin/xdg-open", '#!/bin/sh\necho "$1" > "$SNUG_TEST_OPENED"\n')
        environment = {"PATH": self.path("bin"), "SNUG_TEST_OPENED": self.path("opened"), "TMPDIR": self.folder, "DISPLAY": ":0"}
        done = self.expect(CLEAN, "view", "clash.obj", "--units", "mm", environment=environment)
        with open(self.path("opened"), encoding="utf-8") as file:
            self.assertEqual(file.read(), done.stdout)
        self.assertTrue(os.path.exists(done.stdout.strip()))
        # Nobody else's business.
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(done.stdout.strip())).st_mode), 0o700)
        os.remove(self.path("bin/xdg-open"))
        self.expect(CLEAN, "view", "clash.obj", "--units", "mm", environment=environment, says=("no xdg-open", "open file:///"))

    def test_view_works_where_there_is_no_screen(self):
        self.write_clash()
        self.script("bin/xdg-open", '#!/bin/sh\necho "$1" > "$SNUG_TEST_OPENED"\n')
        environment = {"PATH": self.path("bin"), "SNUG_TEST_OPENED": self.path("opened"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        done = self.expect(CLEAN, "view", "clash.obj", "--units", "mm", "-o", "a page.html", environment=environment,
                           says=("no screen", "open file:///", "/a%20page.html"))
        self.assertEqual(done.stdout, self.path("a page.html") + "\n")
        self.assertFalse(os.path.exists(self.path("opened")))

    def test_view_leaves_the_browser_alone(self):
        # Without a desktop to hand it to, xdg-open is the browser, and runs as long as that.
        self.write_clash()
        self.script("bin/xdg-open", '#!/bin/sh\necho $$ > "$SNUG_TEST_OPENED"\nexec /bin/sleep 60\n')
        environment = {"PATH": self.path("bin"), "SNUG_TEST_OPENED": self.path("opened"), "DISPLAY": ":0"}
        done = self.expect(CLEAN, "view", "clash.obj", "--units", "mm", "-o", "v.html", environment=environment)
        self.assertNotIn("could not open", done.stderr)
        with open(self.path("opened"), encoding="utf-8") as file:
            browser = int(file.read())
        os.kill(browser, signal.SIGTERM)  # it is still there

    def test_view_tells_when_nothing_opens_it(self):
        self.write_clash()
        self.script("bin/xdg-open", "#!/bin/sh\nexit 3\n")
        environment = {"PATH": self.path("bin"), "WAYLAND_DISPLAY": "wayland-0"}
        self.expect(CLEAN, "view", "clash.obj", "--units", "mm", "-o", "v.html", environment=environment, says=("could not open it", "open file:///"))

    def test_images_without_chromium_say_so_before_the_work(self):
        self.write_clash()
        done = self.expect(WRONG_USAGE, "check", "clash.obj", "--units", "mm", "--images", "img",
                           environment={"PATH": self.folder, "SNUG_CHROMIUM": ""}, says=("Chromium", "apt-get install chromium"))
        self.assertEqual(done.stdout, "")
        self.assertFalse(os.path.exists(self.path("img")))

    def test_images_come_from_what_the_browser_answers(self):
        self.write_clash()
        pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        finding = self.check(FINDINGS, "clash.obj", "--units", "mm")["findings"][0]["id"]
        browser = self.script("browser", f'#!/bin/sh\necho \'<img data-at="0" data-id="{finding}" alt="" src="data:image/png;base64,{pixel}">\'\n')
        self.expect(FINDINGS, "check", "clash.obj", "--units", "mm", "--images", "img", environment={"SNUG_CHROMIUM": browser},
                    says=("1 picture is in img",))
        with open(self.path(f"img/{finding}.png"), "rb") as file:
            data = file.read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", data[16:24]), (1, 1))

    def test_pictures_can_be_stopped_and_leave_no_browser(self):
        self.write_clash()
        browser = self.script("browser", '#!/bin/sh\necho $$ > "$SNUG_TEST_STARTED"\nexec /bin/sleep 60\n')
        started = self.path("started")
        with subprocess.Popen([PROGRAM, "check", "clash.obj", "--units", "mm", "--images", "img"], cwd=self.folder, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env={**os.environ, "SNUG_CHROMIUM": browser, "SNUG_TEST_STARTED": started}) as running:
            deadline = time.monotonic() + 60
            while not (os.path.exists(started) and os.path.getsize(started)) and time.monotonic() < deadline:
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            _, words = running.communicate(timeout=100)
        self.assertEqual(running.returncode, INCOMPLETE)
        self.assertIn("stopped: drew 0 of 1 finding", words)
        with open(started, encoding="utf-8") as file:
            browser = int(file.read())
        with self.assertRaises(ProcessLookupError):
            os.kill(browser, 0)

    def test_a_browser_that_fails_is_an_error(self):
        self.write_clash()
        for text, words in (("exit 3", "status 3"), ("echo nothing", "drew 0 of 1"), ("echo '<img data-at=\"0\" data-id=\"../evil\" src=\"data:image/png;base64,AAAA\">'", "drew 0")):
            browser = self.script("browser", f"#!/bin/sh\n{text}\n")
            self.expect(INTERNAL, "check", "clash.obj", "--units", "mm", "--images", "img", environment={"SNUG_CHROMIUM": browser}, says=(words,))


if __name__ == "__main__":
    unittest.main()
