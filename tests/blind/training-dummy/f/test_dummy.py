import subprocess
import sys
import unittest


class DummyTest(unittest.TestCase):
    def run_dummy(self, *arguments):
        return subprocess.run([sys.executable, "dummy.py", *arguments], capture_output=True, text=True)

    def assertRefused(self, arguments, message):
        run = self.run_dummy(*arguments)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stdout, "")
        self.assertTrue(run.stderr.endswith(f"dummy.py: error: {message}\n"), run.stderr)

    def test_one_blow(self):
        run = self.run_dummy("Apprentice")
        self.assertEqual(run.stdout, "Thwack! Apprentice lands blow 1.\n")
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0)

    def test_many_blows(self):
        for blows in (2, 17, 99):
            with self.subTest(blows=blows):
                lines = self.run_dummy("--blows", str(blows), "A B").stdout.splitlines()
                self.assertEqual(lines, [f"Thwack! A B lands blow {n}." for n in range(1, blows + 1)])

    def test_braces(self):
        self.assertEqual(self.run_dummy("{x}%d").stdout, "Thwack! {x}%d lands blow 1.\n")

    def test_no_name(self):
        self.assertRefused([], "the following arguments are required: NAME")

    def test_empty_name(self):
        self.assertRefused([""], "NAME must not be blank")

    def test_blows_out_of_range(self):
        for blows in ("0", "-1", "100"):
            with self.subTest(blows=blows):
                self.assertRefused(["A", "--blows", blows], "--blows must be from 1 to 99")


if __name__ == "__main__":
    unittest.main()
