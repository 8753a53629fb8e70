import subprocess
import sys
from pathlib import Path

import pytest

DUMMY = Path(__file__).with_name("dummy.py")


def run(*arguments):
    return subprocess.run([sys.executable, str(DUMMY), *arguments], capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("arguments", [("Apprentice", "--blows", "2"), ("--blows", "2", "Apprentice")])
def test_two_blows(arguments):
    told = run(*arguments)
    assert told.stdout == "Thwack! Apprentice lands blow 1.\nThwack! Apprentice lands blow 2.\n"
    assert (told.returncode, told.stderr) == (0, "")


def test_one_blow_unless_asked():
    assert run("Ann").stdout == "Thwack! Ann lands blow 1.\n"


def test_ninety_nine():
    lines = run("Ann", "--blows", "99").stdout.splitlines()
    assert len(lines) == 99 and lines[-1] == "Thwack! Ann lands blow 99."


@pytest.mark.parametrize("name", ["ann", "  Ann  of  Ash ", "Zoë", "{name}", "100%s", "O'Hara \"x\"", "铁匠"])
def test_names_stay_as_they_are(name):
    assert run(name).stdout == f"Thwack! {name} lands blow 1.\n"


@pytest.mark.parametrize(
    "arguments, named",
    [((), "NAME"), (("",), "NAME"), (("   ",), "NAME"), (("Ann", "--blows"), "--blows"), (("--loud", "Ann"), "")]
    + [(("Ann", "--blows", n), "--blows") for n in ("0", "100", "two", "1.5", "")],
)
def test_refusals(arguments, named):
    told = run(*arguments)
    assert (told.returncode, told.stdout) == (2, "")
    assert named in told.stderr and told.stderr and "Traceback" not in told.stderr
