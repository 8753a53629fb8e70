"""The layout of the HP bar, computed as shares of its width."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """One criterion's share of the bar."""

    id: str
    label: str
    max_score: float


class Chunk(NamedTuple):
    """The damage of one criterion; ``start`` and ``end`` are shares of the whole bar, 0..1."""

    part: Part
    start: float
    end: float


def chunks(parts: Sequence[Part], scores: Mapping[str, float], maximum: float) -> tuple[Chunk, ...]:
    """The chunks struck off the bar, from its right end, in the order of the scores.

    Each chunk is as wide as its score's share of the maximum, and keeps its place whatever follows. A negative score
    heals the boss: it covers the chunks that were struck last.
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
    """The share of the bar that was struck off, 0 to 1."""
    return min(1.0, max(0.0, sum(scores.values()) / maximum)) if maximum > 0 else 0.0


def has_fallen(total: float, threshold: float) -> bool:
    """Whether this much damage defeats the boss."""
    return total >= threshold - 1e-9


def cell_of(share: float, width: int) -> int:
    """The cell in which a share of the width ends; halves always round up, so that adjacent edges meet."""
    return int(share * width + 0.5)
