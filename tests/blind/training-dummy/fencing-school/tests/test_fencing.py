import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, os.pardir, "dummy.py")


def run(*words):
    return subprocess.run([sys.executable, PROGRAM, *words], capture_output=True, text=True, timeout=60)


class Strikes(unittest.TestCase):
    def test_two_blows(self):
        done = run("Apprentice", "--blows", "2")
        self.assertEqual(
            done.stdout, "Thwack! Apprentice lands blow 1.\nThwack! Apprentice lands blow 2.\n"
        )
        self.assertEqual(done.returncode, 0)

    def test_last_blow_is_the_number_asked_for(self):
        self.assertEqual(run("--blows", "99", "Ann").stdout.splitlines()[-1], "Thwack! Ann lands blow 99.")

    def test_braces_stay(self):
        self.assertIn("{0} 100%", run("{0} 100%").stdout)


class Refuses(unittest.TestCase):
    def test_counts(self):
        for count in ("0", "100", "-3", "1.5", "many", ""):
            with self.subTest(count=count):
                done = run("Ann", "--blows", count)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("--blows", done.stderr)

    def test_blank_name(self):
        self.assertIn("NAME", run("   ").stderr)


if __name__ == "__main__":
    unittest.main()
