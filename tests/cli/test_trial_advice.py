"""Trials with advice of their own: it is what a player reads who fails one of them."""

import shutil
from pathlib import Path

import pytest

from evalforge.cli.exit_status import ExitStatus
from tests.command_line import run

pytestmark = pytest.mark.usefixtures("own_home", "own_engine")

ADVICE = "Allow 99 blows"


def test_an_improvement_is_the_advice_of_the_trial_that_failed(bosses: Path, tmp_path: Path) -> None:
    pack = tmp_path / "bosses" / "training-dummy"
    shutil.copytree(bosses / "training-dummy", pack)
    for path in (pack / "trials").glob("test_*.py"):
        words = f'@pytest.mark.advice("{ADVICE}")\ndef test_'
        path.write_text(path.read_text("utf-8").replace("def test_", words), "utf-8")
    folder = tmp_path / "solution"
    folder.mkdir()
    right = (pack / "exemplars" / "flawless" / "dummy.py").read_text("utf-8")
    (folder / "dummy.py").write_text(right.replace("MOST_BLOWS = 99", "MOST_BLOWS = 98"), "utf-8")
    ended = run("judge", pack, folder, "--plain", "--no-save")
    assert ended.returncode in (ExitStatus.SUCCESS, ExitStatus.NOT_PASSED), ended.stderr
    assert f"{ADVICE} (" in ended.stdout
