"""Invariants are stated as assertions: src/ holds at least K_LEAST uses of SNUG_ASSERT per 1000 lines, and so does each of its folders but
those in K_LEAST_OF. Exits with 1 if one holds fewer.

    assertions.py [ROOT]        checks the tree and prints the count of each folder
    assertions.py --self-test   shows that too few are found, and that neither the macro itself nor comments count
"""

import os
import re
import sys
import tempfile

K_LEAST = 5.0
# Lanes are types without state of their own, and kernels compile what other folders hold; texts and files are checked as data.
K_LEAST_OF = {"kernels": 0, "simd": 0, "io": 3.0, "report": 4.5}

USE = re.compile(r"\bSNUG_ASSERT\(")


def uses_in(text):
    return sum(len(USE.findall(line.split("//")[0])) for line in text.splitlines() if not line.lstrip().startswith("#define"))


def counted(root):
    """Lines and assertions by folder of src/."""
    found = {}
    source = os.path.join(root, "src")
    for folder, _, names in os.walk(source):
        for name in names:
            if not name.endswith((".cpp", ".hpp")):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            room = os.path.relpath(folder, source).split(os.sep)[0]
            lines, uses = found.get(room, (0, 0))
            found[room] = (lines + text.count("\n"), uses + uses_in(text))
    return found


def density(found):
    lines = sum(of_room[0] for of_room in found.values())
    return 1000 * sum(of_room[1] for of_room in found.values()) / lines if lines > 0 else 0


def check(root):
    found = counted(root)
    good = True
    for room, (lines, uses) in sorted(found.items()):
        wanted = K_LEAST_OF.get(room, K_LEAST)
        enough = 1000 * uses >= wanted * lines
        good = good and enough
        print(f"{room:12} {lines:6} lines {uses:4} assertions{'' if enough else f', fewer than {wanted} per 1000 lines'}")
    reached = density(found)
    print(f"{reached:.2f} assertions per 1000 lines, at least {K_LEAST} wanted")
    return 0 if good and reached >= K_LEAST else 1


def self_test():
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "src", "room"))
        path = os.path.join(root, "src", "room", "a.cpp")

        def density_of(text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return density(counted(root))

        filler = "int x;\n" * 99
        assert density_of(filler + "SNUG_ASSERT(x > 0);\n") == 10
        assert density_of(filler + "// SNUG_ASSERT(x > 0);\n") == 0
        assert density_of(filler + "#define SNUG_ASSERT(condition) static_cast<void>(0)\n") == 0
        assert density_of(10 * filler + "SNUG_ASSERT(x > 0);\n") < K_LEAST
        assert density_of(99 * "int x;\n" + 9 * "SNUG_ASSERT(x > 0);\n") > K_LEAST and check(root) == 0
        os.makedirs(os.path.join(root, "src", "other"))
        with open(os.path.join(root, "src", "other", "b.cpp"), "w", encoding="utf-8") as file:
            file.write(filler)
        assert density(counted(root)) > K_LEAST and check(root) == 1
    return 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else check(sys.argv[1] if len(sys.argv) > 1 else "."))
