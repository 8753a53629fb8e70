"""The steps of a lesson, and what each reveals."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class StepKind(StrEnum):
    """What one step of a lesson shows."""

    MISSION = "mission"
    CONTRACT = "contract"
    CRITERION = "criterion"
    HAND_IN = "hand-in"
    GUESS = "guess"
    REVEAL = "reveal"
    VERDICT = "verdict"
    GHOSTS = "ghosts"


@dataclass(frozen=True)
class Step:
    """One step of a lesson: what is shown, of which submission or criterion.

    Attributes:
        kind: What it shows.
        criterion: The index of the criterion in the rubric; -1 if there is none.
        hand_in: The index of the submission; -1 if there is none.
        revealed: How many criteria of the submission (or of every ghost) are revealed once this step is shown.
    """

    kind: StepKind
    criterion: int = -1
    hand_in: int = -1
    revealed: int = 0

    @property
    def chapter(self) -> str:
        """The key that groups steps of one chapter."""
        if self.kind in (StepKind.MISSION, StepKind.CONTRACT):
            return "mission"
        if self.kind is StepKind.CRITERION:
            return "rubric"
        return "ghosts" if self.kind is StepKind.GHOSTS else f"hand-in {self.hand_in}"


def steps_of(criteria: Sequence[str], hand_ins: int, *, ghosts: bool) -> tuple[Step, ...]:
    """The mission, every criterion, every submission criterion by criterion, and the ghosts."""
    count = len(criteria)
    steps = [
        Step(StepKind.MISSION),
        Step(StepKind.CONTRACT),
        *(Step(StepKind.CRITERION, index) for index in range(count)),
    ]
    for hand_in in range(hand_ins):
        steps.append(Step(StepKind.HAND_IN, hand_in=hand_in))
        for index in range(count):
            steps.append(Step(StepKind.GUESS, index, hand_in, revealed=index))
            steps.append(Step(StepKind.REVEAL, index, hand_in, revealed=index + 1))
        steps.append(Step(StepKind.VERDICT, hand_in=hand_in, revealed=count))
    if ghosts:
        steps += [Step(StepKind.GHOSTS, index - 1, revealed=index) for index in range(count + 1)]
    return tuple(steps)
