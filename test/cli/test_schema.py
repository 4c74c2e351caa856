"""The schemas are sound, hold for real documents, and can fail: a document broken in any of many ways is refused."""

import copy
import sys
import unittest

from support import CLEAN, FINDINGS, Case, jsonschema, parse, schema, validate


def objects_in(node, path=()):
    """Paths of all objects within a document."""
    if isinstance(node, dict):
        yield path
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from objects_in(value, (*path, key))


def at(document, path):
    for key in path:
        document = document[key]
    return document


class Schema(Case):
    def setUp(self):
        super().setUp()
        self.write_pair("clash.obj", gap=-1)
        self.write_pair("touch.obj", gap=0)
        self.documents = [
            self.check(FINDINGS, "clash.obj", "--units", "mm", "--pairs", "triangles", "--pose", "upper=1,0,0,1,0,0,0"),
            self.check(CLEAN, "touch.obj", "--units", "mm"),
            parse(self.expect(CLEAN, "info", "clash.obj", "--units", "mm", "--json").stdout),
            self.move_document(),
            parse(self.expect(FINDINGS, "chip", "clash.obj", "--units", "mm", "--json").stdout),
        ]

    def move_document(self):
        """With a finding that has everything a finding can have."""
        self.write("way.json", '{"schema":"snug.motion/1","units":"mm","tracks":[{"part":"upper","keys":[{"t":0,"position":[0,0,0],'
                   '"rotation":[1,0,0,0]},{"t":1,"position":[0,0,30],"rotation":[1,0,0,0]}]}]}')
        return parse(self.expect(FINDINGS, "move", "clash.obj", "--units", "mm", "--motion", "way.json", "--json").stdout)

    def refused(self, document, why):
        with self.assertRaises(jsonschema.ValidationError, msg=why):
            validate(document)

    def test_the_schemas_are_schemas(self):
        for kind in ("bench", "bench.ccd", "check", "chip", "devices", "importer", "info", "motion", "move", "move.joints", "page",
                     "scene", "simulate", "simulate.steps"):
            jsonschema.Draft202012Validator.check_schema(schema(kind))

    def test_a_missing_or_an_added_key_is_refused_everywhere(self):
        tried = 0
        for document in self.documents:
            for path in objects_in(document):
                broken = copy.deepcopy(document)
                at(broken, path)["surprise"] = 1
                self.refused(broken, f"added to {path}")
                for key in at(document, path):
                    if key == "triangles" and path[:1] == ("findings",) or (key == "schema" and not path):
                        continue
                    broken = copy.deepcopy(document)
                    del at(broken, path)[key]
                    self.refused(broken, f"{key} missing in {path}")
                    tried += 1
        self.assertGreater(tried, 100)

    def test_wrong_values_are_refused(self):
        check, touch, info, move, chip = self.documents
        for document, path, value in (
                (check, ("units",), "furlong"), (check, ("findings", 0, "verdict"), "clear"),
                (check, ("findings", 0, "verdict"), "undecided"), (touch, ("findings", 0, "gap"), -1),
                (check, ("findings", 0, "point"), [1, 2]), (check, ("findings", 0, "triangle_pairs"), 1.5),
                (check, ("findings", 0, "surface_pairs"), [[1]]), (check, ("inputs", 0, "sha256"), "abc"),
                (check, ("findings", 0, "depth", "lower"), "1"), (check, ("options", "method"), "magic"),
                (touch, ("findings", 0, "patches", 0, "normal"), [0, 0]), (check, ("run", "threads"), 0),
                (check, ("inputs", 0, "units"), "yard"), (info, ("parts", 0, "triangles"), -1), (info, ("parts", 0, "closed"), "yes"),
                (info, ("parts", 0, "bounds", "min"), [0, 0, None]), (move, ("findings", 0, "intervals"), [[1]]), (move, ("findings", 0, "verdict"), "clear"), (move, ("range",), [0]),
                (chip, ("cycles",), -1), (chip, ("pairs",), [[1]]), (chip, ("stalls", "memory"), None), (chip, ("fell_back",), 1),
                (move, ("findings", 0, "first_contact", "t_lo"), None), (move, ("motion", "sha256"), "abc"),
                (info, ("schema",), "snug.info/1 ")):
            broken = copy.deepcopy(document)
            at(broken, path[:-1])[path[-1]] = value
            if path == ("schema",):
                with self.assertRaises(jsonschema.ValidationError):
                    jsonschema.Draft202012Validator(schema("info")).validate(broken)
            else:
                self.refused(broken, f"{path} = {value}")


if __name__ == "__main__":
    if jsonschema is None:
        print("skipped: python3-jsonschema is not installed")
        sys.exit(77)
    unittest.main()
