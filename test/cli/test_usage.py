"""Misuse: each kind has its exit code, and words that tell what to do instead."""

import os
import resource
import subprocess
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, INTERNAL, PROGRAM, UNREADABLE, WRONG_USAGE, Case, Mesh, parse


class Usage(Case):
    def test_nothing_unknown_and_near_misses(self):
        self.expect(WRONG_USAGE, says=["Usage:", "check"])
        self.expect(WRONG_USAGE, "chekc", "x.obj", says=["no command 'chekc'", "did you mean 'check'"])
        self.expect(WRONG_USAGE, "help", "inof", says=["did you mean 'info'"])
        self.expect(WRONG_USAGE, "check", "x.obj", "--clearence", "1mm", says=["'--clearence'", "'--clearance'", "--help"])
        self.expect(WRONG_USAGE, "check", says=["FILE"])
        self.expect(WRONG_USAGE, "check", "x.obj", "--color", "alway", says=["'always'"])
        self.expect(WRONG_USAGE, "completion", "tcsh", says=["bash"])
        self.expect(WRONG_USAGE, "--no-such", says=["--no-such"])

    def test_a_dash_names_no_output_file(self):
        pair = self.write_pair()
        self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "-o", "-", says=["--json", "./-"])
        self.expect(WRONG_USAGE, "scene", "peg", "-o", "-", says=["standard output"])
        self.assertFalse(os.path.exists(self.path("-")))
        self.expect(CLEAN, "check", pair, "--units", "mm", "-o", "./-")
        self.assertTrue(os.path.exists(self.path("-")))

    def test_help_and_version(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            self.assertIn("completion", self.expect(CLEAN, *arguments).stdout)
        page = self.expect(CLEAN, "check", "--help").stdout
        self.assertEqual(page, self.expect(CLEAN, "help", "check").stdout)
        self.assertIn("--touch-overlap LENGTH", page)
        self.assertNotIn("manual", self.expect(CLEAN, "--help").stdout)
        self.assertRegex(self.expect(CLEAN, "--version").stdout, r"^snug \d+\.\d+\.\d+\n$")
        self.assertEqual(self.expect(CLEAN, "version").stdout, self.expect(CLEAN, "--version").stdout)

    def test_lengths_need_a_unit(self):
        pair = self.write_pair()
        for option in ("--clearance", "--touch-gap", "--touch-overlap"):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", option, "0.5", says=[option, "no unit", "0.5mm"])
        for text, words in (("1furlong", "unknown unit"), ("-1mm", "negative"), ("mm", "not a length"),
                            ("1e999mm", "not a finite"), ("inf mm", "not a finite"), ("nanmm", "not a finite"), ("1 2mm", "unit"),
                            ("", "LENGTH")):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", f"--clearance={text}", says=[words])
        self.expect(CLEAN, "check", pair, "--units", "mm", "--clearance", "0.5 mm")

    def test_units(self):
        pair = self.write_pair()
        self.expect(WRONG_USAGE, "check", pair, says=["--units mm"])
        self.expect(WRONG_USAGE, "info", pair, says=["--units mm"])
        self.expect(WRONG_USAGE, "check", pair, "--units", "yd", says=["'yd'", "ft"])

    def test_files(self):
        self.write("not.obj", "v 1 2\n")
        self.write("empty.stl", "")
        os.mkdir(self.path("folder"))
        for command in ("check", "info"):
            self.expect(UNREADABLE, command, "missing.obj", "--units", "mm", says=["missing.obj"])
            self.expect(UNREADABLE, command, "folder", "--units", "mm", says=["folder"])
            self.expect(UNREADABLE, command, "not.obj", "--units", "mm", says=["not.obj:1"])
            self.expect(UNREADABLE, command, "empty.stl", "--units", "mm", says=["empty.stl"])
        self.expect(UNREADABLE, "check", self.write_pair(), "missing.obj", "--units", "mm", says=["missing.obj"])

    def test_poses(self):
        pair = self.write_pair()
        def refused(pose, *words):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "--pose", pose, says=["--pose", *words])
        refused("upper", "no '='")
        refused("=0,0,0,1,0,0,0", "no part")
        refused("upper=0,0,0,1,0,0", "7")
        refused("upper=0,0,0,1,0,0,0,0", "follows")
        refused("upper=0;0;0;1;0;0;0", "comma")
        refused("upper=0,0,x,1,0,0,0", "number 3")
        refused("upper=0,0,0,0,0,0,0", "zero quaternion")
        refused("upper=0,0,nan,1,0,0,0", "not finite")
        refused("uper=0,0,0,1,0,0,0", "no part 'uper'", "'upper'")

    def test_what_this_build_lacks(self):
        pair = self.write_pair()
        self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "--device", "abacus", says=["abacus"])
        for device in ("chip", "opencl"):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "--device", device, "--method", "surface",
                        says=[f"--device {device} runs --method dop_fixed"])
        self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "--method", "magic", says=["'magic'"])

    def test_threads(self):
        pair = self.write_pair()
        for value in ("0", "-1", "many", "1.5"):
            self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "--threads", value, says=["threads"])


class Output(Case):
    def test_names_do_not_drive_the_terminal(self):
        name = "e\x1b[31mvil.obj"
        self.write_pair(name, gap=0)
        for arguments in (["check", name, "--units", "mm"], ["check", name, name, "--units", "mm"],
                          ["info", name, name, "--units", "mm"], ["check", name], ["check", "no" + name], ["check" + name]):
            done = self.run_snug(*arguments)
            self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_full_disk_is_no_success(self):
        pair = self.write_pair()
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for arguments in (["check", pair, "--units", "mm"], ["check", pair, "--units", "mm", "--json"],
                          ["info", pair, "--units", "mm"], ["--help"], ["--version"], ["completion", "bash"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = self.run_snug(*arguments, stdout=full)
            self.assertEqual(done.returncode, INTERNAL, arguments)
            self.assertIn("No space left", done.stderr)
        self.expect(INTERNAL, "check", pair, "--units", "mm", "-o", "/dev/full", says=["/dev/full"])

    def test_what_can_be_written_is_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        pair = self.write_pair(gap=-2)
        done = self.expect(INTERNAL, "check", pair, "--units", "mm", "-o", "/dev/full", "--html", "page.html",
                           says=["/dev/full: cannot be written: No space left"])
        self.assertIn("2 mm deep", done.stdout)
        self.assertIn("1 clash", done.stdout)
        self.assertTrue(os.path.exists(self.path("page.html")))
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.run_snug("check", pair, "--units", "mm", "-o", "report.json", stdout=full)
        self.assertEqual(done.returncode, INTERNAL)
        with open(self.path("report.json"), encoding="utf-8") as file:
            self.assertEqual(parse(file.read())["summary"]["clash"], 1)

    def test_a_file_is_whole_or_not_there(self):
        pair = self.write_pair(gap=-2)
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        for arguments in (["-o", "report.json"], ["--html", "page.html"]):
            done = subprocess.run([PROGRAM, "check", pair, "--units", "mm", *arguments], cwd=self.folder, text=True,
                                  capture_output=True, preexec_fn=limited, check=False)
            self.assertEqual(done.returncode, INTERNAL, done.stderr)
            self.assertIn("2 mm deep", done.stdout)
            self.assertIn(arguments[1], done.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), [os.path.basename(pair)])

    def test_a_closed_pipe_is_no_success(self):
        pair = self.write_pair()
        for arguments in (["check", pair, "--units", "mm", "--json"], ["check", pair, "--units", "mm"], ["--help"]):
            reader, writer = os.pipe()
            os.close(reader)
            done = self.run_snug(*arguments, stdout=writer)
            os.close(writer)
            self.assertEqual(done.returncode, INTERNAL, done.stderr)
            self.assertIn("Broken pipe", done.stderr)

    def test_a_document_in_a_file(self):
        pair = self.write_pair(gap=0)
        table = self.expect(CLEAN, "check", pair, "--units", "mm", "-o", "out.json").stdout
        self.assertIn("touch", table)
        with open(self.path("out.json"), encoding="utf-8") as file:
            self.assertIn('"schema": "snug.check/1"', file.read())
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.json", "pair.obj"])
        self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "-o", "no/such/out.json", says=["no folder"])
        self.expect(WRONG_USAGE, "check", pair, "--units", "mm", "-o", ".", says=["folder"])

    def test_quiet_leaves_stderr_empty(self):
        pair = self.write_pair(gap=-1)
        self.assertEqual(self.expect(FINDINGS, "check", pair, "--units", "mm", "--quiet").stderr, "")
        single = self.write("one.obj", Mesh().box("one", (0, 0, 0), (1, 1, 1)))
        self.assertEqual(self.expect(INCOMPLETE, "check", single, "--units", "mm", "-q").stderr, "")
        self.expect(UNREADABLE, "check", "missing.obj", "--units", "mm", "--quiet", says=["missing.obj"])

    def test_colours(self):
        pair = self.write_pair(gap=-1)
        def colored(*arguments, **environment):
            done = self.run_snug("check", pair, "--units", "mm", *arguments, environment=environment)
            return "\x1b[" in done.stdout
        self.assertFalse(colored())
        self.assertTrue(colored("--color", "always"))
        self.assertTrue(colored("--color", "always", NO_COLOR="1"))
        self.assertFalse(colored("--color", "never"))
        self.assertFalse(colored("--json", "--color", "always"))

    def test_colours_on_a_terminal(self):
        pair = self.write_pair(gap=-1)
        def colored(**environment):
            master, terminal = os.openpty()
            self.run_snug("check", pair, "--units", "mm", stdout=terminal, environment=environment)
            os.close(terminal)
            text = os.read(master, 1 << 16)
            os.close(master)
            self.assertIn(b"clash", text)
            return b"\x1b[" in text
        self.assertTrue(colored(TERM="xterm"))
        self.assertFalse(colored(TERM="xterm", NO_COLOR="1"))
        self.assertTrue(colored(TERM="xterm", NO_COLOR=""))
        self.assertFalse(colored(TERM="dumb"))


if __name__ == "__main__":
    unittest.main()
