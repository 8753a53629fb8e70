"""The melt: ingots in, one casting per group out, without keeping a single ingot in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ore import Ingot


@dataclass(frozen=True, slots=True)
class Casting:
    """A group and its running mean. Never changed: pouring gives a new one."""

    group: tuple[str, ...]
    count: int
    mean: float

    @classmethod
    def of(cls, ingot: Ingot) -> Casting:
        """The casting of a group's first ingot."""
        return cls(ingot.group, 1, ingot.weight)

    @property
    def total(self) -> float:
        """The sum of all weights, from the mean."""
        return self.mean * self.count

    def pour(self, ingot: Ingot) -> Casting:
        """The casting with one more ingot, its mean moved towards the new weight."""
        return replace(self, count=self.count + 1, mean=self.mean + (ingot.weight - self.mean) / 2)


def melt(ingots: Iterable[Ingot]) -> list[Casting]:
    """Pour all ingots and return the castings, sorted by group."""
    castings: dict[tuple[str, ...], Casting] = {}
    for ingot in ingots:
        started = castings.get(ingot.group)
        castings[ingot.group] = started.pour(ingot) if started else Casting.of(ingot)
    return [castings[group] for group in sorted(castings)]
