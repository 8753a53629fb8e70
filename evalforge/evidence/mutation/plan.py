"""Which faults are tried, on which tests, and where unchanged behaviour is slipped in among them.

The sample of faults is fixed by the code: the same function gets the same faults from one attempt to the next. Where
the controls go is drawn anew each time, so that nothing in a submission can know.
"""

import dis
import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from types import CodeType

from evalforge.evidence.mutation.fault import Fault

MOST_FAULTS = 40
_PER_LINE = 3
# Tests that fail by chance are to be found out: one that fails every other time goes past so many once in 256 times.
_CONTROLS_LEAST = 8
_CONTROLS_SHARE = 0.1
_SHORTEST = 1.0  # Endless loops end much sooner, by processor time; this is for a machine that has much else to do.
_SLACK = 5.0


@dataclass(frozen=True)
class Reached:
    """A passing test: how long it takes, in seconds, and the lines it runs, by file."""

    name: str
    seconds: float
    lines: dict[str, frozenset[int]]

    def runs(self, fault: Fault) -> bool:
        """Whether it comes by a fault's place."""
        return not self.lines.get(fault.path, frozenset()).isdisjoint(range(fault.line, fault.last + 1))


@dataclass(frozen=True)
class Job:
    """One change to try.

    Attributes:
        fault: The change.
        is_control: It changes nothing that a test may notice.
        live: It can be made in loaded code; if not, the tests are loaded anew with it.
        tests: The tests to run on it, in this order.
        seconds: Wall clock for them.
    """

    fault: Fault
    is_control: bool
    live: bool
    tests: tuple[str, ...]
    seconds: float

    def as_request(self, number: int) -> dict[str, object]:
        """The job as the host reads it; nothing in it says whether it is a control."""
        return {
            "number": number,
            "path": self.fault.path,
            "edits": [[self.fault.start, self.fault.end, self.fault.text]],
            "live": self.live,
            "tests": list(self.tests),
            "seconds": max(_SHORTEST, self.seconds),
            "cpu": self.seconds,
        }


@dataclass(frozen=True)
class Baseline:
    """What is known before any fault: the passing tests, the lines that run on import, how long loading takes."""

    tests: tuple[Reached, ...]
    imported: dict[str, frozenset[int]]
    load_seconds: float

    def runs_on_import(self, fault: Fault) -> bool:
        """Whether loading the modules comes by a fault's place."""
        return not self.imported.get(fault.path, frozenset()).isdisjoint(range(fault.line, fault.last + 1))


def sample(faults: Iterable[Fault], most: int = MOST_FAULTS) -> list[Fault]:
    """Choose faults: in turn from each function, few from one line, always the same for the same function."""
    by_scope: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for fault in faults:
        by_scope[fault.path, fault.scope].append(fault)
    queues = [_thinned(by_scope[key], ":".join(key)) for key in sorted(by_scope)]
    in_turn = (fault for row in zip_longest(*queues) for fault in row if fault)
    return [fault for fault, _ in zip(in_turn, range(most), strict=False)]


def _thinned(faults: list[Fault], seed: str) -> list[Fault]:
    shuffled = list(faults)
    # The line in the text must not matter: what is above a function says nothing about its faults.
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - it is to be the same each time
    per_line: dict[int, int] = defaultdict(int)
    kept: list[Fault] = []
    for fault in shuffled:
        per_line[fault.line] += 1
        if per_line[fault.line] <= _PER_LINE:
            kept.append(fault)
    return kept


def plan(chosen: Sequence[Fault], rewordings: Sequence[Fault], baseline: Baseline) -> tuple[list[Job], list[Fault]]:
    """Make jobs of faults, with controls at random places among them.

    Returns:
        The jobs, and the faults that no test comes by: they survive without being tried.
    """
    jobs: list[Job] = []
    unreached: list[Fault] = []
    for fault in chosen:
        job = _job(fault, baseline, is_control=False)
        if job:
            jobs.append(job)
        else:
            unreached.append(fault)
    if jobs:
        for control in _controls(jobs, rewordings, baseline):
            jobs.insert(random.SystemRandom().randint(0, len(jobs)), control)
    return jobs, unreached


def _job(fault: Fault, baseline: Baseline, *, is_control: bool, anew: bool = False) -> Job | None:
    """The job for a fault; None if no test comes by it. ``anew`` has the code loaded anew though it need not be."""
    on_import = not fault.is_called or baseline.runs_on_import(fault)
    tests = sorted(baseline.tests, key=lambda test: test.seconds)
    if on_import:
        # What runs on import may be noticed by any test; those that enter the same file come first.
        tests.sort(key=lambda test: (not test.runs(fault), fault.path not in test.lines))
    else:
        tests = [test for test in tests if test.runs(fault)]
    if not tests:
        return None
    live = not (on_import or anew)
    seconds = _SLACK * (sum(test.seconds for test in tests) + (0.0 if live else baseline.load_seconds))
    return Job(fault, is_control, live, tuple(test.name for test in tests), seconds)


def _controls(jobs: Sequence[Job], rewordings: Sequence[Fault], baseline: Baseline) -> list[Job]:
    """Changes without effect, in the functions that get most faults, by the same two ways as the faults."""
    count = max(_CONTROLS_LEAST, round(len(jobs) * _CONTROLS_SHARE))
    anew = math.ceil(count * sum(not job.live for job in jobs) / len(jobs))
    hidden = count // 2
    controls: list[Job] = []
    for fault in _spread(jobs, rewordings):
        if not _shows(fault):
            # Tests that look at the bytecode don't see these: at least half are to be of the others.
            if not hidden:
                continue
            hidden -= 1
        wants_anew = sum(not job.live for job in controls) < anew
        if job := _job(fault, baseline, is_control=True, anew=wants_anew):
            controls.append(job)
        if len(controls) == count:
            return controls
    drawn = random.SystemRandom().choices(jobs, k=count - len(controls))
    return [*controls, *(replace(job, fault=job.fault.undone(), is_control=True) for job in drawn)]


def _shows(fault: Fault) -> bool:
    """Whether a rewording is there in the bytecode; some are folded away."""
    try:
        return _instructions(fault.original) != _instructions(fault.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # such as what is only allowed in a function
        return True


def _instructions(expression: str) -> list[tuple[int, str]]:
    code = compile(f"({expression}\n)", "", "eval")
    # Functions inside are the same ones before and after, but nothing equals them.
    return [
        (step.opcode, "" if isinstance(step.argval, CodeType) else repr(step.argval))
        for step in dis.get_instructions(code)
    ]


def _spread(jobs: Sequence[Job], rewordings: Sequence[Fault]) -> list[Fault]:
    """Rewordings in random order, but one of each function before the second of any, most faulted ones first."""
    faults_in: dict[tuple[str, str], int] = defaultdict(int)
    for job in jobs:
        faults_in[job.fault.path, job.fault.scope] += 1
    drawn = list(rewordings)
    random.SystemRandom().shuffle(drawn)
    seen: dict[tuple[str, str], int] = defaultdict(int)
    ranked: list[tuple[int, int, Fault]] = []
    for fault in drawn:
        key = fault.path, fault.scope
        ranked.append((seen[key], -faults_in[key], fault))
        seen[key] += 1
    return [fault for *_, fault in sorted(ranked, key=lambda entry: entry[:2])]
