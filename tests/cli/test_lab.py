"""`evalforge lab`: two judges as text and JSON, and words where there is no terminal."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.judged import FIRST_WIN

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture
def trusted() -> tuple[str, ...]:
    """So that it runs where nothing shuts code in, too."""
    return ("--i-trust-this-code",)


def test_the_lab_needs_a_terminal_and_says_so() -> None:
    ended = run("lab", "training-dummy")
    assert ended.returncode == 2
    assert "needs a terminal" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dragon"], "no boss called 'dragon'"),
        (["training-dummy", "--json"], "go with --compare DIR"),
        (["training-dummy", "--judges", "forge,claude"], "go with --compare DIR"),
        (["training-dummy", "--compare", "/nowhere"], "/nowhere does not exist"),
        (["training-dummy", "--compare", FIRST_WIN, "--judges", "forge"], "two judges, not 1"),
        (["training-dummy", "--compare", FIRST_WIN, "--judges", "forge,oracle"], "no judge called 'oracle'"),
    ],
)
def test_what_cannot_work_is_said(arguments: list[object], words: str) -> None:
    ended = run("lab", *arguments)
    assert ended.returncode == 2
    assert words in ended.stderr


def test_an_unavailable_judge_says_why_and_the_other_shows(trusted: tuple[str, ...]) -> None:
    ended = run("lab", "training-dummy", "--compare", FIRST_WIN, *trusted)
    assert ended.returncode == 3
    assert "pass at" in ended.stdout
    assert "could not judge: The claude judge is unavailable: no key" in ended.stdout


def test_before_and_after_a_draft_as_json_reuse_the_evidence(
    own_home: Path, tmp_path: Path, trusted: tuple[str, ...]
) -> None:
    pack = tmp_path / "training-dummy"
    shutil.copytree(REPOSITORY / "bosses" / "training-dummy", pack)
    arguments = ("lab", pack, "--compare", FIRST_WIN, "--judges", "before,after", *trusted)
    first = run(*arguments)
    assert first.returncode == 0
    kept = {file: file.stat().st_mtime_ns for file in (own_home / "lab" / "evidence").iterdir()}
    (draft,) = (own_home / "lab" / "drafts").glob("*/pack/training-dummy/rubric.yaml")
    draft.write_text(draft.read_text("utf-8").replace("label: ", "label: re-"), "utf-8")
    again = run(*arguments, "--json")
    assert {file: file.stat().st_mtime_ns for file in (own_home / "lab" / "evidence").iterdir()} == kept != {}
    data = json.loads(again.stdout)
    assert [side["name"] for side in data["sides"]] == ["forge, before", "forge, after"]
    assert data["sides"][0]["rubric_hash"] != data["sides"][1]["rubric_hash"]
    assert all(len(criterion["levels"]) == 2 for criterion in data["criteria"])
    draft.write_text("rubric_id: [", "utf-8")
    broken = run(*arguments)
    assert broken.returncode == 2
    assert "has errors. rubric.yaml:2" in broken.stderr
