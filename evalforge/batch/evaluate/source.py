"""Where items come from, and what makes two runs the same."""

import asyncio
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from evalforge.batch.evaluate.items import JSON, Item, ItemsError, Population, population_of, read_items
from evalforge.batch.evaluate.measure import MeasurementError, measure
from evalforge.batch.evaluate.prompt import prompt_hash
from evalforge.batch.evaluate.spec import Spec
from evalforge.judges.options import ModelOptions
from evalforge.model.errors import UsageError

_FORMAT = "1"
"""Changes when the same log would be read differently."""


async def gather(spec: Spec, source: Population | Path | None) -> Population:
    """The items: given ones, those of a file, those a command prints, or those the spec holds.

    Raises:
        EvalForgeError: There are none to be had.
    """
    if isinstance(source, Population):
        return source
    if source is not None:
        return await asyncio.to_thread(read_items, source)
    if spec.items is None and spec.measurement is None:
        raise UsageError("There is nothing to judge: no items, and no measurement.", "Name a file: --items FILE")
    held = await asyncio.to_thread(_held, spec)
    if spec.measurement is None:
        assert held is not None
        return held
    return await asyncio.to_thread(_measured, held, await measure(spec.measurement, spec.folder))


def _measured(held: Population | None, measured: JSON) -> Population:
    """What a command printed: all there is to judge, or what the gates of the spec's own items look at."""
    if held is not None:
        values = cast("dict[str, JSON]", measured) if isinstance(measured, dict) else {}
        return Population(held.items, held.singletons, held.clusters, {**held.values, **values})
    try:
        return population_of(measured)
    except ItemsError as error:
        raise MeasurementError(f"What was measured can't be judged: {error}.") from None


def _held(spec: Spec) -> Population | None:
    """The items the spec itself holds or names."""
    if isinstance(spec.items, str):
        return read_items(spec.folder / Path(spec.items).expanduser())
    try:
        return None if spec.items is None else population_of(spec.items)
    except ItemsError as error:
        raise UsageError(f"The items of {spec.name} can't be judged: {error}.") from None


def identity_of(spec: Spec, options: ModelOptions) -> str:
    """The hash of all that decides what is asked, but the items."""
    judge = spec.judge.model_dump(mode="json", exclude={"minimum_improvement", "max_total_cost_usd"})
    parts = {
        "format": _FORMAT,
        "prompt": prompt_hash(),
        "judge": {name: judge[name] for name in type(spec.judge).model_fields if name in judge},
        "gates": [[gate.name, gate.check] for gate in spec.gates],
        "measurement": spec.measurement.command if spec.measurement else "",
        "server": options.server,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def items_hash(population: Population) -> str:
    """The hash of all items, whatever their order."""

    def digests(items: Iterable[Item]) -> list[str]:
        return sorted(
            hashlib.sha256(json.dumps([i.item_id, i.content, i.bucket, i.cluster, i.single]).encode()).hexdigest()
            for i in items
        )

    clusters = [[cluster.cluster_id, cluster.title] for cluster in population.clusters]
    parts = [digests(population.items), digests(population.singletons), clusters, population.values]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
