"""The plan of which tests run on which changes of a program, with controls (changes without effect) hidden among them.

The code determines the sample of mutants: the same function gets the same mutants in every attempt. The places of the
controls are random each time, so that no submission can predict them.
"""

import dis
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import zip_longest
from types import CodeType

from evalforge.evidence.suite.mutant import Mutant
from evalforge.sandbox.host.protocol.player_test_messages import Edit, FileChange, MutantJob

MAX_MUTANTS = 40
_MAX_PER_LINE = 3
MIN_CONTROLS = 8
"""Enough to expose flaky tests: one that fails every other time passes eight controls only once in 256 times."""
_CONTROL_SHARE = 0.1
_MIN_JOB_SECONDS = 1.0  # Endless loops end much sooner, by processor time; this is for a busy machine.
_TIME_FACTOR = 5.0
_WORD_WEIGHT = 2.0
_WORD, _WORD_LETTERS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}"), 6
"""A word of a name, as in ``testRefusesTwice`` or ``refuses_twice``, and the letters of its stem."""
FREE_SECONDS = 0.1
"""How many seconds of quick tests may run on more than one control."""


@dataclass(frozen=True)
class PassingTest:
    """A test that passes on an unchanged program: its seconds, and the lines that it runs, by file."""

    name: str
    seconds: float
    lines: dict[str, frozenset[int]]

    def reaches(self, mutant: Mutant) -> bool:
        """Whether it runs a line of the mutant, or of its further changes in other files."""
        return any(
            not self.lines.get(change.path, frozenset()).isdisjoint(range(change.line, change.last_line + 1))
            for change in (mutant, *mutant.copies)
        )


class JobKind(Enum):
    """What the tests of a job can show."""

    FAULT = "whether they notice a mutant"
    CONTROL = "whether they fail although nothing was changed"
    QUESTION = "whether a test that contradicts the contract expects what an impostor does"


@dataclass(frozen=True)
class Job:
    """A change to a program, and the tests to run on it.

    Attributes:
        mutant: The change.
        kind: What its tests can show.
        is_live: Whether the change can be made in loaded code; if not, the tests are loaded again with it.
        tests: The names of the tests to run on it, in this order.
        seconds: The wall-clock limit for all of them.
    """

    mutant: Mutant
    kind: JobKind
    is_live: bool
    tests: tuple[str, ...]
    seconds: float

    def as_request(self, number: int) -> dict[str, object]:
        """The job in the form that the host reads, which doesn't reveal its kind."""
        edits: dict[str, list[Edit]] = defaultdict(list)
        for change in (self.mutant, *self.mutant.copies):
            edits[change.path].append(Edit(change.start, change.end, change.replacement))
        changes = [FileChange(path, sorted(edits[path])) for path in edits]
        seconds = max(_MIN_JOB_SECONDS, self.seconds)
        return MutantJob(number, changes, list(self.tests), self.is_live, seconds, self.seconds).as_request()


@dataclass(frozen=True)
class JobPlan:
    """The jobs on one program, and the mutants that no test reaches, which aren't run."""

    jobs: tuple[Job, ...] = ()
    unreached: tuple[Mutant, ...] = ()


@dataclass(frozen=True)
class Baseline:
    """The results of the tests on the unchanged program.

    Attributes:
        tests: The passing tests.
        imported: The lines that run on import, by file.
        load_seconds: How long loading takes, in seconds.
        unseen: Files for which it is unknown what runs on import.
    """

    tests: tuple[PassingTest, ...]
    imported: dict[str, frozenset[int]]
    load_seconds: float
    unseen: frozenset[str] = frozenset()

    @cached_property
    def _most_telling_first(self) -> list[PassingTest]:
        """The tests, quick ones first; one of each set that runs the same lines comes before the second of any."""
        counts: dict[int, int] = defaultdict(int)
        ranked_tests: list[tuple[int, PassingTest]] = []
        for test in sorted(self.tests, key=lambda test: test.seconds):
            lines = hash(frozenset(test.lines.items()))
            ranked_tests.append((counts[lines], test))
            counts[lines] += 1
        return [test for _, test in sorted(ranked_tests, key=lambda entry: entry[0])]

    @cached_property
    def _words_of_tests(self) -> dict[str, frozenset[str]]:
        return {test.name: _words(test.name.partition("::")[2]) for test in self.tests}

    def _in_order(self, mutant: Mutant) -> list[PassingTest]:
        """The tests in the order in which they meet a mutant: those first that are quick and likely to notice it.

        Likely are those whose names speak of what an impostor does wrong; of a mutant without a meaning, those that
        reach it, then those that enter its file.
        """
        if not mutant.meaning:
            tests = self._most_telling_first
            return sorted(tests, key=lambda test: (not test.reaches(mutant), mutant.path not in test.lines))
        meaning = _words(mutant.meaning)

        def cost(test: PassingTest) -> float:
            return test.seconds / (1 + _WORD_WEIGHT * len(meaning & self._words_of_tests[test.name]))

        return sorted(self.tests, key=cost)

    def runs_on_import(self, mutant: Mutant) -> bool:
        """Whether loading the modules runs a line of the mutant, or may run one of a copy."""
        is_run = not self.imported.get(mutant.path, frozenset()).isdisjoint(range(mutant.line, mutant.last_line + 1))
        return is_run or any(copy.path in self.unseen or self.runs_on_import(copy) for copy in mutant.copies)

    def job(self, mutant: Mutant, kind: JobKind, *, reloads: bool = False) -> Job | None:
        """The job for a mutant; None if no test reaches it. ``reloads`` treats it like code that runs on import."""
        on_import = reloads or not mutant.is_called or self.runs_on_import(mutant)
        tests = self._in_order(mutant)
        if not on_import:  # any test may notice code that runs on import
            tests = [test for test in tests if test.reaches(mutant)]
        if not tests:
            return None
        seconds = _TIME_FACTOR * (sum(test.seconds for test in tests) + (self.load_seconds if on_import else 0.0))
        return Job(mutant, kind, not on_import, tuple(test.name for test in tests), seconds)


def sample_mutants(mutants: Iterable[Mutant], max_count: int = MAX_MUTANTS) -> list[Mutant]:
    """Choose mutants from each function in turn, few per line, and always the same ones for the same function."""
    by_scope: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_scope[mutant.path, mutant.scope].append(mutant)
    queues = [_few_per_line(by_scope[key], ":".join(key)) for key in sorted(by_scope)]
    in_turn = (mutant for row in zip_longest(*queues) for mutant in row if mutant)
    return [mutant for mutant, _ in zip(in_turn, range(max_count), strict=False)]


def _few_per_line(mutants: list[Mutant], seed: str) -> list[Mutant]:
    shuffled = list(mutants)
    # Line numbers must not matter, so that code added above a function leaves its mutants the same.
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - it must be the same each time
    per_line: dict[int, int] = defaultdict(int)
    kept_mutants: list[Mutant] = []
    for mutant in shuffled:
        per_line[mutant.line] += 1
        if per_line[mutant.line] <= _MAX_PER_LINE:
            kept_mutants.append(mutant)
    return kept_mutants


def plan_jobs(
    mutants: Iterable[Mutant], equivalents: Iterable[Mutant], baseline: Baseline, min_controls: int = MIN_CONTROLS
) -> JobPlan:
    """Make jobs of mutants in this order, with controls at random places.

    Args:
        mutants: The mutants.
        equivalents: Changes without effect, to choose controls from.
        baseline: The tests, and what they run.
        min_controls: The least number of controls.
    """
    jobs: list[Job] = []
    unreached: list[Mutant] = []
    for mutant in mutants:
        if job := baseline.job(mutant, JobKind.FAULT):
            jobs.append(job)
        else:
            unreached.append(mutant)
    if jobs:
        count = max(min_controls, round(len(jobs) * _CONTROL_SHARE))
        for control in _sharing_tests(_controls(jobs, equivalents, baseline, count), baseline):
            jobs.insert(random.SystemRandom().randint(0, len(jobs)), control)
    return JobPlan(tuple(jobs), tuple(unreached))


def _controls(jobs: Sequence[Job], equivalents: Iterable[Mutant], baseline: Baseline, count: int) -> list[Job]:
    """Controls in the functions with most mutants, with the same share of live and reloaded ones as the mutants.

    If there are too few changes without effect, some come a second time or, if there are none, mutants reverted.
    """
    reload_count = math.ceil(count * sum(not job.is_live for job in jobs) / len(jobs))
    controls: list[Job] = []
    for mutant in _in_control_order(jobs, equivalents):
        if not _changes_bytecode(mutant):  # else tests that look at the bytecode would not notice it
            continue
        needs_reload = sum(not job.is_live for job in controls) < reload_count
        if job := baseline.job(mutant, JobKind.CONTROL, reloads=needs_reload):
            controls.append(job)
        if len(controls) == count:
            return controls
    reverted = [replace(job, mutant=job.mutant.reverted(), kind=JobKind.CONTROL) for job in jobs]
    return controls + random.SystemRandom().choices(controls or reverted, k=count - len(controls))


def _in_control_order(jobs: Sequence[Job], equivalents: Iterable[Mutant]) -> list[Mutant]:
    """Equivalents in random order, but one per function before the second of any, those with most mutants first."""
    mutants_in: dict[tuple[str, str], int] = defaultdict(int)
    for job in jobs:
        mutants_in[job.mutant.path, job.mutant.scope] += 1
    shuffled = list(equivalents)
    random.SystemRandom().shuffle(shuffled)
    rank_in: dict[tuple[str, str], int] = defaultdict(int)
    ranked_mutants: list[tuple[int, int, Mutant]] = []
    for mutant in shuffled:
        key = mutant.path, mutant.scope
        ranked_mutants.append((rank_in[key], -mutants_in[key], mutant))
        rank_in[key] += 1
    return [mutant for *_, mutant in sorted(ranked_mutants, key=lambda entry: entry[:2])]


def _sharing_tests(controls: Sequence[Job], baseline: Baseline) -> list[Job]:
    """The same controls, but with each slow test on fewer of them."""
    seconds = {test.name: test.seconds for test in baseline.tests}
    tests_of_controls = share_tests([control.tests for control in controls], seconds)
    return [replace(control, tests=tests) for control, tests in zip(controls, tests_of_controls, strict=True)]


def share_tests(tests_of_controls: Sequence[Sequence[str]], seconds: Mapping[str, float]) -> list[tuple[str, ...]]:
    """Choose the tests that each control keeps, in their present order: slow tests on one each, quick ones on all."""
    numbers = list(range(len(tests_of_controls)))
    random.SystemRandom().shuffle(numbers)
    load = [0.0] * len(numbers)
    chosen_tests: list[set[str]] = [set() for _ in numbers]
    free_seconds = FREE_SECONDS
    for test in sorted({test for tests in tests_of_controls for test in tests}, key=lambda test: seconds[test]):
        controls = (number for number in numbers if test in tests_of_controls[number])
        for rank, number in enumerate(sorted(controls, key=load.__getitem__)):
            if rank and seconds[test] > free_seconds:
                break
            free_seconds -= seconds[test] if rank else 0.0
            chosen_tests[number].add(test)
            load[number] += seconds[test]
    return [
        tuple(test for test in tests if test in chosen) or (min(tests, key=lambda test: seconds[test]),)
        for tests, chosen in zip(tests_of_controls, chosen_tests, strict=True)
    ]


def _words(text: str) -> frozenset[str]:
    """The stems of the words in a text or a name."""
    return frozenset(word[:_WORD_LETTERS].lower() for word in _WORD.findall(text))


def _changes_bytecode(mutant: Mutant) -> bool:
    """Whether an equivalent change alters the bytecode, because the compiler folds some changes away."""
    try:
        return all(
            _instructions(template, mutant.original) != _instructions(template, mutant.replacement)
            for template in _PLACES
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # such as code that is only allowed in a function
        return True


# In a function, like most of the player's code: since Python 3.12 the compiler folds away more there than elsewhere,
# and since 3.13 not the same in every statement.
_PLACES = ("def _():\n return ({}\n)", "def _():\n _ = ({}\n)")


def _instructions(template: str, expression: str) -> list[tuple[int, str]]:
    module = compile(template.format(expression), "", "exec")
    function = next(constant for constant in module.co_consts if isinstance(constant, CodeType))
    # Inner functions are the same before and after, but don't compare equal.
    return [
        (step.opcode, "" if isinstance(step.argval, CodeType) else repr(step.argval))
        for step in dis.get_instructions(function)
    ]
