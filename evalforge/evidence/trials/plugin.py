"""The pytest plugin of a fight: fixtures for the trials, one result for each, in words a player may read."""

import contextlib
import random
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace

import pytest

from evalforge.evidence.trials.clock import OverlongError, bounded
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.scripts import Cli
from evalforge.evidence.trials.spoiled import SpoiledError
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Outcome, TrialResult, TrialStep
from evalforge.model.text import clean, clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Program
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.stage import Staged

HANG_BUDGET = 6.0
TRIALS_BUDGET = 40.0
_STEPS_KEPT = 12
_UNGROUPED = "other"


@dataclass
class Story:
    """What happened in the trial that is running."""

    steps: list[TrialStep] = field(default_factory=list[TrialStep])
    last: RunReport | None = None
    began: float = field(default_factory=time.monotonic)
    ended: bool = False

    def note(self, step: TrialStep, report: RunReport | None) -> None:
        """Remember one step; the first dozen tell enough."""
        if len(self.steps) < _STEPS_KEPT:
            self.steps.append(step)
        self.last = report


@dataclass
class TrialRun:
    """What the plugin needs to know, and what it finds out.

    ``spoiled_load`` is set when loading the code hung or flooded: the trials are then not run one by one.
    """

    boss_id: str
    host: Host
    staged: Staged
    program: Program | None
    entry_name: str
    planned: Callable[[dict[str, int]], None]
    finished: Callable[[TrialResult], None]
    spoiled_load: str = ""
    results: list[TrialResult] = field(default_factory=list[TrialResult])
    fatal: str = ""


class TrialPlugin:
    """Fixtures and hooks for a session that collects a boss's trials once and performs them as often as asked.

    Args:
        ready: Called when the trials are collected, in place of pytest's own loop.
    """

    def __init__(self, ready: Callable[[], None]) -> None:
        self._ready = ready
        self._items: list[pytest.Item] = []
        self.groups: dict[str, int] = {}
        self.errors: list[str] = []
        self.run: TrialRun
        self.story = Story()
        self.limits = RunLimits()
        self.hung = 0.0
        self.began = 0.0

    def perform(self, run: TrialRun) -> None:
        """Run every trial for one submission; in a fork, or nothing of it would be as it was collected."""
        self.run, self.began = run, time.monotonic()
        for item, following in zip(self._items, (*self._items[1:], None), strict=True):
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            except OverlongError as error:  # it rang in the machinery around the trial
                self._overran(item, following, str(error))

    def _overran(self, item: pytest.Item, following: pytest.Item | None, message: str) -> None:
        """Put a trial to its end from outside."""
        if not self.story.ended:
            seconds = time.monotonic() - self.story.began
            self.hung += seconds
            self._finish(item, Outcome.TIMED_OUT, message, seconds)
        with contextlib.suppress(Exception):
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=following)

    @pytest.fixture
    def cli(self, request: pytest.FixtureRequest) -> Cli:
        """Run the boss's entry script."""
        run = self.run
        return Cli(run.host, run.staged, run.program, run.entry_name, limits_of(request.node), self.story.note)

    @pytest.fixture
    def player(self, request: pytest.FixtureRequest) -> Iterator[Player]:
        """Import and call the player's modules."""
        player = Player(self.run.host, self.run.staged, limits_of(request.node), self.story.note)
        yield player
        player.close()

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> random.Random:
        """Random numbers, the same for this trial every time."""
        return random.Random(f"{self.run.boss_id}:{request.node.name}")  # noqa: S311 - reproducible, not secret

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare our markers."""
        config.addinivalue_line("markers", "group(name): the group a trial belongs to")
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

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> bool:
        """Everything is collected: hand over."""
        self._ready()
        return True

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Skip what can only waste time: the code doesn't load, or enough of it has hung already."""
        reason = self._why_not()
        if not reason:
            self.story = Story()
            return None
        self._finish(item, Outcome.NOT_RUN, reason, 0.0)
        return True

    def _why_not(self) -> str:
        if self.run.fatal:
            return "not run"
        if self.run.spoiled_load:
            return f"not run: the code {self.run.spoiled_load}"
        if self.hung >= HANG_BUDGET:
            return f"not run: trials before it hung for {self.hung:.0f} s already"
        if time.monotonic() - self.began > TRIALS_BUDGET:
            return f"not run: the trials before it took more than {TRIALS_BUDGET:.0f} s"
        return ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        """Bound what comes before a trial: fixtures of its own may work with the player's code."""
        self.limits = limits_of(item)
        with bounded(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        """Bound the trial itself."""
        with bounded(self.limits.seconds):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Turn the end of a trial's call into a result; a setup that failed counts as the trial.

        Pytest's own report, which nobody reads, would tell a failure with its source: that takes longer than most
        trials, and fails where an exception came between two lines.
        """
        if call.when == "call" or (call.when == "setup" and call.excinfo is not None):
            outcome, message = self._judge(call)
            self._finish(item, outcome, message, call.duration)
        assert call.when != "collect"
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed" if call.excinfo else "passed",
            longrepr=None,
            when=call.when,
        )

    def _judge(self, call: pytest.CallInfo[None]) -> tuple[Outcome, str]:
        if call.excinfo is None:
            return Outcome.PASSED, ""
        error = call.excinfo.value
        if isinstance(error, SpoiledError):
            self.story.last = error.report
            if error.timed_out:
                self.hung += max(error.report.limits.seconds, error.report.seconds)
                return Outcome.TIMED_OUT, str(error)
            return Outcome.CRASHED, str(error)
        if isinstance(error, SandboxError):
            self.run.fatal = str(error)
            return Outcome.NOT_RUN, str(error)
        if isinstance(error, OverlongError):
            self.hung += call.duration
            return Outcome.TIMED_OUT, str(error)
        if isinstance(error, PlayerError):  # before assertions: the player's own must not speak for the trial
            return Outcome.FAILED, what_escaped(error, self.limits)
        if isinstance(error, AssertionError):
            return Outcome.FAILED, str(error)
        if isinstance(error, pytest.fail.Exception):
            words = str(error)
            return Outcome.FAILED, "Nothing was raised." if words.startswith("DID NOT RAISE") else words
        return Outcome.FAILED, f"what came back could not be used ({type(error).__name__})"

    def _finish(self, item: pytest.Item, outcome: Outcome, message: str, seconds: float) -> None:
        path, line = _place(self.story.last)
        if outcome is Outcome.FAILED and self.story.last and self.story.last.escaped:
            where = f" at {path}:{line}" if path else ""
            escaped = self.story.last.escaped
            ended = f"tried to {escaped.refused}" if escaped.refused else f"ended in {escaped.type}"
            message = f"{message or title_of(item)} It {ended}{where}."
        result = TrialResult(
            id=item.nodeid.rpartition("/")[2],
            title=title_of(item),
            group=group_of(item),
            outcome=outcome,
            message=clean(message, line_cap=400, total_cap=1200),
            path=clean_line(path),
            line=line,
            seconds=round(seconds, 4),
            steps=tuple(self.story.steps) if outcome is not Outcome.NOT_RUN else (),
        )
        self.story.ended = True
        self.run.results.append(result)
        self.run.finished(result)


def _place(report: RunReport | None) -> tuple[str, int | None]:
    if report is None:
        return "", None
    if report.ending is Ending.TIMEOUT:
        return report.stuck_path, report.stuck_line
    return (report.escaped.path, report.escaped.line) if report.escaped else ("", None)


def what_escaped(error: PlayerError, limits: RunLimits) -> str:
    """How an exception of the player's ended a call, in words."""
    where = f" at {error.path}:{error.line}" if error.path else ""
    if error.refused:
        return f"tried to {error.refused}{where}"
    if isinstance(error, MemoryError):
        return f"used more than {limits.memory_bytes // (1024 * 1024)} MB of memory{where}"
    if not where and isinstance(error, (AttributeError, ImportError, TypeError)):
        return f"{error.type_name}: {error}"  # about what is there to be called, and so about no hidden input
    return f"{error.type_name} escaped{where}"


def group_of(item: pytest.Item) -> str:
    """The group a trial belongs to."""
    marker = item.get_closest_marker("group")
    return str(marker.args[0]) if marker and marker.args else _UNGROUPED


def limits_of(item: pytest.Item) -> RunLimits:
    """The bounds of one trial."""
    marker = item.get_closest_marker("limits")
    limits = RunLimits()
    if marker is None:
        return limits
    seconds = float(marker.kwargs.get("seconds", limits.seconds))
    memory = marker.kwargs.get("memory_mb")
    memory_bytes = int(memory) * 1024 * 1024 if memory else limits.memory_bytes
    return replace(limits, seconds=seconds, memory_bytes=memory_bytes)


def title_of(item: pytest.Item) -> str:
    """The first line of a trial's docstring, and the id of its parameters."""
    document = getattr(getattr(item, "obj", None), "__doc__", None) or item.name.replace("_", " ")
    title = document.strip().splitlines()[0].strip()
    callspec = getattr(item, "callspec", None)
    return f"{title} ({callspec.id})" if callspec else title
