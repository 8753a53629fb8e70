"""Scoring is one pure function; these are its laws."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import Judgement, Opinion, Verdict
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import score

numbers = st.one_of(
    st.integers(-3, 9),
    st.decimals(min_value=-3, max_value=9, places=2, allow_nan=False, allow_infinity=False).map(float),
)


def rubric_of(levels: list[list[float]], threshold: float, weights: list[float] | None = None) -> BossRubric:
    return BossRubric.model_validate(
        {
            "rubric_id": "r",
            "overall": {"pass_threshold": threshold},
            "criteria": [
                {
                    "id": f"c{index}",
                    "label": f"C{index}",
                    "levels": [{"score": s, "label": "l", "description": "d"} for s in scores],
                    **({"weight": weights[index]} if weights else {}),
                }
                for index, scores in enumerate(levels)
            ],
        }
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[BossRubric, list[float]]:
    levels = draw(
        st.lists(st.lists(numbers, min_size=1, max_size=5, unique_by=to_fraction), min_size=1, max_size=6).filter(
            lambda rows: sum(max(to_fraction(s) for s in row) for row in rows) > 0
        )
    )
    maximum = sum(max(to_fraction(s) for s in row) for row in levels)
    totals = [sum((to_fraction(min(row)) for row in levels), Fraction(0)), maximum, maximum / 2, maximum / 3]
    threshold = draw(st.one_of(numbers, st.sampled_from(totals).map(float)).filter(lambda t: to_fraction(t) <= maximum))
    chosen = [draw(st.sampled_from(row)) for row in levels]
    return rubric_of(levels, threshold), chosen


def opinion_of(rubric: BossRubric, chosen: list[float]) -> Opinion:
    return Opinion(
        judgements=tuple(
            Judgement(criterion_id=c.id, score=s, comment="") for c, s in zip(rubric.criteria, chosen, strict=True)
        ),
        summary="",
        improvements=(),
    )


@given(cases())
def test_the_result_is_what_the_contract_says(case: tuple[BossRubric, list[float]]) -> None:
    rubric, chosen = case
    result = score("b", rubric, opinion_of(rubric, chosen))
    total = sum((Fraction(str(s)) for s in chosen), Fraction(0))
    maximum = sum(max(Fraction(str(level.score)) for level in c.levels) for c in rubric.criteria)
    threshold = Fraction(str(rubric.overall.pass_threshold))
    assert to_fraction(result.score_total) == pytest.approx(total)
    assert to_fraction(result.score_max) == pytest.approx(maximum)
    assert result.passed == (total >= threshold)
    assert result.integrity == float(min(max(total / maximum, 0), 1))
    expected = {
        (False, False): Verdict.FAIL if total <= threshold / 2 else Verdict.BORDERLINE,
        (True, False): Verdict.PASS,
        (True, True): Verdict.STRONG_PASS,
        (False, True): None,
    }[result.passed, total == maximum]
    assert result.verdict == expected
    assert [c.id for c in result.criteria] == [c.id for c in rubric.criteria]


@given(cases())
def test_weights_never_enter_the_total(case: tuple[BossRubric, list[float]]) -> None:
    rubric, chosen = case
    levels = [[level.score for level in c.levels] for c in rubric.criteria]
    weights = [1 / (index + 1) for index in range(len(levels))]
    weighed = rubric_of(levels, rubric.overall.pass_threshold, weights)
    assert score("b", weighed, opinion_of(weighed, chosen)) == score("b", rubric, opinion_of(rubric, chosen))


def test_a_sum_of_tenths_meets_its_threshold_as_written() -> None:
    rubric = rubric_of([[0, 0.1], [0, 0.2], [0, 0.7]], 0.3)
    result = score("b", rubric, opinion_of(rubric, [0.1, 0.2, 0]))
    assert result.score_total == 0.3
    assert result.passed


@pytest.mark.parametrize(
    ("total", "verdict"),
    [
        *[(total, "fail") for total in range(4)],
        *[(total, "borderline") for total in (4, 5)],
        *[(total, "pass") for total in (6, 7)],
        (8, "strong_pass"),
    ],
)
def test_each_total_of_a_rubric_of_eight_has_its_verdict(total: int, verdict: str) -> None:
    rubric = rubric_of([[0, 1, 2]] * 4, 6)
    chosen = [min(2, max(0, total - 2 * index)) for index in range(4)]
    assert score("b", rubric, opinion_of(rubric, chosen)).verdict == verdict


@pytest.mark.parametrize("chosen", [[2], [2, 2, 2], [2, 5]])
def test_an_opinion_that_does_not_fit_the_rubric_is_refused(chosen: list[float]) -> None:
    rubric = rubric_of([[0, 1, 2]] * 2, 3)
    judgements = tuple(Judgement(criterion_id=f"c{i}", score=s, comment="") for i, s in enumerate(chosen))
    with pytest.raises(ValueError, match=r"exactly one judgement|no level"):
        score("b", rubric, Opinion(judgements=judgements, summary="", improvements=()))


@pytest.mark.parametrize(
    ("levels", "threshold", "words"),
    [
        ([[0, 1]], 2, "above the highest possible total"),
        ([[0]], 0, "above 0"),
        ([[]], 0, "at least one level"),
        ([[1, 1.0]], 1, "same score"),
        ([], 0, "at least one criterion"),
        ([[0, float("inf")]], 1, "finite"),
    ],
)
def test_a_rubric_that_can_not_be_scored_is_refused(levels: list[list[float]], threshold: float, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        rubric_of(levels, threshold)
