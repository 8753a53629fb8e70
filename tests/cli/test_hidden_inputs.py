"""Trials marked ``hidden``: what they did is shown from the third try on."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalforge.cli.exit_status import ExitStatus
from tests.command_line import run

pytestmark = pytest.mark.usefixtures("own_home", "own_engine")

HIDDEN_UNTIL = "Its input is shown from your third attempt on."


@pytest.fixture
def pack(bosses: Path, tmp_path: Path) -> Path:
    """The training dummy, with all of its trials hidden."""
    pack = tmp_path / "bosses" / "training-dummy"
    shutil.copytree(bosses / "training-dummy", pack)
    for path in (pack / "trials").glob("test_*.py"):
        path.write_text(
            path.read_text("utf-8").replace("@pytest.mark.group", "@pytest.mark.hidden\n@pytest.mark.group")
        )
    return pack


def judged(pack: Path, *options: str) -> list[dict[str, Any]]:
    """The failed trials of the weak exemplar."""
    ended = run("judge", pack, pack / "exemplars" / "weak", "--plain", *options)
    assert ended.returncode == ExitStatus.NOT_PASSED, ended.stderr
    newest = json.loads(run("attempts", "--json").stdout)[0]["id"]
    trials = json.loads(run("attempt", newest, "--json").stdout)["evidence"]["trials"]
    return [trial for trial in trials if trial["outcome"] != "passed" and trial["group"] != "load"]


def test_a_hidden_input_is_shown_from_the_third_try_on(pack: Path) -> None:
    for _ in range(2):
        trials = judged(pack)
        assert {trial["message"] for trial in trials} == {HIDDEN_UNTIL}
        assert not any(trial["steps"] or trial["command"] for trial in trials)
    shown = judged(pack)
    assert HIDDEN_UNTIL not in {trial["message"] for trial in shown}
    assert all(trial["steps"] for trial in shown)


def test_comments_and_reasons_say_when_a_hidden_input_is_shown(pack: Path) -> None:
    text = run("judge", pack, pack / "exemplars" / "weak", "--plain").stdout
    assert HIDDEN_UNTIL in text
    newest = json.loads(run("attempts", "--json").stdout)[0]
    criterion = json.loads(run("attempt", newest["id"], "--json").stdout)["judgements"][0]["criterion_id"]
    assert HIDDEN_UNTIL in run("attempt", newest["id"], "--why", criterion, "--bosses", pack.parent).stdout


def test_practice_without_a_history_hides_inputs_too(pack: Path) -> None:
    assert HIDDEN_UNTIL in run("judge", pack, pack / "exemplars" / "weak", "--no-save").stdout
