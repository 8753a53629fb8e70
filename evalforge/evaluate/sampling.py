"""Draws the sample of items to judge: independent of their order, and stable when items come or go.

Bottom-k sampling (E. Cohen and H. Kaplan, Summarizing data using bottom-k sketches, PODC 2007): every item has a rank
that depends only on the seed, its stratum and its id; the k lowest are the sample. One item more or less changes
the sample by at most one item.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from evalforge.evaluate.items import Item
from evalforge.evaluate.spec import JudgeSpec

UNIFORM = ""
"""The stratum of an unstratified sample."""
OTHER = "other"
"""The stratum of items without a bucket, if there are strata."""
SINGLETONS = "singletons"


@dataclass(frozen=True)
class StratumSample:
    """The sample of one stratum.

    Attributes:
        population: The number of items in the stratum.
        requested: The number that the spec asks for.
        items: The drawn items, by rank.
    """

    bucket: str
    population: int
    requested: int
    items: tuple[Item, ...]


def rank(seed: int, bucket: str, item_id: str) -> bytes:
    """The rank of an item in its stratum. Lengths precede the parts, so that distinct triples give distinct texts."""
    parts = [str(seed), bucket, item_id]
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def draw_stratum(items: Sequence[Item], bucket: str, count: int | None, seed: int) -> StratumSample:
    """Draw the ``count`` items of lowest rank; all if None."""
    requested = len(items) if count is None else count
    sample = nsmallest(requested, items, key=lambda item: rank(seed, bucket, item.key))
    return StratumSample(bucket, len(items), requested, tuple(sample))


def draw_strata(items: Iterable[Item], judge: JudgeSpec) -> tuple[tuple[StratumSample, ...], dict[str, int]]:
    """Draw the sample, stratum by stratum in the spec's order.

    Returns:
        The strata, and the number of items in each bucket that the spec doesn't name.
    """
    if judge.stratification is None:
        return (draw_stratum(list(items), UNIFORM, judge.sample_size, judge.sample_seed),), {}
    items_by_bucket: dict[str, list[Item]] = {bucket.bucket: [] for bucket in judge.stratification}
    unnamed: dict[str, int] = {}
    for item in items:
        bucket = item.bucket or OTHER
        if bucket in items_by_bucket:
            items_by_bucket[bucket].append(item)
        else:
            unnamed[bucket] = unnamed.get(bucket, 0) + 1
    strata = judge.stratification
    return tuple(draw_stratum(items_by_bucket[b.bucket], b.bucket, b.count, judge.sample_seed) for b in strata), unnamed


def interleave(strata: Iterable[StratumSample], seed: int) -> list[Item]:
    """Order all drawn items so that every run of them has its share of every stratum.

    A judge is influenced by the items it has just scored, so no batch should hold a single stratum.
    """
    positions = [
        ((index + 0.5) / len(sample.items), rank(seed, sample.bucket, item.key), item)
        for sample in strata
        for index, item in enumerate(sample.items)
    ]
    return [item for _, _, item in sorted(positions, key=lambda entry: entry[:2])]


def batch_keys(items: Sequence[Item], size: int) -> list[tuple[str, ...]]:
    """Split the keys of items into ceil(n / size) batches, all full but the last."""
    keys = [item.key for item in items]
    return [tuple(keys[begin : begin + size]) for begin in range(0, len(keys), size)]
