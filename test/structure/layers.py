"""The folders of src/ are layers: each includes only itself and those listed before it, and each has a namespace of its own, which
sees those before it (src/support/rooms.hpp). Prints every include that goes up and every namespace of another room, by file and line,
and exits with 1 if there is one.

    layers.py [ROOT]        checks the tree
    layers.py --self-test   shows that upward includes, unlisted folders, missing headers and foreign namespaces are found
"""

import os
import re
import sys
import tempfile

# In the order of the data flow; docs/architecture.md says what each holds.
ROOMS = ["support", "simd", "geometry", "mesh", "model", "io", "bvh", "shape", "query", "chip", "penetration", "contact", "ccd", "scene",
         "assembly", "report", "page", "device", "kernels"]

# The lowest room whose terms a public header declares: ShapeOptions are those of the tree that bvh builds, and the volumes and fits of
# verdict.hpp are what penetration measures.
PUBLIC = {
    "support": "budget diagnostics export progress result version",
    "geometry": "analytic ccd predicates primitive solid triangle vec",
    "mesh": "inspect mesh",
    "model": "assembly make_mesh motion pose",
    "io": "importer io",
    "bvh": "shape",
    "shape": "shape_cache",
    "query": "cast certificate device device_work distance query self tracker",
    "penetration": "verdict",
    "contact": "contacts",
    "ccd": "first_contact sweep",
    "scene": "scene",
    "assembly": "check path robot",
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
             "src/attic/c.hpp": "", "src/page/d.cpp": '#include "page/gone.hpp"\n#include "geometry/b.hpp"\n#include <vector>\n'}
    with tempfile.TemporaryDirectory() as root:
        for path, text in cases.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = list(faults(root))
        order = list(wrong_order(root))
    assert "src/support/rooms.hpp: simd sees geometry, which is not the room before it" in order and len(order) == len(ROOMS) - 1, order
    expected = ["src/mesh/e.hpp:1: mesh opens namespace snug::io", "src/attic/c.hpp: its layer", "src/geometry/b.hpp:2: geometry includes <snug/check.hpp> of assembly",
                "src/page/d.cpp:1: includes page/gone.hpp, which is not there", "src/support/a.hpp:1: support includes geometry/b.hpp of geometry",
                "src/support/f.hpp:1: support includes ../geometry/b.hpp of geometry", "src/support/f.hpp:2: support opens namespace snug::query",
                "src/shape/g.hpp:4: shape opens namespace snug::query"]
    assert len(found) == len(expected) and all(any(f.startswith(e) for f in found) for e in expected), found
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = list(faults(root)) + list(wrong_order(root))
    print("\n".join(found) if found else f"{sum(1 for _ in sources(root))} files in {len(ROOMS)} layers; no include goes up, and each has its namespace")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
