"""The suites of exemplars and starters do under a bare ``pytest``, in their own folder, what they do here."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

ALL = os.environ.get("EVALFORGE_EXEMPLARS") == "all"
SOME = frozenset({"flawless", "beautiful-but-wrong", "solid"})
BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))
PASSED, FAILED, NOTHING_THERE = 0, 1, 5


def bare_pytest(folder: Path, place: Path) -> "subprocess.CompletedProcess[str]":
    shutil.copytree(folder, place)
    command = [Path(sys.executable).with_name("pytest"), "-q", "-p", "no:cacheprovider"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_exemplars_pass_under_a_bare_pytest(boss: Path, tmp_path: Path) -> None:
    exemplars = [path for path in sorted(boss.glob("exemplars/*")) if path.name != "broken"]
    for exemplar in exemplars:
        if ALL or exemplar.name in SOME:
            ended = bare_pytest(exemplar, tmp_path / exemplar.name)
            assert ended.returncode in (PASSED, NOTHING_THERE), f"{exemplar.name}: {ended.stdout[-2000:]}"


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_starters_tests_can_be_loaded_under_a_bare_pytest(boss: Path, tmp_path: Path) -> None:
    ended = bare_pytest(boss / "starter", tmp_path / "starter")
    assert ended.returncode in (PASSED, FAILED, NOTHING_THERE), ended.stdout[-2000:]
    assert "error" not in ended.stdout.splitlines()[-1]
