"""Evidence: named, measured values about a submission, and the places where they were found."""

from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cached_property

from pydantic import ConfigDict

from evalforge.model.base import Frozen
from evalforge.model.claim import Claim

LOAD_GROUP = "load"
"""The group of trial zero, which checks that the code loads. It isn't counted among ``all``."""
CLAIM_GROUP = "claims"
PROVEN = "Found by reading, proven by running"
"""The words that begin a confirmed claim wherever it is shown."""


class TrialOutcome(StrEnum):
    """How a trial ended. Only ``PASSED`` earns anything.

    ``NOT_REACHED`` marks a pass that proves nothing: code that refuses all input also refuses bad input.
    """

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    NOT_REACHED = "not reached"
    NOT_RUN = "not run"


class Finding(Frozen):
    """One observation and its place in the submission (``line`` counts from 1)."""

    message: str
    path: str = ""
    line: int | None = None
    trial: str = ""

    @property
    def place(self) -> str:
        """The place as ``path:line``, as far as it is known."""
        if not self.path:
            return ""
        return f"{self.path}:{self.line}" if self.line else self.path


class Fact(Frozen):
    """One named, measured value. ``None`` means that it could not be measured, so no condition on it holds.

    ``blamed_on`` names the groups of trials whose faults caused some of the failures counted here.
    """

    name: str
    value: int | float | str | bool | None
    findings: tuple[Finding, ...] = ()
    blamed_on: tuple[str, ...] = ()


class TrialStep(Frozen):
    """One call that a trial made to the player's code, and its result."""

    call: str
    result: str


class TrialResult(Frozen):
    """How one trial ended.

    Attributes:
        id: The trial's name in its file, such as ``test_1_money.py::test_cents``.
        title: What it checks, in one sentence.
        group: The trials that are counted in one fact, ``trials.GROUP``.
        outcome: How it ended.
        message: What was expected and what it got; empty if it passed.
        path: The player's file that it failed in, if one did.
        line: The line there.
        seconds: How long it took.
        steps: Its calls to the player's code with their results: the first and the last ones.
        command: A shell command that does the same in the player's folder; empty if it passed, or if there is no such
            command.
        advice: What to do if it fails, in place of the group's advice; empty if the group's applies.
        blamed_on: The group of trials whose fault is the root cause: with that fault excused, this trial passes. Empty
            if it passed, or if its own fault made it fail.
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
        """Which other fault made it fail; empty if it passed, or if its own fault did."""
        if not self.blamed_on:
            return ""
        return f"with the fault of the trials called {self.blamed_on} excused, this one passes"

    def is_in(self, groups: Collection[str]) -> bool:
        """Whether the trial belongs to one of the groups; ``all`` includes every trial but trial zero."""
        return self.group in groups or ("all" in groups and self.group != LOAD_GROUP)


class ImpostorFate(StrEnum):
    """Whether the player's tests caught an impostor. Only ``UNMASKED`` earns anything."""

    UNMASKED = "unmasked"
    LET_THROUGH = "let through"
    NOT_TRIED = "not tried"

    @property
    def words(self) -> str:
        """The word that players read for it."""
        return {"unmasked": "caught", "let through": "missed", "not tried": "not run"}[self.value]


class ImpostorResult(Frozen):
    """The result of running the player's tests on one impostor.

    Attributes:
        id: The impostor's id.
        owner: The criterion that owns its fault.
        clause: The section of the contract that it breaks.
        riddle: What the player reads if their tests miss it.
        fate: Whether the tests caught it.
        test: The test that caught it, such as ``test_refusals[float]``.
        path: That test's file.
        line: The line where the test begins.
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
    """Whether running a claim confirmed it. Only ``CONFIRMED`` proves anything."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    NOT_RUN = "not run"


class ClaimResult(Frozen):
    """A claim of a model, checked by running its test on the submission and on programs that keep the contract.

    Attributes:
        claim: The claim itself.
        state: Whether it was confirmed.
        reason: Why it isn't confirmed; empty if it is.
        failure: How the test failed on the submission, such as ``assert 6 == 5``; empty if it isn't confirmed.
        path: The player's file where it hung, if it did.
        line: The line there.
    """

    model_config = ConfigDict(extra="ignore")  # attempts from before claims were tests

    claim: Claim
    state: ClaimState
    reason: str = ""
    failure: str = ""
    path: str = ""
    line: int | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether the fault is proven."""
        return self.state is ClaimState.CONFIRMED

    @property
    def as_trial(self) -> TrialResult:
        """The failed trial that a confirmed claim counts as; its step is the test."""
        return TrialResult(
            id=f"claim:{self.claim.criterion_id}:{self.claim.fault}",
            title=f"{PROVEN}: {self.claim.fault}",
            group=CLAIM_GROUP,
            outcome=TrialOutcome.FAILED,
            message=self.message,
            path=self.path,
            line=self.line,
            steps=(TrialStep(call=self.claim.test, result="failed"),) if self.claim.test else (),
        )

    @property
    def message(self) -> str:
        """The contract's words and how the test failed, or why the claim isn't confirmed, in a sentence."""
        if not self.is_confirmed:
            return f"{self.state.value.capitalize()}: {self.reason}."
        quote = f"The contract says “{self.claim.contract}”. " if self.claim.contract else ""
        return f"{quote}The test failed: {self.failure or 'its message was not kept'}."


class Evidence(Frozen):
    """All that was measured of one submission: facts, trials, impostors its tests met, and claims of a model."""

    facts: tuple[Fact, ...] = ()
    trials: tuple[TrialResult, ...] = ()
    impostors: tuple[ImpostorResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, Fact]:
        return {fact.name: fact for fact in self.facts}

    def proven_claims(self, criterion_id: str) -> tuple[ClaimResult, ...]:
        """The confirmed claims that count against a criterion."""
        return tuple(claim for claim in self.claims if claim.is_confirmed and claim.claim.criterion_id == criterion_id)

    def fact(self, name: str) -> Fact | None:
        """The fact with this name, or None if it was not measured."""
        return self._by_name.get(name)


def merge_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge findings on the same line of code into one that has the words of each, in order."""
    merged: dict[tuple[str, int | None, str], Finding] = {}
    for finding in findings:
        # Findings without a line differ by their words alone.
        key = (finding.path, finding.line, "") if finding.line else (finding.path, None, finding.message)
        earlier = merged.get(key)
        if earlier is None:
            merged[key] = finding
        elif finding.message not in earlier.message:
            text = f"{earlier.message.rstrip()} {finding.message}"
            merged[key] = earlier.model_copy(update={"message": text})
    return tuple(merged.values())


def newly_failing(before: Evidence | None, now: Evidence) -> tuple[str, ...]:
    """The titles of the trials that passed before and fail now; none if there is no earlier evidence."""
    passed = {trial.id for trial in before.trials if trial.passed} if before else set[str]()
    return tuple(trial.title or trial.id for trial in now.trials if trial.id in passed and not trial.passed)


def count_passed(trials: Iterable[TrialResult], group: str = "all") -> tuple[int, int]:
    """Count the passed trials of a group, and all of them; ``all`` counts every group but trial zero."""
    members = [trial for trial in trials if trial.is_in((group,))]
    return sum(trial.passed for trial in members), len(members)
