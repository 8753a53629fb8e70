"""The states of a furnace, and the rule that tells them apart."""

from dataclasses import dataclass
from enum import Enum
from statistics import mean
from typing import Sequence


class State(Enum):
    """Thermal state of a furnace."""

    STABLE = "STABLE"
    HEAT = "HEAT"
    COOL = "COOL"

    @property
    def exit_status(self) -> int:
        """The status the process reports for this state."""
        return {State.STABLE: 0, State.HEAT: 10, State.COOL: 11}[self]


@dataclass(frozen=True)
class Band:
    """The temperatures in which a furnace counts as stable, both ends included."""

    target: float
    tolerance: float = 1.0

    def offset(self, readings: Sequence[float]) -> float:
        """How far the average of the readings lies above the target, in degrees."""
        return mean(readings) - self.target

    def classify(self, readings: Sequence[float]) -> State:
        """Tell whether the furnace is stable, carries too much heat, or has gone cool."""
        offset = self.offset(readings)
        if offset > self.tolerance:
            return State.HEAT
        if offset < -self.tolerance:
            return State.COOL
        return State.STABLE
