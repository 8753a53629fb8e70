"""The messages between the game and its trial worker, besides events: lines of JSON."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator

from evalforge.model.base import Frozen
from evalforge.model.claim import Claim
from evalforge.model.errors import EvalForgeError, OwnFailureError, SandboxError
from evalforge.model.submission import Submission


class GatherRequest(Frozen):
    """The request to measure a submission to a boss.

    With ``tests_alone`` no more is measured than what its tests make of the boss's impostors; with ``claims`` those are
    run, and nothing else.
    """

    trial_seed: str
    trials: Annotated[Path, AfterValidator(Path.absolute)]  # the worker may have been started in another directory
    entry_files: tuple[str, ...]
    submission: Submission
    python: str = ""
    layer: str = ""
    tests_alone: bool = False
    claims: tuple[Claim, ...] = ()
    hides_inputs: bool = False


class WorkerStarted(Frozen):
    """The trial worker is warm: the isolation its host has, and the report of the host's self-test."""

    kind: Literal["ready"] = "ready"
    layer: str
    probe: dict[str, Any]


class HostsChanged(Frozen):
    """The host processes, sent whenever they have changed: they outlive a killed worker, and the game must end them."""

    kind: Literal["hosts"] = "hosts"
    pids: frozenset[int]


class HostsWarm(Frozen):
    """The worker waits for a request; hosts that the last one has cost are replaced and can serve at once."""

    kind: Literal["warm"] = "warm"


class GatheringEnded(Frozen):
    """The gathering is over.

    ``fatal`` says why the submission could not be measured, ``hint`` what to do; both are empty if it was. ``trace``
    is the traceback if that was a fault of ours.
    """

    kind: Literal["ended"] = "ended"
    fatal: str = ""
    hint: str = ""
    trace: str = ""

    @classmethod
    def by(cls, error: BaseException) -> Self:
        """The end of a gathering that an error broke off."""
        if isinstance(error, EvalForgeError) and not isinstance(error, OwnFailureError):
            return cls(fatal=error.message, hint=error.hint)
        own = error if isinstance(error, OwnFailureError) else OwnFailureError.of(error)
        return cls(fatal=own.message, trace=own.trace)

    def raise_error(self) -> None:
        """Raise the error that broke it off, if one did.

        Raises:
            SandboxError: The submission could not be measured, and not for a fault of its own.
        """
        if self.trace:
            raise OwnFailureError(self.fatal, self.trace)
        if self.fatal:
            raise SandboxError(self.fatal, self.hint)
