"""What the dummy must say, and what it must not fall for, tried on the program itself."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def strike(*arguments):
    """Run dummy.py with these arguments."""
    command = [sys.executable, "-X", "utf8", "dummy.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=20)


def lines(name, blows):
    """The words of the contract."""
    return "".join(f"Thwack! {name} lands blow {blow}.\n" for blow in range(1, blows + 1))


def test_one_blow_in_the_words_of_the_contract():
    run = strike("Apprentice")
    assert run.stdout == "Thwack! Apprentice lands blow 1.\n"
    assert run.returncode == 0


@pytest.mark.parametrize("blows", [1, 2, 12, 99])
def test_blows_are_counted_from_one_up_to_the_last(blows):
    run = strike("Apprentice", "--blows", str(blows))
    assert run.stdout == lines("Apprentice", blows)
    assert run.returncode == 0


def test_the_option_may_come_first():
    assert strike("--blows", "2", "Apprentice").stdout == lines("Apprentice", 2)


@pytest.mark.parametrize(
    "name", ["the OLD smith", "  two  spaces ", "Æthel Żółw", "Zoe\u0308", "{blow} {0} {", "100% %s %d", "long " * 20 + "John"]
)
def test_a_name_comes_out_as_it_went_in(name):
    assert strike(name).stdout == lines(name, 1)


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ([], "NAME"),
        ([""], "NAME"),
        (["   "], "NAME"),
        (["Apprentice", "--blows"], "--blows"),
        (["Apprentice", "--blows", "many"], "--blows"),
        (["Apprentice", "--blows", "2.5"], "--blows"),
        (["Apprentice", "--blows", "0"], "--blows"),
        (["Apprentice", "--blows", "-3"], "--blows"),
        (["Apprentice", "--blows", "100"], "--blows"),
        (["Apprentice", "--kicks"], ""),
    ],
)
def test_bad_input_is_refused_before_the_first_blow(arguments, culprit):
    run = strike(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert culprit.lower() in run.stderr.lower()
    assert run.stderr.strip()
    assert "Traceback" not in run.stderr
