"""The domain: what a furnace should do, and nothing of files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum


class Command(Enum):
    """What a furnace can be told, with the exit status of each."""

    STABLE = 0
    HEAT = 10
    COOL = 11


@dataclass(frozen=True)
class Readings:
    """One or more temperatures."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("at least one reading is needed")

    def __iter__(self) -> Iterator[float]:
        return iter(self.values)

    @classmethod
    def of(cls, values: Sequence[float]) -> Readings:
        """Readings from any sequence."""
        return cls(tuple(values))

    @property
    def average(self) -> float:
        """The arithmetic mean."""
        return math.fsum(self.values) / len(self.values)


@dataclass(frozen=True)
class Band:
    """The temperatures at which nothing has to be done."""

    lower: float
    upper: float

    @classmethod
    def around(cls, target: float, tolerance: float) -> Band:
        """The band of a target and the allowed distance from it."""
        return cls(target - tolerance, target + tolerance)

    @property
    def width(self) -> float:
        """The distance between both edges."""
        return self.upper - self.lower

    def __contains__(self, temperature: float) -> bool:
        return self.lower <= temperature < self.upper or self.width == 0 and temperature == self.lower

    def is_above(self, temperature: float) -> bool:
        """Whether the band lies above a temperature."""
        return temperature < self.lower


@dataclass(frozen=True)
class HysteresisPolicy:
    """Keeps a furnace within a band."""

    band: Band

    def decide(self, readings: Readings) -> Command:
        """The command for these readings."""
        average = readings.average
        if average in self.band:
            return Command.STABLE
        return Command.HEAT if self.band.is_above(average) else Command.COOL
