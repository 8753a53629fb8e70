"""Which items are judged: the same ones whatever their order, and mostly the same when others come and go.

Bottom-k sampling (E. Cohen and H. Kaplan, Summarizing data using bottom-k sketches, PODC 2007): every item has a rank
that depends on nothing but the seed, its stratum and its id; the k lowest are the sample. An item that leaves or comes
changes the sample by one item at most.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from evalforge.batch.evaluate.items import Item
from evalforge.batch.evaluate.spec import JudgeSpec

UNIFORM = ""
"""The stratum of a sample without strata."""
OTHER = "other"
"""The stratum of items that name none, where there are strata."""
SINGLETONS = "singletons"


@dataclass(frozen=True)
class Drawn:
    """One stratum: how many items it has, how many were wanted, and those drawn, by rank."""

    bucket: str
    population: int
    wanted: int
    items: tuple[Item, ...]

    @property
    def short(self) -> int:
        """How many it lacks. They are not taken from elsewhere: that would change what is estimated."""
        return self.wanted - len(self.items)


def rank(seed: int, bucket: str, item_id: str) -> bytes:
    """The rank of an item in its stratum. Lengths stand before the parts, so that no two triples are one text."""
    parts = [str(seed), bucket, item_id]
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def draw(items: Sequence[Item], bucket: str, count: int | None, seed: int) -> Drawn:
    """The ``count`` items of lowest rank; all if None."""
    wanted = len(items) if count is None else count
    chosen = nsmallest(wanted, items, key=lambda item: rank(seed, bucket, item.key))
    return Drawn(bucket, len(items), wanted, tuple(chosen))


def draw_all(items: Iterable[Item], judge: JudgeSpec) -> tuple[tuple[Drawn, ...], dict[str, int]]:
    """The sample, stratum by stratum in the spec's order.

    Returns:
        The strata, and how many items lie in buckets that the spec doesn't name.
    """
    if judge.stratification is None:
        return (draw(list(items), UNIFORM, judge.sample_size, judge.sample_seed),), {}
    pools: dict[str, list[Item]] = {bucket.bucket: [] for bucket in judge.stratification}
    unnamed: dict[str, int] = {}
    for item in items:
        bucket = item.bucket or OTHER
        if bucket in pools:
            pools[bucket].append(item)
        else:
            unnamed[bucket] = unnamed.get(bucket, 0) + 1
    strata = judge.stratification
    return tuple(draw(pools[b.bucket], b.bucket, b.count, judge.sample_seed) for b in strata), unnamed


def interleave(strata: Iterable[Drawn], seed: int) -> list[Item]:
    """All drawn items in an order of which every stretch holds its share of every stratum.

    A judge is swayed by what it scored before; so no batch is of one kind only.
    """
    placed = [
        ((index + 0.5) / len(drawn.items), rank(seed, drawn.bucket, item.key), item)
        for drawn in strata
        for index, item in enumerate(drawn.items)
    ]
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])]


def batches(items: Sequence[Item], size: int) -> list[tuple[str, ...]]:
    """The keys of items in ceil(n / size) batches, all full but the last."""
    keys = [item.key for item in items]
    return [tuple(keys[begin : begin + size]) for begin in range(0, len(keys), size)]
