import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"


def run(*arguments, text=""):
    return subprocess.run([sys.executable, "-m", "turnstile", *arguments], cwd=SRC, input=text, capture_output=True, text=True)


def test_lines_pass():
    assert run("5", "0.25", text="a\nb\n").stdout == "a\nb\n"


def test_nonsense_is_refused():
    assert run("0", "1").returncode == 2
