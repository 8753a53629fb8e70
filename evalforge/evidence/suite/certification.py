"""Certified mutants: those that fail a trial which passed before, and so certainly break the contract.

Nobody can demand that tests catch a mutant without effect, or one that only changes what the contract leaves open.
Trials know the contract, so they run on the mutants while the player's tests do, and only certified mutants count.
"""

import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from evalforge.evidence.control_files import control_files
from evalforge.evidence.forked_task import ForkedTask
from evalforge.evidence.machine_load import has_passed
from evalforge.evidence.process_death import TookTooLongError
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.errors import OwnFailureError, SandboxError
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution
from evalforge.sandbox.staging import StagedSubmission

_SECONDS = 30.0
_CPU_SECONDS = 60
_MAX_TRIALS_PER_MUTANT = 8
_MAX_TRIAL_RUNS = 160
MAX_CERTIFIED = 24
"""The number of certified mutants that is enough to know the share."""
_MAX_TIMES_MEDIAN = 3.0
"""Trials that take this many times longer than the median are left out."""
_TIME_FACTOR = 8.0
_MIN_LIMIT_SECONDS = 0.5
_FAILED = (TrialOutcome.FAILED, TrialOutcome.CRASHED)  # not a hang, which may be the machine's fault


@dataclass(frozen=True)
class PassedTrial:
    """A trial that the submission passes: its id, its group, and the seconds it takes."""

    id: str
    group: str
    seconds: float


@dataclass(frozen=True)
class TrialsEnd:
    """The outcome of all trials: what they executed, which passed, and whether all did."""

    execution: Execution
    passed: tuple[PassedTrial, ...] = ()
    have_all_passed: bool = False


def trials_end(execution: Execution, results: Sequence[TrialResult]) -> TrialsEnd:
    """Sum up the trials; trial zero, which only loads the code, is left out of those that passed."""
    passed = tuple(
        PassedTrial(result.id, result.group, result.seconds)
        for result in results
        if result.passed and result.group != LOAD_GROUP
    )
    return TrialsEnd(execution, passed, have_all_passed=all(result.passed for result in results))


@dataclass(frozen=True)
class MutantTrials:
    """All that is needed to run trials on mutants: a submission, its trial run, and the function that performs one."""

    submission: Submission
    run: TrialRun
    perform: RunTrials

    def certify(
        self, mutants: Sequence[Mutant], passed: Sequence[PassedTrial], is_awaited: Callable[[], bool]
    ) -> list[int]:
        """Return the indices of the mutants that break the contract. Call it in a fork, after the trials.

        About a mutant on which no trial failed in time, nothing is known.
        """
        started = time.monotonic()
        order = _TrialOrder(passed)
        certified: list[int] = []
        runs_left = _MAX_TRIAL_RUNS
        for number, mutant in enumerate(mutants):
            trials = order.trials_for(mutant)[: min(runs_left, _MAX_TRIALS_PER_MUTANT)]
            is_late = has_passed(started, _SECONDS)
            if not trials or is_late or not is_awaited():
                break
            failed = self._failed_trial_in_fork(mutant, trials)
            if failed is None:
                break
            runs_left -= next((count for count, trial in enumerate(trials, 1) if trial.id == failed), len(trials))
            if failed:
                order.note_failure(mutant, failed)
                certified.append(number)
            if len(certified) == MAX_CERTIFIED:
                break
        return certified

    def _failed_trial(self, mutant: Mutant, trials: Sequence[PassedTrial]) -> str:
        """The first trial that a mutant fails; empty if it fails none of these in time."""
        limits = {trial.id: max(_MIN_LIMIT_SECONDS, _TIME_FACTOR * trial.seconds) for trial in trials}
        with StagedSubmission(mutant.put_into(self.submission), frozenset(control_files(self.submission))) as staged:
            staged.python_files.clear()  # no record of its lines is needed
            run = self.run.on_copy(staged, limits)
            self.perform(run)
        last = run.results[-1] if run.results else None
        return last.id if last is not None and last.outcome in _FAILED else ""

    def _failed_trial_in_fork(self, mutant: Mutant, trials: Sequence[PassedTrial]) -> str | None:
        """``_failed_trial`` in its own process, as a trial runs only once per process. None if it could not be run."""
        task = ForkedTask("trials on a mutant", lambda: self._failed_trial(mutant, trials), _CPU_SECONDS, niceness=0)
        try:
            failed: str = task.result()
        except OwnFailureError as error:
            if not isinstance(error, TookTooLongError):
                raise
            return None
        except SandboxError:
            return None
        return failed


class Certification:
    """Runs trials on mutants of a submission in a separate process while its tests run.

    Leaving it waits for that process, because its host is needed again.
    """

    def __init__(self, mutant_trials: MutantTrials, mutants: Sequence[Mutant], passed: Sequence[PassedTrial]) -> None:
        self._mutants = mutants
        parent = os.getpid()
        self._task = ForkedTask(
            "trials on mutants",
            lambda: mutant_trials.certify(mutants, passed, lambda: os.getppid() == parent),
            _CPU_SECONDS,
            niceness=0,
        )
        self._is_done = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_done:
            self.certified()

    def certified(self) -> frozenset[Mutant]:
        """Wait for the mutants that are known to break the contract. Call this once.

        Raises:
            OwnFailureError: The trials failed because of a fault of ours.
        """
        self._is_done = True
        try:
            numbers: list[int] = self._task.result()
        except TookTooLongError:  # a mutant may hang, and then nothing is known
            return frozenset()
        return frozenset(self._mutants[number] for number in numbers)


class _TrialOrder:
    """The order of trials on a mutant: first those that failed on mutants of the same function, then quick ones.

    Args:
        passed: The trials; slow ones are left out.
    """

    def __init__(self, passed: Sequence[PassedTrial]) -> None:
        self._failed_ids: dict[tuple[str, str], list[str]] = defaultdict(list)
        counts: dict[str, int] = defaultdict(int)
        ranked_trials: list[tuple[int, PassedTrial]] = []
        most = _MAX_TIMES_MEDIAN * statistics.median([trial.seconds for trial in passed] or [0.0])
        for trial in sorted(passed, key=lambda trial: trial.seconds):
            if trial.seconds <= most:
                ranked_trials.append((counts[trial.group], trial))
                counts[trial.group] += 1
        # The quickest trial of each group comes before the second of any.
        self._trials = [trial for _, trial in sorted(ranked_trials, key=lambda entry: entry[0])]

    def trials_for(self, mutant: Mutant) -> list[PassedTrial]:
        """The trials in the order in which to run them on a mutant."""
        first = self._failed_ids[mutant.path, mutant.scope]
        return sorted(self._trials, key=lambda trial: first.index(trial.id) if trial.id in first else len(first))

    def note_failure(self, mutant: Mutant, trial_id: str) -> None:
        """Record which trial a mutant failed."""
        ids = self._failed_ids[mutant.path, mutant.scope]
        if trial_id in ids:
            ids.remove(trial_id)
        ids.insert(0, trial_id)
