"""The trials of one boss on one submission, and what has happened in the one that is running."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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
    """What has happened in the trial that is running."""

    steps: list[TrialStep] = field(default_factory=list[TrialStep])
    last_report: RunReport | None = None
    started_at: float = field(default_factory=time.monotonic)
    outcome: TrialOutcome | None = None
    command: Callable[[], str] = str
    place: tuple[str, int | None] = ("", None)

    def add_step(self, step: TrialStep, report: RunReport | None) -> None:
        """Keep one step; of very many the first and the last ones are kept, for they say what went wrong."""
        if len(self.steps) >= _MAX_STEPS:
            del self.steps[_FIRST_STEPS]
        self.steps.append(step)
        self.last_report = report


@dataclass
class TrialRun:
    """The trials of one boss on one submission: where they run, and their results.

    Attributes:
        trial_seed: What the trials' random numbers start from.
        host: The host for the player's code.
        staged: The submission on disk.
        program: The entry, or None if the submission lacks it.
        entry_name: What the entry is called in the contract.
        on_planned: Called once with the number of trials by group.
        on_finished: Called with each result.
        chosen: Ids of the only trials to run, in this order, with the seconds that each may take at most; they end with
            the first that doesn't pass. If empty, all run, by their own limits, after the one that loads the code.
        hides_inputs: Whether results of trials marked ``hidden`` say nothing of what they did.
        load_failure: What the code did if loading it hung or flooded; the trials are then not run one by one.
        results: The results so far.
        fatal_error: Why nothing can be said about the submission; None if all is well.
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
