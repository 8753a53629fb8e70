"""Comments are held against the causes that readers wrote down, and against what was measured."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from evalforge.calibration.reasons import code_ranges, contradictions
from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.judges.base import Case
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.level_rules import LevelRules
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


def test_the_table_counts_causes_and_shows_unnamed_ones(pack: BossPack, tmp_path: Path) -> None:
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
    evidence = Evidence(facts=trial_facts(trials), trials=trials)
    case = Case(pack, factories.submission(dummy="print()\n"), evidence)
    return list(contradictions(case, Judgement(criterion_id="strikes_true", score=score, comment=comment)))


def test_wrong_counts_titles_and_places_are_denied(pack: BossPack) -> None:
    assert denied(pack, "1 of 2 trials fails: it ended at dummy.py:1.") == []
    assert "no group of trials has these counts" in denied(pack, "2 of 5 trials fail.")[0]
    assert "is said to fail, and passes" in denied(pack, "“one” fails.")[0]
    assert "beyond the end of the file" in denied(pack, "See dummy.py:40.")[0]


@pytest.mark.parametrize(
    ("praise", "is_denied"),
    [("Every blow has its line.", True), ("All but two blows have their line.", False), ("Half of it works.", False)],
)
def test_praise_without_exception_is_denied_by_a_failure(pack: BossPack, praise: str, is_denied: bool) -> None:
    condition = {"fact": "trials.one_blow", "check": ">= 0.5", "otherwise": "Most blows go wrong."}
    rules = LevelRules.model_validate({"strikes_true": [{"level": 1, "earned": praise, "requires": [condition]}]})
    words = denied(replace(pack, rules=rules), praise, score=1)
    assert ["though “two” fails" in each for each in words] == [True] * is_denied


def test_a_hand_in_without_files_has_nothing_to_deny(pack: BossPack) -> None:
    case = Case(pack, Submission(files=()), Evidence())
    assert list(contradictions(case, Judgement(criterion_id="strikes_true", score=0, comment="See dummy.py:3."))) == []
