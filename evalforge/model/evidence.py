"""Evidence: named, measured values about a submission, with the places they come from."""

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from evalforge.model.base import Frozen

LOAD_GROUP = "load"
"""Trial zero's group, whether the code loads: it counts for itself alone, never among all."""


class TrialOutcome(StrEnum):
    """How a trial ended. Only ``PASSED`` earns anything."""

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_RUN = "not run"


class Finding(Frozen):
    """One observation: what, and where in the submission (``line`` counts from 1)."""

    message: str
    path: str = ""
    line: int | None = None
    trial: str = ""

    @property
    def place(self) -> str:
        """``path:line`` as far as known."""
        if not self.path:
            return ""
        return f"{self.path}:{self.line}" if self.line else self.path


class Fact(Frozen):
    """One named, measured value. ``None`` means it could not be measured; no condition on it holds."""

    name: str
    value: int | float | str | bool | None
    findings: tuple[Finding, ...] = ()


class TrialStep(Frozen):
    """One thing a trial did with the player's code, and what came back."""

    call: str
    result: str


class TrialResult(Frozen):
    """How one trial ended.

    Attributes:
        id: The trial's name in its file, such as ``test_1_money.py::test_cents``.
        title: What it asks, in one sentence.
        group: The trials that speak for one fact.
        outcome: How it ended.
        message: What was expected and what came; empty if it passed.
        path: The player's file that it failed in, if one did.
        line: The line there.
        seconds: How long it took.
        steps: What it did with the player's code, and what came back: the first things and the last ones.
        command: A shell command that does the same in the player's folder; empty if it passed, or can't be written.
        advice: What to do if it fails, in place of the advice of a whole group; empty if it has none of its own.
    """

    id: str
    title: str
    group: str
    outcome: TrialOutcome
    message: str = ""
    path: str = ""
    line: int | None = None
    seconds: float = 0.0
    steps: tuple[TrialStep, ...] = ()
    command: str = ""
    advice: str = ""

    @property
    def passed(self) -> bool:
        """Whether the trial earned its share."""
        return self.outcome is TrialOutcome.PASSED


class ImpostorFate(StrEnum):
    """What became of an impostor that was sent to the player's tests. Only ``UNMASKED`` earns anything."""

    UNMASKED = "unmasked"
    LET_THROUGH = "let through"
    NOT_TRIED = "not tried"


class ImpostorResult(Frozen):
    """What the player's tests made of one impostor.

    Attributes:
        id: The impostor's id.
        owner: The criterion that owns its fault.
        clause: The section of the contract that it breaks.
        riddle: What the player reads if their tests let it through.
        fate: What became of it.
        test: The test that unmasked it, such as ``test_refusals[float]``.
        path: That test's file.
        line: The line the test begins at.
    """

    id: str
    owner: str
    clause: str
    riddle: str
    fate: ImpostorFate
    test: str = ""
    path: str = ""
    line: int | None = None


class Evidence(Frozen):
    """All facts of one submission, the trials behind them, and the impostors its tests met."""

    facts: tuple[Fact, ...] = ()
    trials: tuple[TrialResult, ...] = ()
    impostors: tuple[ImpostorResult, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Fact]:
        return {fact.name: fact for fact in self.facts}

    def fact(self, name: str) -> Fact | None:
        """The fact with this name, or None if it was not measured."""
        return self._by_name.get(name)


def count_passed(trials: Iterable[TrialResult], group: str = "all") -> tuple[int, int]:
    """How many trials of a group passed, and how many there are; ``all`` counts every group but trial zero."""
    members = [trial for trial in trials if trial.group == group or (group == "all" and trial.group != LOAD_GROUP)]
    return sum(trial.passed for trial in members), len(members)
