import json
import os
import tempfile
import unittest

from furnace.cli import main


class CommandTest(unittest.TestCase):
    def run_on(self, readings, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "readings.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"readings": readings}, file)
            with self.assertLogs("furnace.cli", "INFO") as logs:
                status = main(["--input", path, *options])
        return status, logs.output[0]

    def test_status_and_word_agree(self):
        for readings, status, word in (([18.9], 10, "HEAT"), ([19, 21], 0, "STABLE"), ([21.1], 11, "COOL")):
            with self.subTest(word=word):
                got, line = self.run_on(readings, "--target-temp", "20")
                self.assertEqual(got, status)
                self.assertIn(f"decision={word} readings={len(readings)}", line)

    def test_tolerance_zero_is_kept(self):
        status, _ = self.run_on([20.5], "--target-temp", "20", "--tolerance", "0")
        self.assertEqual(status, 11)

    def test_bad_input_is_logged_and_exits_with_one(self):
        status, line = self.run_on(["hot"], "--target-temp", "20")
        self.assertEqual(status, 1)
        self.assertIn("ERROR", line)
        self.assertIn("'hot' is not a temperature", line)

    def test_input_and_target_are_required(self):
        for arguments in (["--input", "x.json"], ["--target-temp", "20"]):
            with self.subTest(arguments=arguments), self.assertRaises(SystemExit) as caught:
                main(arguments)
            self.assertEqual(caught.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
