"""Checks the ```cpp blocks of README.md and docs/*.md, so that no reader copies code that does not compile.

A block that begins with #include is compiled on its own (syntax only). Any other block must stand word for word, apart
from indentation, in a file below examples/.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```cpp[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files_below(folder, endings):
    return sorted(
        os.path.join(root, name)
        for root, _, names in os.walk(folder)
        for name in names
        if name.endswith(endings)
    )


def lines_of(text):
    """Lines without indentation: a snippet may be shown further left than it stands in a function."""
    return [line.strip() for line in text.strip().splitlines()]


def stands_in(block, text):
    wanted, lines = lines_of(block), lines_of(text)
    return any(lines[i : i + len(wanted)] == wanted for i in range(len(lines) - len(wanted) + 1))


def compiles(block, compiler, include):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I", include, "-x", "c++", "-"]
    done = subprocess.run(command, input=block, text=True, stderr=subprocess.PIPE, check=False)
    return done.returncode == 0, done.stderr


def check(root, compiler):
    """Returns the number of blocks and a list of complaints."""
    pages = [os.path.join(root, "README.md")] + files_below(os.path.join(root, "docs"), (".md",))
    examples = [read(path) for path in files_below(os.path.join(root, "examples"), (".cpp", ".hpp"))]
    blocks, complaints = 0, []
    for page in pages:
        if not os.path.exists(page):
            complaints.append(f"{page}: missing")
            continue
        text = read(page)
        for match in FENCE.finditer(text):
            blocks += 1
            block = match.group(1)
            where = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
            if block.lstrip().startswith("#include"):
                good, errors = compiles(block, compiler, os.path.join(root, "include"))
                if not good:
                    complaints.append(f"{where}: does not compile\n{errors}")
            elif not any(stands_in(block, example) for example in examples):
                complaints.append(f"{where}: stands in no file below examples/")
    return blocks, complaints


def self_test(compiler):
    """The checker itself must accept good pages and complain about bad ones."""
    good = "```cpp\n#include <vector>\nstd::vector<int> v;\n```\n```cpp\nint x = 1;\n  int y = 2;\n```\n```sh\nls\n```\n"
    bad = "```cpp\n#include <vector>\nstd::vector<int> v = nonsense;\n```\n```cpp\nint z = 3;\n```\n"
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "examples"))
        os.makedirs(os.path.join(root, "include"))
        with open(os.path.join(root, "examples", "e.cpp"), "w", encoding="utf-8") as file:
            file.write("int main() {\n  int x = 1;\n    int y = 2;\n}\n")
        missing = check(root, compiler)
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as file:
            file.write(good)
        accepted = check(root, compiler)
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as file:
            file.write(bad)
        refused = check(root, compiler)
    assert len(missing[1]) == 1, missing
    assert accepted == (2, []), accepted
    assert refused[0] == 2 and len(refused[1]) == 2, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", default=".")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test(arguments.compiler)
        return 0
    blocks, complaints = check(arguments.root, arguments.compiler)
    for complaint in complaints:
        print(complaint)
    print(f"{blocks} snippets, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
