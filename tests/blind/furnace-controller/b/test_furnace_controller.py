import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "furnace_controller.py")


class ProgramTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, path, *options):
        command = [sys.executable, PROGRAM, "--input", path, "--target-temp", "100", *options]
        return subprocess.run(command, capture_output=True, text=True)

    def run_text(self, text, *options):
        path = os.path.join(self.folder, "input.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.run_program(path, *options)

    def assert_decision(self, readings, word, code, *options):
        result = self.run_text('{"readings": %s}' % readings, *options)
        self.assertEqual(result.returncode, code)
        output = result.stdout + result.stderr
        self.assertEqual([w for w in ("HEAT", "COOL", "STABLE") if w in output], [word])

    def assert_refused(self, result):
        self.assertEqual(result.returncode, 1)
        output = result.stdout + result.stderr
        self.assertTrue(output)
        self.assertNotIn("Traceback", output)
        for word in ("HEAT", "COOL", "STABLE"):
            self.assertNotIn(word, output)


class DecisionTest(ProgramTestCase):
    def test_heat(self):
        self.assert_decision("[98.75]", "HEAT", 10)

    def test_cool(self):
        self.assert_decision("[101.25]", "COOL", 11)

    def test_stable(self):
        self.assert_decision("[100.5]", "STABLE", 0)

    def test_edges(self):
        self.assert_decision("[99]", "STABLE", 0)
        self.assert_decision("[101]", "STABLE", 0)
        self.assert_decision("[100.25]", "STABLE", 0, "--tolerance", "0.25")

    def test_no_tolerance(self):
        self.assert_decision("[100]", "STABLE", 0, "--tolerance", "0")
        self.assert_decision("[100.5]", "COOL", 11, "--tolerance", "0")

    def test_average(self):
        self.assert_decision("[0, 100, 200]", "STABLE", 0)
        self.assert_decision("[100, 100, 103.75]", "COOL", 11)

    def test_negative(self):
        self.assert_decision("[-5]", "STABLE", 0, "--target-temp", "-5.5")


class RefusalTest(ProgramTestCase):
    def test_files(self):
        self.assert_refused(self.run_program(os.path.join(self.folder, "missing.json")))
        self.assert_refused(self.run_program(self.folder))

    def test_json(self):
        for text in ("", '{"readings": [1', "[100]", "null", "{}"):
            with self.subTest(text=text):
                self.assert_refused(self.run_text(text))

    def test_readings(self):
        for readings in ("null", "100", '"100"', "[]", "{}"):
            with self.subTest(readings=readings):
                self.assert_refused(self.run_text('{"readings": %s}' % readings))

    def test_each_reading(self):
        for reading in ('"20"', "true", "false", "null", "[1]", "{}", "NaN", "Infinity", "-Infinity"):
            with self.subTest(reading=reading):
                self.assert_refused(self.run_text('{"readings": [100, %s, 100]}' % reading))


if __name__ == "__main__":
    unittest.main()
