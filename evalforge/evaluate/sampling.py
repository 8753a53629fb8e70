"""Draws the sample of items that are judged: independent of their order, and stable when items come or go.

Bottom-k sampling (E. Cohen and H. Kaplan, Summarizing data using bottom-k sketches, PODC 2007): every item has a rank
that depends on nothing but the seed, its stratum and its id; the k lowest are the sample. One item more or less changes
the sample by one item at most.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from evalforge.evaluate.items import Item
from evalforge.evaluate.spec import JudgeSpec

UNIFORM = ""
"""The stratum of a sample without strata."""
OTHER = "other"
"""The stratum of items without a bucket, where there are strata."""
SINGLETONS = "singletons"


@dataclass(frozen=True)
class StratumSample:
    """The sample of one stratum.

    Attributes:
        population: How many items the stratum has.
        requested: How many the spec asks for.
        items: Those drawn, by rank.
    """

    bucket: str
    population: int
    requested: int
    items: tuple[Item, ...]

    @property
    def shortfall(self) -> int:
        """How many items it lacks. They are not drawn from other strata: that would change what is estimated."""
        return self.requested - len(self.items)


def rank(seed: int, bucket: str, item_id: str) -> bytes:
    """The rank of an item in its stratum. Lengths precede the parts, so that no two triples give one text."""
    parts = [str(seed), bucket, item_id]
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def draw_stratum(items: Sequence[Item], bucket: str, count: int | None, seed: int) -> StratumSample:
    """The ``count`` items of lowest rank; all if None."""
    requested = len(items) if count is None else count
    drawn = nsmallest(requested, items, key=lambda item: rank(seed, bucket, item.key))
    return StratumSample(bucket, len(items), requested, tuple(drawn))


def draw_strata(items: Iterable[Item], judge: JudgeSpec) -> tuple[tuple[StratumSample, ...], dict[str, int]]:
    """The sample, stratum by stratum in the spec's order.

    Returns:
        The strata, and how many items are in each bucket that the spec doesn't name.
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
    """All drawn items, ordered so that every run of them has its share of every stratum.

    A judge is swayed by the items it scored before, so no batch should hold one stratum alone.
    """
    positions = [
        ((index + 0.5) / len(sample.items), rank(seed, sample.bucket, item.key), item)
        for sample in strata
        for index, item in enumerate(sample.items)
    ]
    return [item for _, _, item in sorted(positions, key=lambda entry: entry[:2])]


def batch_keys(items: Sequence[Item], size: int) -> list[tuple[str, ...]]:
    """The keys of items in ceil(n / size) batches, all full but the last."""
    keys = [item.key for item in items]
    return [tuple(keys[begin : begin + size]) for begin in range(0, len(keys), size)]
