"""Runs trials again on a copy of the submission that notes, or changes, what its functions answer."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import NamedTuple, Self

from pydantic import ValidationError

from evalforge.evidence.control_files import control_files
from evalforge.evidence.effects.marked_answers import HELPER, MarkedProgram
from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.base import Frozen
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.model.submission import Submission
from evalforge.sandbox.host.answers.noting import CHANGE_FILE, NOTES_FILE
from evalforge.sandbox.report import RunReport
from evalforge.sandbox.staging import StagedSubmission

_TIME_FACTOR = 8.0
_MIN_LIMIT_SECONDS = 0.5
_STATUS = re.compile(r"exit status \d+")


class _Answers(NamedTuple):
    """What one function answered in one run (see ``noting.py``)."""

    times: int
    is_changeable: bool
    is_asked_inside: bool
    has_read: bool
    texts: tuple[str, ...]
    words: tuple[str | int, ...]


class _Effect(NamedTuple):
    kind: str
    path: str
    line: int
    code_name: str


class _Notes(Frozen):
    """The notes of one run; its process wrote them, so they are checked."""

    answers: dict[int, _Answers]
    effects: tuple[_Effect, ...]
    has_read: bool


class Run(NamedTuple):
    """What one process did. Standard error is left out: a message to the operator is no decision."""

    status: int | None
    stdout: str
    files: tuple[tuple[str, bytes], ...]
    has_crashed: bool


@dataclass(frozen=True)
class Outcome:
    """What could be seen of a trial from outside.

    Attributes:
        ended: How it ended.
        message: Why it failed.
        runs: What its processes did.
        answers: What a library's functions answered, in words.
    """

    ended: TrialOutcome
    message: str
    runs: tuple[Run, ...]
    answers: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it says anything: a hang may be the machine's fault."""
        return self.ended not in (TrialOutcome.TIMED_OUT, TrialOutcome.NOT_RUN)

    def breaks(self, plain: Self) -> bool:
        """Whether the trial no longer passes, or its processes end with other statuses."""
        if plain.ended is TrialOutcome.PASSED is self.ended:
            return [run.status for run in self.runs] != [run.status for run in plain.runs]
        return self != plain

    def differs(self, plain: Self) -> bool:
        """Whether it breaks the trial, or something else is answered or written: not every trial looks at all of it."""
        return self.breaks(plain) or (self.runs, self.answers) != (plain.runs, plain.answers)

    def refuses(self, plain_statuses: Collection[int | None]) -> bool:
        """Whether a process ended in a refusal: without an exception, but with a status that plain use never has."""
        return any(run.status not in plain_statuses and not run.has_crashed for run in self.runs)


@dataclass(frozen=True)
class Observed:
    """A trial that was run again without a change.

    Attributes:
        trial: Its first result.
        outcome: The outcome of the second run.
        notes: What was noted of the functions in it, one for each process.
    """

    trial: TrialResult
    outcome: Outcome
    notes: tuple[_Notes, ...]

    @property
    def has_ended_well(self) -> bool:
        """Whether any process ended without an uncaught exception."""
        return not all(run.has_crashed for run in self.outcome.runs)

    def answers(self, number: int) -> list[_Answers]:
        """The answers of a function, by process."""
        return [notes.answers[number] for notes in self.notes if number in notes.answers]

    @property
    def effects(self) -> frozenset[_Effect]:
        """All effects, each of one function."""
        return frozenset(effect for notes in self.notes for effect in notes.effects)


class Replays:
    """A staged copy of the submission on which trials run again.

    Args:
        submission: The submission.
        marked: Its marked files.
        run: The trials' run.
        perform: Performs trials.
    """

    def __init__(self, submission: Submission, marked: MarkedProgram, run: TrialRun, perform: RunTrials) -> None:
        self._run = run
        self._perform = perform
        self._reports: list[RunReport] = []
        copy = marked.put_into(submission)
        self._staged = StagedSubmission(copy, frozenset(control_files(submission)))
        self._staged.python_files.clear()  # no record of its lines is needed
        helpers = [file.path for file in copy.files if file.path.startswith(HELPER)]
        run.host.compile(self._staged, [*helpers, *marked.files])
        run.host.take_report = self._take_report
        self.count = 0
        """How many trials ran."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run.host.take_report = lambda report: report
        self._staged.remove()

    def observe(self, trial: TrialResult) -> Observed | None:
        """Run a trial again without a change; None if it doesn't end as it did at first."""
        outcome = self._play(trial)
        if outcome.ended is not trial.outcome:
            return None
        notes = tuple(filter(None, map(_parse_notes, self._reports)))
        if trial.outcome is not TrialOutcome.PASSED and self._play(trial) != outcome:
            return None
        return Observed(trial, outcome, notes)

    def change(self, trial: TrialResult, number: int, likely: Sequence[str | int]) -> Outcome:
        """Run a trial again with the answers of one function changed, to one of the likely answers if possible."""
        self._staged.write(CHANGE_FILE, json.dumps([number, likely]))
        try:
            return self._play(trial)
        finally:
            (self._staged.path / CHANGE_FILE).unlink()

    def _play(self, trial: TrialResult) -> Outcome:
        self._reports = []
        self.count += 1
        limit = max(_MIN_LIMIT_SECONDS, _TIME_FACTOR * trial.seconds)
        run = self._run.on_copy(self._staged, {trial.id: limit})
        self._perform(run)
        runs = tuple(map(_run_of, self._reports))
        if not run.results:
            return Outcome(TrialOutcome.NOT_RUN, "", runs)
        result = run.results[0]
        answers = tuple(step.result for step in result.steps if not _STATUS.match(step.result))
        return Outcome(result.outcome, result.message, runs, answers)

    def _take_report(self, report: RunReport) -> RunReport:
        """Keep the report of a run; the trial gets it without our notes."""
        self._reports.append(report)
        files = {name: content for name, content in report.files.items() if name != NOTES_FILE}
        return replace(report, files=files)


def _run_of(report: RunReport) -> Run:
    files = sorted((name, content) for name, content in report.files.items() if name != NOTES_FILE)
    return Run(report.exit_code, report.stdout, tuple(files), report.uncaught_error is not None)


def _parse_notes(report: RunReport) -> _Notes | None:
    content = report.files.get(NOTES_FILE)
    try:
        return None if content is None else _Notes.model_validate_json(content)
    except ValidationError:
        return None
