"""Add up values by group."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

Group = tuple[str, ...]


@dataclass
class Total:
    sum: Decimal = Decimal(0)
    count: int = 0

    def add(self, value: Decimal) -> None:
        self.sum += value
        self.count += 1

    @property
    def avg(self) -> Decimal:
        return self.sum / self.count


def melt(samples: Iterable[tuple[Group, Decimal]]) -> dict[Group, Total]:
    """The total of each group, in the order of the groups."""
    totals: dict[Group, Total] = {}
    for group, value in samples:
        totals.setdefault(group, Total()).add(value)
    return dict(sorted(totals.items()))
