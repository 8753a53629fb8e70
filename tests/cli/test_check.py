"""One command checks a pack: quick parts first, a line for each exemplar, and exactly one thing to mend."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import run
from tests.spoiling import spoil

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.mark.usefixtures("checked_home")
def test_a_clean_pack_has_nothing_to_mend_and_is_calibrated(pack: Path) -> None:
    ended = run("check", pack)
    assert ended.returncode == 0, ended.stdout
    assert [line.split()[0] for line in ended.stdout.splitlines()[1:7]] == [
        *("text", "trials", "gold", "verdicts", "impostors", "cheats"),
    ]
    assert "5 of 5, as gold says" in ended.stdout
    assert ended.stdout.splitlines()[-1] == "Nothing to fix."
    fought = run("judge", "toll-gate", pack / "exemplars/flawless", "--bosses", pack.parent)
    assert "not calibrated" not in fought.stdout
    spoil(pack / "evidence.yaml", "A few positive numbers come out wrong.", "A few numbers come out wrong.")
    again = run("check", pack)
    assert again.returncode == 0
    assert ": fault 1" not in again.stderr  # a change of words runs no program again


def test_a_syntax_error_is_the_thing_to_mend(pack: Path) -> None:
    spoil(pack / "trials/test_refusals.py", "import re\n", "import re(\n")
    report = json.loads(run("check", pack, "--json").stdout)
    assert report["next_to_mend"]["file"] == "trials/test_refusals.py"
    assert report["next_to_mend"]["message"].startswith("Python can't parse this")
    assert report.keys() == {
        *("boss_id", "folder", "stages", "skipped", "exemplars", "ungraded", "next_to_mend"),
    }
    assert report["stages"][0].keys() == {"name", "summary", "seconds", "problems", "notes"}
    assert report["stages"][0]["problems"][0].keys() == {"file", "line", "message"}
    assert report["skipped"] == ["trials", "gold", "verdicts", "impostors", "cheats"]


@pytest.mark.parametrize(
    ("helper", "place", "words"),
    [
        ("ANSWER = UNKNOWN\n", "trials/helpers.py:1", "NameError: name 'UNKNOWN' is not defined"),
        ("OTHER = 4\n", "trials/test_refusals.py:4", "ImportError: cannot import name 'ANSWER'"),
    ],
)
def test_a_helper_that_cannot_be_imported_is_the_thing_to_mend(pack: Path, helper: str, place: str, words: str) -> None:
    (pack / "trials/helpers.py").write_text(helper, "utf-8")
    spoil(pack / "trials/test_refusals.py", "import re\n", "import re\nfrom helpers import ANSWER\n")
    ended = run("check", pack)
    assert ended.returncode == 2, ended.stderr
    assert f"Fix this: {place}: this can't be imported: {words}" in ended.stdout


def test_exemplars_of_another_rubric_share_a_line(pack: Path) -> None:
    for file in (pack / "rubric.yaml", pack / "evidence.yaml", pack / "codex/hints.yaml"):
        text = file.read_text("utf-8")
        for name in ("counts_right", "refuses_words", "parts", "proof"):
            text = text.replace(f"{name}:", f"{name}_2:").replace(f"id: {name}", f"id: {name}_2")
        file.write_text(text, "utf-8")
    ended = run("check", pack)
    assert ended.returncode == 2
    line = "exemplars still speak of other criteria than the rubric's: delete them"
    assert sum(line in each for each in ended.stdout.splitlines()) <= 2
    assert "Fix this: " in ended.stdout
    assert len(ended.stdout.splitlines()) < 8


@pytest.mark.usefixtures("checked_home")
def test_gold_that_the_judge_does_not_give_is_to_be_mended(pack: Path) -> None:
    for name in ("solid", "borderline", "beautiful-but-wrong"):
        shutil.rmtree(pack / "exemplars" / name)
    gold = pack / "exemplars/right-but-badly-built/gold.yaml"
    spoil(gold, "parts: 0", "parts: 1")
    ended = run("check", pack)
    assert ended.returncode == 2
    assert "Fix this: exemplars/right-but-badly-built/gold.yaml:1: parts is judged 0, and gold is 1" in ended.stdout
    assert "impostors, cheats: not tried yet" in ended.stdout


def test_what_is_no_pack_is_wrong_usage(tmp_path: Path) -> None:
    ended = run("check", tmp_path)
    assert (ended.returncode, "is not a boss pack" in ended.stderr) == (2, True)
