"""Joins what several judges of a run reported on each item, and measures how far they agree."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from evalforge.evaluate.evaluation import ItemResult, ItemState
from evalforge.evaluate.fields import Metric, Value
from evalforge.evaluate.items import key_of
from evalforge.evaluate.reconcile import SHOULD_CLUSTER
from evalforge.evaluate.statistics import interval_alpha

_MAX_APART = 1.0
"""Judges may differ by this much in a number before an item counts as ambiguous."""
JudgeResults = Mapping[str, Iterable[ItemResult]]
"""What each judge reported, by its name, in the order in which the judges were asked."""


def join_items(results: JudgeResults, *, is_ladder: bool) -> tuple[ItemResult, ...]:
    """Join the judges' reports on every item of the first judge.

    On a ladder the last report counts; otherwise the median of numbers and the majority of booleans.
    """
    first = next(iter(results.values()))
    scored = {
        judge: {key_of(item.item_id): item for item in items if item.state is ItemState.SCORED}
        for judge, items in results.items()
    }
    return tuple(_join_item(item, scored, is_ladder=is_ladder) for item in first)


def join_singletons(results: JudgeResults, *, is_ladder: bool) -> tuple[ItemResult, ...]:
    """Join the reports on singletons; where the judges disagree on clustering one, it is ambiguous."""

    def disagree(item: ItemResult) -> bool:
        return len({fields.get(SHOULD_CLUSTER) for fields in item.by_judge.values()}) > 1

    return tuple(
        item.model_copy(update={"ambiguous": True}) if disagree(item) else item
        for item in join_items(results, is_ladder=is_ladder)
    )


def _join_item(item: ItemResult, scored: Mapping[str, Mapping[str, ItemResult]], *, is_ladder: bool) -> ItemResult:
    key = key_of(item.item_id)
    reports = {judge: items[key] for judge, items in scored.items() if key in items}
    if not reports:
        return item
    by_judge = {judge: dict(report.fields) for judge, report in reports.items()}
    if is_ladder:
        return list(reports.values())[-1].model_copy(update={"bucket": item.bucket, "by_judge": by_judge})
    fields = {
        name: _joint_value([values.get(name) for values in by_judge.values()]) for name in next(iter(by_judge.values()))
    }
    unsure_count = sum(report.ambiguous for report in reports.values())
    is_ambiguous = unsure_count * 2 > len(reports) or any(_are_apart(name, by_judge) for name in fields)
    return ItemResult(
        item_id=item.item_id,
        bucket=item.bucket,
        state=ItemState.SCORED,
        fields=fields,
        ambiguous=is_ambiguous,
        by_judge=by_judge,
    )


def _joint_value(values: Sequence[Value]) -> Value:
    """The median of numbers, the majority of booleans (the first judge's in a tie), the first judge's text."""
    given_values = [value for value in values if value is not None]
    if given_values and all(isinstance(value, bool) for value in given_values):
        yes_count = sum(value is True for value in given_values)
        return given_values[0] if yes_count * 2 == len(given_values) else yes_count * 2 > len(given_values)
    numbers = [value for value in given_values if isinstance(value, int | float) and not isinstance(value, bool)]
    if numbers and len(numbers) == len(given_values):
        median = statistics.median(numbers)
        return int(median) if float(median).is_integer() else median
    return given_values[0] if given_values else None


def _are_apart(name: str, values_by_judge: Mapping[str, Mapping[str, Value]]) -> bool:
    """Whether judges differ enough in a field that a person should look."""
    values = [fields.get(name) for fields in values_by_judge.values()]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return len(numbers) > 1 and max(numbers) - min(numbers) > _MAX_APART


def agreement_metrics(items: Iterable[ItemResult], primary: str) -> dict[str, float | None]:
    """The agreement in the primary figure's field, over pairs of judges; empty if no item has two judges."""
    field = Metric.from_name(Metric.from_name(primary).field)
    units: list[list[float]] = []
    for item in items:
        values = [value for fields in item.by_judge.values() if (value := field.value_for(fields)) is not None]
        if len(values) > 1:
            units.append(values)
    differences = [abs(one - other) for unit in units for one, other in combinations(unit, 2)]
    if not differences:
        return {}
    return {
        "judge_agreement_exact": sum(difference == 0 for difference in differences) / len(differences),
        "judge_agreement_within_1": sum(difference <= 1 for difference in differences) / len(differences),
        "judge_agreement_alpha": interval_alpha(units),
    }
