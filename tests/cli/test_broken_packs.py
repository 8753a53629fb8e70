"""Broken packs judge nobody, and a pack whose judge was never held against gold says so beside each verdict."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.spoiling import spoil

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("evidence.yaml", "trials.edges", "trials.egdes", "nothing measures trials.egdes: did you mean trials.edges?"),
        ("exemplars/solid/gold.yaml", "verdict: pass", "verdict: [pass", "gold.yaml:"),
        ("trials/test_refusals.py", "import re\n", "import re(\n", ": Python can't parse this"),
        (
            "trials/test_refusals.py",
            "import re\n",
            "import re\nimport toll_gate\n",
            "test_refusals.py:4: trials don't import the program, which runs elsewhere",
        ),
        ("trials/test_refusals.py", "import re\n", "import re\nimport helpers\n", "there is no module 'helpers'"),
        ("rubric.yaml", "pass_threshold: 3", "pass_threshold: 0", "everybody passes"),
    ],
)
def test_a_broken_pack_judges_nobody(pack: Path, file: str, old: str, new: str, words: str) -> None:
    spoil(pack / file, old, new)
    ended = run("judge", "toll-gate", pack / "exemplars/flawless", "--bosses", pack.parent)
    assert ended.returncode == 3
    assert "UNGRADED  This boss is broken, so it can't judge: " in ended.stdout
    assert words in ended.stdout
    assert "evalforge lint" in ended.stdout


def test_the_roster_says_what_is_wrong_and_where(pack: Path) -> None:
    assert [boss["error"] for boss in _roster(pack) if boss["boss_id"] == "toll-gate"] == [""]
    spoil(pack / "evidence.yaml", "trials.edges", "trials.egdes")
    (error,) = [boss["error"] for boss in _roster(pack) if boss["boss_id"] == "toll-gate"]
    assert error.startswith(f"{pack / 'evidence.yaml'}:17: nothing measures trials.egdes")
    spoil(pack / "evidence.yaml", "trials.egdes", "trials.edges")
    assert [boss["error"] for boss in _roster(pack) if boss["boss_id"] == "toll-gate"] == [""]


def test_a_class_is_not_judged_by_a_broken_pack(pack: Path, tmp_path: Path) -> None:
    shutil.copytree(pack / "exemplars", tmp_path / "class")
    spoil(pack / "evidence.yaml", "trials.edges", "trials.egdes")
    ended = run("batch", "toll-gate", tmp_path / "class", "--bosses", pack.parent)
    assert (ended.returncode, "evidence.yaml:17: nothing measures" in ended.stderr) == (2, True)


def test_a_pack_is_not_calibrated_until_it_meets_gold(pack: Path) -> None:
    arguments = ("judge", "toll-gate", pack / "exemplars/flawless", "--bosses", pack.parent)
    assert "not calibrated" in run(*arguments).stdout
    assert run("calibrate", "toll-gate", "--bosses", pack.parent).returncode == 0
    assert "not calibrated" not in run(*arguments).stdout
    spoil(pack / "evidence.yaml", "A few positive numbers come out wrong.", "A few numbers come out wrong.")
    assert "not calibrated" in run(*arguments).stdout


def test_a_judge_that_differs_from_gold_calibrates_nothing(pack: Path) -> None:
    spoil(pack / "exemplars/right-but-badly-built/gold.yaml", "parts: 0", "parts: 1")
    assert run("calibrate", "toll-gate", "--bosses", pack.parent).returncode == 0
    ended = run("judge", "toll-gate", pack / "exemplars/flawless", "--bosses", pack.parent)
    assert "not calibrated" in ended.stdout


def test_bosses_that_ship_are_calibrated(bosses: Path, measured_once: None) -> None:
    ended = run("judge", "training-dummy", bosses / "training-dummy/exemplars/flawless")
    assert "STRONG PASS" in ended.stdout
    assert "not calibrated" not in ended.stdout


def _roster(pack: Path) -> list[dict[str, str]]:
    return json.loads(run("bosses", "--bosses", pack.parent, "--json").stdout)


def test_shipped_bosses_are_sound_wherever_they_lie(tmp_path: Path) -> None:
    """Functions that trials send to the program with ``player.drive`` may import it."""
    for boss in (path for path in (REPOSITORY / "bosses").iterdir() if path.is_dir()):
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / boss.name).symlink_to(boss)
    told = run("bosses", "--bosses", tmp_path / "own")
    assert "broken" not in told.stdout
    assert told.stdout.count("new") >= 12
