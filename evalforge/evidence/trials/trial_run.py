"""The trials of one boss on one submission, and the record of the running one."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from evalforge.model.errors import SandboxError
from evalforge.model.evidence import TrialOutcome, TrialResult, TrialStep
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Program
from evalforge.sandbox.report import RunReport
from evalforge.sandbox.staging import StagedSubmission

_MAX_STEPS = 12
_FIRST_STEPS = 3


@dataclass
class TrialRecord:
    """What has happened so far in the running trial."""

    steps: list[TrialStep] = field(default_factory=list[TrialStep])
    last_report: RunReport | None = None
    started_at: float = field(default_factory=time.monotonic)
    outcome: TrialOutcome | None = None
    command: Callable[[], str] = str
    place: tuple[str, int | None] = ("", None)

    def add_step(self, step: TrialStep, report: RunReport | None) -> None:
        """Record one step; if there are very many, the first and the last ones, since they show what went wrong."""
        if len(self.steps) >= _MAX_STEPS:
            del self.steps[_FIRST_STEPS]
        self.steps.append(step)
        self.last_report = report


@dataclass
class TrialRun:
    """The trials of one boss on one submission, with their settings and results.

    Attributes:
        trial_seed: The seed of the trials' random numbers.
        host: The host for the player's code.
        staged: The submission on disk.
        program: The entry, or None if the submission lacks it.
        entry_name: The entry's name in the contract.
        on_planned: Called once with the number of trials by group.
        on_finished: Called with each result.
        chosen: The ids of the only trials to run, in this order, each with its limit in seconds; the run ends with the
            first that doesn't pass. If empty, all run with their own limits, after the one that loads the code.
        hides_inputs: Whether to leave out what trials marked ``hidden`` did.
        load_failure: What the code did if loading it hung or wrote too much; then the trials don't run.
        results: The results so far.
        fatal_error: Why the submission can't be measured; None if all is well.
    """

    trial_seed: str
    host: Host
    staged: StagedSubmission
    program: Program | None
    entry_name: str
    on_planned: Callable[[dict[str, int]], None]
    on_finished: Callable[[TrialResult], None]
    chosen: Mapping[str, float] = field(default_factory=dict[str, float])
    hides_inputs: bool = False
    load_failure: str = ""
    results: list[TrialResult] = field(default_factory=list[TrialResult])
    fatal_error: SandboxError | None = None

    def on_copy(self, staged: StagedSubmission, chosen: Mapping[str, float]) -> Self:
        """The same for some trials on a changed copy of the submission, without its results and events."""
        return replace(
            self,
            staged=staged,
            chosen=chosen,
            results=[],
            on_planned=_ignore,
            on_finished=_ignore,
            hides_inputs=False,
        )


def _ignore(_: object) -> None:
    """Ignore the events of trials on copies."""
