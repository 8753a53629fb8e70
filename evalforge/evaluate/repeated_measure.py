"""Measures as often as the spec asks, and combines the values of each measured number."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from evalforge.evaluate.items import JSON
from evalforge.evaluate.measure import MeasurementError, measure
from evalforge.evaluate.measurement_spec import Measurement
from evalforge.model.exact_numbers import is_finite

_AGGREGATIONS: dict[str, Callable[[Sequence[float]], float]] = {
    "median": statistics.median,
    "mean": statistics.fmean,
    "min": min,
    "max": max,
}
_JUDGED = ("items", "singletons", "clusters")
SPREADS = "measured_spread"
"""The key of the lowest and highest values of each number that was measured more than once."""


async def measure_repeatedly(measurement: Measurement, folder: Path) -> JSON:
    """Run the measurement; of several runs, use the first one's items and aggregate each number.

    Args:
        measurement: The command, and how often it is run.
        folder: The folder of the spec.

    Raises:
        MeasurementError: A run printed nothing to judge, or a number is missing in some runs.
        UsageError: Its working directory doesn't exist.
    """
    stability = measurement.stability
    if stability.mode == "stable":
        return await measure(measurement, folder)
    outputs = [await measure(measurement, folder) for _ in range(stability.repeat_count)]
    first = outputs[0]
    if not isinstance(first, dict):
        return first
    spreads: dict[str, list[float]] = {}
    merged = _aggregate(outputs, _AGGREGATIONS[stability.aggregation], spreads, ())
    return {**cast("dict[str, Any]", merged), SPREADS: spreads}


def _aggregate(
    outputs: Sequence[JSON],
    aggregate: Callable[[Sequence[float]], float],
    spreads: dict[str, list[float]],
    place: tuple[str, ...],
) -> JSON:
    """Combine the values at the same place in all outputs."""
    first = outputs[0]
    if isinstance(first, Mapping):
        fields = cast("Mapping[str, Any]", first)
        return {
            name: value
            if not place and name in _JUDGED
            else _aggregate([_value_at(output, name, place) for output in outputs], aggregate, spreads, (*place, name))
            for name, value in fields.items()
        }
    is_number = all(
        isinstance(output, int | float) and not isinstance(output, bool) and is_finite(output) for output in outputs
    )
    if not is_number:
        return first
    values = [float(output) for output in outputs]
    spreads[".".join(place)] = [min(values), max(values)]
    return aggregate(values)


def _value_at(output: JSON, name: str, place: tuple[str, ...]) -> JSON:
    if not isinstance(output, Mapping) or name not in output:
        raise MeasurementError(f"{'.'.join((*place, name))} was measured in some runs, but not in all.")
    return cast("Mapping[str, Any]", output)[name]
