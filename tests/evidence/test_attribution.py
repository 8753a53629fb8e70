"""One fault costs once: what fails by another criterion's fault is not charged again, and nobody gains by a fault."""

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.cli.exit_status import ExitStatus
from evalforge.evidence.attribution import charge_once
from evalforge.evidence.earned_levels import earned_level
from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.model.evidence import Evidence, TrialOutcome, TrialResult
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.level_rules import LevelRules
from evalforge.model.rubric import BossRubric
from tests import factories
from tests.command_line import run

GROUPS = ("easy", "hard", "own", "late")
LEVELS_OF = {"c0": ("easy", "hard"), "c1": ("own", "late")}
RULES = LevelRules.model_validate(
    {
        name: [
            {"level": index + 1, "requires": [{"fact": f"trials.{group}", "check": "== 1.0", "otherwise": "Wrong."}]}
            for index, group in enumerate(groups)
        ]
        for name, groups in LEVELS_OF.items()
    }
)
RUBRIC = factories.rubric(2, 2)


def measured(*trials: TrialResult) -> Evidence:
    return Evidence(facts=trial_facts(trials), trials=trials)


def failed(group: str, blamed_on: str = "", title: str = "") -> TrialResult:
    return factories.trial(group, TrialOutcome.FAILED, title or f"{group} holds", blamed_on=blamed_on)


def passed(group: str) -> TrialResult:
    return factories.trial(group, title=f"{group} holds")


def levels(evidence: Evidence, rubric: BossRubric = RUBRIC) -> list[float]:
    charged = charge_once(rubric, RULES, evidence)
    return [earned_level(criterion, RULES, charged).level.score for criterion in rubric.criteria]


def total(evidence: Evidence) -> Fraction:
    return sum((to_fraction(score) for score in levels(evidence)), Fraction(0))


def test_a_blamed_failure_is_not_charged_again():
    evidence = measured(passed("easy"), failed("hard"), passed("own"), failed("late", "hard"))
    assert levels(evidence) == [1, 2]


def test_a_failure_without_a_root_cause_is_charged():
    assert levels(measured(passed("easy"), failed("hard"), passed("own"), failed("late"))) == [1, 1]


def test_a_blame_without_a_failed_root_is_void():
    assert levels(measured(passed("easy"), passed("hard"), passed("own"), failed("late", "hard"))) == [2, 1]


def test_two_groups_that_blame_each_other_are_both_charged():
    assert levels(measured(passed("easy"), failed("hard", "late"), passed("own"), failed("late", "hard"))) == [1, 1]


def test_a_group_of_the_same_criterion_excuses_nothing():
    assert levels(measured(failed("easy"), failed("hard", "easy"), passed("own"), passed("late"))) == [0, 2]


def test_no_more_is_granted_than_the_root_cause_costs():
    # The fault costs its own criterion one level, and would give two back.
    trials = [failed("hard"), failed("own", "hard"), failed("late", "hard")]
    assert levels(measured(passed("easy"), *trials)) == [1, 0]
    assert levels(measured(passed("easy"), passed("own"), failed("hard"), failed("late", "hard"))) == [1, 2]


def test_charging_once_leaves_the_trials_as_they_are():
    evidence = measured(passed("easy"), failed("hard"), passed("own"), failed("late", "hard"))
    charged = charge_once(RUBRIC, RULES, evidence)
    assert charged.trials == evidence.trials
    assert evidence.fact("trials.late") == charged.fact("trials.late").model_copy(
        update={"value": 0.0, "findings": evidence.fact("trials.late").findings}
    )


@st.composite
def results(draw: st.DrawFn) -> list[TrialResult]:
    """One to three trials of each group, of which some fail and blame any group or none."""
    trials: list[TrialResult] = []
    for group in GROUPS:
        for number in range(draw(st.integers(1, 3))):
            title = f"{group} {number}"
            blamed_on = draw(st.sampled_from(("", *(each for each in GROUPS if each != group))))
            is_failed = draw(st.booleans())
            trials.append(failed(group, blamed_on, title) if is_failed else factories.trial(group, title=title))
    return trials


@given(results(), st.sampled_from(GROUPS))
def test_nobody_gains_by_breaking_something(trials: list[TrialResult], broken: str):
    """A program with one more fault of its own, whatever else may be blamed on it, never has a higher total."""
    with_fault = measured(*(failed(broken, "", each.title) if each.group == broken else each for each in trials))
    without = measured(
        *(factories.trial(broken, title=each.title) if each.group == broken else each for each in trials)
    )
    assert total(with_fault) <= total(without)


@given(results())
def test_charging_once_never_lowers_a_level(trials: list[TrialResult]):
    evidence = measured(*trials)
    strict = [earned_level(criterion, RULES, evidence).level.score for criterion in RUBRIC.criteria]
    assert all(given >= charged for given, charged in zip(levels(evidence), strict, strict=True))


# Through real trials

PROGRAM = """
def names(): return ["ash", "elm"]
def sizes(): return {"ash": 3, "elm": 4}
"""
TRIALS = '''
import pytest

@pytest.mark.group("easy")
def test_loads(player):
    """The module loads."""
    assert player.module("grove"), "expected a module"

@pytest.mark.group("hard")
def test_names(player):
    """All trees are named."""
    got = player.module("grove").names()
    assert got == ["ash", "elm"], f"expected ash and elm; got {got}"

@pytest.mark.group("own")
def test_sizes(player):
    """Sizes are numbers."""
    assert player.module("grove").sizes()["ash"] == 3, "expected 3 as the size of ash"

@pytest.mark.group("late")
@pytest.mark.grants("hard")
def test_all_sizes(player, granted):
    """Each tree has its size."""
    grove = player.module("grove")
    expected = {name: {"ash": 3, "elm": 4}.get(name, 0) for name in (grove.names() if granted else ["ash", "elm"])}
    got = dict(grove.sizes())
    assert got == expected, f"expected {expected}; got {got}"
'''


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A boss with two criteria, of which the second can grant the fault of the first."""
    folder = tmp_path / "bosses" / "grove"
    shutil.copytree(Path("bosses/training-dummy"), folder, ignore=shutil.ignore_patterns("__pycache__"))
    boss = (folder / "boss.yaml").read_text("utf-8")
    boss = boss.replace("boss_id: training-dummy", "boss_id: grove").replace("dummy.py", "grove.py")
    (folder / "boss.yaml").write_text(boss, "utf-8")
    (folder / "rubric.yaml").unlink()
    (folder / "rubric.json").write_text(RUBRIC.model_dump_json(), "utf-8")
    (folder / "evidence.yaml").unlink()
    (folder / "evidence.json").write_text(RULES.model_dump_json(exclude_defaults=True), "utf-8")
    shutil.rmtree(folder / "trials")
    (folder / "trials").mkdir()
    (folder / "trials" / "test_grove.py").write_text(TRIALS, "utf-8")
    return folder


def judged(pack: Path, program: str) -> dict[str, Any]:
    """The stored attempt of a program."""
    folder = pack.parents[1] / "hand-in"
    folder.mkdir(exist_ok=True)
    (folder / "grove.py").write_text(program, "utf-8")
    ended = run("judge", "grove", folder, "--bosses", pack.parent, "--json")
    assert ended.returncode in (ExitStatus.SUCCESS, ExitStatus.NOT_PASSED), ended.stderr
    newest = json.loads(run("attempts", "--json").stdout)[0]["id"]
    return json.loads(run("attempt", newest, "--json").stdout)


@pytest.mark.usefixtures("own_home", "own_engine")
def test_a_trial_is_asked_again_with_the_fault_granted(pack: Path):
    faulty = PROGRAM.replace('["ash", "elm"]', '["elm"]').replace('"ash": 3, "elm"', '"elm"')
    # Its names and its sizes agree, so only the names are wrong; that "ash" has no size is a fault of its own.
    attempt = judged(pack, faulty)
    blames = {trial["group"]: trial["blamed_on"] for trial in attempt["evidence"]["trials"]}
    assert blames == {"load": "", "easy": "", "hard": "", "own": "", "late": "hard"}
    facts = {fact["name"]: fact["blamed_on"] for fact in attempt["evidence"]["facts"] if fact["name"] != "trials.all"}
    assert [name for name, blamed_on in facts.items() if blamed_on] == ["trials.late"]


@pytest.mark.usefixtures("own_home", "own_engine")
def test_the_comment_says_where_a_fault_is_charged(pack: Path):
    faulty = PROGRAM.replace('["ash", "elm"]', '["ash", "elm", "oak"]').replace('"elm": 4', '"elm": 4, "oak": 0')
    attempt = judged(pack, faulty)
    scores = {each["id"]: each["score"] for each in attempt["result"]["criteria"]}
    comments = {each["id"]: each["comment"] for each in attempt["result"]["criteria"]}
    assert scores == {"c0": 1, "c1": 2}
    assert "A trial fails only by a fault of Criterion 0: not charged again, see Criterion 0." in comments["c1"]
    assert "not charged" not in comments["c0"]
    reason = run("attempt", attempt["id"], "--why", "c0", "--bosses", pack.parent).stdout
    assert "1 of 2 trials fail" in reason or "All trees are named" in reason


@pytest.mark.usefixtures("own_home", "own_engine")
def test_a_fault_beside_the_granted_one_is_charged(pack: Path):
    faulty = PROGRAM.replace('["ash", "elm"]', '["ash", "elm", "oak"]').replace('"elm": 4', '"elm": 5')
    attempt = judged(pack, faulty)
    assert [each["score"] for each in attempt["result"]["criteria"]] == [1, 1]
    assert not any(trial["blamed_on"] for trial in attempt["evidence"]["trials"])
