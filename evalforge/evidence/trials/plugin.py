"""The pytest plugin of a fight: fixtures for trials, and a result for each in words that the player may read."""

import contextlib
import random
import re
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import pytest

from evalforge.evidence.machine_load import MAX_SLOWDOWN, has_passed, slowdown
from evalforge.evidence.trials import trial_items
from evalforge.evidence.trials.load_errors import describe_collect_error
from evalforge.evidence.trials.player_errors import RunStoppedError, escape_words
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.scripts import Cli
from evalforge.evidence.trials.trial_run import TrialRecord, TrialRun
from evalforge.evidence.trials.trial_timeout import TOO_BUSY, TRIAL_TIME_FACTOR, OverlongError, time_limited
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.model.text import clean, clean_line
from evalforge.sandbox.report import Ending, RunLimits, RunReport

# Makes the result of a trial, in words that the player may read.

# Transient parts of a program's output, found by a second run and left out of quotes.

_OMITTED = "…"
_WORD = re.compile(r"(\s+)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""The address of an object, which is the same in a second run forked from the same process."""
_BRACKETS = "()[]{}<>'\",;."
"""Characters around a word that are kept when the word is left out."""


def steady_words(first: str, second: str, started_at: float, ended_at: float) -> str:
    """A text with ``…`` in place of parts that differ in a second run, and of the time at which it was written.

    An immediate second run prints the same whole seconds, but a run an hour later doesn't.

    Args:
        first: The text of the first run.
        second: The text of the second run.
        started_at: When the first run began, in seconds since the epoch.
        ended_at: When it ended, in seconds since the epoch.
    """
    words, other_words = (_WORD.split(_ADDRESS.sub(f" at {_OMITTED}", text)) for text in (first, second))
    if len(words) == len(other_words):
        pairs = zip(words, other_words, strict=True)
        words = [word if word == other else _without_core(word) for word, other in pairs]
    else:
        words = _common_ends(words, other_words)
    clock = _clock_texts(started_at, ended_at)
    return "".join(_without_core(word) if any(text in word for text in clock) else word for word in words)


def _common_ends(words: list[str], other_words: list[str]) -> list[str]:
    """The common beginning and end of two lists, with an ellipsis in between."""
    shorter = min(len(words), len(other_words))
    start = next((i for i in range(shorter) if words[i] != other_words[i]), shorter)
    remaining = shorter - start
    end = next((i for i in range(remaining) if words[-1 - i] != other_words[-1 - i]), remaining)
    return [*words[:start], _OMITTED, *words[len(words) - end :]]


def _without_core(word: str) -> str:
    core = word.strip(_BRACKETS)
    return word.replace(core, _OMITTED) if core else word


def _clock_texts(started_at: float, ended_at: float) -> frozenset[str]:
    """The seconds and the day of a span of time, in the formats that programs use."""
    seconds = range(int(started_at), int(ended_at) + 1)
    times = [convert(second) for second in seconds for convert in (time.gmtime, time.localtime)]
    return frozenset(
        [time.strftime(form, time_tuple) for time_tuple in times for form in ("%H:%M:%S", "%Y-%m-%d")]
        + list(map(str, seconds))
    )


_HIDDEN_INPUT = "Its input is shown from your third attempt on."


def trial_result(
    item: pytest.Item, record: TrialRecord, message: str, seconds: float, *, hides_input: bool
) -> TrialResult:
    """The result of a trial that has ended.

    Args:
        item: The trial.
        record: The record of the trial, including its outcome.
        message: Why it failed; empty if it didn't.
        seconds: How long it took.
        hides_input: Whether to leave out what the trial did.
    """
    assert record.outcome is not None
    outcome = record.outcome
    path, line = record.place if record.place[0] else _code_place(record.last_report)
    if outcome is TrialOutcome.FAILED and record.last_report and record.last_report.uncaught_error:
        where = f" at {path}:{line}" if path else ""
        escaped = record.last_report.uncaught_error
        ended = f"tried to {escaped.refused}" if escaped.refused else f"ended in {escaped.type}"
        message = f"{(message or trial_items.title_of(item)).rstrip('.')}. It {ended}{where}."
    result = TrialResult(
        id=trial_items.id_of(item),
        title=trial_items.title_of(item),
        group=trial_items.group_of(item),
        outcome=outcome,
        message=clean(message, line_cap=400, total_cap=1200),
        path=clean_line(path),
        line=line,
        seconds=round(seconds, 4),
        steps=tuple(record.steps) if outcome is not TrialOutcome.NOT_RUN else (),
        command="" if outcome in (TrialOutcome.PASSED, TrialOutcome.NOT_RUN) else record.command(),
        advice=trial_items.advice_of(item),
    )
    return _without_input(result) if hides_input else result


def with_steady_words(first: TrialResult, second: TrialResult, started_at: float, ended_at: float) -> TrialResult:
    """A result without the parts that differ in a second run; unchanged if that had another outcome.

    Args:
        first: The result of the first run.
        second: The result of the second run.
        started_at: When the first run began, in seconds since the epoch.
        ended_at: When it ended, in seconds since the epoch.
    """
    if second.outcome is not first.outcome:
        return first
    steps = first.steps
    if len(second.steps) == len(steps):
        steps = tuple(
            step.model_copy(update={"result": steady_words(step.result, other.result, started_at, ended_at)})
            for step, other in zip(steps, second.steps, strict=True)
        )
    message = steady_words(first.message, second.message, started_at, ended_at)
    return first.model_copy(update={"message": message, "steps": steps})


def _without_input(result: TrialResult) -> TrialResult:
    """A result without the trial's input; the title and the case ids, which the author wrote, stay."""
    message = "" if result.passed else _HIDDEN_INPUT
    return result.model_copy(update={"message": message, "steps": (), "command": ""})


def _code_place(report: RunReport | None) -> tuple[str, int | None]:
    if report is None:
        return "", None
    if report.ending is Ending.TIMEOUT:
        return report.stuck_path, report.stuck_line
    return (report.uncaught_error.path, report.uncaught_error.line) if report.uncaught_error else ("", None)


MAX_HUNG_SECONDS = 6.0
MAX_TRIALS_SECONDS = 40.0
_MAX_CALL_CHARS = 200
_MAX_REPEATED_SECONDS = 2.0
"""How many seconds all repeats of a submission's failed trials may take; finding transient words isn't worth more."""


class TrialPlugin:
    """Fixtures and hooks for a session that collects a boss's trials once and runs them any number of times.

    Args:
        on_collected: Called when the trials are collected, instead of pytest's own loop.
    """

    def __init__(self, on_collected: Callable[[], None]) -> None:
        self._on_collected = on_collected
        self._items: list[pytest.Item] = []
        self.groups: dict[str, int] = {}
        self.errors: list[str] = []
        self.run: TrialRun
        self.record = TrialRecord()
        self.memory_bytes = RunLimits().memory_bytes
        self.limits = RunLimits()
        self.hung_seconds = 0.0
        self.started_at = 0.0
        self._granted_groups: frozenset[str] = frozenset()
        self._held_back: list[tuple[pytest.Item, TrialResult]] = []
        self._result: TrialResult
        self._seconds_left_to_repeat = 0.0

    def run_trials(self, run: TrialRun) -> None:
        """Run the trials for one submission. Call this in a fork, because it changes the collected items."""
        self.run, self.started_at, self.hung_seconds = run, time.monotonic(), 0.0
        self._held_back, self._seconds_left_to_repeat = [], _MAX_REPEATED_SECONDS
        if run.chosen:
            self._run_chosen(run)
            return
        for item, following in zip(self._items, (*self._items[1:], None), strict=True):
            self._run_trial(item, following)
            self._settle(item)
        for item, failure in self._held_back:
            self._report(failure.model_copy(update={"blamed_on": self._root_cause(item)}))

    def _root_cause(self, item: pytest.Item) -> str:
        """The first group with failures of its own that, once excused, lets a failed trial pass; empty if none does."""
        failed_groups = {result.group for result in self.run.results if not result.passed and not result.blamed_on}
        for group in trial_items.grants_of(item):
            if group in failed_groups:
                self._granted_groups = frozenset({group})
                self._run_trial(item, None)
                self._granted_groups = frozenset()
                if self.record.outcome is TrialOutcome.PASSED:
                    return group
        return ""

    def _run_chosen(self, run: TrialRun) -> None:
        items = {trial_items.id_of(item): item for item in self._items}
        for trial_id in run.chosen:
            if trial_id in items:
                self._run_trial(items[trial_id], None)
                self._settle(items[trial_id])
                if not run.results[-1].passed:
                    return

    def _settle(self, item: pytest.Item) -> None:
        """Report the result of a trial, or hold it back until the root cause of its failure is known."""
        result, started_at = self._result, time.time() - self._result.seconds
        is_own_fault = result.outcome in (TrialOutcome.FAILED, TrialOutcome.CRASHED)
        if is_own_fault and not self.run.chosen and result.seconds <= self._seconds_left_to_repeat:
            result = self._without_passing_words(item, result, started_at)
        if is_own_fault and trial_items.grants_of(item) and not self.run.chosen:
            self._held_back.append((item, result))
        else:
            self._report(result)

    def _without_passing_words(self, item: pytest.Item, first: TrialResult, started_at: float) -> TrialResult:
        """A result without the transient parts of the program's output, which a second run of the trial reveals."""
        ended_at, hung_seconds = time.time(), self.hung_seconds
        self._run_trial(item, None)
        self.hung_seconds = hung_seconds
        self._seconds_left_to_repeat -= time.time() - ended_at
        return with_steady_words(first, self._result, started_at, ended_at)

    def _run_trial(self, item: pytest.Item, following: pytest.Item | None) -> None:
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except OverlongError as error:  # raised in pytest's own code around a trial
            self._finish_overlong(item, following, str(error))

    def _finish_overlong(self, item: pytest.Item, following: pytest.Item | None, message: str) -> None:
        """End an overlong trial from outside, with its result and its teardown."""
        if self.record.outcome is None:
            seconds = time.monotonic() - self.record.started_at
            self.hung_seconds += seconds
            self._finish_trial(item, TrialOutcome.TIMED_OUT, message, seconds)
        with contextlib.suppress(Exception):
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=following)

    @pytest.fixture
    def cli(self, request: pytest.FixtureRequest) -> Cli:
        """Run the boss's entry script."""
        run = self.run
        limits = self._limits_of(request.node)
        cli = Cli(run.host, run.staged, run.program, run.entry_name, limits, self.record.add_step)
        self.record.command = cli.command
        return cli

    @pytest.fixture
    def player(self, request: pytest.FixtureRequest) -> Iterator[Player]:
        """Import and call the player's modules."""
        player = Player(self.run.host, self.run.staged, self._limits_of(request.node), self.record.add_step)
        self.record.command = lambda: player.command(self.run.program)
        yield player
        player.close()

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> random.Random:
        """Random numbers, the same for this trial on the same submission; the player's code can't predict them."""
        return random.Random(f"{self.run.trial_seed}:{request.node.name}")  # noqa: S311 - the seed is a secret

    @pytest.fixture
    def granted(self) -> frozenset[str]:
        """The groups whose faults this trial must excuse; none in its first run."""
        return self._granted_groups

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare the markers that trials use."""
        config.addinivalue_line("markers", "group(name): the group a trial belongs to")
        config.addinivalue_line("markers", "clause(heading, ...): the sections of the contract that a trial checks")
        config.addinivalue_line("markers", "advice(words): what to do if this trial fails")
        config.addinivalue_line("markers", "grants(*groups): ask again with the fault of one of them granted")
        config.addinivalue_line("markers", "needs(*trials): a pass counts only where these trials of its file pass")
        config.addinivalue_line("markers", "hidden: its input is hidden in a player's first two attempts")
        config.addinivalue_line("markers", "limits(seconds, memory_mb): bounds of one trial")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report a trial file that can't be loaded as the boss's fault."""
        if report.failed:
            self.errors.append(describe_collect_error(str(report.longrepr)))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the trials, the number in each group, and the lowest memory limit."""
        self._items = list(session.items)
        for item in session.items:
            self.groups[trial_items.group_of(item)] = self.groups.get(trial_items.group_of(item), 0) + 1
            self.memory_bytes = min(self.memory_bytes, trial_items.limits_of(item).memory_bytes)

    def _limits_of(self, item: pytest.Item) -> RunLimits:
        """The limits of a trial. All trials of a boss get the same memory, so that it doesn't reveal which one runs."""
        limits = replace(trial_items.limits_of(item), memory_bytes=self.memory_bytes)
        return replace(
            limits, seconds=min(limits.seconds, self.run.chosen.get(trial_items.id_of(item), limits.seconds))
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Leave the collected trials to ``on_collected``, instead of running them."""
        self._on_collected()
        return True

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip a trial that would only waste time, because the code doesn't load or has already hung for long."""
        self.record = TrialRecord()
        reason = self._skip_reason()
        if not reason:
            return None
        self._finish_trial(item, TrialOutcome.NOT_RUN, reason, 0.0)
        return True

    def _skip_reason(self) -> str:
        if self.run.fatal_error:
            return "not run"
        if self.run.load_failure:
            return f"not run: the code {self.run.load_failure}"
        if self.hung_seconds >= MAX_HUNG_SECONDS:
            return f"not run, because earlier trials had already hung for {self.hung_seconds:.0f} s"
        if not has_passed(self.started_at, MAX_TRIALS_SECONDS):
            return ""
        if slowdown() >= MAX_SLOWDOWN:  # then the delay may be the machine's fault
            self.run.fatal_error = SandboxError(TOO_BUSY)
        return f"not run, because earlier trials took more than {MAX_TRIALS_SECONDS:.0f} s"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Limit the time before a trial, in which its fixtures may use the player's code."""
        self.limits = self._limits_of(item)
        with time_limited(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Run the trial within its limits."""
        with time_limited(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Turn the end of a trial's call into a result; a failed setup counts as the trial.

        Pytest's own report isn't needed. It would quote the source of the failure, which takes longer than most trials,
        and fails if an exception was raised between two lines.
        """
        if call.when == "call" or (call.when == "setup" and call.excinfo is not None):
            outcome, message = self._outcome_of(item, call)
            self._finish_trial(item, outcome, message, call.duration)
        assert call.when != "collect"
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed" if call.excinfo else "passed",
            longrepr=None,
            when=call.when,
        )

    def _outcome_of(self, item: pytest.Item, call: pytest.CallInfo[None]) -> tuple[TrialOutcome, str]:
        if call.excinfo is None:
            unmet = trial_items.unmet_need(item, self.run.results)
            return (TrialOutcome.NOT_REACHED, unmet) if unmet else (TrialOutcome.PASSED, "")
        error = call.excinfo.value
        if isinstance(error, RunStoppedError):
            self.record.last_report = error.report
            if error.timed_out:
                self.hung_seconds += error.report.limits.seconds
                return TrialOutcome.TIMED_OUT, str(error)
            return TrialOutcome.CRASHED, str(error)
        if isinstance(error, SandboxError):
            self.run.fatal_error = error
            return TrialOutcome.NOT_RUN, str(error)
        if isinstance(error, OverlongError):
            self.hung_seconds += self.limits.seconds * TRIAL_TIME_FACTOR
            return TrialOutcome.TIMED_OUT, str(error)
        if isinstance(error, PlayerError):  # before AssertionError: the player's assertions aren't the trial's
            self.record.place = error.path, error.line
            return TrialOutcome.FAILED, escape_words(error, self.limits) + self._last_call_words(error)
        if isinstance(error, AssertionError):
            return TrialOutcome.FAILED, str(error)
        if isinstance(error, pytest.fail.Exception):
            text = str(error)
            return TrialOutcome.FAILED, "Nothing was raised." if text.startswith("DID NOT RAISE") else text
        return TrialOutcome.FAILED, f"what the trial returned could not be used ({type(error).__name__})"

    def _last_call_words(self, error: PlayerError) -> str:
        """The player's call that raised an exception, if it is short and the last thing that was done.

        A function of the trial's own doesn't count: its name says nothing to the player.
        """
        if error.is_inside_probe:
            return ""
        last = self.record.steps[-1] if self.record.steps else None
        is_it = last is not None and last.result.startswith(f"{error.type_name}:") and len(last.call) <= _MAX_CALL_CHARS
        return f", from {last.call}" if last is not None and is_it else ""

    def _finish_trial(self, item: pytest.Item, outcome: TrialOutcome, message: str, seconds: float) -> None:
        self.record.outcome = outcome
        self._result = trial_result(
            item, self.record, message, seconds, hides_input=self.run.hides_inputs and trial_items.hides_input(item)
        )

    def _report(self, result: TrialResult) -> None:
        self.run.results.append(result)
        self.run.on_finished(result)
