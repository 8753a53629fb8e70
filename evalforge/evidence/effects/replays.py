"""Trials that run again on marked bytecode, and what is seen and noted of them."""

import re
import secrets
import statistics
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest
from typing import Literal, NamedTuple, Self

from pydantic import TypeAdapter, ValidationError

from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome, TrialResult
from evalforge.sandbox.host.answers.marking import LIST_FILE
from evalforge.sandbox.host.protocol.run_messages import AnswerMarks
from evalforge.sandbox.report import TRACEBACK_START, RunReport

STATUS = re.compile(r"exit status (\d+)")
USABLE = (TrialOutcome.PASSED, TrialOutcome.FAILED)
_HANG_REPLAYS = 10
_MAX_TIMES_MEDIAN = 10.0
_TIME_FACTOR, _MIN_LIMIT_SECONDS = 8.0, 0.5


Place = tuple[str, int]
"""A file of the program, and a line."""


Name = tuple[str, str]
"""A file of the program, and a name in its module."""


class MarkedFunction(NamedTuple):
    """A function of the program, as ``marking.py`` lists it."""

    path: str
    line: int
    name: str
    takes_something: bool


class Answers(NamedTuple):
    """What one function answered in one run."""

    times: int
    counts: bool  # the program asked, the answer can be changed, and isn't just what the function was handed
    has_read: bool  # the program, before it answered
    lines: tuple[str, ...]  # of answers that are texts, alone or in lists
    words: tuple[str | int, ...]  # texts and numbers that would be changed


class Notes(NamedTuple):
    """The notes of one run; the run's process wrote them, so they are checked."""

    answers: dict[int, Answers]
    effects: tuple[tuple[str, str, int, str], ...]  # the kind, and the function: its file, its line, its name
    stream_lines: tuple[Place, ...]  # where the program itself reads or writes a standard stream
    body_lines: tuple[Place, ...]  # where the body of a module does, itself or through what it calls, or uses a file
    has_read: bool
    reached: dict[int, tuple[Place | None, ...]]  # blocks, each with the stack of the first time; None: a library
    left: tuple[Place, ...]  # the lines in stacks below calls of a trial's own functions
    caught: tuple[Place | None, ...] | None  # the stack of the raised error, from where it was caught; None: a library
    changed: tuple[Name, ...]  # whose state calls changed


class Block(NamedTuple):
    """The body of a function, of ``try`` or of ``with``, as ``marking.py`` lists it."""

    path: str
    first: int
    last: int
    line: int  # of the last handler, or of the statement itself
    is_function: bool

    def holds(self, place: Place) -> bool:
        """Whether a line is in it."""
        return place[0] == self.path and self.first <= place[1] <= self.last


_PLACES = TypeAdapter(tuple[tuple[MarkedFunction, ...], tuple[Block, ...], tuple[tuple[str, str, int], ...]])
_NOTES = TypeAdapter(Notes)


class Outcome(NamedTuple):
    """What could be seen of a trial from outside, except messages to the operator on standard error."""

    ended: TrialOutcome
    message: str
    statuses: tuple[int | None, ...]
    crashes: tuple[bool, ...]  # whether an exception ended a process
    outputs: tuple[str, ...]
    results: tuple[object, ...]  # files, and what a library's functions answered, in words

    def breaks(self, plain: Self) -> bool:
        """Whether the trial ends differently, or its processes do: trials look at that."""
        return self[:3] != plain[:3]

    def counts(self, plain_statuses: frozenset[int | None]) -> bool:
        """Whether no process hung or refused its input.

        A hang may be the machine's fault. If a refusal counted, which is a status that plain use never has, each check
        of the input would decide.
        """
        ends = zip(self.statuses, self.crashes, strict=True)
        is_refusal = any(status not in plain_statuses and not has_crashed for status, has_crashed in ends)
        return not is_refusal and self.ended not in (TrialOutcome.TIMED_OUT, TrialOutcome.NOT_RUN)


class Observed(NamedTuple):
    """A trial that was run again without a change: its outcome, and the notes of each process."""

    trial: TrialResult
    outcome: Outcome
    notes: tuple[Notes, ...]

    def answers(self, number: int) -> list[Answers]:
        """The answers of a function, by process."""
        return [notes.answers[number] for notes in self.notes if number in notes.answers]


class Raised(NamedTuple):
    """A trial that was run again with an error raised in a block.

    Attributes:
        outcome: How it ended.
        is_named: Whether a library's answers name the error's class.
        is_printed: Whether a stream shows it with a traceback.
        notes: The notes of each process.
    """

    outcome: Outcome
    is_named: bool
    is_printed: bool
    notes: tuple[Notes, ...]


class Replays:
    """Runs trials again on marked bytecode: answers are noted or changed, or an error is raised in a block."""

    def __init__(self, run: TrialRun, perform: RunTrials, paths: Sequence[str]) -> None:
        self._run, self._perform = run, perform
        self._reports, self._notes = list[RunReport](), list[Notes]()
        self._marks = AnswerMarks(f"_{secrets.token_hex(8)}")
        self._staged = run.staged.with_marks(self._marks)
        places = run.host.compile(self._staged, paths).get(LIST_FILE, b"[[], [], []]")
        self.functions, self.blocks, names = _PLACES.validate_json(places)
        self.line_by_name = {(path, name): line for path, name, line in reversed(names)}
        self._observed: dict[tuple[str, str], Observed | None] = {}
        self.count = 0
        """How many trials ran."""

    def observe(self, trial: TrialResult, noted: Literal["answers", "blocks", "calls"]) -> Observed | None:
        """Run a trial again without a change, and note something; None if it doesn't end as it did at first."""
        if (trial.id, noted) not in self._observed:
            marks = self._marks._replace(noted=noted)
            outcome, notes = self._play(trial, marks), tuple(self._notes)
            is_same = outcome.ended is trial.outcome and (trial.passed or self._play(trial, marks) == outcome)
            self._observed[trial.id, noted] = Observed(trial, outcome, notes) if is_same else None
        return self._observed[trial.id, noted]

    def change(self, trial: TrialResult, number: int, likely: Sequence[str | int] = ()) -> Outcome:
        """Run a trial again with the answers of one function changed, to likely ones."""
        return self._play(trial, self._marks._replace(changed=number, likely=[*likely]))

    def put_back(self, observed: Observed, names: Sequence[Name]) -> Outcome:
        """Run a trial again with the state of some names put back where each call begins."""
        return self._play(observed.trial, self._marks._replace(noted="blocks", put_back=[*names]))

    def raise_in(self, trial: TrialResult, number: int, *, is_interrupt: bool) -> Raised:
        """Run a trial again with an error raised in one block that nobody can know, or with an interrupt."""
        error = f"Fault{secrets.token_hex(8)}"
        outcome = self._play(trial, self._marks._replace(raised=number, error=error, is_interrupt=is_interrupt))
        streams = "".join(report.stdout + report.stderr for report in self._reports)
        is_printed = TRACEBACK_START in streams and error in streams  # a mere message would not help to find a bug
        is_named = any(error in result for result in outcome.results if isinstance(result, str))
        return Raised(outcome, is_named, is_printed, tuple(self._notes))

    def _play(self, trial: TrialResult, marks: AnswerMarks) -> Outcome:
        self._reports, self._notes = list[RunReport](), list[Notes]()
        self._staged.marks = marks
        run = self._run.on_copy(self._staged, {trial.id: max(_MIN_LIMIT_SECONDS, _TIME_FACTOR * trial.seconds)})
        with self._run.host.reports_to(self._take_report):
            self._perform(run)
        result = run.results[0] if run.results else trial.model_copy(update={"outcome": TrialOutcome.NOT_RUN})
        self.count += 1 if result.outcome in USABLE else _HANG_REPLAYS
        answers = (step.result for step in result.steps if not STATUS.match(step.result))
        return Outcome(
            result.outcome,
            result.message,
            tuple(report.exit_code for report in self._reports),
            tuple(report.uncaught_error is not None for report in self._reports),
            tuple(report.stdout for report in self._reports),
            (*(report.files for report in self._reports), *answers),
        )

    def _take_report(self, report: RunReport) -> RunReport:
        """Keep the report of a run and its notes; the trial gets it without them."""
        files = dict(report.files)
        with suppress(ValidationError):
            self._notes.append(_NOTES.validate_json(files.pop(self._marks.name, b"")))
        self._reports.append(replace(report, files=files))
        return self._reports[-1]


def trials_in_turn(results: Sequence[TrialResult]) -> list[TrialResult]:
    """The first quick trial of each group, then the second ones; those that fail only where none of a group passes."""
    usable = [result for result in results if result.outcome in USABLE and result.group != LOAD_GROUP]
    by_group: dict[str, list[TrialResult]] = {trial.group: [] for trial in usable}
    most = _MAX_TIMES_MEDIAN * statistics.median([trial.seconds for trial in usable] or [0.0])
    for trial in sorted(usable, key=lambda trial: not trial.passed):
        if trial.seconds <= most:
            by_group[trial.group].append(trial)
    return [trial for turn in zip_longest(*by_group.values()) for trial in turn if trial is not None]
