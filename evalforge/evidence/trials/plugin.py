"""The pytest plugin of a fight: fixtures for the trials, one result for each, in words a player may read."""

import contextlib
import random
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import pytest

from evalforge.evidence.trials.player_errors import RunStoppedError
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.scripts import Cli
from evalforge.evidence.trials.trial_items import advice_of, group_of, hides_input, id_of, limits_of, title_of
from evalforge.evidence.trials.trial_run import TrialRecord, TrialRun
from evalforge.evidence.trials.trial_timeout import OverlongError, time_limited
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.model.text import clean, clean_line
from evalforge.sandbox.report import Ending, RunLimits, RunReport

MAX_HUNG_SECONDS = 6.0
MAX_TRIALS_SECONDS = 40.0
_MAX_CALL_CHARS = 200
_HIDDEN_INPUT = "Its input is shown from your third try on."


class TrialPlugin:
    """Fixtures and hooks for a session that collects a boss's trials once and performs them as often as asked.

    Args:
        on_collected: Called when the trials are collected, in place of pytest's own loop.
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

    def run_trials(self, run: TrialRun) -> None:
        """Run the trials for one submission. Call it in a fork: it changes what was collected."""
        self.run, self.started_at, self.hung_seconds = run, time.monotonic(), 0.0
        if run.chosen:
            self._run_chosen(run)
            return
        for item, following in zip(self._items, (*self._items[1:], None), strict=True):
            self._run_trial(item, following)

    def _run_chosen(self, run: TrialRun) -> None:
        items = {id_of(item): item for item in self._items}
        for trial_id in run.chosen:
            if trial_id in items:
                self._run_trial(items[trial_id], None)
                if not run.results[-1].passed:
                    return

    def _run_trial(self, item: pytest.Item, following: pytest.Item | None) -> None:
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except OverlongError as error:  # raised in pytest's own code around the trial
            self._finish_overlong(item, following, str(error))

    def _finish_overlong(self, item: pytest.Item, following: pytest.Item | None, message: str) -> None:
        """End a trial from outside, with its result and its teardown."""
        if not self.record.is_finished:
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
        """Random numbers, the same for this trial on the same submission every time; its code can't foresee them."""
        return random.Random(f"{self.run.trial_seed}:{request.node.name}")  # noqa: S311 - the seed is secret

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare our markers."""
        config.addinivalue_line("markers", "group(name): the group a trial belongs to")
        config.addinivalue_line("markers", "advice(words): what to do if this trial fails")
        config.addinivalue_line("markers", "hidden: its input is hidden in a player's first two tries")
        config.addinivalue_line("markers", "limits(seconds, memory_mb): bounds of one trial")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A trial file that can't be loaded is the boss's fault."""
        if report.failed:
            self.errors.append(str(report.longrepr).strip().splitlines()[-1])

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the trials, and how many each group has."""
        self._items = list(session.items)
        for item in session.items:
            self.groups[group_of(item)] = self.groups.get(group_of(item), 0) + 1
            self.memory_bytes = min(self.memory_bytes, limits_of(item).memory_bytes)

    def _limits_of(self, item: pytest.Item) -> RunLimits:
        """The bounds of a trial. All of a boss have as little memory, or a program could tell by it which one runs."""
        limits = replace(limits_of(item), memory_bytes=self.memory_bytes)
        return replace(limits, seconds=min(limits.seconds, self.run.chosen.get(id_of(item), limits.seconds)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Everything is collected: leave the rest to ``on_collected``."""
        self._on_collected()
        return True

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip a trial that would only waste time: the code doesn't load, or has hung for long enough already."""
        reason = self._skip_reason()
        if not reason:
            self.record = TrialRecord()
            return None
        self._finish_trial(item, TrialOutcome.NOT_RUN, reason, 0.0)
        return True

    def _skip_reason(self) -> str:
        if self.run.fatal_error:
            return "not run"
        if self.run.load_failure:
            return f"not run: the code {self.run.load_failure}"
        if self.hung_seconds >= MAX_HUNG_SECONDS:
            return f"not run: trials before it hung for {self.hung_seconds:.0f} s already"
        if time.monotonic() - self.started_at > MAX_TRIALS_SECONDS:
            return f"not run: the trials before it took more than {MAX_TRIALS_SECONDS:.0f} s"
        return ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Bound what comes before a trial: fixtures of its own may work with the player's code."""
        self.limits = self._limits_of(item)
        with time_limited(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Bound the trial itself."""
        with time_limited(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Turn the end of a trial's call into a result; a setup that failed counts as the trial.

        Pytest's own report, which nobody reads, would quote the failure's source: that takes longer than most trials,
        and fails where an exception came between two lines.
        """
        if call.when == "call" or (call.when == "setup" and call.excinfo is not None):
            outcome, message = self._outcome_of(call)
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

    def _outcome_of(self, call: pytest.CallInfo[None]) -> tuple[TrialOutcome, str]:
        if call.excinfo is None:
            return TrialOutcome.PASSED, ""
        error = call.excinfo.value
        if isinstance(error, RunStoppedError):
            self.record.last_report = error.report
            if error.timed_out:
                self.hung_seconds += max(error.report.limits.seconds, error.report.seconds)
                return TrialOutcome.TIMED_OUT, str(error)
            return TrialOutcome.CRASHED, str(error)
        if isinstance(error, SandboxError):
            self.run.fatal_error = str(error)
            return TrialOutcome.NOT_RUN, str(error)
        if isinstance(error, OverlongError):
            self.hung_seconds += call.duration
            return TrialOutcome.TIMED_OUT, str(error)
        if isinstance(error, PlayerError):  # before AssertionError: the player's own assertions are not the trial's
            self.record.place = error.path, error.line
            return TrialOutcome.FAILED, escape_words(error, self.limits) + self._last_call_words(error)
        if isinstance(error, AssertionError):
            return TrialOutcome.FAILED, str(error)
        if isinstance(error, pytest.fail.Exception):
            words = str(error)
            return TrialOutcome.FAILED, "Nothing was raised." if words.startswith("DID NOT RAISE") else words
        return TrialOutcome.FAILED, f"what came back could not be used ({type(error).__name__})"

    def _last_call_words(self, error: PlayerError) -> str:
        """The call that an exception came out of, where it is short and the last thing that was done."""
        last = self.record.steps[-1] if self.record.steps else None
        is_it = last is not None and last.result.startswith(f"{error.type_name}:") and len(last.call) <= _MAX_CALL_CHARS
        return f", from {last.call}" if last is not None and is_it else ""

    def _finish_trial(self, item: pytest.Item, outcome: TrialOutcome, message: str, seconds: float) -> None:
        path, line = self.record.place if self.record.place[0] else _code_place(self.record.last_report)
        if outcome is TrialOutcome.FAILED and self.record.last_report and self.record.last_report.uncaught_error:
            where = f" at {path}:{line}" if path else ""
            escaped = self.record.last_report.uncaught_error
            ended = f"tried to {escaped.refused}" if escaped.refused else f"ended in {escaped.type}"
            message = f"{message or title_of(item)} It {ended}{where}."
        result = TrialResult(
            id=id_of(item),
            title=title_of(item),
            group=group_of(item),
            outcome=outcome,
            message=clean(message, line_cap=400, total_cap=1200),
            path=clean_line(path),
            line=line,
            seconds=round(seconds, 4),
            steps=tuple(self.record.steps) if outcome is not TrialOutcome.NOT_RUN else (),
            command="" if outcome in (TrialOutcome.PASSED, TrialOutcome.NOT_RUN) else self.record.command(),
            advice=advice_of(item),
        )
        self.record.is_finished = True
        if self.run.hides_inputs and hides_input(item):
            result = _without_input(result)
        self.run.results.append(result)
        self.run.on_finished(result)


def _without_input(result: TrialResult) -> TrialResult:
    """A result that says nothing of what the trial did; a title and the ids of cases are the author's, and stay."""
    message = "" if result.passed else _HIDDEN_INPUT
    return result.model_copy(update={"message": message, "steps": (), "command": ""})


def _code_place(report: RunReport | None) -> tuple[str, int | None]:
    if report is None:
        return "", None
    if report.ending is Ending.TIMEOUT:
        return report.stuck_path, report.stuck_line
    return (report.uncaught_error.path, report.uncaught_error.line) if report.uncaught_error else ("", None)


def escape_words(error: PlayerError, limits: RunLimits) -> str:
    """How an exception of the player's ended a call, in words."""
    where = f" at {error.path}:{error.line}" if error.path else ""
    if error.refused:
        return f"tried to {error.refused}{where}"
    if isinstance(error, MemoryError):
        return f"used more than {limits.memory_bytes // (1024 * 1024)} MB of memory{where}"
    if not where and isinstance(error, (AttributeError, ImportError, TypeError)):
        return f"{error.type_name}: {error}"  # about the signature or the name, so it leaks no hidden input
    return f"{error.type_name} escaped{where}"
