"""Collects the items of a run, and hashes everything that makes two runs the same."""

import asyncio
import hashlib
import json
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from evalforge.evaluate.item_prompt import prompt_hash
from evalforge.evaluate.items import JSON, Item, ItemsError, Population, population_of, read_items
from evalforge.evaluate.measure import MeasurementError, measure
from evalforge.evaluate.measurement_spec import Measurement
from evalforge.evaluate.spec import Spec
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import UsageError
from evalforge.model.exact_numbers import is_finite
from evalforge.packs.path_checks import expand_home

# Measures as often as the spec asks, and combines the values of each measured number.

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


_JOURNAL_FORMAT = "1"
"""Must change when the same journal would be read differently."""
_USUAL_CHOICES: dict[str, object] = {"prompt": "evalforge", "models": [], "ladder": []}


async def gather_items(spec: Spec, source: Population | Path | None) -> Population:
    """Return the items of ``source``, else those that the measurement prints, else those of the spec.

    Raises:
        EvalForgeError: There are no items, or they can't be read.
    """
    if isinstance(source, Population):
        return source
    if source is not None:
        return await asyncio.to_thread(read_items, source)
    if spec.items is None and spec.measurement is None:
        raise UsageError("There is nothing to judge: no items and no measurement.", "Name a file: --items FILE")
    own_items = await asyncio.to_thread(_items_of_spec, spec)
    if spec.measurement is None:
        assert own_items is not None
        return own_items
    output = await measure_repeatedly(spec.measurement, spec.folder)
    return await asyncio.to_thread(_measured_population, own_items, output)


def _measured_population(own_items: Population | None, output: JSON) -> Population:
    """Return the items that a measurement printed; if the spec has its own, only the values for its gates are used."""
    if own_items is not None:
        values = cast("dict[str, JSON]", output) if isinstance(output, dict) else {}
        return replace(own_items, values={**own_items.values, **values})
    try:
        return population_of(output)
    except ItemsError as error:
        raise MeasurementError(f"The measurement can't be judged: {error}.") from None


def _items_of_spec(spec: Spec) -> Population | None:
    """Return the items that the spec contains or names."""
    if isinstance(spec.items, str):
        return read_items(spec.folder / expand_home(spec.items))
    try:
        return None if spec.items is None else population_of(spec.items)
    except ItemsError as error:
        raise UsageError(f"The items of {spec.name} can't be judged: {error}.") from None


def spec_hash(spec: Spec, options: ModelOptions) -> str:
    """Hash everything that decides what is asked, except the items."""
    judge = spec.judge.model_dump(mode="json", exclude={"minimum_improvement", "max_total_cost_usd"})
    # Evaluations from before prompts could be chosen keep their hash.
    for name, usual in _USUAL_CHOICES.items():
        if judge[name] == usual:
            del judge[name]
    parts = {
        "format": _JOURNAL_FORMAT,
        "prompt": prompt_hash(spec.judge.prompt),
        "judge": {name: judge[name] for name in type(spec.judge).model_fields if name in judge},
        "gates": [[gate.name, gate.check] for gate in spec.gates],
        "measurement": _measurement_text(spec),
        "server": options.server,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _measurement_text(spec: Spec) -> str:
    """The command, and how often it is run if more than once."""
    if spec.measurement is None:
        return ""
    stability = spec.measurement.stability
    repeats = f" # {stability.repeat_count} times, {stability.aggregation}" if stability.mode == "repeat" else ""
    return f"{spec.measurement.command}{repeats}"


def items_hash(population: Population) -> str:
    """Hash all items, regardless of their order."""

    def digests(items: Iterable[Item]) -> list[str]:
        return sorted(
            hashlib.sha256(json.dumps([i.item_id, i.content, i.bucket, i.cluster, i.is_singleton]).encode()).hexdigest()
            for i in items
        )

    clusters = [[cluster.cluster_id, cluster.title] for cluster in population.clusters]
    parts = [digests(population.items), digests(population.singletons), clusters, population.values]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
