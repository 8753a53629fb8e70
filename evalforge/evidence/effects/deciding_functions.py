"""Which functions decide: those that neither read nor write, and whose changed answer changes what the program does."""

import re
import secrets
import statistics
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product, zip_longest
from pathlib import Path
from typing import NamedTuple, Self

from pydantic import TypeAdapter, ValidationError

from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.evidence import LOAD_GROUP, Fact, Finding, TrialOutcome, TrialResult
from evalforge.model.level_rules import LevelRules, meets_check
from evalforge.packs.document import read_document
from evalforge.sandbox.execution import Execution
from evalforge.sandbox.host.answers.marking import LIST_FILE
from evalforge.sandbox.host.protocol.run_messages import AnswerMarks
from evalforge.sandbox.report import RunReport

DECIDING, LINES = "code.deciding_functions", "code.line_functions"
_WORDS = {DECIDING: "decides", LINES: "returns a line of the output"}
_DOUBT = "has no effect; as no trial of plain use ends well, nobody knows whether its answer matters"
_WANTED_PLAIN, _MAX_OBSERVED = 2, 4
_MAX_FOUND, _MAX_REPLAYS, _HANG_REPLAYS = 2, 30, 10
_MAX_RUNS = 4
_MAX_TIMES_MEDIAN = 10.0
_MIN_SHARE = 0.5
_TIME_FACTOR, _MIN_LIMIT_SECONDS = 8.0, 0.5
_STATUS = re.compile(r"exit status (\d+)")
_USABLE = (TrialOutcome.PASSED, TrialOutcome.FAILED)


def asked_effects(rules_file: Path) -> dict[str, int]:
    """The facts of this package that a boss's rules name, with the least number that meets all checks of each.

    Where there are no rules, all are asked for.

    Raises:
        PackError: The file isn't valid.
    """
    if not rules_file.is_file():
        return dict.fromkeys(_WORDS, _MAX_FOUND)
    rules, asked = read_document(rules_file).parse(LevelRules), dict[str, int]()
    for name in sorted(rules.facts_asked_for.intersection(_WORDS)):
        checks = rules.checks_of(name)
        enough = (number for number in range(_MAX_FOUND) if all(meets_check(check, number) for check in checks))
        asked[name] = next(enough, _MAX_FOUND)
    return asked


def effect_facts(
    names: Mapping[str, int], run: TrialRun, perform: RunTrials, paths: Sequence[str], execution: Execution
) -> tuple[Fact, ...]:
    """The facts of these names, up to these numbers, for the program in these files.

    Call it after the trials, with their run and record, while nobody else uses their host.
    """
    if execution.hidden or not names:
        return _unmeasured(names, "The program hides code, so nothing is known about its functions.")
    replays = _Replays(run, perform, paths)
    trials = _trials_in_turn(run.results) if replays.functions else []
    plain, crashed = _observe(replays, trials)
    if plain:
        observed = [again.trial for again in plain]
        others = [trial for trial in trials if trial.passed and trial not in observed]
        search = _Search(replays, plain, _plain_statuses(plain, run.results), others)
        return tuple(search.fact(name, most) for name, most in names.items())
    if not replays.functions:
        return tuple(_fact(name, (), "") for name in names)
    unmeasured = _unmeasured(names, "No trial of plain use could be run again, so nothing is known about functions.")
    if not crashed:
        return unmeasured
    loud = _places_with_effects(crashed)
    entered = [each for each in replays.functions if execution.was_entered(each.path, [each.line])]
    doubtful = _fact(DECIDING, [each for each in entered if each.takes_something and each[:3] not in loud], _DOUBT)
    return tuple(doubtful if fact.name == DECIDING else fact for fact in unmeasured)


def _unmeasured(names: Iterable[str], reason: str) -> tuple[Fact, ...]:
    return tuple(Fact(name=name, value=None, findings=(Finding(message=reason),)) for name in names)


def _fact(name: str, functions: "Sequence[_Function]", words: str) -> Fact:
    places = sorted((function.path, function.line, function.name) for function in functions[:_MAX_FOUND])
    findings = tuple(Finding(message=f"`{title}` {words}", path=path, line=line) for path, line, title in places)
    return Fact(name=name, value=len(findings), findings=findings)


def _trials_in_turn(results: Sequence[TrialResult]) -> list[TrialResult]:
    """The first quick trial of each group, then the second ones; those that fail only where none of a group passes."""
    by_group: dict[str, list[TrialResult]] = {}
    usable = [result for result in results if result.outcome in _USABLE and result.group != LOAD_GROUP]
    most = _MAX_TIMES_MEDIAN * statistics.median([trial.seconds for trial in usable] or [0.0])
    for trial in sorted(usable, key=lambda trial: not trial.passed):
        if trial.seconds <= most:
            by_group.setdefault(trial.group, []).append(trial)
    return [trial for turn in zip_longest(*by_group.values()) for trial in turn if trial is not None]


def _observe(replays: "_Replays", trials: Sequence[TrialResult]) -> "tuple[list[_Observed], list[_Observed]]":
    """The first short trials that reach most of the program, run again; those that end in a traceback are apart."""
    short = list[_Observed]()
    plain, crashed = list[_Observed](), list[_Observed]()
    for trial in trials[:_MAX_OBSERVED]:
        again = replays.observe(trial)
        if again is not None and len(again.outcome.outputs) <= _MAX_RUNS:
            short.append(again)
        reached = [sum(bool(one.answers(number)) for number in range(len(replays.functions))) for one in short]
        least = max(reached, default=0) * _MIN_SHARE  # a refusal ends before most is reached
        reaching = [one for one, count in zip(short, reached, strict=True) if count >= least]
        crashed = [one for one in reaching if all(one.outcome.crashes)]
        plain = [one for one in reaching if one not in crashed]
        if len(plain) >= _WANTED_PLAIN:
            break
    return plain, crashed


def _plain_statuses(plain: "Sequence[_Observed]", results: Sequence[TrialResult]) -> frozenset[int | None]:
    """The exit statuses in plain use: those seen in it, and those that all its groups have in common."""
    groups = {again.trial.group for again in plain}
    matches = ((trial.group, _STATUS.match(step.result)) for trial in results for step in trial.steps)
    seen = {(group, int(status[1])) for group, status in matches if status and group in groups}
    common = {status for _, status in seen if all((group, status) in seen for group in groups)}
    return frozenset(common).union(status for again in plain for status in again.outcome.statuses)


class _Function(NamedTuple):
    """A function of the program, as ``marking.py`` lists it."""

    path: str
    line: int
    name: str
    takes_something: bool


class _Answers(NamedTuple):
    """What one function answered in one run."""

    times: int
    counts: bool  # the program asked, the answer can be changed, and isn't just what the function was handed
    has_read: bool  # the program, before it answered
    lines: tuple[str, ...]  # of answers that are texts, alone or in lists
    words: tuple[str | int, ...]  # texts and numbers that would be changed


class _Notes(NamedTuple):
    """The notes of one run; the run's process wrote them, so they are checked."""

    answers: dict[int, _Answers]
    effects: tuple[tuple[str, str, int, str], ...]  # the kind, and the function: its file, its line, its name
    has_read: bool


_FUNCTIONS, _NOTES = TypeAdapter(tuple[_Function, ...]), TypeAdapter(_Notes)


class _Outcome(NamedTuple):
    """What could be seen of a trial from outside, but for standard error: a message to the operator is no decision."""

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


class _Observed(NamedTuple):
    """A trial that was run again without a change: its outcome, and the notes of each process."""

    trial: TrialResult
    outcome: _Outcome
    notes: tuple[_Notes, ...]

    def answers(self, number: int) -> list[_Answers]:
        """The answers of a function, by process."""
        return [notes.answers[number] for notes in self.notes if number in notes.answers]


def _places_with_effects(observed: Sequence[_Observed], *harmless: str) -> set[tuple[str, int, str]]:
    effects = (effect for again in observed for notes in again.notes for effect in notes.effects)
    return {(path, line, name) for kind, path, line, name in effects if kind not in harmless}


class _Replays:
    """Runs trials again with the answers of functions noted or changed."""

    def __init__(self, run: TrialRun, perform: RunTrials, paths: Sequence[str]) -> None:
        self._run, self._perform = run, perform
        self._reports, self._notes = list[RunReport](), list[_Notes]()
        self._name = f"_{secrets.token_hex(8)}"
        self._staged = run.staged.with_marks(self._name)
        self.functions = _FUNCTIONS.validate_json(run.host.compile(self._staged, paths).get(LIST_FILE, b"[]"))
        self.count = 0
        """How many trials ran."""

    def observe(self, trial: TrialResult) -> _Observed | None:
        """Run a trial again without a change; None if it doesn't end as it did at first."""
        outcome, notes = self.play(trial), tuple(self._notes)
        is_same = outcome.ended is trial.outcome and (trial.passed or self.play(trial) == outcome)
        return _Observed(trial, outcome, notes) if is_same else None

    def play(self, trial: TrialResult, changed: int | None = None, likely: Sequence[str | int] = ()) -> _Outcome:
        """Run a trial again, with the answers of one function changed if its number is given, to likely ones."""
        self._reports, self._notes = list[RunReport](), list[_Notes]()
        self._staged.marks = AnswerMarks(self._name, changed, [*likely])
        run = self._run.on_copy(self._staged, {trial.id: max(_MIN_LIMIT_SECONDS, _TIME_FACTOR * trial.seconds)})
        self._run.host.take_report = self._take_report
        try:
            self._perform(run)
        finally:
            self._run.host.take_report = lambda report: report
        result = run.results[0] if run.results else trial.model_copy(update={"outcome": TrialOutcome.NOT_RUN})
        self.count += 1 if result.outcome in _USABLE else _HANG_REPLAYS
        answers = (step.result for step in result.steps if not _STATUS.match(step.result))
        return _Outcome(
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
            self._notes.append(_NOTES.validate_json(files.pop(self._name, b"")))
        self._reports.append(replace(report, files=files))
        return self._reports[-1]


@dataclass(frozen=True)
class _Search:
    """Looks for the functions that decide, with trials of plain use, their statuses, and others that passed."""

    replays: _Replays
    observed: Sequence[_Observed]
    plain_statuses: frozenset[int | None]
    others: Sequence[TrialResult]

    def fact(self, name: str, most: int) -> Fact:
        """A fact, with the first functions that make each trial end otherwise, and break at least one."""
        deciding, differing = list[int](), list[int]()
        for number in self._deciders() if name == DECIDING else self._line_makers():
            if len(deciding) < most and self.replays.count < _MAX_REPLAYS:
                pairs = [(self._change(again.trial, number), again.outcome) for again in self.observed]
                if all(outcome != plain and outcome.counts(self.plain_statuses) for outcome, plain in pairs):
                    breaks = any(outcome.breaks(plain) for outcome, plain in pairs)
                    (deciding if breaks else differing).append(number)
        for trial, number in product(self.others, differing):  # those of plain use may not look at all that is written
            if number not in deciding and len(deciding) < most and self.replays.count < _MAX_REPLAYS:
                outcome = self._change(trial, number)
                if outcome.ended is not trial.outcome and outcome.counts(self.plain_statuses):
                    deciding.append(number)
        return _fact(name, [self.replays.functions[number] for number in deciding], _WORDS[name])

    def _change(self, trial: TrialResult, number: int) -> _Outcome:
        words = dict.fromkeys(word for again in self.observed for each in again.answers(number) for word in each.words)
        return self.replays.play(trial, number, list(words))

    def _deciders(self) -> list[int]:
        """The functions that answer without reading or writing anything.

        Where the program reads something, only answers given after that count: before that, options are read.
        """
        reading = [notes for again in self.observed for notes in again.notes if notes.has_read]
        quiet = self._quiet_functions()
        return [n for n in quiet if all(notes.answers[n].has_read for notes in reading if n in notes.answers)]

    def _line_makers(self) -> list[int]:
        """The functions that print nothing and return lines of the output, if functions return all of the output."""
        quiet = self._quiet_functions("file", "log")
        makers: set[int] = set()
        for again in self.observed:
            output = "\n".join(again.outcome.outputs)
            own = {number: [line for each in again.answers(number) for line in each.lines] for number in quiet}
            if _has_more(output, [line for lines in own.values() for line in lines]):
                return []
            makers |= {number for number, lines in own.items() if not {*output.splitlines()}.isdisjoint(lines)}
            makers |= {number for number, lines in own.items() if lines and not _has_more(output, lines)}
        return [number for number in quiet if number in makers]

    def _quiet_functions(self, *harmless: str) -> list[int]:
        """The functions whose answers count, with harmless effects at most; those that answer least often first."""
        loud = _places_with_effects(self.observed, *harmless)
        times: dict[int, int] = {}
        for number, function in enumerate(self.replays.functions):
            answers = [each for again in self.observed for each in again.answers(number)]
            counts = any(each.counts for each in answers) and all(again.answers(number) for again in self.observed)
            if counts and function.takes_something and function[:3] not in loud:
                times[number] = sum(each.times for each in answers)
        return sorted(times, key=lambda number: (times[number], number))


def _has_more(output: str, texts: Sequence[str]) -> bool:
    """Whether an output has letters beside some texts, the longest of which are taken out first."""
    for text in sorted({*texts} - {""}, key=lambda text: (-len(text), text)):
        output = output.replace(text, " ")
    return any(map(str.isalpha, output))
