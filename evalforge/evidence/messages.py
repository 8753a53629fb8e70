"""The messages between the game and its trial worker, other than events, as lines of JSON."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator

from evalforge.model.base import Frozen
from evalforge.model.claim import Claim
from evalforge.model.errors import DiskFullError, EvalForgeError, OwnFailureError, SandboxError
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import NOTHING_RAN, Execution


class GatherRequest(Frozen):
    """The request to measure a submission to a boss.

    With ``tests_alone``, only its tests on the boss's impostors are measured; with ``claims``, only those are run.
    """

    trial_seed: str
    trials: Annotated[Path, AfterValidator(Path.absolute)]  # the worker's working directory may differ
    entry_files: tuple[str, ...]
    submission: Submission
    python: str = ""
    layer: str = ""
    tests_alone: bool = False
    claims: tuple[Claim, ...] = ()
    hides_inputs: bool = False


class WorkerStarted(Frozen):
    """The trial worker is ready, with its host's isolation and the report of the host's self-test."""

    kind: Literal["ready"] = "ready"
    layer: str
    probe: dict[str, Any]


class HostsChanged(Frozen):
    """The host processes, sent after each change: they outlive a killed worker, so the game must end them."""

    kind: Literal["hosts"] = "hosts"
    pids: frozenset[int]


class HostsWarm(Frozen):
    """The worker is waiting for a request, and hosts that the last one used up are replaced and ready."""

    kind: Literal["warm"] = "warm"


class GatheringEnded(Frozen):
    """The end of a gathering.

    ``fatal`` says why the submission could not be measured, ``hint`` what to do; both are empty on success. ``trace``
    is the traceback if the fault was ours. ``execution`` is what the trials ran, from which the code was read.
    """

    kind: Literal["ended"] = "ended"
    fatal: str = ""
    hint: str = ""
    trace: str = ""
    execution: Execution = NOTHING_RAN

    @classmethod
    def by(cls, error: BaseException) -> Self:
        """The end of a gathering that was broken off by an error."""
        error = DiskFullError.cause_of(error) or error
        if isinstance(error, EvalForgeError) and not isinstance(error, OwnFailureError):
            return cls(fatal=error.message, hint=error.hint)
        own = error if isinstance(error, OwnFailureError) else OwnFailureError.of(error)
        return cls(fatal=own.message, trace=own.trace)

    def raise_error(self) -> None:
        """Raise the error that broke it off, if any.

        Raises:
            SandboxError: The submission could not be measured, through no fault of its own.
        """
        if self.trace:
            raise OwnFailureError(self.fatal, self.trace)
        if self.fatal:
            raise SandboxError(self.fatal, self.hint)
