"""Statistics of a sample: mean, variance, a stratified mean, an interval for paired differences, agreement."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_NORMAL_POINT = 1.959963984540054
"""The value a normal variable exceeds with a probability of 2.5 %."""
_TABLE_SIZE = 30
# The value Student's t exceeds with a probability of 2.5 %, for 1 to 30 degrees of freedom.
_STUDENT_POINTS = (
    *(12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139),
    *(2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963),
    *(2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272),
)


def mean(values: Sequence[float]) -> float | None:
    """The mean; None without values."""
    return math.fsum(values) / len(values) if values else None


def variance(values: Sequence[float]) -> float | None:
    """The variance of a sample; None with fewer than two values."""
    if len(values) < 2:
        return None
    middle = math.fsum(values) / len(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)


@dataclass(frozen=True)
class Stratum:
    """The values of the items drawn from one stratum, and the number of items it has."""

    population: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error; None if it can't be estimated."""

    mean: float | None
    error: float | None


def stratified_mean(strata: Sequence[Stratum]) -> Estimate:
    """The mean of the population, with each stratum weighted by its size.

    W. G. Cochran, Sampling Techniques (3rd ed., 1977), chapter 5: sum of W m, and for the squared error sum of
    W^2 (1 - n/N) s^2/n. Strata without values are left out, and the other weights grow accordingly.
    """
    sampled = [stratum for stratum in strata if stratum.values]
    total = sum(stratum.population for stratum in sampled)
    if not total:
        return Estimate(None, None)
    estimate, squared_error = 0.0, 0.0
    has_error = True
    for stratum in sampled:
        weight, count = stratum.population / total, len(stratum.values)
        estimate += weight * math.fsum(stratum.values) / count
        unsampled_share = max(0.0, 1 - count / stratum.population)
        spread = variance(stratum.values)
        if spread is None:
            # A single value says nothing about the spread of its stratum, unless it is the whole stratum.
            has_error = has_error and unsampled_share == 0
        else:
            squared_error += weight**2 * unsampled_share * spread / count
    return Estimate(estimate, math.sqrt(squared_error) if has_error else None)


def student_point(degrees_of_freedom: int) -> float:
    """The value Student's t exceeds with a probability of 2.5 %.

    Beyond the table: the expansion of M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), 26.7.5.
    """
    if degrees_of_freedom <= _TABLE_SIZE:
        return _STUDENT_POINTS[degrees_of_freedom - 1]
    x, v = _NORMAL_POINT, degrees_of_freedom
    return (
        x
        + (x**3 + x) / (4 * v)
        + (5 * x**5 + 16 * x**3 + 3 * x) / (96 * v**2)
        + (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / (384 * v**3)
    )


@dataclass(frozen=True)
class Difference:
    """The mean difference of pairs and its 95 % confidence interval; no interval with fewer than two pairs."""

    pairs: int
    mean: float
    low: float | None
    high: float | None


def paired_difference(before: Sequence[float], after: Sequence[float]) -> Difference | None:
    """How much more ``after`` is than ``before``, item by item (paired t interval); None without pairs."""
    differences = [new - old for old, new in zip(before, after, strict=True)]
    middle = mean(differences)
    if middle is None:
        return None
    spread = variance(differences)
    if spread is None:
        return Difference(len(differences), middle, None, None)
    half_width = student_point(len(differences) - 1) * math.sqrt(spread / len(differences))
    return Difference(len(differences), middle, middle - half_width, middle + half_width)


def interval_alpha(units: Sequence[Sequence[float]]) -> float | None:
    """Krippendorff's alpha with the squared difference, over units of two or more values.

    K. Krippendorff, Content Analysis (3rd ed., 2013), chapter 12: 1 - observed / expected disagreement. 1 is
    perfect agreement and 0 is what chance alone gives.
    """
    values = [value for unit in units for value in unit]
    total = len(values)
    observed = sum(_squared_differences(unit) / (len(unit) - 1) for unit in units) / total
    expected = _squared_differences(values) / (total * (total - 1))
    return None if expected == 0 else 1 - observed / expected


def _squared_differences(values: Sequence[float]) -> float:
    """The sum over all ordered pairs, in linear time: 2 n times the sum of squares minus twice the squared sum."""
    return 2 * (len(values) * sum(value * value for value in values) - sum(values) ** 2)
