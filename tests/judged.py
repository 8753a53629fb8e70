"""Exemplars of the first boss, a home in which two of them were judged, and a class that hands them in."""

import shutil
from pathlib import Path

from tests.command_line import run
from tests.conftest import REPOSITORY

EXEMPLARS = REPOSITORY / "bosses/training-dummy/exemplars"
FIRST_WIN = EXEMPLARS / "first-win"
FLAWLESS = EXEMPLARS / "flawless"
WEAK = EXEMPLARS / "weak"


def judge_twice(home: Path) -> Path:
    """Judge a defeat, then a win, and keep both in a home."""
    for solution in (WEAK, FIRST_WIN):
        run("judge", "training-dummy", solution, "--judge", "forge", EVALFORGE_HOME=str(home))
    return home


def make_class(place: Path, count: int) -> Path:
    """A class of hand-ins without tests of their own, each a little different."""
    for number in range(count):
        target = place / f"s{number:02}"
        source = EXEMPLARS / ("weak", "flawless", "first-win")[number % 3]
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
        (target / "who.md").write_text(f"{number}\n")
    return place
