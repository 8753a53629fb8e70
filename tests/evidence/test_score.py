"""What verdicts on faults and on unchanged code come to."""

import pytest

from evalforge.evidence.examination import SuiteStatus
from evalforge.evidence.mutation.candidates import find_mutants
from evalforge.evidence.mutation.plan import Baseline, MutationJob
from evalforge.evidence.mutation_score import mutation_facts

FAULT = find_mutants("a.py", "def f(a):\n    return a + 1\n")[0][0]


def facts(faults: list[str], controls: list[str]) -> tuple[float | None, object, object, str]:
    """Score, number of faults, number of timeouts, and the first finding, for these verdicts."""
    jobs = [
        MutationJob(FAULT, is_control, True, ("t",), 0.1)
        for is_control in (*[False] * len(faults), *[True] * len(controls))
    ]
    stands = SuiteStatus(
        passed_count=1,
        total_count=1,
        skipped_count=0,
        unrun_count=0,
        looked_count=0,
        findings=(),
        baseline=Baseline((), {}, 0.0),
    )
    score, count, late = mutation_facts(stands, jobs, dict(enumerate([*faults, *controls])), ())
    value = score.value if isinstance(score.value, float) else None
    return value, count.value, late.value, score.findings[0].message if score.findings else ""


SOUND = ["survived"] * 8


@pytest.mark.parametrize(
    ("faults", "controls", "score", "count"),
    [
        (["killed", "killed", "survived", "survived"], SOUND, 0.5, 4),
        (["killed", "survived", "timeout", "lost"], SOUND, 0.5, 3),
        (["killed", "survived", "timeout", "lost"], [*SOUND, "timeout"], 0.25, 4),
        (["killed", "survived", "timeout", "lost"], [*SOUND, "lost"], 0.25, 4),
        (["killed", "killed"], [*SOUND, "killed"], 0.0, 2),
        (["killed", "killed"], [*SOUND, "crashed"], 0.0, 2),
        (["killed", "crashed", "survived", "crashed"], SOUND, 0.5, 4),
        (["crashed", "survived"], SOUND, 0.0, 2),
        (["killed", "timeout"], [*SOUND, "timeout", "timeout"], 0.0, 2),
        (["killed", "timeout"], [*SOUND, "timeout", "lost"], 0.0, 2),
    ],
)
def test_verdicts_count_as_unchanged_code_allows(
    faults: list[str], controls: list[str], score: float, count: int
) -> None:
    assert facts(faults, controls)[:2] == (score, count)


def test_it_is_said_why_a_score_is_void() -> None:
    assert "fail on unchanged code" in facts(["killed"], ["killed"])[3]
    assert "run out of time, or end their process, on unchanged code" in facts(["killed"], ["timeout", "lost"])[3]


def test_doubted_faults_are_not_reported_as_unnoticed() -> None:
    assert "on unchanged code as well" in facts(["killed", "timeout"], [*SOUND, "timeout"])[3]
    assert facts(["killed", "timeout"], SOUND)[3] == ""
