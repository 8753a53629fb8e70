"""Where everything on the HP bar is: pure arithmetic on shares of its width."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """One criterion as the bar needs it."""

    id: str
    label: str
    max_score: float


class Chunk(NamedTuple):
    """The damage of one criterion; ``start`` and ``end`` are shares of the whole bar, 0..1."""

    part: Part
    start: float
    end: float


def chunks(parts: Sequence[Part], scores: Mapping[str, float], maximum: float) -> tuple[Chunk, ...]:
    """What was struck off the bar, from its right end, in the order in which the scores came.

    Each chunk is as wide as its criterion's share of the maximum, and stays where it is whatever follows. A negative
    score heals the boss: it covers the chunks that were struck last.
    """
    part_of = {part.id: part for part in parts}
    found_chunks: list[Chunk] = []
    edge = 1.0
    for criterion_id, score in scores.items():
        if maximum <= 0 or criterion_id not in part_of:
            continue
        before, edge = edge, edge - score / maximum
        if score > 0:
            found_chunks.append(Chunk(part_of[criterion_id], max(0.0, edge), min(1.0, before)))
        elif score < 0:
            found_chunks = [chunk._replace(start=max(chunk.start, edge)) for chunk in found_chunks]
    return tuple(chunk for chunk in found_chunks if chunk.end - chunk.start > 1e-9)


def integrity(scores: Mapping[str, float], maximum: float) -> float:
    """The struck share of the bar."""
    return min(1.0, max(0.0, sum(scores.values()) / maximum)) if maximum > 0 else 0.0


def has_fallen(total: float, threshold: float) -> bool:
    """Whether so much damage brings the boss down."""
    return total >= threshold - 1e-9


def cell_of(share: float, width: int) -> int:
    """The cell a share of the width falls on; halves always go the same way, so that edges meet."""
    return int(share * width + 0.5)
