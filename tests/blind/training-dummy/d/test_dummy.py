import subprocess
import sys
from pathlib import Path

import pytest

import dummy

PROGRAM = Path(__file__).with_name("dummy.py")


def strike(*arguments):
    return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("name", ["Apprentice", "Zoë the 2nd", " two  words ", "{name} 100% %s {0}", "a\\b"])
def test_one_blow_of_any_name(name):
    run = strike(name)
    assert (run.stdout, run.stderr, run.returncode) == (f"Thwack! {name} lands blow 1.\n", "", 0)


@pytest.mark.parametrize("arguments", [("A", "--blows", "3"), ("--blows", "3", "A"), ("A", "--blows=3")])
def test_three_blows(arguments):
    assert strike(*arguments).stdout == "Thwack! A lands blow 1.\nThwack! A lands blow 2.\nThwack! A lands blow 3.\n"


def test_most_blows():
    lines = dummy.strike("A", 99)
    assert len(lines) == 99
    assert lines[-1] == "Thwack! A lands blow 99."


@pytest.mark.parametrize("arguments, culprit", [
    ((), "NAME"), (("",), "NAME"), (("   ",), "NAME"),
    *((("A", "--blows", count), "--blows") for count in ["0", "-1", "100", "2.5", "many", ""]),
    (("A", "--blows"), "--blows"), (("A", "--blow", "2"), "--blow"), (("A", "--hard"), "--hard"),
])
def test_refusals(arguments, culprit):
    run = strike(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert culprit in run.stderr
    assert "Traceback" not in run.stderr
