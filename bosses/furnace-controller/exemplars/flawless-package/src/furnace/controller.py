"""The rule, and nothing but the rule."""

from dataclasses import dataclass
from enum import Enum
from statistics import fmean
from typing import List


class Decision(Enum):
    """What the furnace must do; each value is the exit status of the program."""

    STABLE = 0
    HEAT = 10
    COOL = 11


@dataclass(frozen=True)
class Controller:
    """Holds a furnace within `tolerance` degrees of `target`."""

    target: float
    tolerance: float = 1.0

    @property
    def lower(self) -> float:
        """The lowest average that is still stable."""
        return self.target - self.tolerance

    @property
    def upper(self) -> float:
        """The highest average that is still stable."""
        return self.target + self.tolerance

    def decide(self, readings: List[float]) -> Decision:
        """Compare the average of the readings with the two edges."""
        average = fmean(readings)
        if self.lower <= average <= self.upper:
            return Decision.STABLE
        return Decision.HEAT if average < self.lower else Decision.COOL
