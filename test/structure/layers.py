"""The folders of src/ are layers: each includes only itself and those listed before it. Prints every include that goes up, by file and
line, and exits with 1 if there is one.

    layers.py [ROOT]        checks the tree
    layers.py --self-test   shows that an upward include, an unlisted folder and a missing header are found
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
    "support": "diagnostics export progress result version",
    "geometry": "analytic ccd predicates primitive solid triangle vec",
    "mesh": "inspect mesh",
    "model": "assembly motion pose",
    "io": "file_format importer io",
    "bvh": "shape",
    "shape": "shape_cache",
    "query": "budget cast certificate device device_work distance query self tracker",
    "penetration": "verdict",
    "contact": "contact_regions contacts",
    "ccd": "first_contact sweep",
    "scene": "scene",
    "assembly": "check path robot",
    "report": "move_report report",
    "page": "page",
    "chip": "chip",
    "kernels": "snug",
}
ROOM_OF = {name: room for room, names in PUBLIC.items() for name in names.split()}
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


def faults(root):
    rank = {room: i for i, room in enumerate(ROOMS)}
    for path, room in sources(root):
        if room not in rank:
            yield f"{path}: its layer is not listed in test/structure/layers.py"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                own, public = match.groups()
                if own and not os.path.exists(os.path.join(root, "src", own)):
                    if not os.path.exists(os.path.join(root, os.path.dirname(path), own)):
                        yield f"{path}:{number}: includes {own}, which is not there"
                    continue
                target = own.split("/")[0] if own else ROOM_OF.get(public)
                if target not in rank:
                    yield f"{path}:{number}: includes {own or public}, whose layer is not listed"
                elif rank[target] > rank[room]:
                    yield f"{path}:{number}: {room} includes {own or f'<snug/{public}.hpp>'} of {target}, a layer above it"


def self_test():
    cases = {"src/support/a.hpp": '#include "geometry/b.hpp"\n', "src/geometry/b.hpp": '#include "support/a.hpp"\n#include <snug/check.hpp>\n',
             "src/attic/c.hpp": "", "src/page/d.cpp": '#include "page/gone.hpp"\n#include "geometry/b.hpp"\n#include <vector>\n'}
    with tempfile.TemporaryDirectory() as root:
        for path, text in cases.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = list(faults(root))
    expected = ["src/attic/c.hpp: its layer", "src/geometry/b.hpp:2: geometry includes <snug/check.hpp> of assembly",
                "src/page/d.cpp:1: includes page/gone.hpp, which is not there", "src/support/a.hpp:1: support includes geometry/b.hpp of geometry"]
    assert len(found) == len(expected) and all(any(f.startswith(e) for f in found) for e in expected), found
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = list(faults(root))
    print("\n".join(found) if found else f"{sum(1 for _ in sources(root))} files in {len(ROOMS)} layers; no include goes up")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
