"""CAD files through the program, with an importer that behaves as the file tells it: options, order, parallel loading, and
what is said when things go wrong."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, PROGRAM, UNREADABLE, WRONG_USAGE, Case, children, parse, wait_until

FAKE = os.environ.get("SNUG_FAKE_IMPORTER", "")


class Import(Case):
    def setUp(self):
        super().setUp()
        self.environment = {"SNUG_IMPORT": FAKE, "XDG_CACHE_HOME": self.path("xdg")}

    def step(self, name, mode):
        return self.write(name, f"ISO-10303-21;\n{mode}\n")

    def info(self, *arguments, code=CLEAN):
        return parse(self.expect(code, "info", *arguments, "--json", environment=self.environment).stdout)

    def refused(self, code, *arguments, says):
        return self.expect(code, *arguments, says=says, environment=self.environment)

    def test_parts_and_units(self):
        document = self.info(self.step("gear.step", "answer 2"), code=INCOMPLETE)  # it tells of a loss
        self.assertEqual(len(document["losses"]), 1)
        self.assertEqual(document["units"], "mm")
        self.assertEqual([part["path"] for part in document["parts"]], ["frame/bolt", "frame/plate", "frame/bolt#2", "gear"])

    def test_files_of_one_name_keep_apart(self):
        document = self.info(self.step("a.step", "slow 0.2"), self.step("b.step", "answer"), code=INCOMPLETE)
        self.assertEqual([part["path"] for part in document["parts"]],
                         ["a/frame/bolt", "a/frame/plate", "a/frame/bolt#2", "a", "b/frame/bolt", "b/frame/plate",
                          "b/frame/bolt#2", "b"])

    def test_the_chip_tells_of_losses(self):
        path = self.step("two.step", "two")
        document = parse(self.expect(INCOMPLETE, "chip", path, "--json", environment=self.environment).stdout)
        self.assertEqual((len(document["losses"]), document["pairs"], document["cancelled"]), (1, [], False))
        self.assertIn("LOST", self.expect(INCOMPLETE, "chip", path, environment=self.environment).stdout)

    @unittest.skipIf((os.cpu_count() or 1) < 2, "one processor only")
    def test_files_are_imported_at_the_same_time(self):
        files = [self.step(f"{i}.step", "hang") for i in range(2)]
        with subprocess.Popen([PROGRAM, "info", *files, "--cache", "off"], cwd=self.folder, env={**os.environ, **self.environment},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                wait_until(lambda: children(process, "fake_importer") == 2, "two importers at once")
            finally:
                process.send_signal(signal.SIGINT)
            process.wait(100)

    def test_the_first_error_in_the_order_of_the_files_is_told(self):
        # The first fails late, the second at once, the third would take for ever.
        slow = self.step("slow.step", "slow 0.5")
        for late, early in ((self.step("late.step", "spin"), self.step("early.step", "crash 11")),):
            start = time.monotonic()
            done = self.refused(UNREADABLE, "info", late, early, "--import-seconds", "1", says=["late.step", "limit of time"])
            self.assertNotIn("early.step", done.stderr)
            done = self.refused(UNREADABLE, "info", early, self.step("hang.step", "hang"), says=["early.step", "signal 11"])
            done = self.refused(UNREADABLE, "info", slow, early, self.step("hang.step", "hang"), says=["early.step"])
            self.assertLess(time.monotonic() - start, 60, "did not stop what nobody waits for")

    def test_outcomes_have_words(self):
        for mode, words in (("crash 11", "the CAD kernel crashed on this file (signal 11)"), ("words", "no shapes in it"),
                            ("garbage", "not valid"), ("exit 5", "exit status 5"), ("nothing", "not valid")):
            self.refused(UNREADABLE, "check", self.step("x.step", mode), says=["x.step", words])
        self.refused(UNREADABLE, "check", self.step("x.step", "hang"), "--import-seconds", "0.3",
                     says=["0.3 s", "--import-seconds"])
        self.environment["SNUG_IMPORT"] = "/nonexistent/snug-import"
        self.refused(UNREADABLE, "check", self.step("x.step", "answer"), says=["SNUG_IMPORT", "libocct-data-exchange-dev"])

    def test_a_caller_that_ignores_its_children_does_no_harm(self):
        self.expect(CLEAN, "info", self.step("gear.step", "whole"), environment=self.environment,
                    preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))

    def test_a_file_that_changes_meanwhile_is_refused(self):
        def rewrite(path):
            self.step("a.step", "whole")

        def replace(path):
            os.rename(self.path(self.step("other.step", "slow 2.1")), path)

        def relink(path):
            os.unlink(path)
            os.symlink(self.step("other.step", "slow 2.1"), path)

        for change in (rewrite, replace, relink):
            with self.subTest(change.__name__):
                path = self.path(self.step("a.step", "slow 2"))
                with subprocess.Popen([PROGRAM, "info", path, "--json", "-q", "--cache", "off"], text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env={**os.environ, **self.environment}) as process:
                    wait_until(lambda: children(process, "fake_importer"), "the importer")
                    change(path)
                    output, words = process.communicate(timeout=60)
                os.unlink(path)
                self.assertEqual((process.returncode, output), (UNREADABLE, ""), words)
                self.assertRegex(words, r"a\.step: .*the file (changed|became shorter) while it was read")

    def test_the_cache_is_that_of_the_user_unless_told(self):
        file = self.step("gear.step", "whole")
        self.info(file, "--cache", "off")
        self.assertFalse(os.path.exists(self.path("xdg")))
        self.info(file)
        self.assertEqual(len(os.listdir(self.path("xdg/snug"))), 2, "the model and the version of the importer")
        first = self.info(file)
        self.info(file, "--cache", "mine")
        self.assertEqual(len(os.listdir(self.path("mine"))), 2)
        self.assertEqual(self.info(file, "--cache", "mine"), first)
        self.info(file, "--sag", "0.2mm")
        self.info(file, "--angle", "10deg")
        self.assertEqual(len(os.listdir(self.path("xdg/snug"))), 4)
        self.info(file, "--import-seconds", "100", "--sag", "0.20 mm", "--angle", "20 deg")
        self.assertEqual(len(os.listdir(self.path("xdg/snug"))), 4, "limits and spelling change no answer")

    def test_options_are_checked_before_anything_is_read(self):
        for option, values in (("--sag", ("0.1", "0mm", "-1mm", "mm", "1e999mm", "0.1 furlong", "1e-30mm", "0.0009um", "")),
                               ("--angle", ("20", "0deg", "180deg", "-5deg", "nandeg", "1rad", "deg", "")),
                               ("--import-seconds", ("0", "-1", "inf", "1min", "")),
                               ("--import-memory", ("4", "0GiB", "-1GiB", "GiB", "4 gigs", "1e30GiB", "")),
                               ("--cache", ("",))):
            for value in values:
                self.refused(WRONG_USAGE, "info", "nowhere.step", f"{option}={value}", says=[option])

    def test_sags_that_make_no_sense_are_refused(self):
        self.refused(WRONG_USAGE, "check", "nowhere.step", "--sag", "1e-30mm", says=["--sag", "finer than any mesh can be"])
        self.refused(WRONG_USAGE, "check", "nowhere.step", "--sag", "auto", "--sag-limit", "1mm",
                     says=["--sag-limit", "coarser than the 0.1mm"])
        self.refused(WRONG_USAGE, "check", "nowhere.step", "--sag-limit", "0.01mm", says=["--sag auto"])

    def test_what_is_ignored_is_told(self):
        pair = self.write_pair()
        for options in (("--sag", "0.2mm"), ("--angle", "10deg")):
            self.expect(CLEAN, "check", pair, "--units", "mm", *options, says=["there is none among the inputs"])
        done = self.expect(CLEAN, "check", pair, "--units", "mm", "--sag", "0.2mm", "--quiet")
        self.assertEqual(done.stderr, "")
        file = self.step("gear.step", "whole")
        self.write("plain", "a file")
        for folder in ("plain", "plain/below", "/proc/nowhere"):
            done = self.expect(CLEAN, "info", file, "--cache", folder, says=[f"--cache {folder} cannot be used"],
                               environment=self.environment)
            self.assertIn("4 parts", done.stdout)

    def test_only_cad_files_are_said_to_be_meshed(self):
        file = self.step("gear.step", "whole")
        self.assertIn("\nmeshing ", self.run_snug("check", file, environment=self.environment).stdout)
        self.expect(CLEAN, "convert", file, "-o", "gear.glb", environment=self.environment)
        self.assertNotIn("\nmeshing ", self.run_snug("check", "gear.glb").stdout)

    def test_a_file_that_is_cut_off_is_said_to_be(self):
        self.refused(UNREADABLE, "check", self.step("x.step", "words"), says=["does not end with END-ISO-10303-21"])
        done = self.refused(UNREADABLE, "check", self.write("y.step", "ISO-10303-21;\nwords\nEND-ISO-10303-21;\n"),
                            says=["no shapes in it"])
        self.assertNotIn("END-ISO", done.stderr)
        self.refused(UNREADABLE, "check", self.write("z.step", "\x89PNG and more"), says=["does not begin with ISO-10303-21"])

    def test_a_fine_sag_needs_no_limit(self):
        for sag in ("1um", "0.01um"):
            self.expect(CLEAN, "info", self.step("fine.step", "whole"), "--sag", sag, environment=self.environment)

    def test_limits_are_told_by_their_options(self):
        done = self.refused(UNREADABLE, "check", self.step("x.step", "hang"), "--import-seconds", "0.3",
                            says=["(--import-seconds)"])
        self.assertNotIn("max_", done.stderr)

    def test_an_interrupt_ends_the_import(self):
        file = self.step("hang.step", "hang")
        with subprocess.Popen([PROGRAM, "check", file, "--json", "--to-units", "mm", "--clearance", "500um"], cwd=self.folder, env={**os.environ, **self.environment},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
            wait_until(lambda: children(process, "fake_importer"), "the importer")
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, INCOMPLETE)
        document = parse(output)
        self.assertTrue(document["cancelled"])
        self.assertEqual((document["units"], document["options"]["clearance"]), ("mm", 0.5))

    def test_importer_tells_its_bounds(self):
        done = self.run_snug("importer", "--json", environment=self.environment)
        document = parse(done.stdout)  # by its schema
        self.assertEqual(document["schema"], "snug.importer/1")
        self.assertEqual(document["program"], FAKE)
        self.assertEqual(document["version"], "fake importer 1")
        self.assertEqual(document["limits"]["memory_bytes"], 4 << 30)
        tried = {attempt["what"]: attempt["refused"] for attempt in document["attempts"]}
        for what in ("open for writing", "fork", "exec", "kill another process", "ptrace", "internet socket"):
            self.assertIn(what, tried)
        self.assertEqual(done.returncode, CLEAN if all(tried.values()) else FINDINGS)
        if "system calls filtered" in document["in_force"] and "sanitizer" not in document["in_force"]:
            self.assertTrue(all(tried.values()), tried)
        text = self.run_snug("importer", "--import-memory", "1GiB", environment=self.environment).stdout
        self.assertIn("1 GiB of memory", text)
        self.environment["SNUG_IMPORT"] = "/bin/false"
        self.refused(UNREADABLE, "importer", says=["/bin/false"])


if __name__ == "__main__":
    if not FAKE:
        print("skipped: the fake importer is not built")
        sys.exit(77)
    unittest.main()
