import subprocess
import sys


def test_one_blow():
    run = subprocess.run([sys.executable, "dummy.py", "Apprentice"], capture_output=True, text=True)
    print(run.stdout)
    print("should be: Thwack! Apprentice lands blow 1.")


def test_three_blows():
    run = subprocess.run([sys.executable, "dummy.py", "Apprentice", "--blows", "3"], capture_output=True, text=True)
    print(run.stdout)


def test_zero():
    run = subprocess.run([sys.executable, "dummy.py", "Apprentice", "--blows", "0"], capture_output=True, text=True)
    print(run.returncode, run.stderr)
