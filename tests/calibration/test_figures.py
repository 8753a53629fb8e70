"""The figures of a calibration hold what their definitions promise."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.calibration.agreement import (
    adjacent_agreement,
    cohen_kappa,
    confusion_table,
    exact_agreement,
    quadratic_kappa,
    signed_bias,
)
from evalforge.calibration.figures import (
    RatedSubmission,
    criterion_figures,
    icc_3_1,
    ordinal_alpha,
    overall_figures,
    percentile_interval,
)
from tests.factories import rubric

LEVELS = st.integers(0, 3)
PAIRS = st.lists(st.tuples(LEVELS, LEVELS), min_size=1, max_size=40)
UNITS = st.lists(st.lists(LEVELS, max_size=4), max_size=15)


def textbook_kappa(pairs: list[tuple[int, int]], weight) -> float | None:
    """Weighted kappa from its table of proportions, cell by cell."""
    golds, givens = Counter(gold for gold, _ in pairs), Counter(given for _, given in pairs)
    if len(golds) < 2 or len(givens) < 2:
        return None
    cells, count = Counter(pairs), len(pairs)
    observed = sum(weight(a, b) * cells[a, b] / count for a, b in product(range(4), repeat=2))
    expected = sum(weight(a, b) * golds[a] / count * givens[b] / count for a, b in product(range(4), repeat=2))
    return 1 - observed / expected


def textbook_alpha(units: list[list[int]]) -> float | None:
    """Ordinal alpha from its matrix of coincidences, cell by cell."""
    coincidences: Counter[tuple[int, int]] = Counter()
    for unit in units:
        for i, one in enumerate(unit):
            for j, other in enumerate(unit):
                if i != j:
                    coincidences[one, other] += 1 / (len(unit) - 1)
    sums = {rank: sum(coincidences[rank, other] for other in range(4)) for rank in range(4)}
    total = sum(sums.values())
    if sum(value > 0 for value in sums.values()) < 2:
        return None

    def distance(one: int, other: int) -> float:
        low, high = min(one, other), max(one, other)
        return (sum(sums[rank] for rank in range(low, high + 1)) - (sums[low] + sums[high]) / 2) ** 2

    cells = list(product(range(4), repeat=2))
    observed = sum(coincidences[cell] * distance(*cell) for cell in cells)
    expected = sum(sums[a] * sums[b] * distance(a, b) for a, b in cells) / (total - 1)
    return 1 - observed / expected


def same(value: float | None, other: float | None) -> bool:
    return (value is None and other is None) or value == pytest.approx(other, abs=1e-9)


@given(PAIRS)
def test_kappas_are_those_of_the_textbook(pairs: list[tuple[int, int]]) -> None:
    assert same(quadratic_kappa(pairs), textbook_kappa(pairs, lambda a, b: (a - b) ** 2))
    assert same(cohen_kappa(pairs), textbook_kappa(pairs, lambda a, b: a != b))


@given(UNITS)
def test_alpha_is_that_of_the_textbook(units: list[list[int]]) -> None:
    assert same(ordinal_alpha(units), textbook_alpha(units))


@given(PAIRS)
def test_a_rater_who_agrees_with_everything_is_perfect(pairs: list[tuple[int, int]]) -> None:
    mirrored = [(gold, gold) for gold, _ in pairs]
    constant = len({gold for gold, _ in pairs}) == 1
    for kappa in (quadratic_kappa(mirrored), cohen_kappa(mirrored)):
        assert kappa == (None if constant else 1.0)
    assert exact_agreement(mirrored) == adjacent_agreement(mirrored) == 1.0
    assert signed_bias(mirrored) == 0.0


@given(PAIRS)
def test_neither_order_nor_the_side_of_a_rater_matters(pairs: list[tuple[int, int]]) -> None:
    swapped = [(given_, gold) for gold, given_ in reversed(pairs)]
    for figure in (quadratic_kappa, cohen_kappa, exact_agreement, adjacent_agreement):
        assert same(figure(pairs), figure(swapped))
    assert same(signed_bias(pairs), -(signed_bias(swapped) or 0.0))


@given(PAIRS, st.integers(-3, 3))
def test_a_shifted_rater_is_biased_by_the_shift_and_consistent(pairs: list[tuple[int, int]], shift: int) -> None:
    shifted = [(gold, gold + shift) for gold, _ in pairs]
    assert signed_bias(shifted) == shift
    assert icc_3_1(shifted) in (None, pytest.approx(1.0))


@given(PAIRS)
def test_a_confusion_table_counts_every_pair_once(pairs: list[tuple[int, int]]) -> None:
    table = confusion_table(pairs, 4)
    assert sum(map(sum, table)) == len(pairs)
    assert sum(table[level][level] for level in range(4)) == sum(gold == given_ for gold, given_ in pairs)


def test_a_constant_rater_is_not_applicable_rather_than_bad() -> None:
    pairs = [(0, 1), (1, 1), (2, 1)]
    assert quadratic_kappa(pairs) is None
    assert cohen_kappa(pairs) is None
    assert icc_3_1(pairs) is None
    assert exact_agreement(pairs) == pytest.approx(1 / 3)


def test_nothing_rated_is_not_applicable() -> None:
    assert [f([]) for f in (exact_agreement, adjacent_agreement, signed_bias, quadratic_kappa, cohen_kappa)] == [
        None
    ] * 5
    assert icc_3_1([]) is None
    assert ordinal_alpha([]) is None
    assert ordinal_alpha([[1], [2]]) is None


def test_the_published_example_of_the_intraclass_correlation() -> None:
    """Shrout and Fleiss (1979), table 2: ICC(3,1) = .71."""
    ratings = [(9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7)]
    assert icc_3_1(ratings) == pytest.approx(0.7148, abs=1e-4)


def test_the_published_example_of_ordinal_alpha() -> None:
    """Krippendorff (2011), section D: four observers, twelve units, ordinal alpha = .815."""
    missing = None
    observers = [
        (1, 2, 3, 3, 2, 1, 4, 1, 2, missing, missing, missing),
        (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, missing, 3),
        (missing, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, missing),
        (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, missing),
    ]
    units = [[rank for rank in unit if rank is not None] for unit in zip(*observers, strict=True)]
    assert ordinal_alpha(units) == pytest.approx(0.815, abs=5e-4)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=12))
def test_an_interval_lies_within_the_data_and_is_repeatable(values: list[float]) -> None:
    def mean(drawn) -> float:
        return sum(drawn) / len(drawn)

    interval = percentile_interval(values, mean, resamples=60)
    assert interval == percentile_interval(values, mean, resamples=60)
    assert interval is not None
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


def test_an_interval_of_the_mean_is_as_wide_as_theory_says() -> None:
    values = [float(value) for value in range(100)]
    interval = percentile_interval(values, lambda drawn: sum(drawn) / len(drawn))
    assert interval is not None
    # Plus and minus 1.96 standard errors: 1.96 * 28.87 / 10.
    assert interval.low == pytest.approx(49.5 - 5.66, abs=0.6)
    assert interval.high == pytest.approx(49.5 + 5.66, abs=0.6)


def test_a_figure_that_is_mostly_undefined_has_no_interval() -> None:
    assert percentile_interval([1, 2, 3], lambda drawn: None) is None
    assert percentile_interval([1], lambda drawn: 1.0) is None


def unit(name: str, gold: tuple[int, int], *given_: tuple[int, int]) -> RatedSubmission:
    """A submission with two criteria of 0 to 2 each; three points pass."""

    def ranks(levels: tuple[int, int]) -> dict[str, int]:
        return {"a": levels[0], "b": levels[1]}

    return RatedSubmission(
        boss_id="straw",
        name=name,
        gold=ranks(gold),
        judged=tuple(map(ranks, given_)),
        gold_share=sum(gold) / 4,
        judged_shares=tuple(sum(levels) / 4 for levels in given_),
        gold_passes=sum(gold) >= 3,
        judged_passes=tuple(sum(levels) >= 3 for levels in given_),
    )


def test_figures_of_a_boss_tell_where_the_judge_is_off() -> None:
    rated = [unit("flawless", (2, 2), (2, 2)), unit("middling", (2, 1), (1, 1)), unit("weak", (0, 1), (1, 1))]
    figures = overall_figures(rated)
    assert (figures.submissions, figures.judgements) == (3, 6)
    assert figures.exact.value == pytest.approx(4 / 6)
    assert figures.adjacent.value == 1.0
    assert figures.bias.value == 0.0
    assert figures.pass_agreement.value == pytest.approx(2 / 3)
    assert figures.alpha.value is None
    criteria = {name: rubric(2).criteria[0].model_copy(update={"id": name}) for name in "ab"}
    criterion = criterion_figures(rated, "straw", criteria["a"])
    assert criterion.confusion == ((0, 1, 0), (0, 0, 0), (0, 1, 1))
    assert criterion.exact.interval is not None
    assert criterion_figures(rated, "straw", criteria["b"]).quadratic_kappa.value == 1.0


def test_repeats_show_whether_a_judge_agrees_with_itself() -> None:
    steady = [unit("one", (2, 2), (2, 2), (2, 2)), unit("two", (0, 0), (0, 1), (0, 1))]
    wavering = [unit("one", (2, 2), (2, 2), (0, 2)), unit("two", (0, 0), (0, 1), (2, 1))]
    assert (overall_figures(steady).alpha.value, overall_figures(steady).pass_flips.value) == (1.0, 0.0)
    assert (overall_figures(wavering).alpha.value or 0.0) < 0.5
    assert overall_figures(wavering).pass_flips.value == 1.0
    assert overall_figures(wavering).judgements == 8


REFERENCE = json.loads(Path(__file__).with_name("reference.json").read_text("utf-8"))


@pytest.mark.parametrize("case", REFERENCE["kappas"], ids=range(len(REFERENCE["kappas"])))
def test_kappas_are_those_of_scikit_learn(case: dict) -> None:
    assert cohen_kappa(case["pairs"]) == pytest.approx(case["cohen"])
    assert quadratic_kappa(case["pairs"]) == pytest.approx(case["quadratic"])


@pytest.mark.parametrize("case", REFERENCE["alphas"], ids=range(len(REFERENCE["alphas"])))
def test_alpha_is_that_of_krippendorff(case: dict) -> None:
    assert ordinal_alpha(case["units"]) == pytest.approx(case["alpha"])


@pytest.mark.parametrize("case", REFERENCE["correlations"], ids=range(len(REFERENCE["correlations"])))
def test_the_intraclass_correlation_is_that_of_pingouin(case: dict) -> None:
    assert icc_3_1(case["rows"]) == pytest.approx(case["icc"], abs=1e-6)
