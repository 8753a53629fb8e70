"""A person's word stands beside the judge's, and never in its place."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.history.overrides import Override, in_force, now
from evalforge.history.overriding import revise
from evalforge.history.store import History
from evalforge.model.attempt import Attempt, AttemptState
from evalforge.model.errors import UsageError
from evalforge.model.scoring import score
from evalforge.reports.receipt import audit
from tests import factories
from tests.history.test_class_book import judge_attempt

RUBRIC = factories.rubric(2, 2)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as history:
        yield history


def said(criterion_id: str, level: float | None, reason: str = "Seen.") -> Override:
    return Override(criterion_id=criterion_id, score=level, reason=reason, made_at=now())


def test_the_judged_result_and_its_receipt_stay_as_they_are(history: History) -> None:
    attempt = history.get(judge_attempt(history, "/mine", 0, 1))
    words = (said("c0", 2),)
    history.overrides.add(attempt.id, words, revise(attempt, RUBRIC, words))
    row = history.row(attempt.id)
    assert row is not None
    assert history.get(attempt.id) == attempt
    assert audit(attempt, row, history.receipt(attempt.id)) == ()
    revised = history.overrides.of(attempt.id)
    assert revised is not None
    assert (revised.result.score_total, revised.result.verdict.value, row.score_total) == (3, "pass", 1)
    assert revised.overrides == words


def test_the_last_word_counts_and_one_taken_back_does_not(history: History) -> None:
    attempt = history.get(judge_attempt(history, "/mine", 0, 1))
    words: tuple[Override, ...] = ()
    for one in (said("c0", 2), said("c1", 0), said("c0", 1), said("c1", None)):
        words = (*words, one)
        history.overrides.add(attempt.id, (one,), revise(attempt, RUBRIC, in_force(words)))
    revised = history.overrides.of(attempt.id)
    assert revised is not None
    assert revised.overrides == words
    assert [(one.criterion_id, one.score) for one in revised.in_force] == [("c0", 1)]
    assert revised.result.score_total == 2


def test_nothing_is_known_of_what_nobody_spoke_of(history: History) -> None:
    assert history.overrides.of(judge_attempt(history, "/mine", 0, 1)) is None


@given(st.tuples(*[st.integers(0, 2)] * 4), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=6))
def test_a_revised_result_is_the_sum_of_the_levels_that_count(
    judged: tuple[int, ...], words: list[tuple[int, int]]
) -> None:
    rubric = factories.rubric(2, 2, 2, 2, threshold=5)
    attempt = made(opinion_scores=judged)
    spoken = tuple(said(f"c{criterion}", level) for criterion, level in words)
    counts = {f"c{index}": level for index, level in enumerate(judged)} | {f"c{c}": level for c, level in words}
    revised = revise(attempt, rubric, in_force(spoken))
    expected = score("straw", rubric, factories.opinion(*counts.values()))
    sums = ("score_total", "score_max", "passed", "integrity", "verdict")
    assert [getattr(revised, name) for name in sums] == [getattr(expected, name) for name in sums]
    total = f"The result is {revised.score_total} of {revised.score_max}: {revised.verdict.value.replace('_', ' ')}."
    assert (total in revised.summary) == bool(spoken)
    for one in revised.criteria:
        assert (one.comment == "Set by your instructor: Seen.") == (
            one.id in {o.criterion_id for o in in_force(spoken)}
        )


def test_a_person_may_give_half_a_level_and_a_judge_may_not() -> None:
    rubric = factories.rubric(2, 2, 2, 2, threshold=5)
    attempt = made(opinion_scores=(0, 1, 2, 1))
    revised = revise(attempt, rubric, [said("c0", 1.5), said("c3", 0.5)])
    assert [criterion.score for criterion in revised.criteria] == [1.5, 1, 2, 0.5]
    assert (revised.score_total, revised.score_max, revised.verdict.value) == (5, 8, "pass")
    assert "(1.5 of 2)" in revised.summary
    assert any("(+0.5 " in text for text in revised.improvements)
    with pytest.raises(ValueError, match=r"no level 1\.5"):
        score("straw", rubric, factories.opinion(1.5, 1, 2, 1))


def made(opinion_scores: tuple[int, ...]) -> Attempt:
    opinion = factories.opinion(*opinion_scores)
    result = score("straw", factories.rubric(2, 2, 2, 2, threshold=5), opinion)
    return Attempt(
        id="a",
        boss_id="straw",
        boss_title="Straw",
        rubric_hash="h",
        state=AttemptState.JUDGED,
        started_at=now(),
        directory="/",
        judge=factories.FORGE,
        isolation="full",
        submission=factories.submission(main=""),
        judgements=opinion.judgements,
        result=result,
    )


@pytest.mark.parametrize(
    ("rubric", "word", "told"),
    [
        (RUBRIC, ("nobody", 1), "no criterion 'nobody'. Criteria: c0, c1"),
        (RUBRIC, ("c0", 7), "7 is not a level of c0. Levels: 0 "),
        (RUBRIC, ("c0", 1.25), r"1.25 is not a level of c0. .*, or halfway \(0.5, 1.5\)"),
        (factories.rubric(2, 2, threshold=4), ("c0", 1), "no longer the one"),
        (factories.rubric(2, 3), ("c0", 1), "no longer the one"),
        (factories.rubric(2), ("c0", 1), "no longer the one"),
    ],
)
def test_what_can_not_be_worked_out_is_refused_in_words(history: History, rubric, word, told: str) -> None:  # type: ignore[no-untyped-def]
    attempt = history.get(judge_attempt(history, "/mine", 1, 1))
    with pytest.raises(UsageError, match=told):
        revise(attempt, rubric, [said(*word)])


def test_an_attempt_that_goes_takes_its_words_along(history: History) -> None:
    attempt = history.get(judge_attempt(history, "/mine", 0, 1))
    words = (said("c0", 2),)
    history.overrides.add(attempt.id, words, revise(attempt, RUBRIC, words))
    history.delete(attempt.id)
    assert history.overrides.of(attempt.id) is None
