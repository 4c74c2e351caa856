"""The folders of src/ are layers: each includes only itself and those listed before it, and each has a namespace of its own, which
sees those before it (src/support/rooms.hpp). A public header may declare functions that a room above its own defines; no
room below that calls them. Prints every include and every such call that goes up and every namespace of another room, by file and
line, and exits with 1 if there is one.

    layers.py [ROOT]        checks the tree
    layers.py --self-test   shows that upward includes and calls, unlisted folders, missing headers and foreign namespaces are found
"""

import os
import re
import sys
import tempfile

# In the order of the data flow; docs/architecture.md says what each holds.
ROOMS = ["support", "simd", "geometry", "mesh", "model", "io", "bvh", "shape", "query", "chip", "penetration", "contact", "ccd", "scene",
         "assembly", "report", "page", "device", "kernels"]

# The lowest room whose terms a public header declares: ShapeOptions are those of the tree that bvh builds.
PUBLIC = {
    "support": "budget diagnostics export progress result version",
    "geometry": "analytic ccd predicates primitive solid triangle vec",
    "mesh": "inspect mesh",
    "model": "assembly make_mesh motion pose",
    "io": "importer io",
    "bvh": "shape",
    "shape": "shape_cache",
    "query": "cast certificate device device_work distance query self tracker",
    "penetration": "penetration",
    "contact": "contacts",
    "ccd": "first_contact sweep",
    "scene": "scene",
    "assembly": "check path robot verdict",
    "report": "move_report report",
    "page": "page",
    "chip": "chip",
    "kernels": "snug",
}
ROOM_OF = {name: room for room, names in PUBLIC.items() for name in names.split()}
# Namespaces beside that of the room: of opaque types that public headers name, and of code for each instruction set.
SHARED = {"detail", "lanes"}
PART_OF = {"robot": "assembly"}
# The one declares what kernels of all rooms are handed, the other all rooms.
FORWARD = {os.path.join("src", "simd", "kernels.hpp"), os.path.join("src", "support", "rooms.hpp")}
# Also within `namespace snug {`, on the same line or a later one.
NAMESPACE = re.compile(r"\bnamespace\s+(snug::)?(\w+)[\w:]*\s*\{")
VISIBLE = re.compile(r"^namespace (\w+) \{\nusing namespace (\w+);\n\}$", re.M)
# Functions outside of classes: what they are called and what their first parameter is, which tells overloads apart.
DECLARED = re.compile(r"^(?:\[\[nodiscard\]\] )?SNUG_API [^;{}()=]*?\b(\w+)\(\s*(?:const )?([\w:]*)", re.M)
DEFINED = re.compile(r"^(?!static\b|using\b|return\b)[A-Za-z][\w:<>,&* ]*[ &*>](\w+)\(\s*(?:const )?([\w:]*)[^;]*?\{", re.M)
CALL = re.compile(r"(?<![\w.>:])(?:snug::)?(\w+)\(")
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<snug/([a-z0-9_]+)\.hpp>)')


def sources(root):
    for folder, _, names in sorted(os.walk(os.path.join(root, "src"))):
        for name in sorted(names):
            if name.endswith((".cpp", ".hpp", ".h")):
                path = os.path.relpath(os.path.join(folder, name), root)
                yield path, path.split(os.sep)[1]
    headers = os.path.join(root, "include", "snug")
    for name in sorted(os.listdir(headers)) if os.path.isdir(headers) else []:
        if name.endswith(".hpp"):
            yield os.path.join("include", "snug", name), ROOM_OF.get(name.removesuffix(".hpp"))


def named(root, path, own):
    """What an include names as seen from src/, or nothing if it is not there: first from the folder of the file, as compilers look."""
    for folder in (os.path.dirname(path), "src"):
        whole = os.path.normpath(os.path.join(folder, own))
        if os.path.exists(os.path.join(root, whole)):
            return whole.removeprefix("src" + os.sep)
    return None


def faults(root):
    rank = {room: i for i, room in enumerate(ROOMS)}
    for path, room in sources(root):
        if room not in rank:
            yield f"{path}: its layer is not listed in test/structure/layers.py"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for whole, opened in NAMESPACE.findall(line.split("//")[0]) if path not in FORWARD else []:
                    owner = PART_OF.get(opened, opened)
                    # Of the others only rooms are of interest: they have namespaces within them.
                    if opened in SHARED or not (whole or owner in rank):
                        continue
                    if owner not in rank or rank[owner] > rank[room]:
                        yield f"{path}:{number}: {room} opens namespace snug::{opened}, which is not its own"
                match = INCLUDE.match(line)
                if not match:
                    continue
                own, public = match.groups()
                whole = named(root, path, own) if own else None
                if own and whole is None:
                    yield f"{path}:{number}: includes {own}, which is not there"
                    continue
                target = whole.split(os.sep)[0] if own else ROOM_OF.get(public)
                if target not in rank:
                    yield f"{path}:{number}: includes {own or public}, whose layer is not listed"
                elif rank[target] > rank[room]:
                    yield f"{path}:{number}: {room} includes {own or f'<snug/{public}.hpp>'} of {target}, a layer above it"


def public_functions(text):
    """Names and first parameters of the functions that are defined in namespace snug itself."""
    opened = []
    for piece in re.split(r"^(namespace[^\n;]*\{|\}  // namespace[^\n]*)$", text, flags=re.M):
        if piece.startswith("namespace"):
            opened.append(piece)
        elif piece.startswith("}  // namespace") and opened:
            opened.pop()
        elif opened == ["namespace snug {"]:
            for match in DEFINED.finditer(piece):
                yield match.group(1, 2)


def seen_from(path, root, texts, known):
    """The file and every header of the project that it includes, by way of others too."""
    if path not in known:
        known[path] = {path}
        for own, public in INCLUDE.findall(texts[path]):
            whole = named(root, path, own) if own else None
            target = os.path.join("src", whole) if whole else os.path.join("include", "snug", f"{public}.hpp")
            if target in texts:
                known[path] |= seen_from(target, root, texts, known)
    return known[path]


def upward_calls(root):
    """Calls of public functions in rooms below the one that defines them: no include of the room that defines them would show these."""
    rank = {room: i for i, room in enumerate(ROOMS)}
    rooms, texts, known = {}, {}, {}
    for path, room in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path], rooms[path] = file.read(), rank.get(room, 0)
    declared, defined = {}, {}
    for path, text in texts.items():
        if path.startswith("include"):
            for match in DECLARED.finditer(text):
                declared.setdefault(match[1], {}).setdefault(match[2], path)
        else:
            for name, of in public_functions(text):
                defined.setdefault(name, {})[of] = rooms[path]
    for path, text in texts.items():
        called = {name for name in CALL.findall(text) if name in declared and name in defined} if path.startswith("src") else set()
        for name in sorted(called):
            seen = seen_from(path, root, texts, known)
            # By name alone, so of the overloads in sight the lowest counts; one of the rooms' own may be meant as well.
            homes = [defined[name][of] for of, header in declared[name].items() if of in defined[name] and header in seen]
            own = re.compile(rf"[\w>&*\]] {name}\(")
            if not homes or min(homes) <= rooms[path] or any(own.search(texts[s]) for s in seen if not s.startswith("include")):
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if name in CALL.findall(line.split("//")[0]):
                    yield f"{path}:{number}: {ROOMS[rooms[path]]} calls {name}() of {ROOMS[min(homes)]}, a layer above it"


def wrong_order(root):
    """rooms.hpp makes each room see the one before it, which sees the one before that."""
    path = os.path.join("src", "support", "rooms.hpp")
    with open(os.path.join(root, path), encoding="utf-8") as file:
        seen = VISIBLE.findall(file.read())
    rooms = [room for room in ROOMS if room != "kernels"]
    for pair in zip(rooms[1:], rooms):
        if pair not in seen:
            yield f"{path}: {pair[0]} does not see {pair[1]}"
    for room, below in seen:
        if room in rooms and (room, below) not in zip(rooms[1:], rooms):
            yield f"{path}: {room} sees {below}, which is not the room before it"


def self_test():
    cases = {"src/support/rooms.hpp": "namespace simd {\nusing namespace geometry;\n}\n", "src/mesh/e.hpp": "namespace snug::io {\n}\nnamespace snug::mesh {\n}\n", "src/support/a.hpp": '#include "geometry/b.hpp"\n', "src/geometry/b.hpp": '#include "support/a.hpp"\n#include <snug/check.hpp>\n',
             "src/support/f.hpp": '#include "../geometry/b.hpp"\nnamespace snug { namespace query {\n}}\n', "src/shape/g.hpp": "namespace snug {\nnamespace boxes {\n}\nnamespace query {\n}\n}\n",
             "include/snug/check.hpp": "SNUG_API int check(const Shape& a);\n[[nodiscard]] SNUG_API double\nsize_of(int i);\n",
             "include/snug/vec.hpp": "SNUG_API bool is_valid(\n    const Shape& a);\nSNUG_API int is_valid(Vec3 a);\nSNUG_API int other(int i);\n",
             "src/assembly/h.cpp": "#include <snug/vec.hpp>\nnamespace snug {\nbool is_valid(const Shape& a) { return true; }\n}  // namespace snug\n",
             "src/shape/i.hpp": "#include <snug/vec.hpp>\n", "src/shape/j.cpp": '#include "i.hpp"\nbool b = is_valid(a);\nint c = other(1); // is_valid()\n',
             "src/shape/k.cpp": "bool is_valid(int a);\nbool b = is_valid(1);\n", "src/report/l.cpp": "#include <snug/vec.hpp>\nbool b = is_valid(a);\n",
             "src/attic/c.hpp": "", "src/page/d.cpp": '#include "page/gone.hpp"\n#include "geometry/b.hpp"\n#include <vector>\n'}
    with tempfile.TemporaryDirectory() as root:
        for path, text in cases.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found, calls = list(faults(root)), list(upward_calls(root))
        order = list(wrong_order(root))
    assert "src/support/rooms.hpp: simd sees geometry, which is not the room before it" in order and len(order) == len(ROOMS) - 1, order
    expected = ["src/mesh/e.hpp:1: mesh opens namespace snug::io", "src/attic/c.hpp: its layer", "src/geometry/b.hpp:2: geometry includes <snug/check.hpp> of assembly",
                "src/page/d.cpp:1: includes page/gone.hpp, which is not there", "src/support/a.hpp:1: support includes geometry/b.hpp of geometry",
                "src/support/f.hpp:1: support includes ../geometry/b.hpp of geometry", "src/support/f.hpp:2: support opens namespace snug::query",
                "src/shape/g.hpp:4: shape opens namespace snug::query"]
    assert len(found) == len(expected) and all(any(f.startswith(e) for f in found) for e in expected), found
    assert calls == ["src/shape/j.cpp:2: shape calls is_valid() of assembly, a layer above it"], calls
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = list(faults(root)) + list(upward_calls(root)) + list(wrong_order(root))
    print("\n".join(found) if found else f"{sum(1 for _ in sources(root))} files in {len(ROOMS)} layers; no include goes up, and each has its namespace")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
