"""The slot in which workers run tests: it has a copy of the submission, and one job at a time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from typing import Callable

from protocol import player_test_messages, wire
from protocol.player_test_messages import MutantJob
from runs.run_clock import RunClock

from .bounded_fork import END_SIGNAL
from .strays import StrayKiller
from .working_copies import WorkingCopy

_ANSWER_GRACE_SECONDS = 2.0
_FRAME_SECONDS = 30.0
_REAP_SECONDS = 0.5
_REAP_PAUSE_SECONDS = 0.0005
_open_connections: list[socket.socket] = []


class Worker:
    """A forked test runner and the socket to it.

    Args:
        serve: Called in the fork with its end of the socket.
        private_sockets: What the fork must not have.
        clock: What deadlines are counted by.
    """

    def __init__(
        self, serve: Callable[[socket.socket], None], private_sockets: list[socket.socket], clock: RunClock
    ) -> None:
        self._clock = clock
        self.connection, worker_end = socket.socketpair()
        self.process_id = os.fork()
        if not self.process_id:
            try:
                for other in (self.connection, *private_sockets, *_open_connections):
                    other.close()
                serve(worker_end)
            finally:
                os._exit(0)
        worker_end.close()
        _open_connections.append(self.connection)

    def send_request(self, request: dict[str, object]) -> None:
        """Send a request; a worker that is gone shows when the answer is received."""
        with contextlib.suppress(wire.WireError):
            wire.send_frame(self.connection, request)

    def receive_answer(self, deadline: float) -> dict[str, object] | None:
        """Its answer; None if it is gone or does not come in time."""
        try:
            return player_test_messages.parse_worker_answer(receive_frame_by(self._clock, self.connection, deadline))
        except wire.WireError:
            return None

    def ask_for_place(self) -> None:
        """Have it write where it is, and end."""
        with contextlib.suppress(OSError):
            os.kill(self.process_id, END_SIGNAL)
            select.select([self.connection], [], [], _REAP_SECONDS)  # it is closed when the worker has ended

    def end_process(self) -> None:
        """End it. Where it can't be killed it ends by itself: its socket is closed, and its children keep time."""
        _open_connections.remove(self.connection)
        self.connection.close()
        with contextlib.suppress(OSError):
            os.kill(self.process_id, signal.SIGKILL)
        deadline = self._clock.now() + _REAP_SECONDS
        while self._clock.now() < deadline and not os.waitpid(self.process_id, os.WNOHANG)[0]:
            time.sleep(_REAP_PAUSE_SECONDS)


def receive_frame_by(clock: RunClock, connection: socket.socket, deadline: float) -> object:
    """Receive one message that begins before a deadline by a run's clock.

    Raises:
        WireError: It does not come in time, or the connection is closed.
    """
    while not select.select([connection], [], [], max(0.0, deadline - clock.now()))[0]:
        if clock.now() >= deadline:
            raise wire.WireTimeoutError("no answer in time")
    return wire.receive_frame(connection, time.monotonic() + max(_FRAME_SECONDS, deadline - clock.now()))


StartWorker = Callable[[WorkingCopy, bool, bool], Worker]
"""Starts a worker: on which copy, whether it collects all tests now, and whether it notes which lines run."""


class WorkerSlot:
    """A working copy and its workers: one that has collected all tests, and one that collects anew for each job.

    Args:
        copy: The submission as this slot has it.
        start_worker: Starts a worker.
        clock: What deadlines are counted by.

    Attributes:
        clock: The same.
        is_clean: Whether no run could leave anything to the next. If not, tests have seen to that.
    """

    def __init__(self, copy: WorkingCopy, start_worker: StartWorker, clock: RunClock) -> None:
        self.copy = copy
        self.clock = clock
        self.is_clean = True
        self._start_worker = start_worker
        self._strays = StrayKiller(clock)
        self._live_worker: Worker | None = None
        self._fresh_worker: Worker | None = None

    def live_worker(self, notes_lines: bool = False) -> Worker:
        """The worker that has collected all tests, for mutants that can be put into loaded functions."""
        if self._live_worker is None:
            self._live_worker = self._start_worker(self.copy, True, notes_lines)
        return self._live_worker

    def fresh_worker(self) -> Worker:
        """The worker that collects anew for each job, for mutants that only show when code is loaded."""
        if self._fresh_worker is None:
            self._fresh_worker = self._start_worker(self.copy, False, False)
        return self._fresh_worker

    def start_job(self, job: MutantJob) -> JobInSlot:
        """Have a job done."""
        worker = self.live_worker() if job.is_live else self.fresh_worker()
        worker.send_request(job.as_request())
        return JobInSlot(self, worker, job)

    def give_up_worker(self, is_live: bool) -> None:
        """End one of the workers; another is started when there is need of it."""
        if is_live:
            worker, self._live_worker = self._live_worker, None
        else:
            worker, self._fresh_worker = self._fresh_worker, None
        if worker is not None:
            worker.end_process()

    def forget_run(self) -> None:
        """Have the next run find nothing of those before it: no process, no file."""
        workers = (self._live_worker, self._fresh_worker)
        has_ended_all = self._strays.kill_strays([worker.process_id for worker in workers if worker is not None])
        self.copy.restore()
        self.is_clean = self.is_clean and has_ended_all and self.copy.is_clean

    def end_workers(self) -> None:
        """End all workers of this slot."""
        self.give_up_worker(is_live=False)
        self.give_up_worker(is_live=True)


class JobInSlot:
    """A job that a worker has in hand.

    Args:
        slot: Where.
        worker: The worker.
        job: The job.
    """

    def __init__(self, slot: WorkerSlot, worker: Worker, job: MutantJob) -> None:
        self.slot = slot
        self.job = job
        self.deadline = slot.clock.now() + job.seconds + _ANSWER_GRACE_SECONDS
        self._worker = worker

    @property
    def connection(self) -> socket.socket:
        """Where the outcome comes from."""
        return self._worker.connection

    def receive_outcome(self) -> tuple[object, object]:
        """The outcome in the worker's word, ``lost`` if there is none, and the test that failed.

        The slot is then as it was before.
        """
        answer = self._worker.receive_answer(self.deadline)
        # A worker started in place of a lost one first says how loading the tests went.
        while answer is not None and answer.get("number") != self.job.number:
            answer = self._worker.receive_answer(self.deadline)
        if answer is None:
            self.slot.give_up_worker(self.job.is_live)
        self.slot.forget_run()
        if not self.slot.is_clean:
            return "survived", ""
        return ("lost", "") if answer is None else (answer.get("outcome", "lost"), answer.get("test", ""))
