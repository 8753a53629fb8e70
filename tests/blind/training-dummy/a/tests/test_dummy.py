"""The contract, line by line."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
import dummy  # noqa: E402

todo = partial(pytest.mark.xfail, strict=True)


@pytest.fixture
def run():
    def call(*arguments):
        done = subprocess.run([sys.executable, dummy.__file__, *arguments], capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.mark.parametrize("name", [
    "Apprentice", "o'Brien", "ÉLAN ß", "{}", "{name}", "%s 5%", "\\n",
    pytest.param(" a ", marks=todo(reason="spaces get lost")),
])
def test_one_blow(run, name):
    assert run(name) == (0, f"Thwack! {name} lands blow 1.\n", "")


@pytest.mark.parametrize("blows", [2, 10, 99])
def test_lines(blows):
    assert dummy.strike("A", blows) == [f"Thwack! A lands blow {number}." for number in range(1, blows + 1)]


@todo(reason="all on one line")
def test_blows_are_printed_on_lines_of_their_own(run):
    assert run("--blows", "2", "A") == (0, "Thwack! A lands blow 1.\nThwack! A lands blow 2.\n", "")


@pytest.mark.parametrize("arguments, named", [
    ((), "NAME"), (("A", "--blows"), "--blows"), (("A", "--blows", "1.5"), "--blows"), (("A", "--blows", "x"), "--blows"),
    (("A", "--strength", "4"), "--strength"),
    *(pytest.param(("A", "--blows", count), "--blows", marks=todo(reason="not checked")) for count in ("0", "-1", "100")),
    *(pytest.param((name,), "NAME", marks=todo(reason="not checked")) for name in ("", "  ")),
    pytest.param(("A", "--bl", "3"), "--bl", marks=todo(reason="argparse takes it for --blows")),
])
def test_refusals(run, arguments, named):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert "Traceback" not in err
