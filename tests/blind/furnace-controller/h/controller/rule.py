"""The rule: from readings to a decision."""

import enum
import math
from dataclasses import dataclass


class Decision(enum.Enum):
    """What to tell the furnace, and how a machine learns of it."""

    STABLE = 0
    HEAT = 10
    COOL = 11

    @property
    def exit_status(self):
        """The exit status that stands for the decision."""
        return self.value


@dataclass(frozen=True)
class Rule:
    """Hold the target, within the tolerance."""

    target: float
    tolerance: float

    def decide(self, readings):
        """Return the decision for one reading or more."""
        average = math.fsum(readings) / len(readings)
        if average < self.target - self.tolerance:
            return Decision.HEAT
        if average > self.target + self.tolerance:
            return Decision.COOL
        return Decision.STABLE
