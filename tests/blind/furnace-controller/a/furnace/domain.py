"""The rule. No files, no printing."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import fmean


class Decision(Enum):
    """What the furnace is told, with the exit status that goes with it."""

    STABLE = 0
    HEAT = 10
    COOL = 11

    @property
    def exit_status(self) -> int:
        """The status the process ends with."""
        return self.value


@dataclass(frozen=True)
class Band:
    """The temperatures around a target that are fine, edges included."""

    target: float
    tolerance: float

    @property
    def low(self) -> float:
        """The lowest temperature that is fine."""
        return self.target - self.tolerance

    @property
    def high(self) -> float:
        """The highest temperature that is fine."""
        return self.target + self.tolerance


@dataclass(frozen=True)
class Controller:
    """Decides for one band."""

    band: Band

    def decide(self, readings: Sequence[float]) -> Decision:
        """Compare the average of the readings with the band."""
        average = fmean(readings)
        if average < self.band.low:
            return Decision.HEAT
        if average > self.band.high:
            return Decision.COOL
        return Decision.STABLE
