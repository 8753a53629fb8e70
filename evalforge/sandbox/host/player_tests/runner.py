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
from types import FunctionType
from typing import TYPE_CHECKING, Any, TextIO

from protocol import player_test_messages, wire
from protocol.player_test_messages import BaselineRun, MutantJob, PlayerTestPlan
from runs.run_clock import RunClock

from . import mutants, pytest_items, tracebacks
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
from .line_coverage import LineCoverage
from .mutants import SourceOverlay
from .program_launcher import ProgramLauncher
from .pytest_internals import put_temporary_files
from .pytest_items import TestOutcome
from .suite_collector import PausedSession, SuiteCollector
from .suite_notes import TestNotes
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


class TestRunner:
    """Runs a submission's tests in one process.

    Args:
        paused: The pytest session.
        launcher: The replacement for starting programs.
        sources: The source of the code, original or mutated.
        copy: The working copy of the submission.
        plan: Which tests to run.
        notes: The notes on tests of a laid-out program.
        clock: The clock of all limits.
    """

    def __init__(
        self,
        paused: PausedSession,
        launcher: ProgramLauncher,
        sources: SourceOverlay,
        copy: WorkingCopy,
        plan: PlayerTestPlan,
        notes: TestNotes,
        clock: RunClock,
    ) -> None:
        self._clock = clock
        session, self._recorder, _ = paused
        self._notes = self._recorder.notes = notes
        # On an impostor a crash counts as catching it, too.
        self._max_crashed_tests = 0 if plan.laid_out else _MAX_CRASHED_TESTS
        if plan.laid_out:  # a test expected to fail on the player's program shows what a right one does
            session.config.option.runxfail = True
        self._launcher = launcher
        self._sources = sources
        self._copy = copy
        self._root = copy.root
        self._plan = plan
        self._trace_path = os.path.join(copy.scratch, TRACE_FILE)
        self._collector = SuiteCollector(paused, plan, self._root, launcher.newest_module)
        self._items: dict[str, pytest.Item] = {}
        self._dropped_items: dict[str, pytest.Item] = {}
        self._functions: dict[str, list[FunctionType]] = {}
        self._coverage: LineCoverage | None = None
        put_temporary_files(session, os.path.join(copy.scratch, "pytest"))

    def serve(self, connection: socket.socket, collects_now: bool, notes_lines: bool) -> None:
        """Answer requests until the connection is closed.

        Args:
            connection: The coordinator's socket.
            collects_now: Whether to collect all tests now; if not, each job does so for itself.
            notes_lines: Whether to note which lines run.
        """
        threading.stack_size(_THREAD_STACK_BYTES)
        if notes_lines:
            self._coverage = LineCoverage(self._root, self._plan.code, self._sources.read)
        if collects_now:
            before = count_channels()
            self._notes.may_leave_hidden_traces = False
            self._notes.watch_threads()
            load_answer = self._load_tests(self._plan.tests)
            may_leave_traces = self._notes.may_leave_hidden_traces or count_channels() != before
            leaves_traces = may_leave_traces or self._copy.has_changed([TRACE_FILE])
            wire.send_frame(connection, {**load_answer, "leaves_traces": leaves_traces})
            self._functions = mutants.live_functions(self._root)
        look_at = self._sources.survey if collects_now else self._sources.compile_file
        for path in self._plan.code if collects_now else (*self._plan.code, *self._plan.tests):
            with contextlib.suppress(*mutants.UNREADABLE_CODE_ERRORS):
                look_at(self._root + path)
        gc.collect()
        gc.freeze()
        while True:
            try:
                request = player_test_messages.parse_worker_request(wire.receive_frame(connection))
                if isinstance(request, BaselineRun):
                    answer = self._run_all(request)
                else:
                    answer = self._judge_mutant(request.below(self._root), collects_now)
                wire.send_frame(connection, answer)
            except wire.WireError:
                return

    def _load_tests(self, paths: list[str]) -> dict[str, Any]:
        """Collect test files; returns the seconds it took, the lines that ran, the notes and the broken files."""
        started = time.perf_counter()
        self._notes.is_collecting = True
        if self._coverage:
            self._coverage.start()
        with open(self._trace_path, "w") as trace:
            write_place_when_ended(trace)
            faulthandler.dump_traceback_later(own_clock_seconds(self._plan.load_seconds), exit=True, file=trace)
            self._notes.is_watching = not self._plan.laid_out
            items, broken = self._collector.collect(paths)
            self._notes.is_watching = False
            faulthandler.cancel_dump_traceback_later()
            faulthandler.unregister(END_SIGNAL)
        if self._coverage:
            self._coverage.stop()
        self._notes.is_collecting = False
        self._items = {self._name_of(item): item for item in items}
        self._dropped_items = {self._name_of(item): item for item in self._collector.left_out_items()}
        if self._collector.has_item_hooks():
            for item in items:
                pytest_items.forbid_direct_call(item)
        for item in items:
            if self._plan.laid_out:
                pytest_items.expect_success(item)
            pytest_items.prepare(item)
        broken_files = dict.fromkeys(self._recorder.broken_files)
        return {
            "seconds": time.perf_counter() - started,
            "imported": self._coverage.take_lines() if self._coverage else {},
            **self._notes.read_once(),
            "broken": broken + [tracebacks.describe_broken(*broken_file, self._root) for broken_file in broken_files],
        }

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
            result["checked"] = pytest_items.is_failed_check(outcome.error)
            result.update(pytest_items.describe_failure(outcome.error, self._root))
        return result

    def _judge_mutant(self, job: MutantJob, is_collected: bool) -> dict[str, Any]:
        """Run tests on mutated code in a child.

        Returns:
            The job's number, ``outcome`` (``killed`` by a failed check, ``crashed``, ``survived``, ``timeout``,
            ``reload``, ``broken`` or ``looked``) and ``test``, the test that failed.
        """
        if is_collected:
            for path, edits in job.changes:
                self._sources.compile_original(path, edits)  # here once, for all forks
        open(self._trace_path, "w").close()
        fork = run_in_fork(
            lambda descriptor: write_all(descriptor, self._try_mutant(job, is_collected).encode("utf-8", "replace")),
            ForkLimits(job.seconds, job.cpu_seconds),
            self._clock,
        )
        outcome, _, test = fork.output.decode("utf-8", "replace").partition(" ") if fork.is_finished else ("", "", "")
        if outcome not in _JOB_OUTCOMES:
            has_hung = fork.is_late or os.path.getsize(self._trace_path) > 0  # then its own timer wrote where it was
            outcome = "timeout" if has_hung else "crashed"
        return {"number": job.number, "outcome": outcome, "test": test}

    def _try_mutant(self, job: MutantJob, is_collected: bool) -> str:
        """Run a job and return its outcome; ``killed`` and ``crashed`` are followed by a space and the failed test."""
        self._launcher.cpu_seconds = job.cpu_seconds
        try:
            for path, edits in job.changes:
                self._sources.mutate(path, edits)
            if is_collected:
                mutants.patch_loaded_files(self._sources, self._functions, job.changes)
            else:
                self._sources.compile_mutants()
        except mutants.UNREADABLE_CODE_ERRORS:
            return "broken"
        except mutants.CannotPatchError:
            return "reload"
        if not is_collected:
            files = sorted({name.partition("::")[0] for name in job.tests})
            if self._load_tests(files)["broken"]:
                return "crashed"
        outcome = self._try_tests(job.tests)
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
