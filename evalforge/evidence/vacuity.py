"""Vacuous tests, which check no result of the program, with words that describe exactly how they fail to."""

from dataclasses import dataclass

from evalforge.evidence.impostors.measure import ImpostorMeasurement
from evalforge.evidence.mutant_choice import MutantChoice
from evalforge.evidence.mutation_score import is_void
from evalforge.model.evidence import Fact, Finding

_HOLLOW = "The tests would pass on a program that answers nothing: none of them checks an answer."
_IDLE = "The tests run nothing that the boss's trials run, so they check none of its answers."
_LOOK = "Every test that passes looks at code instead of behaviour: none of them counts."
_VOID = "The tests also fail on code that was changed without effect, so they don't catch wrong answers."
_COPY = (
    "The tests contain a copy of your program's code, and no check caught a fault in both: "
    "code that is compared with itself is always right."
)
_BLIND = "No check in any test caught one of the small faults in your program."


@dataclass(frozen=True)
class SuiteMeasurements:
    """The programs that the tests were run on: the boss's, and mutants of the player's own.

    Attributes:
        impostors: The results on the boss's programs.
        mutants: The mutants that were run.
        noticed: The share of mutants that the tests noticed.
    """

    impostors: ImpostorMeasurement
    mutants: MutantChoice
    noticed: Fact

    def vacuous_fact(self) -> Fact:
        """The fact ``tests.vacuous``, with the way in which the tests are vacuous."""
        return vacuous_fact(self._way())

    def _way(self) -> str:
        """The way in which the tests check no result; empty if they check any. Direct evidence comes first."""
        if self.mutants.only_look:
            return _LOOK
        if not self.noticed.value:
            if self.impostors.is_content_with_nothing:
                return _HOLLOW
            if self.impostors.is_idle(self.mutants.idle_tests):
                return _IDLE
        if self.noticed.value == 0 and not self.impostors.has_unmasked:
            return self._way_on_mutants()
        return ""

    def _way_on_mutants(self) -> str:
        if is_void(self.noticed):
            return _VOID
        return _COPY if self.mutants.have_copies else _BLIND


def vacuous_fact(way: str = "") -> Fact:
    """The fact ``tests.vacuous``: true if there is a way in which the tests are vacuous."""
    return Fact(name="tests.vacuous", value=bool(way), findings=(Finding(message=way),) if way else ())
