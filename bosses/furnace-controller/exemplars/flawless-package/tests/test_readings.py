import os
import tempfile
import unittest

from furnace.readings import ReadingsError, ReadingsFile


class ShapeTest(unittest.TestCase):
    def test_numbers_pass(self):
        self.assertEqual(ReadingsFile.checked({"readings": [1, -2.5, 0], "unit": "C"}), [1.0, -2.5, 0.0])

    def test_wrong_shapes_are_refused(self):
        for document in ([1], None, 3, {}, {"readings": None}, {"readings": "1"}, {"readings": {"a": 1}}):
            with self.subTest(document=document), self.assertRaisesRegex(ReadingsError, "expected an object"):
                ReadingsFile.checked(document)

    def test_an_empty_list_is_refused(self):
        with self.assertRaisesRegex(ReadingsError, "empty"):
            ReadingsFile.checked({"readings": []})

    def test_what_is_no_number_is_refused(self):
        for value in ("20", True, False, None, [20], {"v": 20}, float("nan"), float("inf")):
            with self.subTest(value=value), self.assertRaisesRegex(ReadingsError, "not a temperature"):
                ReadingsFile.checked({"readings": [20, value]})


class FileTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "readings.json")

    def load(self, content):
        with open(self.path, "wb") as file:
            file.write(content)
        return ReadingsFile(self.path).load()

    def test_a_good_file(self):
        self.assertEqual(self.load('{"readings": [19.5, 20], "unit": "°C"}'.encode()), [19.5, 20.0])

    def test_broken_files(self):
        cases = [
            (b"", "line 1 is not JSON"),
            (b'{"readings":\n[1, 2', "line 2 is not JSON"),
            (b'{"readings": [NaN]}', "NaN is no JSON number"),
            (b'{"readings": [1], "unit": "\xb0C"}', "is not UTF-8 text"),
        ]
        for content, reason in cases:
            with self.subTest(content=content), self.assertRaisesRegex(ReadingsError, reason):
                self.load(content)

    def test_a_missing_file(self):
        with self.assertRaisesRegex(ReadingsError, "cannot open .*readings.json: No such file"):
            ReadingsFile(self.path).load()

    def test_a_directory(self):
        with self.assertRaises(ReadingsError):
            ReadingsFile(self.folder.name).load()


if __name__ == "__main__":
    unittest.main()
