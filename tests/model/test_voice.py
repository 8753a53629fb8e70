"""The boss's voice: which moment it comments on, and what it never repeats."""

import pytest

from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.scoring import score
from evalforge.model.voice import Moment, Voice
from tests import factories

_PASSED, _HUNG = TrialOutcome.PASSED, TrialOutcome.TIMED_OUT


def comment(points: float, evidence: Evidence, voice: Voice) -> Moment:
    """The moment of which the voice says a line: a rubric of ten points is passed at six."""
    result = score("b", factories.rubric(10, threshold=6), factories.opinion(points))
    words = voice.comment_on(result, evidence)
    return next(moment for moment in Moment if words in moment.value)


def trials(*outcomes: TrialOutcome) -> Evidence:
    return factories.evidence(tuple(factories.trial("edges", outcome) for outcome in outcomes))


@pytest.mark.parametrize(
    ("points", "evidence", "best", "moment"),
    [
        (10, Evidence(), 0.9, Moment.FLAWLESS),
        (9, Evidence(), None, Moment.PASS),
        (9, factories.evidence(**{"tests.count": 0}), None, Moment.PASS),
        (2, Evidence(), None, Moment.FAIL),
        (2, Evidence(), 0.1, Moment.NEW_BEST),
        (2, Evidence(), 0.2, Moment.FAIL),
        (2, factories.evidence(**{"tests.count": 0, "tests.asserts": 0}), 0.2, Moment.NO_TESTS),
        (2, factories.evidence(**{"tests.count": 3, "tests.asserts": 0}), 0.2, Moment.NO_ASSERTION),
        (2, trials(_HUNG, _PASSED, _PASSED, _PASSED), 0.1, Moment.HUNG),
        (2, trials(_HUNG, *[_PASSED] * 4), 0.2, Moment.FAIL),
    ],
)
def test_one_moment_is_chosen(points: float, evidence: Evidence, best: float | None, moment: Moment) -> None:
    assert comment(points, evidence, Voice("dummy", 3, best)) is moment


@pytest.mark.parametrize(
    ("points", "evidence", "last", "moment"),
    [
        (9, Evidence(), 1.0, Moment.SET_BACK),
        (5, Evidence(), 0.6, Moment.SET_BACK),
        (5, Evidence(), 0.5, Moment.BORDERLINE),
        (2, trials(_HUNG, _PASSED), 0.6, Moment.HUNG),
    ],
)
def test_a_setback_is_no_near_miss(points: float, evidence: Evidence, last: float, moment: Moment) -> None:
    assert comment(points, evidence, Voice("dummy", 3, 1.0, last)) is moment


def test_what_was_not_graded_is_no_failure() -> None:
    assert Voice("dummy").comment_on(None, Evidence()) in Moment.UNGRADED.value


@pytest.mark.parametrize("moment", Moment)
def test_no_line_comes_twice_in_a_row(moment: Moment) -> None:
    lines = [Voice("dummy", count).pick_line(moment) for count in range(4)]
    assert len(set(lines[:3])) == 3
    assert lines[3] == lines[0]


def test_every_line_is_one_short_sentence_or_two() -> None:
    lines = [line for moment in Moment for line in moment.value]
    assert len(set(lines)) == len(lines)
    assert all(len(line) <= 70 and line.endswith((".", "?", "!")) for line in lines)
