"""Runs the player's tests from a sandboxed process that runs none of their code itself.

It forks workers (see ``runner``), which do. The client sends which files are tests, and gets the results of one to
three runs, the first with the lines that ran. Then it sends jobs (changes to a file, and the tests to run on it) and
gets the outcome of each.

A job doesn't say whether its change alters behaviour. Workers see one job at a time, and its number has no meaning.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import Any

from protocol import player_test_messages, wire
from protocol.fields import Fields
from protocol.player_test_messages import BaselineRun, MutantJob, PlayerTestPlan
from runs.run_clock import RunClock

from . import runner, tracebacks
from .laid_out import LaidOutProgram
from .mutants import SourceOverlay
from .program_launcher import ProgramLauncher
from .runner import TestRunner
from .workers import Worker, WorkerSlot, receive_frame_by
from .working_copies import WorkingCopy

_COPY_NAME = "first"
_LOAD_FACTOR = 5.0
_MAX_LOAD_SECONDS = 10.0
_BASELINE_SHARE = 0.6
_ANSWER_GRACE_SECONDS = 1.0
_MIN_RUN_SECONDS = 0.1


def serve_tests(
    clock: RunClock, programs: str, connection: socket.socket, plan: PlayerTestPlan, source: str, run_folder: str
) -> None:
    """Run the tests of a submission for a client; the arguments are those of a coordinator."""
    if "pytest" not in sys.modules:
        wire.send_frame(connection, {"impossible": "no pytest runs in this Python"})
        return
    Coordinator(clock, programs, connection, plan, source, run_folder).serve()


class Coordinator:
    """Runs the tests of one submission.

    Args:
        clock: The clock of all limits.
        programs: The folder of Python's clients, if programs may be executed; else empty.
        connection: The client's socket.
        plan: Which tests to run.
        source: The submission's folder.
        run_folder: The run's writable directory.
    """

    def __init__(
        self,
        clock: RunClock,
        programs: str,
        connection: socket.socket,
        plan: PlayerTestPlan,
        source: str,
        run_folder: str,
    ) -> None:
        self._clock = clock
        self._programs = programs
        self._connection = connection
        self._plan = plan
        self._deadline = clock.now() + plan.seconds
        self._load_seconds = 0.0
        self._leaves_traces = False  # whether loading the tests changes the disk or memory shared with forks
        self._shares_session = True  # whether one session can be opened for several programs
        # One run at a time: two at once could exchange through their folders what they see.
        self._slot = WorkerSlot(WorkingCopy(source, run_folder, _COPY_NAME), self._start_worker, clock)

    def serve(self) -> None:
        """Report the baseline, receive the jobs and run them; ends early if the client disconnects."""
        with contextlib.suppress(wire.WireError):
            try:
                wire.send_frame(self._connection, self._run_baseline())
                self._run_jobs(self._receive_jobs())
                wire.send_frame(self._connection, {"done": True})
            finally:
                self._slot.end_workers()

    def _receive_jobs(self) -> list[MutantJob]:
        message = receive_frame_by(self._clock, self._connection, self._deadline)
        return player_test_messages.parse_mutant_jobs(message)

    def _start_worker(self, copy: WorkingCopy, collects_now: bool, notes_lines: bool) -> Worker:
        def serve(connection: socket.socket) -> None:
            copy.enter(self._plan.import_folders)
            program = LaidOutProgram(self._plan, copy.root)
            sources = SourceOverlay(program.contents, program.files)
            sources.install()
            launcher = ProgramLauncher(copy.root, sources, program.notes, self._programs, frozenset(program.contents))
            launcher.install()
            if program.contents:
                program.install()
            program.watch()
            test_runner = TestRunner(launcher, sources, copy, self._plan, program.notes, self._clock)
            if collects_now:
                test_runner.serve_loaded(connection, notes_lines)
            else:
                test_runner.serve_fresh(connection, self._shares_session)

        return Worker(serve, [self._connection], self._clock)

    def _run_baseline(self) -> dict[str, Any]:
        """Load the tests and run them; the results are as the workers report them."""
        deadline = self._clock.now() + (self._deadline - self._clock.now()) * _BASELINE_SHARE
        copy = self._slot.copy
        worker = self._slot.live_worker(notes_lines=True)
        answer = worker.receive_answer(min(deadline, self._clock.now() + self._plan.load_seconds))
        if answer is None:
            worker.ask_for_place()
            path, line = tracebacks.find_stuck_line(os.path.join(copy.scratch, runner.TRACE_FILE), copy.root)
            return {"stuck": {"path": path, "line": line}}
        self._load_seconds = min(_MAX_LOAD_SECONDS, _load_seconds(answer))
        self._leaves_traces = answer.get("leaves_traces") is True
        self._shares_session = answer.get("loads_program") is not True
        if self._plan.describes_tests:
            wire.send_frame(self._connection, {"loaded": answer})
        runs = self._run_tests(deadline)
        if runs[0] is None:
            return {"stuck": {"path": "", "line": 0}}
        return {"loaded": answer, "runs": [run or {} for run in runs]}

    def _with_time_to_load(self, job: MutantJob) -> MutantJob:
        """The same job with more time, because its tests have to be loaded again."""
        more = _LOAD_FACTOR * self._load_seconds
        return job._replace(is_live=False, seconds=job.seconds + more, cpu_seconds=job.cpu_seconds + more)

    def _run_tests(self, deadline: float) -> list[dict[str, object] | None]:
        """Run all tests, first with notes on what they run, and again as often as it takes to know which pass."""
        is_reversed, is_laid_out = self._plan.is_reversed, bool(self._plan.laid_out)
        runs = [self._run_once(is_reversed, notes_lines=True, deadline=deadline)]
        if failed := _failed_tests(runs[0]):
            # On another program, it may be because of what earlier tests did.
            runs.append(self._run_once(is_reversed != is_laid_out, notes_lines=False, deadline=deadline))
            if not is_laid_out and failed - _failed_tests(runs[1]):  # it depends on chance, or on the notes
                runs.append(self._run_once(is_reversed, notes_lines=False, deadline=deadline))
        return runs

    def _run_once(self, is_reversed: bool, notes_lines: bool, deadline: float) -> dict[str, object] | None:
        """Run all tests; None if the worker was lost."""
        seconds = max(_MIN_RUN_SECONDS, deadline - self._clock.now())
        self._slot.live_worker().send_request(BaselineRun(is_reversed, notes_lines, seconds).as_request())
        run = self._receive_run(deadline)
        if self._leaves_traces:
            self._slot.give_up_worker(is_live=True)
        self._slot.forget_run()
        return run

    def _receive_run(self, deadline: float) -> dict[str, object] | None:
        """Receive the result of a run, after the report on loading that a newly started worker sends first."""
        answer = self._slot.live_worker().receive_answer(deadline + _ANSWER_GRACE_SECONDS)
        while answer is not None and "tests" not in answer:
            answer = self._slot.live_worker().receive_answer(deadline + _ANSWER_GRACE_SECONDS)
        return answer

    def _run_jobs(self, jobs: list[MutantJob]) -> None:
        """Run every job, one at a time, in this order."""
        for job in jobs:
            if self._clock.now() >= self._deadline:
                break
            outcome, test = "reload", ""
            if not self._leaves_traces or not job.is_live:
                outcome, test = self._slot.run_job(job)
            if outcome == "reload" and job.is_live:
                outcome, test = self._slot.run_job(self._with_time_to_load(job))
            wire.send_frame(self._connection, {"number": job.number, "outcome": outcome, "test": test})


def _load_seconds(answer: dict[str, Any]) -> float:
    """How many seconds loading the tests takes, as the worker reports it."""
    with contextlib.suppress(wire.WireError):
        return max(0.0, Fields(answer).number("seconds"))
    return 0.0


def _failed_tests(run: dict[str, Any] | None) -> frozenset[str]:
    """The tests that failed and don't need the player's own program, as the worker reports them."""
    with contextlib.suppress(wire.WireError):
        tests = [Fields(test) for test in Fields(run).items("tests")]
        failed = [test for test in tests if test.get("outcome") == "failed" and test.get("inner") is not True]
        return frozenset(test.text("name") for test in failed)
    return frozenset()
