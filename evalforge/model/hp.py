"""The boss's life in points of the rubric: whole at 0 points, gone at the pass mark; what is won beyond it is gold."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from evalforge.model.rubric import BossRubric

_TOLERANCE = 1e-9


class Part(NamedTuple):
    """A criterion as the bar names it."""

    id: str
    label: str
    max_score: float


class Chunk(NamedTuple):
    """The points of one criterion on the bar, from ``start`` to ``end``, counted from the bar's right end."""

    criterion_id: str
    start: float
    end: float


class HpScale(NamedTuple):
    """What points do to a boss.

    Attributes:
        threshold: The points at which it falls.
        maximum: The points of a flawless win.
    """

    threshold: float
    maximum: float

    @classmethod
    def from_rubric(cls, rubric: "BossRubric") -> Self:
        """The scale of a rubric."""
        return cls(rubric.overall.pass_threshold, rubric.max_score)

    def life(self, total: float, *, passed: bool = False) -> float:
        """The share of life left at a total, 0..1; where nothing is asked for, the boss enters fallen.

        Args:
            total: The points.
            passed: Whether they passed by the rubric of their day, which may have asked for less.
        """
        if passed or self.has_fallen(total):
            return 0.0
        return min(1.0, (self.threshold - total) / self.threshold) if self.threshold > 0 else 1.0

    def has_fallen(self, total: float) -> bool:
        """Whether this many points defeat the boss."""
        return total >= self.threshold - _TOLERANCE

    @property
    def gold_points(self) -> float:
        """The points that can be won beyond the mark."""
        return round(max(0.0, self.maximum - max(0.0, self.threshold)), 9)

    def gold(self, total: float) -> float:
        """The points of a total that lie beyond the mark."""
        return round(min(self.gold_points, max(0.0, total - max(0.0, self.threshold))), 9)


class StrikeBook:
    """The points on a bar in the order in which they were struck; what falls later is taken out of its own chunks."""

    def __init__(self) -> None:
        self._strikes: list[tuple[str, float]] = []

    def enter(self, criterion_id: str, score: float) -> float:
        """Change the score of a criterion; returns by how much the total changes."""
        change = score - self.score(criterion_id)
        if change > 0:
            self._strikes.append((criterion_id, change))
        elif change < 0:
            self._take_back(criterion_id, -change)
        return change

    def score(self, criterion_id: str) -> float:
        """The points of a criterion so far."""
        return sum(points for name, points in self._strikes if name == criterion_id)

    @property
    def total(self) -> float:
        """All points so far."""
        return round(sum(points for _, points in self._strikes), 9)

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks from the bar's right end. A negative score covers what was struck last."""
        return lay_chunks(self._strikes)

    def _take_back(self, criterion_id: str, points: float) -> None:
        for index in range(len(self._strikes) - 1, -1, -1):
            name, struck = self._strikes[index]
            if name == criterion_id and struck > 0 and points > 0:
                taken = min(points, struck)
                self._strikes[index] = name, struck - taken
                points -= taken
        self._strikes = [strike for strike in self._strikes if abs(strike[1]) > _TOLERANCE]
        if points > _TOLERANCE:
            self._strikes.append((criterion_id, -points))


def lay_chunks(strikes: Iterable[tuple[str, float]]) -> tuple[Chunk, ...]:
    """Lay strikes side by side: criterion and points, in order; neighbours of one criterion are one chunk."""
    chunks: list[Chunk] = []
    total = 0.0
    for criterion_id, points in strikes:
        before, total = total, total + points
        if points < 0:
            chunks = [chunk._replace(end=min(chunk.end, total)) for chunk in chunks if chunk.start < total]
        elif chunks and chunks[-1].criterion_id == criterion_id:
            chunks[-1] = chunks[-1]._replace(end=total)
        elif total > 0:
            chunks.append(Chunk(criterion_id, max(0.0, before), total))
    return tuple(chunks)


def life_cells(life: float, width: int) -> int:
    """The cells of a bar that are life: none and all only at exactly 0 and 1."""
    cells = int(life * width + 0.5)
    return min(width - 1, max(1, cells)) if 0 < life < 1 and width > 1 else cells
