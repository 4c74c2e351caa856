"""snug chip: the cycle model of the chip, asked from the command line."""

import unittest

from support import CLEAN, FINDINGS, UNREADABLE, WRONG_USAGE, Case, Mesh, parse


class Chip(Case):
    def ask(self, code, *words):
        return parse(self.expect(code, "chip", *words, "--units", "mm", "--json").stdout)

    def test_pairs_are_those_of_check_and_clocks_are_told(self):
        self.write_pair("clash.obj", gap=-1)
        check = self.check(FINDINGS, "clash.obj", "--units", "mm", "--pairs", "triangles")
        asked = {name: self.ask(FINDINGS, "clash.obj", "--config", name) for name in ("w18", "w35")}
        for name, document in asked.items():
            self.assertEqual(document["pairs"], check["findings"][0]["triangles"])
            self.assertEqual(document["config"], name)
            self.assertIsNone(document["fell_back"])
            self.assertGreaterEqual(document["triangle_tests"], document["candidates"])
            self.assertGreaterEqual(document["candidates"], len(document["pairs"]))
            self.assertGreaterEqual(document["axis_tests"], document["dop_tests"])
            self.assertAlmostEqual(document["seconds"], document["cycles"] / document["clock_hz"])
            bursts = {"w18": 2, "w35": 4}[name]
            self.assertEqual(document["bursts"], bursts * document["dop_tests"] + 2 * document["triangle_tests"])
        self.assertGreater(asked["w35"]["cycles"], asked["w18"]["cycles"])

    def test_check_finds_the_same_on_the_chip(self):
        self.write_pair("clash.obj", gap=-1)
        cpu = self.check(FINDINGS, "clash.obj", "--units", "mm", "--pairs", "triangles")
        chip = self.check(FINDINGS, "clash.obj", "--units", "mm", "--pairs", "triangles", "--device", "chip")
        self.assertEqual(chip["findings"], cpu["findings"])
        self.assertEqual((chip["options"]["device"], chip["options"]["method"]), ("chip", "dop_fixed"))

    def test_parts_that_are_apart_are_clean(self):
        self.write_pair("apart.obj", gap=50)
        document = self.ask(CLEAN, "apart.obj")
        self.assertEqual((document["pairs"], document["candidates"]), ([], 0))

    def test_two_files_and_a_pose(self):
        self.write("a.obj", Mesh().box("a", (0, 0, 0), (1, 1, 1)))
        self.write("b.obj", Mesh().box("b", (5, 0, 0), (6, 1, 1)))
        self.ask(CLEAN, "a.obj", "b.obj")
        document = self.ask(FINDINGS, "a.obj", "b.obj", "--pose", "b=-4.5,0,0,1,0,0,0")
        self.assertEqual(document["parts"], ["a", "b"])

    def test_options_are_told_as_they_were_used(self):
        self.write_pair("clash.obj", gap=-1)
        document = self.ask(FINDINGS, "clash.obj")
        used, (a, b) = document["options"], document["parts"]
        at_rest = {"position": [0, 0, 0], "rotation": [1, 0, 0, 0]}
        self.assertEqual(used.pop("poses"), [{"part": a, **at_rest}, {"part": b, **at_rest}])
        self.assertEqual(used, {"axes": 24, "most_axes": 64, "queue": False, "stack": 512})
        used = self.ask(FINDINGS, "clash.obj", "--axes", "7", "--stop-at-axes", "--stack", "9", "--pose", f"{b}=0,0,0.25,1,0,0,0")["options"]
        self.assertEqual(used.pop("poses")[1], {"part": b, "position": [0, 0, 0.25], "rotation": [1, 0, 0, 0]})
        self.assertEqual(used, {"axes": 7, "most_axes": 7, "queue": False, "stack": 9})

    def test_a_stack_that_overflows_changes_no_answer(self):
        self.write_pair("clash.obj", gap=-1)
        whole, small = self.ask(FINDINGS, "clash.obj"), self.ask(FINDINGS, "clash.obj", "--stack", "1")
        self.assertIn("stack", small["fell_back"])
        self.assertEqual(small["pairs"], whole["pairs"])

    def test_the_same_bytes_every_time(self):
        self.write_pair("clash.obj", gap=-1)
        first, second = (self.ask(FINDINGS, "clash.obj") for _ in range(2))
        first.pop("run"), second.pop("run")
        self.assertEqual(first, second)

    def test_what_is_wrong_is_named(self):
        self.write_pair("clash.obj", gap=-1)
        self.write("one.obj", Mesh().box("one", (0, 0, 0), (1, 1, 1)))
        for code, words, said in ((WRONG_USAGE, ("clash.obj", "--config", "w99"), "w99"),
                                  (WRONG_USAGE, ("clash.obj", "--axes", "0"), "--axes"),
                                  (WRONG_USAGE, ("clash.obj", "--axes", "65"), "--axes"),
                                  (WRONG_USAGE, ("one.obj",), "two parts"),
                                  (UNREADABLE, ("missing.obj",), "missing.obj")):
            self.assertIn(said, self.expect(code, "chip", *words, "--units", "mm").stderr)

    def test_text_names_the_configuration(self):
        self.write_pair("clash.obj", gap=-1)
        text = self.expect(FINDINGS, "chip", "clash.obj", "--units", "mm", "--config", "w35").stdout
        self.assertIn("configuration w35", text)
        self.assertIn("candidates", text)


if __name__ == "__main__":
    unittest.main()
