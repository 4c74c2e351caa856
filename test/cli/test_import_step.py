"""STEP files as other systems write them, made here from snug's own: texts that are missing, names in Latin-1, parts in files of
their own, several bodies in a part. Uses the real importer."""

import os
import re
import shutil
import unittest

from support import CLEAN, FINDINGS, INCOMPLETE, PROGRAM, UNREADABLE, Case, Mesh, parse


class Step(Case):
    def setUp(self):
        super().setUp()
        if not os.path.exists(os.path.join(os.path.dirname(PROGRAM), "snug-import")):
            self.skipTest("no snug-import: built without OpenCASCADE")

    def info(self, path, *arguments, code=CLEAN):
        return parse(self.expect(code, "info", path, *arguments, "--json", "--cache", "off").stdout)

    def paths(self, document):
        return [part["path"] for part in document["parts"]]

    def text(self, name):
        with open(self.path(name), encoding="latin-1") as file:
            return file.read()

    def save(self, name, text):
        with open(self.path(name), "w", encoding="latin-1") as file:
            file.write(text)
        return name

    def pair(self, names=("pair/one", "pair/two")):
        """Two boxes in an assembly, as text."""
        boxes = Mesh().box(names[0], (0, 0, 0), (1, 1, 1)).box(names[1], (5, 0, 0), (6, 1, 1))
        self.write("pair.obj", "\n".join(boxes.lines))
        self.expect(CLEAN, "convert", "pair.obj", "--units", "mm", "-o", "pair.step", "--quiet")
        return self.text("pair.step")

    def test_texts_that_are_missing_are_no_loss(self):
        """As Autodesk's systems write them; what they place is where it was."""
        text = self.pair()
        whole = self.info("pair.step")
        for entity in ("ITEM_DEFINED_TRANSFORMATION", "REPRESENTATION_RELATIONSHIP"):
            text, count = re.subn(entity + r"\('','',", entity + "($,$,", text)
            self.assertEqual(count, 2)
        document = self.info(self.save("autodesk.step", text))
        self.assertEqual(document["losses"], [])
        remarks = [problem for problem in document["problems"] if "damaged" in str(problem)]
        self.assertEqual(len(remarks), 1, document["problems"])
        self.assertIn("4 entities damaged", str(remarks[0]))
        bounds = lambda d: {part["path"]: part["bounds"] for part in d["parts"]}
        self.assertEqual(bounds(document), bounds(whole))

    def test_a_placement_that_is_damaged_is_a_loss(self):
        text = self.pair()
        text, count = re.subn(r"ITEM_DEFINED_TRANSFORMATION\('','',#\d+", "ITEM_DEFINED_TRANSFORMATION('','',$", text, 1)
        self.assertEqual(count, 1)
        self.assertIn("is damaged", str(self.info(self.save("damaged.step", text), code=INCOMPLETE)["losses"]))

    def test_what_scales_or_holds_parts_and_is_damaged_is_a_loss(self):
        for kind, pattern, damaged in (("unit", r"SI_UNIT\(\.MILLI\.,\.METRE\.\)", "SI_UNIT(.MILLI.,5)"),
                                       ("link", r"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION\(#\d+", "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION($")):
            with self.subTest(kind):
                text, count = re.subn(pattern, damaged, self.pair(), count=1)
                self.assertEqual(count, 1)
                document = self.info(self.save(kind + ".step", text), code=INCOMPLETE)
                self.assertIn("is damaged", str(document["losses"]))

    def test_an_occurrence_without_its_placement_is_a_loss(self):
        """The product occurs once more, so that its faces are read all the same."""
        text = self.pair()
        second = re.search(r"(#\d+)=NEXT_ASSEMBLY_USAGE_OCCURRENCE\('2','two','',(#\d+),(#\d+),\$\)", text)
        more = f"#90000=NEXT_ASSEMBLY_USAGE_OCCURRENCE('3','three','',{second.group(2)},{second.group(3)},$);\n"
        end = text.rindex("ENDSEC;")
        document = self.info(self.save("unplaced.step", text[:end] + more + text[end:]), code=INCOMPLETE)
        self.assertEqual(self.paths(document), ["pair/one", "pair/two"])
        self.assertEqual(len(document["losses"]), 1, document["losses"])
        self.assertIn("occurrence #90000 (three) has no placement", str(document["losses"]))
        self.assertIn("#90000", self.expect(INCOMPLETE, "check", "unplaced.step", "--cache", "off").stdout)

    def test_an_occurrence_of_a_product_without_shape_is_no_loss(self):
        text = self.pair()
        parent = re.search(r"NEXT_ASSEMBLY_USAGE_OCCURRENCE\('2','two','',(#\d+),", text).group(1)
        product = re.search(r"(#\d+)=PRODUCT_DEFINITION\('[^']*','[^']*',(#\d+),(#\d+)\)", text)
        more = (f"#90000=PRODUCT_DEFINITION('','',{product.group(2)},{product.group(3)});\n"
                f"#90001=NEXT_ASSEMBLY_USAGE_OCCURRENCE('3','grease','',{parent},#90000,$);\n")
        end = text.rindex("ENDSEC;")
        self.assertEqual(self.info(self.save("grease.step", text[:end] + more + text[end:]))["losses"], [])

    def test_raw_latin1_names_are_read_as_such(self):
        text = self.pair().replace("'one'", "'Gehäuse für Öl'")
        document = self.info(self.save("raw.step", text))
        self.assertEqual(self.paths(document), ["pair/Gehäuse für Öl", "pair/two"])
        self.assertIn("read as Latin-1", str(document["problems"]))
        with open(self.path("utf8.step"), "w", encoding="utf-8") as file:
            file.write(text)
        document = self.info("utf8.step")
        self.assertEqual(self.paths(document), ["pair/Gehäuse für Öl", "pair/two"])
        self.assertNotIn("Latin-1", str(document["problems"]))

    def test_instances_that_share_a_name_keep_their_node(self):
        text = self.pair()
        document = self.info(self.save("same.step", text.replace("'two'", "'one'")))
        self.assertEqual(self.paths(document), ["pair/one", "pair/one#2"])

    def test_words_of_the_kernel_are_no_names(self):
        text = self.pair().replace("'one'", "'SOLID'").replace("'pair'", "'COMPOUND'")
        document = self.info(self.save("words.step", text))
        self.assertEqual(self.paths(document), ["body", "two"])

    def test_bodies_of_a_part_are_checked_against_each_other(self):
        both = Mesh().box("both", (0, 0, 0), (2, 2, 2)).box("x", (1, 1, 1), (3, 3, 3))
        self.write("both.obj", "\n".join(line for line in both.lines if line != "o x"))
        self.expect(CLEAN, "convert", "both.obj", "--units", "mm", "-o", "both.step", "--quiet")
        self.assertEqual(self.paths(self.info("both.step")), ["both"])
        document = self.info("both.step", "--bodies")
        self.assertEqual(self.paths(document), ["both/body", "both/body#2"])
        self.assertEqual([part["closed"] for part in document["parts"]], [True, True])
        report = parse(self.expect(FINDINGS, "check", "both.step", "--bodies", "--json", "--cache", "off").stdout)
        self.assertEqual([(f["a"]["part"], f["b"]["part"]) for f in report["findings"]], [("both/body", "both/body#2")])
        self.expect(CLEAN, "info", "both.obj", "--units", "mm", "--bodies", says=["--bodies", "there is none among the inputs"])

    # --- files that name files ---------------------------------------------------------------------------------------

    def master(self, name="one.step", more=""):
        """The pair with the first box in a file of its own, which is written too."""
        text = self.pair()
        self.write("one.obj", "\n".join(Mesh().box("one", (0, 0, 0), (1, 1, 1)).lines))
        self.expect(CLEAN, "convert", "one.obj", "--units", "mm", "-o", "one.step", "--quiet")
        shape = re.search(r"ADVANCED_BREP_SHAPE_REPRESENTATION\('one',\((#\d+),(#\d+)\)", text)
        text = text.replace(shape.group(), f"SHAPE_REPRESENTATION('one',({shape.group(1)})")
        text = re.sub(rf"{shape.group(2)}=MANIFOLD[^;]*;\n", "", text)
        formation = re.search(r"(#\d+)=PRODUCT_DEFINITION_FORMATION\('','',#\d+\);\n(#\d+)=PRODUCT_DEFINITION\(", text)
        link = (f"#90000=DOCUMENT_TYPE('geometry');\n#90001=DOCUMENT_FILE('{name}','','',#90000,'',$);\n"
                f"#90002=APPLIED_DOCUMENT_REFERENCE(#90001,'',({formation.group(2)}));\n{more}")
        end = text.rindex("ENDSEC;")
        # Without its solid nobody refers to the faces any more, which is what a file that leaves them out is like.
        text = re.sub(r"#\d+=(ADVANCED_FACE|CLOSED_SHELL)\([^;]*;\n", "", text[:end], count=7) + link + text[end:]
        return self.save("master.step", text)

    def test_parts_in_files_of_their_own_are_read(self):
        document = self.info(self.master())
        self.assertEqual(document["losses"], [])
        self.assertEqual(self.paths(document), ["pair/one", "pair/two"])
        self.assertEqual(document["parts"][0]["bounds"], {"max": [1, 1, 1], "min": [0, 0, 0]})
        self.assertIn("one.step", str(document["problems"]))
        # By way of a folder, and from anywhere.
        os.mkdir(self.path("below"))
        for name in ("master.step", "one.step"):
            shutil.move(self.path(name), self.path("below"))
        self.assertEqual(self.info("below/master.step")["losses"], [])
        self.assertEqual(self.info(os.path.join(self.folder, "below/master.step"))["losses"], [])

    def test_one_file_by_two_names_is_read_once(self):
        more = "#90003=DOCUMENT_FILE('one.step','','',#90000,'',$);\n"
        master = self.master("./one.step", more)
        self.assertEqual(self.info(master)["losses"], [])
        report = parse(self.expect(CLEAN, "check", master, "--json", "--cache", "off").stdout)
        self.assertEqual([os.path.basename(r["path"]) for r in report["inputs"][0]["references"]], ["one.step"])

    def test_what_is_missing_is_named(self):
        master = self.master()
        os.unlink(self.path("one.step"))
        document = self.info(master, code=INCOMPLETE)
        self.assertEqual(self.paths(document), ["pair/two"])
        self.assertIn("one.step, which is not in the folder", str(document["losses"]))
        self.save("one.step", "nothing of the sort")
        self.assertIn("one.step, which is no STEP file", str(self.info(master, code=INCOMPLETE)["losses"]))
        self.save("one.step", "ISO-10303-21;\nbroken")
        self.assertIn("one.step", str(self.info(master, code=INCOMPLETE)["losses"]))

    def test_nothing_outside_the_folder_is_read(self):
        outside = "only files in the same folder are read"
        os.mkdir(self.path("below"))
        for name in ("../one.step", os.path.join(self.folder, "one.step"), "C:\\\\one.step", "x/../../one.step"):
            with self.subTest(name):
                shutil.move(self.path(self.master(name)), self.path("below/master.step"))
                self.assertIn(outside, str(self.info("below/master.step", code=INCOMPLETE)["losses"]))
        shutil.move(self.path(self.master("link.step")), self.path("below/master.step"))
        os.symlink("../one.step", self.path("below/link.step"))
        self.assertIn("link.step, which cannot be read", str(self.info("below/master.step", code=INCOMPLETE)["losses"]))

    def test_a_file_that_names_itself_or_goes_round_ends(self):
        self.assertIn("this file itself", str(self.info(self.master("master.step"), code=INCOMPLETE)["losses"]))
        # master -> one -> other -> one
        master = self.master()
        shutil.copy(self.path(self.master("other.step")), self.path("one.step"))
        one = self.text("one.step")
        self.save("other.step", one.replace("other.step", "one.step"))
        self.save("master.step", one.replace("other.step", "one.step"))
        self.assertIn("made of this file again", str(self.info(master, code=INCOMPLETE)["losses"]))

    def test_the_cache_knows_the_other_files(self):
        master = self.master()
        size = lambda: parse(self.expect(CLEAN, "info", master, "--json", "--cache", "kept").stdout)["parts"][0]["bounds"]["max"]
        self.assertEqual(size(), [1, 1, 1])
        self.write("one.obj", "\n".join(Mesh().box("one", (0, 0, 0), (1, 1, 3)).lines))
        self.expect(CLEAN, "convert", "one.obj", "--units", "mm", "-o", "one.step", "--quiet")
        self.assertEqual(size(), [1, 1, 3])

    def test_the_unit_is_that_of_the_first_file(self):
        self.master()
        self.expect(CLEAN, "convert", "one.obj", "--units", "in", "-o", "one.step", "--quiet")
        document = self.info("master.step")
        self.assertEqual(document["units"], "mm")
        for got, want in zip(document["parts"][0]["bounds"]["max"], [25.4] * 3):
            self.assertAlmostEqual(got, want, delta=1e-9)

    def test_files_that_no_part_waits_for_are_remarked(self):
        """Drawings, and the files that a part was made in."""
        text = self.pair()
        end = text.rindex("ENDSEC;")
        text = text[:end] + "#90000=DOCUMENT_TYPE('drawing');\n#90001=DOCUMENT_FILE('a.pdf','','',#90000,'',$);\n" + text[end:]
        document = self.info(self.save("drawing.step", text))
        self.assertEqual(document["losses"], [])
        self.assertIn("a.pdf", str(document["problems"]))


if __name__ == "__main__":
    unittest.main()
