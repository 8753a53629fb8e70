"""Groups similar items: average linkage over a weighted Jaccard similarity."""

import heapq
from collections.abc import Mapping, Sequence
from itertools import combinations

MIN_SIMILARITY = 0.5
"""Groups are joined while their members' mean similarity is at least this. See the test with hand-made groups."""
_MAX_PATTERNS = 1_500
"""More distinct patterns than this are not grouped, because the number of pairs grows quadratically."""


def weighted_jaccard(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The weight of what two have in common, as a share of the weight of everything that either has."""
    keys = one.keys() | other.keys()
    total = sum(max(one.get(key, 0.0), other.get(key, 0.0)) for key in keys)
    common = sum(min(one[key], other[key]) for key in one.keys() & other.keys())
    return common / total if total else 1.0


def join_similar(
    weights: Sequence[Mapping[str, float]], sizes: Sequence[int], min_similarity: float = MIN_SIMILARITY
) -> list[list[int]]:
    """Join patterns into groups.

    Args:
        weights: For each pattern its features with their weights.
        sizes: For each pattern the number of things that have it.
        min_similarity: Groups are joined while the mean similarity between them is at least this.

    Returns:
        The indices of each group's patterns.
    """
    groups = {index: [index] for index in range(len(weights))}
    if len(weights) > _MAX_PATTERNS:
        return list(groups.values())
    counts = dict(enumerate(sizes))
    similarities = {
        (one, other): weighted_jaccard(weights[one], weights[other]) for one, other in combinations(groups, 2)
    }
    queue = [(-similarity, pair) for pair, similarity in similarities.items() if similarity >= min_similarity]
    heapq.heapify(queue)
    while queue:
        negative, pair = heapq.heappop(queue)
        if similarities.get(pair) != -negative:
            continue  # One of the two has already been joined to another group.
        _join(pair, groups, counts, similarities, queue, min_similarity)
    return list(groups.values())


def _join(
    pair: tuple[int, int],
    groups: dict[int, list[int]],
    counts: dict[int, int],
    similarities: dict[tuple[int, int], float],
    queue: list[tuple[float, tuple[int, int]]],
    min_similarity: float,
) -> None:
    """Join the second group of a pair to the first, averaging their similarities to every other group by size."""
    kept, joined = pair
    del similarities[pair]
    for other in groups.keys() - {kept, joined}:
        own, lost = _ordered(kept, other), _ordered(joined, other)
        total = counts[kept] * similarities[own] + counts[joined] * similarities.pop(lost)
        similarities[own] = total / (counts[kept] + counts[joined])
        if similarities[own] >= min_similarity:
            heapq.heappush(queue, (-similarities[own], own))
    groups[kept] += groups.pop(joined)
    counts[kept] += counts.pop(joined)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
