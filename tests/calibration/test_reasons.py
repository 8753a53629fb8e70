"""Comments are held against the causes that readers wrote down, and against what was measured."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from evalforge.calibration.reasons import code_ranges, contradictions
from evalforge.judges.base import Case
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.result import Judgement
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack, load_pack
from tests import factories
from tests.command_line import Ended, run

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture
def pack(bosses: Path) -> BossPack:
    return load_pack(bosses / "training-dummy")


def hand_in(folder: Path, pack: BossPack, **labels: object) -> Path:
    """The weak exemplar as a hand-in, with more in its gold."""
    place = folder / "training-dummy" / "weak"
    shutil.copytree(pack.path / "exemplars" / "weak", place)
    gold = yaml.safe_load((place / "gold.yaml").read_text("utf-8"))
    (place / "gold.yaml").write_text(yaml.safe_dump({**gold, **labels}), "utf-8")
    return folder


def checked(folder: Path, *options: str) -> Ended:
    return run("calibrate", "training-dummy", "--reasons", folder, *options)


def test_a_comment_names_a_cause_by_its_line_and_its_kind(pack: BossPack, tmp_path: Path) -> None:
    causes = {"stands_its_ground": "dummy.py, no check", "shows_the_proof": "test_dummy.py:900, no refusal"}
    folder = hand_in(tmp_path, pack, causes=causes, kinds={"stands_its_ground": ["refus"], "strikes_true": ["speed"]})
    ended = checked(folder, "--json")
    found = {check["criterion_id"]: check for check in json.loads(ended.stdout)["checks"]}
    assert found["stands_its_ground"]["kind"] == "named"
    assert found["shows_the_proof"]["place"] == "missed"
    assert found["strikes_true"]["cause"] == ""
    assert found["strikes_true"]["kind"] == "undeclared"


def test_the_table_counts_causes_and_shows_those_that_go_unnamed(pack: BossPack, tmp_path: Path) -> None:
    causes = {"stands_its_ground": "dummy.py:900, no check"}
    ended = checked(hand_in(tmp_path, pack, causes=causes, kinds={"stands_its_ground": ["zebra"]}))
    assert ended.returncode == 0, ended.stderr
    assert "0 of 1, 0 %" in ended.stdout
    assert "line and kind not named" in ended.stdout
    assert "dummy.py:900, no check" in ended.stdout


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    assert "no submission with gold" in checked(tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("cache.py:76-78, looks at the oldest only", [("cache.py", 76, 78)]),
        ("cache.py:13-19 and 28-34 the same twice", [("cache.py", 13, 19), ("cache.py", 28, 34)]),
        ("a.py:8,82, errors as list; :84 no cause", [("a.py", 8, 8), ("a.py", 82, 82), ("a.py", 84, 84)]),
        ("tests/test_it.py, print instead of assert", [("tests/test_it.py", None, None)]),
        ("no test file", []),
    ],
)  # fmt: skip
def test_places_are_read_from_the_words_of_a_cause(words: str, places: list[tuple[str, int, int]]) -> None:
    assert [(place.path, place.first, place.last) for place in code_ranges(words)] == places


def denied(pack: BossPack, comment: str, score: int = 0) -> list[str]:
    """What is contradicted in a comment, where one of two trials of ``one_blow`` fails."""
    failed = factories.trial("one_blow", TrialOutcome.FAILED, "two")
    trials = (factories.trial("one_blow", title="one"), failed)
    case = Case(pack, factories.submission(dummy="print()\n"), Evidence(trials=trials))
    return list(contradictions(case, Judgement(criterion_id="strikes_true", score=score, comment=comment)))


def test_what_was_measured_denies_wrong_counts_titles_and_places(pack: BossPack) -> None:
    assert denied(pack, "1 of 2 trials fails: it ended at dummy.py:1.") == []
    assert "no group of trials has these counts" in denied(pack, "2 of 5 trials fail.")[0]
    assert "is said to fail, and passes" in denied(pack, "“one” fails.")[0]
    assert "beyond the end of the file" in denied(pack, "See dummy.py:40.")[0]


def test_praise_without_exception_is_denied_by_a_trial_that_fails(pack: BossPack) -> None:
    rule = next(rule for rule in pack.rules.of("strikes_true") if rule.earned)
    step = rule.model_copy(update={"earned": "Every blow has its line.", "level": 1})
    rules = pack.rules.model_copy(update={"root": {"strikes_true": (step,)}})
    strict = replace(pack, rules=rules)
    [words] = denied(strict, "Every blow has its line.", score=1)
    assert "though “two” fails" in words


def test_a_hand_in_without_files_has_nothing_to_deny(pack: BossPack) -> None:
    case = Case(pack, Submission(files=()), Evidence())
    assert list(contradictions(case, Judgement(criterion_id="strikes_true", score=0, comment="See dummy.py:3."))) == []
