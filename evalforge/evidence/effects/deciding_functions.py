"""Which functions decide: those that neither read nor write, and whose changed answer changes what the program does."""

import re
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from evalforge.evidence.effects.marked_answers import MarkedFunction, MarkedProgram
from evalforge.evidence.effects.replays import Observed, Replays
from evalforge.evidence.trials.run_trials import RunTrials
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.model.evidence import LOAD_GROUP, Fact, Finding, TrialOutcome, TrialResult
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution

DECIDING, LINES = "code.deciding_functions", "code.line_functions"
_MAX_OBSERVED = 4
_MIN_TRIALS = 2
_MAX_OTHERS = 6
_MAX_REPLAYS = 30
_MAX_FOUND = 2
_MAX_HANGS = 2
_MAX_RUNS = 4
_MAX_TIMES_MEDIAN = 10.0
_MIN_SHARE = 0.5
_STATUS = re.compile(r"exit status (\d+)")
_ALL_EFFECTS = ("stream", "file", "log")
_USABLE = (TrialOutcome.PASSED, TrialOutcome.FAILED)


def effect_facts(
    submission: Submission, marked: MarkedProgram, run: TrialRun, perform: RunTrials, execution: Execution
) -> tuple[Fact, ...]:
    """The facts that running some trials again shows. Call it after the trials, while nobody else uses their host.

    Args:
        submission: The submission.
        marked: Its program with marked answers.
        run: The trials' run, with their results.
        perform: Performs trials.
        execution: What the trials executed.
    """
    if not marked.functions:
        return (Fact(name=DECIDING, value=0), Fact(name=LINES, value=0))
    with Replays(submission, marked, run, perform) as replays:
        trials = _trials_in_turn(run.results)
        observed = [again for trial in trials[:_MAX_OBSERVED] if (again := replays.observe(trial))]
        plain = _plain_use(observed, marked)
        if not plain:
            return _facts_of_crashes(_Deciding(marked.functions, replays, observed, (), ()), execution)
        others = [trial for trial in trials[_MAX_OBSERVED:] if trial.passed][:_MAX_OTHERS]
        return _Deciding(marked.functions, replays, plain, _plain_statuses(plain, run.results), others).facts()


def _facts_of_crashes(deciding: "_Deciding", execution: Execution) -> tuple[Fact, ...]:
    """The facts of a program that never gets through: functions it called get the benefit of the doubt."""
    unmeasured = unmeasured_effects("No trial of plain use could be run again, so nothing is known about functions.")
    if not deciding.observed:
        return unmeasured
    message = "reads and writes nothing; as no trial of plain use ends well, nobody knows whether its answer matters"
    called = [
        number
        for number, function in enumerate(deciding.functions)
        if execution.was_entered(function.path, [function.line]) and deciding.is_quiet(function, *_ALL_EFFECTS)
    ]
    return (deciding.fact(DECIDING, called, message), *unmeasured[1:])


def unmeasured_effects(reason: str) -> tuple[Fact, ...]:
    """The facts without values, with the reason."""
    return tuple(Fact(name=name, value=None, findings=(Finding(message=reason),)) for name in (DECIDING, LINES))


def _trials_in_turn(results: Sequence[TrialResult]) -> list[TrialResult]:
    """The first quick trial of each group, then the second ones; those that fail only where none of a group passes."""
    by_group: dict[str, list[TrialResult]] = {}
    usable = [result for result in results if result.outcome in _USABLE and result.group != LOAD_GROUP]
    most = _MAX_TIMES_MEDIAN * statistics.median([trial.seconds for trial in usable] or [0.0])
    for trial in sorted(usable, key=lambda trial: not trial.passed):
        if trial.seconds <= most:
            by_group.setdefault(trial.group, []).append(trial)
    groups = list(dict.fromkeys(trial.group for trial in usable if trial.group in by_group))
    turns = zip_longest(*(by_group[group] for group in groups))
    return [trial for turn in turns for trial in turn if trial is not None]


def _plain_use(observed: Sequence[Observed], marked: MarkedProgram) -> list[Observed]:
    """The short trials that reach most of the program, in order, but for those that end in a traceback."""
    short = [again for again in observed if len(again.outcome.runs) <= _MAX_RUNS]
    reached = [sum(map(bool, map(again.answers, range(len(marked.functions))))) for again in short]
    least = max(reached, default=0) * _MIN_SHARE  # a refusal ends before most is reached
    return [again for again, count in zip(short, reached, strict=True) if count >= least and again.has_ended_well]


def _plain_statuses(plain: Sequence[Observed], results: Sequence[TrialResult]) -> set[int | None]:
    """The exit statuses in plain use: those seen in it, and those seen in most of its groups."""
    groups = {again.trial.group for again in plain}
    seen = {
        (trial.group, int(status[1]))
        for trial in results
        for step in trial.steps
        if (status := _STATUS.match(step.result))
    }
    counts = Counter(status for group, status in seen if group in groups)
    common = {status for status, count in counts.items() if 2 * count > len(groups)}
    return common | {run.status for again in plain for run in again.outcome.runs}


@dataclass(frozen=True)
class _Deciding:
    """Finds the functions that decide.

    Attributes:
        functions: All functions, by number.
        replays: Runs trials again.
        observed: The trials of plain use.
        plain_statuses: The exit statuses of plain use.
        others: Trials of other groups that passed.
    """

    functions: Sequence[MarkedFunction]
    replays: Replays
    observed: Sequence[Observed]
    plain_statuses: Collection[int | None]
    others: Sequence[TrialResult]

    def facts(self) -> tuple[Fact, ...]:
        """Both facts, each with its functions."""
        makers = self._line_makers()
        deciders = self.candidates()
        numbers_by_fact: dict[str, list[int]] = {DECIDING: [], LINES: []}
        hangs = 0
        for number in (*makers, *(number for number in deciders if number not in makers)):
            if self.replays.count >= _MAX_REPLAYS or hangs >= _MAX_HANGS:
                break
            wanted = [name for name, group in ((DECIDING, deciders), (LINES, makers)) if number in group]
            if all(len(numbers_by_fact[name]) >= _MAX_FOUND for name in wanted):
                continue
            decides = self._decides(number)
            hangs += decides is None
            for name in wanted if decides else ():
                numbers_by_fact[name].append(number)
        return (
            self.fact(DECIDING, numbers_by_fact[DECIDING], "decides"),
            self.fact(LINES, numbers_by_fact[LINES], "returns a line of the output"),
        )

    def fact(self, name: str, numbers: Sequence[int], words: str) -> Fact:
        """A fact that counts functions, with what they do."""
        numbers = numbers[:_MAX_FOUND]
        functions = sorted((self.functions[number] for number in numbers), key=lambda each: (each.path, each.line))
        findings = tuple(
            Finding(message=f"`{function.title}` {words}", path=function.path, line=function.line)
            for function in functions
        )
        return Fact(name=name, value=len(numbers), findings=findings)

    def _decides(self, number: int) -> bool | None:
        """Whether trials that call a function give another outcome if its answers are changed; None if one hangs.

        A refusal isn't what the program does: otherwise, each check of the input would decide.
        """
        words = (word for again in self.observed for answers in again.answers(number) for word in answers.words)
        likely = list(dict.fromkeys(words))
        has_broken = False
        callers = [again for again in self.observed if again.answers(number)]
        for count, again in enumerate(callers, start=1):
            outcome = self.replays.change(again.trial, number, likely)
            if not outcome.is_known:
                return None
            if not outcome.differs(again.outcome) or outcome.refuses(self.plain_statuses):
                return False
            has_broken = has_broken or outcome.breaks(again.outcome)
            if has_broken and count >= _MIN_TRIALS:
                break
        return has_broken or any(self._breaks(trial, number, likely) for trial in self.others)

    def _breaks(self, trial: TrialResult, number: int, likely: Sequence[str | int]) -> bool:
        """Whether another trial no longer passes: those of plain use may not look at all that the program writes."""
        outcome = self.replays.change(trial, number, likely)
        return outcome.is_known and not (outcome.ended is TrialOutcome.PASSED or outcome.refuses(self.plain_statuses))

    def candidates(self) -> list[int]:
        """The functions that answer without reading or writing anything, those that answer least often first.

        Where the program reads something, only answers given after that count: before that, options are read.
        """
        return [
            number
            for number in self._quiet_functions(*_ALL_EFFECTS)
            if all(
                answers.has_read or not notes.has_read
                for again in self.observed
                for notes in again.notes
                for answers in [notes.answers.get(number)]
                if answers is not None
            )
        ]

    def _line_makers(self) -> list[int]:
        """The functions that print nothing and return lines of the output, if functions return all of the output."""
        quiet = self._quiet_functions("stream")
        makers: set[int] = set()
        for again in self.observed:
            output = "\n".join(run.stdout for run in again.outcome.runs)
            texts = {number: self._texts_of(again, number) for number in quiet}
            if _has_letters(_without(output, [text for own in texts.values() for text in own])):
                return []
            lines = set(output.splitlines())
            makers |= {
                number
                for number, own in texts.items()
                if _has_letters(output) and (lines.intersection(own) or not _has_letters(_without(output, own)))
            }
        return [number for number in quiet if number in makers]

    def _texts_of(self, again: Observed, number: int) -> list[str]:
        return [line for answers in again.answers(number) for text in answers.texts for line in text.splitlines()]

    def _quiet_functions(self, *kinds: str) -> list[int]:
        """The functions whose answers can be changed, and that never had an effect of these kinds."""
        times: dict[int, int] = {}
        for number, function in enumerate(self.functions):
            answers = [answers for again in self.observed for answers in again.answers(number)]
            callers = sum(bool(again.answers(number)) for again in self.observed)
            is_changeable = bool(answers) and all(answer.is_changeable for answer in answers)
            is_asked = any(answer.is_asked_inside for answer in answers) and callers >= min(2, len(self.observed))
            if is_changeable and is_asked and self.is_quiet(function, *kinds):
                times[number] = sum(answer.times for answer in answers)
        return sorted(times, key=lambda number: (times[number], number))

    def is_quiet(self, function: MarkedFunction, *kinds: str) -> bool:
        """Whether a function takes something, and never had an effect of these kinds."""
        loud = {effect[1:] for again in self.observed for effect in again.effects if effect.kind in kinds}
        return function.has_parameters and (function.path, function.marked_line, function.code_name) not in loud


def _without(output: str, texts: Sequence[str]) -> str:
    """The rest of an output, if the longest texts are taken out first."""
    for text in sorted(set(texts), key=lambda text: (-len(text), text)):
        if text:
            output = output.replace(text, " ")
    return output


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))
