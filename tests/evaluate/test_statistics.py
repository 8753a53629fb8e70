"""The statistics, held against second ways to work them out."""

import math
import statistics
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.statistics import Stratum, mean, paired_difference, stratified_mean, student_point, variance

scores = st.lists(st.integers(1, 5).map(float), max_size=30)


@given(scores)
def test_mean_and_variance_are_those_of_exact_numbers(values: list[float]) -> None:
    exact = [Fraction(value) for value in values]
    assert mean(values) == (pytest.approx(float(sum(exact) / len(exact))) if exact else None)
    assert variance(values) == (pytest.approx(float(statistics.variance(exact))) if len(exact) > 1 else None)


strata = st.lists(
    st.tuples(st.lists(st.integers(1, 5).map(float), min_size=1, max_size=12), st.integers(0, 50)),
    min_size=1,
    max_size=5,
)


@given(strata)
def test_the_stratified_mean_is_cochrans(given_strata: list[tuple[list[float], int]]) -> None:
    sizes = [len(values) + more for values, more in given_strata]
    total = sum(sizes)
    middle, squared, known = Fraction(0), Fraction(0), True
    for (values, _), size in zip(given_strata, sizes, strict=True):
        exact, share = [Fraction(value) for value in values], Fraction(size, total)
        middle += share * sum(exact) / len(exact)
        if len(exact) > 1:
            squared += share**2 * (1 - Fraction(len(exact), size)) * statistics.variance(exact) / len(exact)
        elif size > 1:
            known = False
    found = stratified_mean([
        Stratum(size, tuple(values)) for (values, _), size in zip(given_strata, sizes, strict=True)
    ])  # fmt: skip
    assert found.mean == pytest.approx(float(middle))
    assert found.error == (pytest.approx(math.sqrt(squared), abs=1e-9) if known else None)


def test_its_error_is_the_spread_over_all_possible_samples() -> None:
    """By brute force: every pair out of five, every triple out of six."""
    one, two = (1.0, 2.0, 2.0, 5.0, 4.0), (3.0, 3.0, 4.0, 5.0, 1.0, 2.0)
    drawn = [
        stratified_mean([Stratum(5, first), Stratum(6, second)])
        for first in combinations(one, 2)
        for second in combinations(two, 3)
    ]
    means = [found.mean or 0.0 for found in drawn]
    errors = [found.error or 0.0 for found in drawn]
    assert statistics.fmean(means) == pytest.approx((sum(one) + sum(two)) / 11)
    assert statistics.fmean(error**2 for error in errors) == pytest.approx(statistics.pvariance(means))


def test_nothing_drawn_is_nothing_known() -> None:
    assert stratified_mean([Stratum(4, ())]).mean is None
    assert stratified_mean([Stratum(4, (3.0,))]).error is None
    assert stratified_mean([Stratum(1, (3.0,))]).error == 0


def density(x: float, freedom: int) -> float:
    top = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    return math.exp(top - (freedom + 1) / 2 * math.log1p(x * x / freedom)) / math.sqrt(freedom * math.pi)


@pytest.mark.parametrize("freedom", [*range(1, 41), 60, 120, 1000])
def test_students_point_leaves_two_and_a_half_per_cent_above(freedom: int) -> None:
    """By Simpson's rule over the density, from the middle to the point."""
    point, steps = student_point(freedom), 4000
    width = point / steps
    weights = (1 if n in (0, steps) else 4 if n % 2 else 2 for n in range(steps + 1))
    below = sum(weight * density(n * width, freedom) for n, weight in enumerate(weights)) * width / 3
    assert below == pytest.approx(0.475, abs=2e-6)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_paired_differences_have_the_usual_interval(pairs: list[tuple[int, int]]) -> None:
    differences = [Fraction(b - a) for a, b in pairs]
    middle = sum(differences) / len(differences)
    reach = student_point(len(pairs) - 1) * math.sqrt(statistics.variance(differences) / len(pairs))
    found = paired_difference([float(a) for a, _ in pairs], [float(b) for _, b in pairs])
    assert found is not None
    assert found.mean == pytest.approx(float(middle), abs=1e-12)
    assert found.low == pytest.approx(float(middle) - reach, abs=1e-9)
    assert found.high == pytest.approx(float(middle) + reach, abs=1e-9)


def test_one_pair_has_no_interval_and_none_has_no_difference() -> None:
    assert paired_difference([], []) is None
    found = paired_difference([1.0], [3.0])
    assert found is not None
    assert (found.mean, found.low) == (2.0, None)
