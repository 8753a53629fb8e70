"""Which functions decide: those that neither read nor write, and whose changed answer changes what the program does."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from evalforge.evidence.effects.replays import STATUS, MarkedFunction, Observed, Outcome, Replays, trials_in_turn
from evalforge.model.evidence import Fact, Finding, TrialResult
from evalforge.sandbox.execution import Execution

DECIDING, LINES = "code.deciding_functions", "code.line_functions"
_WORDS = {DECIDING: "decides", LINES: "returns a line of the output"}
_DOUBT = "has no effect; as no trial of plain use ends well, nobody knows whether its answer matters"
_WANTED_PLAIN, _MAX_OBSERVED = 2, 4
MAX_FOUND, _MAX_REPLAYS = 2, 30
_MAX_RUNS = 4
_MIN_SHARE = 0.5


def function_facts(
    names: Mapping[str, int],
    replays: Replays,
    observed: tuple[list[Observed], list[Observed]],
    results: Sequence[TrialResult],
    execution: Execution,
) -> tuple[Fact, ...]:
    """The facts of these names, up to these numbers; ``results`` are those of all trials."""
    trials = trials_in_turn(results)
    plain, crashed = observed
    if plain:
        trials_of_plain_use = [again.trial for again in plain]
        others = [trial for trial in trials if trial.passed and trial not in trials_of_plain_use]
        search = _Search(replays, plain, _plain_statuses(plain, results), others)
        return tuple(search.fact(name, most) for name, most in names.items())
    if not replays.functions:
        return tuple(_fact(name, (), "") for name in names)
    unmeasured = unmeasured_facts(names, "No trial of plain use could be run again, so functions were not tried.")
    if not crashed:
        return unmeasured
    loud = _places_with_effects(crashed)
    entered = [each for each in replays.functions if execution.was_entered(each.path, [each.line])]
    doubtful = _fact(DECIDING, [each for each in entered if each.takes_something and each[:3] not in loud], _DOUBT)
    return tuple(doubtful if fact.name == DECIDING else fact for fact in unmeasured)


def unmeasured_facts(names: Iterable[str], reason: str) -> tuple[Fact, ...]:
    """These facts without a value, and why."""
    return tuple(Fact(name=name, value=None, findings=(Finding(message=reason),)) for name in names)


def _fact(name: str, functions: Sequence[MarkedFunction], words: str) -> Fact:
    places = sorted((function.path, function.line, function.name) for function in functions[:MAX_FOUND])
    findings = tuple(Finding(message=f"`{title}` {words}", path=path, line=line) for path, line, title in places)
    return Fact(name=name, value=len(findings), findings=findings)


def observe_plain_use(replays: Replays, results: Sequence[TrialResult]) -> tuple[list[Observed], list[Observed]]:
    """The first short trials that reach most of the program, run again; those that end in a traceback are apart."""
    short = list[Observed]()
    plain, crashed = list[Observed](), list[Observed]()
    for trial in trials_in_turn(results)[:_MAX_OBSERVED]:
        again = replays.observe(trial, "answers")
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


def _plain_statuses(plain: Sequence[Observed], results: Sequence[TrialResult]) -> frozenset[int | None]:
    """The exit statuses in plain use: those seen in it, and those that all its groups have in common."""
    groups = {again.trial.group for again in plain}
    matches = ((trial.group, STATUS.match(step.result)) for trial in results for step in trial.steps)
    seen = {(group, int(status[1])) for group, status in matches if status and group in groups}
    common = {status for _, status in seen if all((group, status) in seen for group in groups)}
    return frozenset(common).union(status for again in plain for status in again.outcome.statuses)


def _places_with_effects(observed: Sequence[Observed], *harmless: str) -> set[tuple[str, int, str]]:
    effects = (effect for again in observed for notes in again.notes for effect in notes.effects)
    return {(path, line, name) for kind, path, line, name in effects if kind not in harmless}


@dataclass(frozen=True)
class _Search:
    """Looks for the functions that decide, with trials of plain use, their statuses, and others that passed."""

    replays: Replays
    observed: Sequence[Observed]
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

    def _change(self, trial: TrialResult, number: int) -> Outcome:
        words = dict.fromkeys(word for again in self.observed for each in again.answers(number) for word in each.words)
        return self.replays.change(trial, number, list(words))

    def _deciders(self) -> list[int]:
        """The functions that answer without reading or writing anything.

        Where the program reads something, only answers given after that count: before that, options are read.
        """
        reading = [notes for again in self.observed for notes in again.notes if notes.has_read]
        quiet = self._quiet_functions()
        return [n for n in quiet if all(notes.answers[n].has_read for notes in reading if n in notes.answers)]

    def _line_makers(self) -> list[int]:
        """The functions that print nothing and return lines of the output, if functions return most of the lines.

        A line of which functions return nothing is one too many, and says nothing of those that return the others. One
        of which they return a part is composed where it is printed.
        """
        quiet = self._quiet_functions("file", "log")
        makers: set[int] = set()
        for again in self.observed:
            output = "\n".join(again.outcome.outputs)
            own = {number: [line for each in again.answers(number) for line in each.lines] for number in quiet}
            if _is_composed(output, {line for lines in own.values() for line in lines}):
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


def _is_composed(output: str, texts: Collection[str]) -> bool:
    """Whether lines of an output have letters beside these texts, or most lines have nothing of them."""
    lines = [line for line in output.splitlines() if any(map(str.isalpha, line))]
    strangers = [line for line in lines if not any(text and text in line for text in texts)]
    own_output = "\n".join(line for line in lines if line not in strangers)
    return len(strangers) > len(lines) / 2 or _has_more(own_output, [*texts])


def _has_more(output: str, texts: Sequence[str]) -> bool:
    """Whether an output has letters beside some texts, the longest of which are taken out first."""
    for text in sorted({*texts} - {""}, key=lambda text: (-len(text), text)):
        output = output.replace(text, " ")
    return any(map(str.isalpha, output))
