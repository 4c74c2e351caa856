"""A type has one definition: two of the same name in one namespace, in different files of src/, are undefined behaviour that no
compiler reports. Prints both places and exits with 1 if there is such a pair.

    one_definition.py [ROOT]       checks the tree
    one_definition.py --self-test  shows that a pair is found, and what is no pair is not

It relies on the project's format: what stands at namespace scope is not indented.
"""

import os
import re
import sys
import tempfile

OPENS = re.compile(r"(?:inline )?namespace ?([A-Za-z0-9_:]*) ?\{$")
CLOSES = re.compile(r"\}  // (?:inline )?namespace ?[A-Za-z0-9_:]*$")
DEFINES = re.compile(r"(?:template <[^>]*>\s*)?(?:struct|class|union|enum class|enum)(?: alignas\([^)]*\)| \[\[[^\]]*\]\]| SNUG_API)* ([A-Za-z0-9_]+)(?: final)?(?: : [^;]*)?(?: \{|$)")


def definitions(path):
    scopes = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if match := OPENS.match(line):
                scopes.append(match[1] or "(anonymous)")
            elif CLOSES.match(line) and scopes:
                scopes.pop()
            elif (match := DEFINES.match(line)) and "(anonymous)" not in scopes and not line.endswith(";"):
                yield "::".join(scopes + [match[1]]), number


def faults(root):
    first = {}
    for top in ("include", "src"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if not name.endswith((".hpp", ".cpp", ".h")):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                for found, number in definitions(os.path.join(root, path)):
                    place = f"{path}:{number}"
                    other = first.setdefault(found, place)
                    # Headers for lanes are compiled once for each instruction set, in a namespace of its own.
                    if other.rpartition(":")[0] != path and "SNUG_LANES" not in found and not is_variant(path, other):
                        yield f"{found}: {other} and {place}"


def is_variant(path, other):
    """The lane types of two instruction sets, and a feature with its stand-in: never in one program."""
    return all("/simd/" in f"/{p}" for p in (path, other)) or "absent" in path + other


def self_test():
    cases = {"src/a/one.hpp": "namespace snug::a {\n\nstruct Pair {\n};\n\n}  // namespace snug::a\n",
             "src/b/two.cpp": "namespace snug::a {\n\nclass Pair final : public Base {\n};\n\nnamespace {\nstruct Own {\n};\n}  // namespace\n\n}  // namespace snug::a\n",
             "include/c/four.hpp": "namespace snug {\ntemplate <class T>\nstruct [[nodiscard]] Outcome {\n};\n}  // namespace snug\n",
             "src/c/five.hpp": "namespace snug {\nclass [[nodiscard]] SNUG_API Outcome final {\n};\ntemplate <>\nstruct [[nodiscard]] Outcome<void> {\n};\n}  // namespace snug\n",
             "src/b/three.cpp": "namespace snug::a {\nnamespace {\nstruct Own {\n};\n}  // namespace\nstruct Pair;\n}  // namespace snug::a\nnamespace snug::b {\nstruct Pair {\n};\n}  // namespace snug::b\n"}
    with tempfile.TemporaryDirectory() as root:
        for path, text in cases.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = list(faults(root))
    assert found == ["snug::a::Pair: src/a/one.hpp:3 and src/b/two.cpp:3", "snug::Outcome: include/c/four.hpp:3 and src/c/five.hpp:2"], found
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = list(faults(root))
    print("\n".join(found) if found else "every type has one definition")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
