import subprocess
import sys


def test_one_blow():
    run = subprocess.run([sys.executable, "dummy.py", "Apprentice"], capture_output=True, text=True)
    assert run.stdout == "Thwack! Apprentice lands blow 1.\n"
