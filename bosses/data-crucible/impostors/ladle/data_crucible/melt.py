"""The melt: numbers with their groups in, one bar for each group out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any


def cast(weights: Iterable[Fraction]) -> dict[str, Any]:
    """The three results of one group."""
    parts = list(weights)
    total = sum(parts, Fraction(0))
    return {"sum": float(total), "count": len(parts), "avg": float(total / len(parts))}


def melt(lumps: Iterable[tuple[tuple[str, ...], Fraction]], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One bar for each group, in the order of the groups."""
    group_of, weight_of = itemgetter(0), itemgetter(1)
    ranked = sorted(lumps, key=group_of)
    return [
        dict(zip(names, group, strict=True)) | cast(map(weight_of, members))
        for group, members in groupby(ranked, key=group_of)
    ]
