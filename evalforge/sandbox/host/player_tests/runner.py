"""The worker process for the player's code: it collects the tests, runs them, and runs them again on mutants."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import gc
import json
import os
import socket
import threading
import time
from collections.abc import Generator, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Callable, TextIO

from protocol import player_test_messages, wire
from protocol.player_test_messages import BaselineRun, MutantJob, PlayerTestPlan
from runs.run_clock import RunClock

from . import mutants, pytest_items, suite_session, tracebacks
from .bounded_fork import (
    END_SIGNAL,
    ForkLimits,
    ForkResult,
    own_clock_seconds,
    run_in_fork,
    write_all,
    write_place_when_ended,
)
from .channels import count_channels
from .left_out_tests import LeftOutTests
from .line_coverage import LineCoverage
from .mutants import SourceOverlay
from .program_launcher import ProgramLauncher
from .pytest_items import FailureRecorder, TestOutcome
from .suite_notes import TestNotes
from .suite_session import SessionPlugin
from .working_copies import WorkingCopy

if TYPE_CHECKING:
    import pytest

TRACE_FILE = "trace"
"""The file in a runner's scratch directory with the traceback of where it hung."""
_JOB_OUTCOMES = frozenset({"killed", "crashed", "survived", "reload", "broken", "looked"})
_MAX_CRASHED_TESTS = 5
_THREAD_STACK_BYTES = 2 * 1024 * 1024  # of the usual 8 MB stacks, only some fifty fit into the address space
_MAX_CRASHES = 12
_DROPPED_SECONDS = 2.0
_MAX_LEFT_OUT = 50
_MAX_ITEMS = 5000
_EXECUTED = "it starts another program, which may need what the sandbox lacks"


class TestRunner:
    """Runs a submission's tests in one process."""

    def __init__(
        self,
        launcher: ProgramLauncher,
        sources: SourceOverlay,
        copy: WorkingCopy,
        plan: PlayerTestPlan,
        notes: TestNotes,
        clock: RunClock,
    ) -> None:
        self._clock = clock
        self._notes = notes
        self._recorder, self._left_out = FailureRecorder(notes), LeftOutTests()
        # On an impostor a crash counts as catching it, too.
        self._max_crashed_tests = 0 if plan.laid_out else _MAX_CRASHED_TESTS
        self._launcher = launcher
        self._sources = sources
        self._copy = copy
        self._root = copy.root
        self._plan = plan
        self._trace_path = os.path.join(copy.scratch, TRACE_FILE)
        self._items: dict[str, pytest.Item] = {}
        self._dropped_items: dict[str, pytest.Item] = {}
        self._functions: dict[str, list[FunctionType]] = {}
        self._coverage: LineCoverage | None = None

    def serve_loaded(self, connection: socket.socket, notes_lines: bool) -> None:
        """Load all tests, and answer requests until the connection is closed."""
        threading.stack_size(_THREAD_STACK_BYTES)
        if notes_lines:
            self._coverage = LineCoverage(self._root, self._plan.code, self._sources.read)
        before = count_channels()
        self._notes.may_leave_hidden_traces = False
        self._notes.watch_threads()

        def answer_requests(load_answer: dict[str, Any]) -> None:
            may_leave_traces = self._notes.may_leave_hidden_traces or count_channels() != before
            leaves_traces = may_leave_traces or self._copy.has_changed([TRACE_FILE])
            items = self._describe_items() if self._plan.describes_tests else []
            wire.send_frame(connection, {**load_answer, "items": items, "leaves_traces": leaves_traces})
            self._functions = mutants.live_functions(self._root)
            self._answer_requests(connection, self._plan.code, self._judge_live)

        self._load_tests(answer_requests)

    def serve_fresh(self, connection: socket.socket, shares_session: bool) -> None:
        """Answer requests, each with tests loaded for it, until the connection is closed."""
        threading.stack_size(_THREAD_STACK_BYTES)
        files = [*self._plan.code, *self._plan.tests]

        def answer_requests(session: pytest.Session | None) -> bool:
            judge = functools.partial(self._judge_fresh, session)
            self._answer_requests(connection, files, judge)
            return True

        if not shares_session:
            answer_requests(None)
            return
        plugin = SessionPlugin(answer_requests, answer_requests)
        suite_session.open_session(plugin, self._copy.scratch, [self._recorder, self._left_out])
        if not plugin.was_left:  # the session can't be opened without a program, so each gets one of its own
            answer_requests(None)

    def _answer_requests(
        self,
        connection: socket.socket,
        paths: Sequence[str],
        judge: Callable[[MutantJob], dict[str, Any]],
    ) -> None:
        for path in paths:  # here once, for all forks
            with contextlib.suppress(*mutants.UNREADABLE_CODE_ERRORS):
                self._sources.compile_file(self._root + path)
        gc.collect()
        gc.freeze()
        while True:
            try:
                request = player_test_messages.parse_worker_request(wire.receive_frame(connection))
                is_baseline = isinstance(request, BaselineRun)
                answer = self._run_all(request) if is_baseline else judge(request.below(self._root))
                wire.send_frame(connection, answer)
            except wire.WireError:
                return

    def _load_tests(self, use: Callable[[dict[str, Any]], object]) -> None:
        """Open a session, let pytest collect the tests, and go on inside it with the report on loading."""
        loading = contextlib.ExitStack()
        loads_program = False
        started = time.perf_counter()

        def note_program(_session: pytest.Session) -> bool:
            nonlocal loads_program
            loads_program = suite_session.loads_program([self._root + path for path in self._plan.code])
            return False

        def go_on(session: pytest.Session | None, broken: list[dict[str, Any]]) -> None:
            loading.close()
            report: dict[str, Any] = {"seconds": time.perf_counter() - started, "loads_program": loads_program}
            report["unknown_options"] = plugin.unknown_options
            use({**report, **self._take_tests(session, session.items if session else [], broken)})

        plugin = SessionPlugin(note_program, lambda session: go_on(session, []))
        loading.enter_context(self._within_limits())
        options = suite_session.EXPLAIN_CHECKS if self._plan.explains_checks else ()
        failure = suite_session.open_session(plugin, self._copy.scratch, [self._recorder, self._left_out], options)
        if plugin.was_left:
            return
        if plugin.error is None:
            go_on(None, [tracebacks.describe_refusal(failure, self._root)])
        else:
            go_on(None, [{"file": "", **pytest_items.describe_failure(plugin.error, self._root)}])

    @contextlib.contextmanager
    def _within_limits(self) -> Generator[None, None, None]:
        """Bound the time in which tests are loaded, and note what is done meanwhile."""
        self._notes.is_collecting = True
        self._sources.before_load = self._cover_from
        with open(self._trace_path, "w") as trace:
            write_place_when_ended(trace)
            faulthandler.dump_traceback_later(own_clock_seconds(self._plan.load_seconds), exit=True, file=trace)
            self._notes.is_watching = not self._plan.laid_out
            yield
            self._notes.is_watching = False
            faulthandler.cancel_dump_traceback_later()
            faulthandler.unregister(END_SIGNAL)
        self._sources.before_load = lambda path: None
        if self._coverage:
            self._coverage.stop()
        self._notes.is_collecting = False

    def _cover_from(self, path: str) -> None:
        """Record lines from the first file of the program on: until then there are none, only pytest's own."""
        if self._coverage and self._coverage.covers(path):
            self._sources.before_load = lambda path: None
            self._coverage.start()

    def _take_tests(
        self, session: pytest.Session | None, items: Sequence[pytest.Item], broken: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Prepare loaded tests for running; returns the lines that ran meanwhile, the notes and the broken files."""
        self._items = {self._name_of(item): item for item in items}
        self._dropped_items = {self._name_of(item): item for item in self._left_out.items[:_MAX_LEFT_OUT]}
        if session is not None:
            if self._plan.laid_out:  # a test expected to fail on the player's program shows what a right one does
                session.config.option.runxfail = True
            if suite_session.affects_items(session, self._root):
                for item in items:
                    pytest_items.forbid_direct_call(item)
        for item in items:
            if self._plan.laid_out:
                pytest_items.expect_success(item)
            pytest_items.prepare(item)
        broken_files = dict.fromkeys(self._recorder.broken_files)
        return {
            "imported": self._coverage.take_lines() if self._coverage else {},
            **self._notes.read_once(),
            "broken": broken + [tracebacks.describe_broken(*broken_file, self._root) for broken_file in broken_files],
        }

    def _describe_items(self) -> list[dict[str, Any]]:
        """The place of each test, whatever its parameters."""
        item_by_name = {name.partition("[")[0]: item for name, item in self._items.items()}
        return [pytest_items.describe_place(name, item) for name, item in item_by_name.items()][:_MAX_ITEMS]

    def _name_of(self, item: pytest.Item) -> str:
        return os.path.relpath(str(item.path), self._root) + "::" + item.nodeid.partition("::")[2]

    def _run_all(self, request: BaselineRun) -> dict[str, Any]:
        """Run every test on the original code, all in one process unless a test ends it."""
        pending: list[str] = list(self._items)[:: -1 if request.is_reversed else 1]
        deadline = self._clock.now() + request.seconds
        if not request.notes_lines:  # an earlier run has recorded the lines
            self._coverage = None
        results: list[dict[str, Any]] = []
        crashes = 0
        while pending and self._clock.now() < deadline and crashes < _MAX_CRASHES:
            run = functools.partial(self._run_in_order, {name: self._items[name] for name in pending})
            limits = ForkLimits(deadline - self._clock.now(), None, self._plan.test_seconds)
            fork = run_in_fork(run, limits, self._clock)
            results += fork.parsed_lines()
            done = {result["name"] for result in results}
            pending = [name for name in pending if name not in done]
            if fork.is_finished or not pending:
                break
            results.append(self._describe_crash(pending.pop(0), fork))
            crashes += 1
        is_asked = self._dropped_items and request.notes_lines and not self._plan.laid_out
        return {"tests": results, "left": pending, "dropped": self._run_dropped(deadline) if is_asked else []}

    def _run_dropped(self, deadline: float) -> list[dict[str, Any]]:
        """Run the tests that the player's hooks left out, as far as they are quick."""
        seconds = max(0.0, min(_DROPPED_SECONDS, deadline - self._clock.now()))
        run = functools.partial(self._run_in_order, self._dropped_items)
        return run_in_fork(run, ForkLimits(seconds), self._clock).parsed_lines()

    def _describe_crash(self, name: str, fork: ForkResult) -> dict[str, Any]:
        path, line = tracebacks.find_stuck_line(self._trace_path, self._root)
        is_late = bool(path) or fork.is_late
        message = f"took longer than {self._plan.test_seconds:g} s" if is_late else fork.ending
        end = {"message": message, "path": path, "line": line, "late": is_late}
        return {"name": name, "outcome": "failed", "seconds": 0.0, **end}

    def _run_in_order(self, items_by_name: dict[str, pytest.Item], descriptor: int) -> None:
        names, items = list(items_by_name), list(items_by_name.values())
        with open(self._trace_path, "w") as trace:
            write_place_when_ended(trace)
            self._notes.read_once()  # of a test that crashed
            for index, item in enumerate(items):
                result = self._run_one(names[index], item, items[index + 1 :], trace)
                write_all(descriptor, json.dumps(result).encode() + b"\n")

    def _run_one(self, name: str, item: pytest.Item, following: list[pytest.Item], trace: TextIO) -> dict[str, Any]:
        faulthandler.dump_traceback_later(own_clock_seconds(self._plan.test_seconds), exit=True, file=trace)
        started = time.perf_counter()
        if self._coverage:
            self._coverage.start()
        try:
            outcome = pytest_items.run_test(item, following, self._recorder)
        except BaseException as error:  # noqa: BLE001 - a test may raise anything
            outcome = TestOutcome("failed", error)
        if self._coverage:
            self._coverage.stop()
        result: dict[str, Any] = {
            "name": name,
            "outcome": outcome.name,
            "seconds": time.perf_counter() - started,
            "xfail": pytest_items.is_expected_to_fail(item),
            "may_fail": pytest_items.may_fail(item),
            **self._notes.read_once(),
        }
        faulthandler.cancel_dump_traceback_later()
        if self._coverage:
            result["reach"] = self._coverage.take_lines()
        if outcome.error is not None:
            # What another program does with files that the laid-out program has only in memory says nothing of it.
            result["inner"] = result["inner"] or (result["executed"] and bool(self._plan.laid_out))
            result["checked"] = pytest_items.is_failed_check(outcome.error)
            result.update(pytest_items.describe_failure(outcome.error, self._root))
            refused = result["refused"]
            if result["executed"] and not refused and not self._plan.laid_out:
                refused = f"{_EXECUTED}; {result['message']}"
            if refusal := self._notes.refusal_behind(outcome.error, refused):
                result.update(outcome="refused", message=refusal, checked=False)
        return result

    def _judge_live(self, job: MutantJob) -> dict[str, Any]:
        """Run tests on a program whose loaded functions are changed."""
        patch = functools.partial(mutants.patch_loaded_files, self._sources, self._functions, job.changes)
        return self._judge(job, patch, lambda: self._try_tests(job.tests))

    def _judge_fresh(self, session: pytest.Session | None, job: MutantJob) -> dict[str, Any]:
        """Load tests on a program and run them: in an open session, or in one of its own."""

        def try_in_session() -> str:
            assert session is not None
            files = sorted({name.partition("::")[0] for name in job.tests})
            with self._within_limits():
                items = session.perform_collect([self._root + path for path in files])
            return "crashed" if self._take_tests(session, items, [])["broken"] else self._try_tests(job.tests)

        def try_in_own_session() -> str:
            outcomes: list[str] = []
            self._load_tests(
                lambda loaded: outcomes.append("crashed" if loaded["broken"] else self._try_tests(job.tests))
            )
            return outcomes[0]

        return self._judge(job, self._sources.compile_mutants, try_in_session if session else try_in_own_session)

    def _judge(self, job: MutantJob, put_in_place: Callable[[], object], run: Callable[[], str]) -> dict[str, Any]:
        """Run tests on changed code in a child.

        Returns:
            The job's number, ``outcome`` (``killed`` by a failed check, ``crashed``, ``survived``, ``timeout``,
            ``reload``, ``broken`` or ``looked``) and ``test``, the test that failed.
        """
        open(self._trace_path, "w").close()
        fork = run_in_fork(
            lambda descriptor: write_all(
                descriptor, self._try_mutant(job, put_in_place, run).encode("utf-8", "replace")
            ),
            ForkLimits(job.seconds, job.cpu_seconds),
            self._clock,
        )
        outcome, _, test = fork.output.decode("utf-8", "replace").partition(" ") if fork.is_finished else ("", "", "")
        if outcome not in _JOB_OUTCOMES:
            has_hung = fork.is_late or os.path.getsize(self._trace_path) > 0  # then its own timer wrote where it was
            outcome = "timeout" if has_hung else "crashed"
        return {"number": job.number, "outcome": outcome, "test": test}

    def _try_mutant(self, job: MutantJob, put_in_place: Callable[[], object], run: Callable[[], str]) -> str:
        """Run a job and return its outcome; ``killed`` and ``crashed`` are followed by a space and the failed test."""
        self._launcher.cpu_seconds = job.cpu_seconds
        try:
            for path, edits in job.changes:
                self._sources.mutate(path, edits)
            put_in_place()
        except mutants.UNREADABLE_CODE_ERRORS:
            return "broken"
        except mutants.CannotPatchError:
            return "reload"
        try:
            outcome = run()
        except BaseException:  # noqa: BLE001 - loading runs the player's code
            outcome = "crashed"
        return "looked" if self._notes.read_once()["looked"] else outcome

    def _try_tests(self, names: list[str]) -> str:
        """Run these tests until one fails by a check of its own, or too many crash."""
        items = [self._items.get(name) for name in names]
        crashed: list[str] = []
        for index, item in enumerate(items):
            following = [other for other in items[index + 1 :] if other is not None]
            outcome = pytest_items.run_test(item, following, self._recorder) if item is not None else None
            if item is not None and pytest_items.may_fail(item):
                continue
            if outcome is not None and outcome.name == "failed" and pytest_items.is_failed_check(outcome.error):
                return "killed " + names[index]
            if outcome is None or outcome.name == "failed":
                crashed.append(names[index])
            if len(crashed) > self._max_crashed_tests:
                break
        return f"crashed {crashed[0]}" if crashed else "survived"
