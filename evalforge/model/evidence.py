"""Evidence: named, measured values about a submission, with the places they come from."""

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cached_property

from evalforge.model.base import Frozen
from evalforge.model.claim import Claim

LOAD_GROUP = "load"
"""Trial zero's group, whether the code loads: it counts for itself alone, never among all."""
CLAIM_GROUP = "claims"
PROVEN = "Found by reading, proven by running"
"""How a confirmed claim begins wherever it is shown."""


class TrialOutcome(StrEnum):
    """How a trial ended. Only ``PASSED`` earns anything.

    ``NOT_REACHED`` is a trial that passed where that says nothing: whoever refuses good input too refuses no bad input.
    """

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_REACHED = "not reached"
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
    """One named, measured value. ``None`` means it could not be measured; no condition on it holds.

    ``blamed_on`` names the groups of trials whose faults are the root cause of some failures that it counts.
    """

    name: str
    value: int | float | str | bool | None
    findings: tuple[Finding, ...] = ()
    blamed_on: tuple[str, ...] = ()


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
        blamed_on: The group of trials whose fault is the root cause: with that fault granted it passes. Empty if it
            passed, or failed by a fault of its own.
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
    blamed_on: str = ""

    @property
    def passed(self) -> bool:
        """Whether the trial earned its share."""
        return self.outcome is TrialOutcome.PASSED

    @property
    def blame_words(self) -> str:
        """Whose fault it is that it failed, if it is another's; empty if it passed, or failed by its own."""
        if not self.blamed_on:
            return ""
        return f"with the fault of the trials called {self.blamed_on} excused, this one passes"

    def is_in(self, groups: Collection[str]) -> bool:
        """Whether the trial belongs to one of the groups; ``all`` holds every trial but trial zero."""
        return self.group in groups or ("all" in groups and self.group != LOAD_GROUP)


class ImpostorFate(StrEnum):
    """What became of an impostor that was sent to the player's tests. Only ``UNMASKED`` earns anything."""

    UNMASKED = "unmasked"
    LET_THROUGH = "let through"
    NOT_TRIED = "not tried"

    @property
    def words(self) -> str:
        """What players read of it."""
        return {"unmasked": "caught", "let through": "missed", "not tried": "not run"}[self.value]


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


class ClaimState(StrEnum):
    """What became of a claim when it was run. Only ``CONFIRMED`` proves anything."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    NOT_RUN = "not run"


class ClaimResult(Frozen):
    """A claim of a model, and what came of running it on the submission and on programs that keep the contract.

    Attributes:
        claim: What was claimed.
        state: What became of it.
        reason: Why it isn't confirmed; empty if it is.
        expected: What the contract asks for.
        got: What the submission did.
        steps: What was done with the submission, and what came back.
        command: A shell command that does the same in the player's folder; empty if it can't be written.
        path: The player's file that it ended in, if it raised.
        line: The line there.
    """

    claim: Claim
    state: ClaimState
    reason: str = ""
    expected: str = ""
    got: str = ""
    steps: tuple[TrialStep, ...] = ()
    command: str = ""
    path: str = ""
    line: int | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether the fault is proven."""
        return self.state is ClaimState.CONFIRMED

    @property
    def as_trial(self) -> TrialResult:
        """A confirmed claim as the failed trial that it is worth."""
        return TrialResult(
            id=f"claim:{self.claim.criterion_id}:{self.claim.fault}",
            title=f"{PROVEN}: {self.claim.fault}",
            group=CLAIM_GROUP,
            outcome=TrialOutcome.FAILED,
            message=self.message,
            path=self.path,
            line=self.line,
            steps=self.steps,
            command=self.command,
        )

    @property
    def message(self) -> str:
        """What was expected and got, or why that proves nothing, in a sentence."""
        if self.is_confirmed:
            return f"Expected {self.expected}, got {self.got}."
        return f"{self.state.value.capitalize()}: {self.reason}."


class Evidence(Frozen):
    """All facts of one submission, the trials behind them, the impostors its tests met, and the claims of a model."""

    facts: tuple[Fact, ...] = ()
    trials: tuple[TrialResult, ...] = ()
    impostors: tuple[ImpostorResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Fact]:
        return {fact.name: fact for fact in self.facts}

    def proven_claims(self, criterion_id: str) -> tuple[ClaimResult, ...]:
        """The confirmed claims that are charged to a criterion."""
        return tuple(claim for claim in self.claims if claim.is_confirmed and claim.claim.criterion_id == criterion_id)

    def fact(self, name: str) -> Fact | None:
        """The fact with this name, or None if it was not measured."""
        return self._by_name.get(name)


def merge_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings with one for each line of code: what several say of a line is said once, in their order."""
    merged: dict[tuple[str, int | None, str], Finding] = {}
    for finding in findings:
        # What has no line is told apart by its words.
        key = (finding.path, finding.line, "") if finding.line else (finding.path, None, finding.message)
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = finding
        elif finding.message not in earlier.message:
            text = f"{earlier.message.rstrip()} {finding.message}"
            merged[key] = earlier.model_copy(update={"message": text})
    return tuple(merged.values())


def newly_failing(before: Evidence | None, now: Evidence) -> tuple[str, ...]:
    """The titles of the trials that passed before and don't now; none where nothing was known before."""
    passed = {trial.id for trial in before.trials if trial.passed} if before else set[str]()
    return tuple(trial.title or trial.id for trial in now.trials if trial.id in passed and not trial.passed)


def count_passed(trials: Iterable[TrialResult], group: str = "all") -> tuple[int, int]:
    """How many trials of a group passed, and how many there are; ``all`` counts every group but trial zero."""
    members = [trial for trial in trials if trial.is_in((group,))]
    return sum(trial.passed for trial in members), len(members)
