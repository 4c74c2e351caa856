"""Completion scripts and man pages: they know every command and option, shells read them, man renders them."""

import os
import re
import shutil
import subprocess
import unittest

from support import CLEAN, Case


class Manuals(Case):
    def setUp(self):
        super().setUp()
        self.expect(CLEAN, "manual", "share")
        commands = self.expect(CLEAN, "--help").stdout.split("Commands:\n")[1].split("\n\n")[0]
        self.commands = re.findall(r"^  (\w+) ", commands, re.MULTILINE)
        self.assertIn("check", self.commands)

    def read(self, *path):
        with open(os.path.join(self.folder, "share", *path), encoding="utf-8") as file:
            return file.read()

    def options(self, command):
        help_text = self.expect(CLEAN, command, "--help").stdout.split("Options:\n")[1].split("\n\n")[0]
        return re.findall(r"^  (?:-\w, )?--([\w-]+)", help_text, re.MULTILINE)

    def test_completion_knows_everything(self):
        for shell, file, form in (("bash", "snug.bash", "--{}"), ("zsh", "_snug", "--{}["), ("fish", "snug.fish", " -l {} ")):
            script = self.expect(CLEAN, "completion", shell).stdout
            self.assertEqual(script, self.read("completion", file))
            for command in self.commands:
                self.assertIn(command, script)
                for option in self.options(command):
                    self.assertIn(form.format(option), script)

    def test_shells_read_the_scripts(self):
        for shell, file in (("bash", "snug.bash"), ("zsh", "_snug"), ("fish", "snug.fish")):
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.path(f"share/completion/{file}")], check=True)
            else:
                print(f"skipped: no {shell} to read its script")

    def complete(self, *words):
        """What bash offers for the last of the words."""
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"source share/completion/snug.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _snug; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, text=True, stdout=subprocess.PIPE).stdout.split()

    def test_bash_completes(self):
        if not shutil.which("bash"):
            self.skipTest("no bash")
        self.write("part.obj", "")
        self.assertEqual(self.complete("snug", "ch"), ["check", "chip"])
        self.assertEqual(self.complete("snug", "check", "--touch"), ["--touch-gap", "--touch-overlap"])
        self.assertEqual(self.complete("snug", "check", "--fail-on", "c"), ["clash", "contained"])
        self.assertEqual(self.complete("snug", "check", "par"), ["part.obj"])
        self.assertEqual(self.complete("snug", "completion", ""), ["bash", "zsh", "fish"])

    def test_man_pages_render(self):
        renderer = next((tool for tool in ("groff", "mandoc") if shutil.which(tool)), None)
        for command in ["", *self.commands]:
            name = f"snug-{command}" if command else "snug"
            path = self.path(f"share/man/man1/{name}.1")
            self.assertTrue(os.path.exists(path), name)
            if renderer is None:
                continue
            arguments = ["groff", "-man", "-ww", "-Tutf8", "-z"] if renderer == "groff" else ["mandoc", "-Tlint", "-Werror"]
            done = subprocess.run([*arguments, path], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, ""), name)
        if renderer is None:
            print("skipped: neither groff nor mandoc to render man pages")

    def test_man_pages_name_every_option(self):
        for command in self.commands:
            page = self.read("man", "man1", f"snug-{command}.1").replace("\\-", "-")
            for option in self.options(command):
                self.assertIn(f"--{option}", page)
        self.assertIn("EXIT STATUS", self.read("man", "man1", "snug-check.1"))


if __name__ == "__main__":
    unittest.main()
