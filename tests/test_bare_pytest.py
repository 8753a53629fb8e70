"""The suites of exemplars and starters do under a bare ``pytest``, in their own folder, what they do here."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

pytestmark = pytest.mark.rotating
BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))
EXEMPLARS = [path for path in sorted(REPOSITORY.glob("bosses/*/exemplars/*")) if path.name != "broken"]
TESTS_ITS_OWN_FUNCTIONS = "data-crucible"
"""Its starter's test calls a function that its contract leaves open, and its flawless exemplar has another."""
PASSED, FAILED, NOTHING_THERE = 0, 1, 5


def bare_pytest(folder: Path, place: Path) -> "subprocess.CompletedProcess[str]":
    shutil.copytree(folder, place)
    command = [Path(sys.executable).with_name("pytest"), "-q", "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda path: f"{path.parents[1].name}/{path.name}")
def test_exemplars_pass_under_a_bare_pytest(exemplar: Path, tmp_path: Path) -> None:
    ended = bare_pytest(exemplar, tmp_path / "hand-in")
    assert ended.returncode in (PASSED, NOTHING_THERE), ended.stdout[-2000:]


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_starters_tests_can_be_loaded_under_a_bare_pytest(boss: Path, tmp_path: Path) -> None:
    ended = bare_pytest(boss / "starter", tmp_path / "starter")
    assert ended.returncode in (PASSED, FAILED, NOTHING_THERE), ended.stdout[-2000:]
    assert "error" not in ended.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "boss", [boss for boss in BOSSES if boss.name != TESTS_ITS_OWN_FUNCTIONS], ids=lambda path: path.name
)
def test_a_starters_tests_pass_beside_a_flawless_program(boss: Path, tmp_path: Path) -> None:
    """Whoever finishes the program needs to change nothing in the tests that were given."""
    finished, flawless = tmp_path / "finished", boss / "exemplars" / "flawless"
    shutil.copytree(boss / "starter", finished)
    for program in finished.glob("*.py"):
        program.unlink()
    for part in flawless.iterdir():
        if part.suffix == ".py":
            shutil.copy(part, finished)
        elif part.is_dir() and part.name != "tests":
            shutil.copytree(part, finished / part.name)
    has_tests = any(finished.rglob("test_*.py"))
    ended = bare_pytest(finished, tmp_path / "hand-in")
    assert ended.returncode == (PASSED if has_tests else NOTHING_THERE), ended.stdout[-2000:]
