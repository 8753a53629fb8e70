"""Where everything on the HP bar lies: pure arithmetic on shares of its width."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class SegmentKind(StrEnum):
    """What a stretch of the bar is: a bite taken, what may still fall, what the boss keeps."""

    EARNED = "earned"
    PENDING = "pending"
    KEPT = "kept"


@dataclass(frozen=True)
class Part:
    """One criterion as the bar needs it."""

    id: str
    label: str
    max_score: float


@dataclass(frozen=True)
class Segment:
    """A stretch of the bar that belongs to one criterion; ``start`` and ``end`` are shares of the whole, 0..1."""

    part: Part
    kind: SegmentKind
    start: float
    end: float


def segments(parts: Sequence[Part], scores: Mapping[str, float], maximum: float) -> tuple[Segment, ...]:
    """The bar from left to right: bites in rubric order, then what is not judged yet, then what the boss keeps.

    The bites together are exactly the integrity, so the pass line can be read off their end; and each stretch, on
    either side, is as wide as its criterion's share of the maximum.
    """
    judged = [part for part in parts if part.id in scores]
    widths = [
        *((part, SegmentKind.EARNED, max(0.0, scores[part.id])) for part in judged),
        *((part, SegmentKind.PENDING, part.max_score) for part in parts if part.id not in scores),
        *((part, SegmentKind.KEPT, part.max_score - max(0.0, scores[part.id])) for part in judged),
    ]
    segments: list[Segment] = []
    at = 0.0
    for part, kind, width in widths:
        end = min(1.0, at + width / maximum) if maximum > 0 else at
        if end - at > 1e-9:
            segments.append(Segment(part, kind, at, end))
        at = max(at, end)
    return tuple(segments)


def integrity(scores: Mapping[str, float], maximum: float) -> float:
    """The struck share of the bar."""
    return min(1.0, max(0.0, sum(scores.values()) / maximum)) if maximum > 0 else 0.0


def cell_of(share: float, width: int) -> int:
    """The cell a share of the width falls on; halves always go the same way, so that edges meet."""
    return int(share * width + 0.5)
