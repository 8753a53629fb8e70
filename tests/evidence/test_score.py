"""What verdicts on faults and on unchanged code come to."""

from typing import Any, cast

import pytest

from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.conversation import Verdict
from evalforge.evidence.suite.jobs import Baseline, Job, JobKind, JobPlan
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.mutant_facts import mutation_score, noticed_facts
from evalforge.evidence.suite.own_tests import OwnTests
from evalforge.evidence.suite.run import Outcome, Program
from evalforge.model.evidence import Fact

FAULT = find_mutants("a.py", "def f(a):\n    return a + 1\n")[0][0]


def outcome_of(mutants: list[Mutant], verdicts: list[str], controls: list[str] = [], **plan: Any) -> Outcome:  # noqa: B006
    """A run on some mutants and on as many controls as there are further verdicts; an empty one is none."""
    jobs = [Job(mutant, JobKind.FAULT, True, ("t",), 0.1) for mutant in mutants]
    jobs += [Job(FAULT, JobKind.CONTROL, True, ("t",), 0.1) for _ in controls]
    answers = [(number, cast("Any", each)) for number, each in enumerate([*verdicts, *controls]) if each]
    received = {number: Verdict(number=number, outcome=outcome) for number, outcome in answers}
    return Outcome(Program(1.0), plan=JobPlan(tuple(jobs), **plan), verdicts=received)


def score_of(faults: list[str], controls: list[str]) -> tuple[float | None, str]:
    """The score and its first finding, for these verdicts."""
    own = OwnTests(
        passed_count=1,
        total_count=1,
        skipped_count=0,
        unrun_count=0,
        looked_count=0,
        findings=(),
        baseline=Baseline((), {}, 0.0),
    )
    score = mutation_score(own, outcome_of([FAULT] * len(faults), faults, controls))
    value = score.value if isinstance(score.value, float) else None
    return value, score.findings[0].message if score.findings else ""


SOUND = ["survived"] * 8


@pytest.mark.parametrize(
    ("faults", "controls", "score"),
    [
        (["killed", "killed", "survived", "survived"], SOUND, 0.5),
        (["killed", "survived", "timeout", "lost"], SOUND, 0.5),
        (["killed", "survived", "timeout", "lost"], [*SOUND, "timeout"], 0.25),
        (["killed", "survived", "timeout", "lost"], [*SOUND, "lost"], 0.25),
        (["killed", "killed"], [*SOUND, "killed"], 0.0),
        (["killed", "killed"], [*SOUND, "crashed"], 0.0),
        (["killed", "crashed", "survived", "crashed"], SOUND, 0.5),
        (["crashed", "survived"], SOUND, 0.0),
        (["killed", "timeout"], [*SOUND, "timeout", "timeout"], 0.5),
        (["killed", "timeout"], [*SOUND, "timeout", "lost"], 0.5),
        (["timeout", "timeout"], ["timeout"] * 8, 0.0),
        (["killed", "timeout"], [*SOUND, "timeout", "killed"], 0.0),
    ],
)
def test_verdicts_count_as_unchanged_code_allows(faults: list[str], controls: list[str], score: float) -> None:
    assert score_of(faults, controls)[0] == score


def test_nothing_noticed_among_a_few_proves_nothing() -> None:
    assert score_of(["survived", "", "", ""], SOUND)[0] is None
    assert score_of(["survived", "", "", ""], SOUND)[1].startswith("3 of 4 faults were not run")
    assert score_of(["survived", "survived", ""], SOUND)[0] == 0.0
    assert score_of(["killed", "", "", ""], SOUND)[0] == 1.0


def test_it_is_said_why_a_score_is_void() -> None:
    assert "fail on unchanged code" in score_of(["killed"], ["killed"])[1]
    assert "but on unchanged code as well" in score_of(["timeout"], ["timeout", "lost"])[1]


def test_doubted_faults_are_not_reported_as_unnoticed() -> None:
    assert "on unchanged code as well" in score_of(["killed", "timeout"], [*SOUND, "timeout"])[1]
    assert score_of(["killed", "timeout"], SOUND)[1] == ""


FAULTS = find_mutants("a.py", "def f(a, b):\n    return a + 1 < b * 2 and a - b == 3 or a * b > 5\n")[0]


def noticed(verdicts: list[str], unreached: int = 0, certified: slice | None = slice(None)) -> tuple[Fact, Fact]:
    """``tests.noticed`` and ``tests.certified`` for verdicts on as many faults, some of which break the contract."""
    reached = FAULTS[: len(verdicts)]
    rest = FAULTS[len(verdicts) : len(verdicts) + unreached]
    score = Fact(name="tests.mutation_score", value=0.25)
    known = None if certified is None else frozenset([*reached, *rest][certified])
    return noticed_facts(score, outcome_of(reached, verdicts, unreached=tuple(rest)), known)


def test_only_certified_faults_count() -> None:
    share, count = noticed(["killed"] * 6 + ["survived"] * 6, certified=slice(0, 8))
    assert (share.value, count.value) == (0.75, 8)
    assert "Of 8 small faults put into your program, each of which breaks the contract" in count.findings[0].message
    assert "your tests catch 6." in count.findings[0].message


def test_certified_faults_that_no_test_comes_by_go_unnoticed() -> None:
    share, count = noticed(["killed"] * 8, unreached=2)
    assert (share.value, count.value) == (0.8, 10)


def test_faults_that_only_crash_the_tests_are_told_apart() -> None:
    share, count = noticed(["killed"] * 4 + ["survived"] * 4 + ["crashed"])
    assert (share.value, count.value) == (0.5, 8)
    assert count.findings[0].message.endswith("1 more only makes them crash, which counts neither way.")


@pytest.mark.parametrize("certified", [None, slice(0, 7)])
def test_of_few_certified_faults_the_share_is_that_of_all(certified: slice | None) -> None:
    share, count = noticed(["killed"] * 10, certified=certified)
    assert (share.name, share.value, count.value) == ("tests.noticed", 0.25, 0)
