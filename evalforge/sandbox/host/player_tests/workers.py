"""The slot in which workers run tests: it has a working copy of the submission, and runs one job at a time."""

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
        serve: Called in the fork with the fork's end of the socket.
        private_sockets: Sockets that the fork must close.
        clock: The clock of deadlines.
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
        """Send a request; whether the worker has ended only shows when its answer is received."""
        with contextlib.suppress(wire.WireError):
            wire.send_frame(self.connection, request)

    def receive_answer(self, deadline: float) -> dict[str, object] | None:
        """Receive its answer; None if the worker has ended or doesn't answer in time."""
        try:
            return player_test_messages.parse_worker_answer(receive_frame_by(self._clock, self.connection, deadline))
        except wire.WireError:
            return None

    def ask_for_place(self) -> None:
        """Make the worker write where it is, and end."""
        with contextlib.suppress(OSError):
            os.kill(self.process_id, END_SIGNAL)
            select.select([self.connection], [], [], _REAP_SECONDS)  # it closes when the worker ends

    def end_process(self) -> None:
        """End the worker. If it can't be killed, it ends by itself: its socket is closed, and children have timers."""
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
        WireError: No message arrives in time, or the connection is closed.
    """
    while not select.select([connection], [], [], max(0.0, deadline - clock.now()))[0]:
        if clock.now() >= deadline:
            raise wire.WireTimeoutError("no answer in time")
    return wire.receive_frame(connection, time.monotonic() + max(_FRAME_SECONDS, deadline - clock.now()))


StartWorker = Callable[[WorkingCopy, bool, bool], Worker]
"""Starts a worker, given the copy, whether to collect all tests now, and whether to note which lines run."""


class WorkerSlot:
    """A working copy and its workers: one that has collected all tests, and one that collects again for each job."""

    def __init__(self, copy: WorkingCopy, start_worker: StartWorker, clock: RunClock) -> None:
        self.copy = copy
        self._clock = clock
        self._is_clean = True  # whether all that runs left behind could be removed; if not, tests have prevented it
        self._start_worker = start_worker
        self._strays = StrayKiller(clock)
        self._live_worker: Worker | None = None
        self._fresh_worker: Worker | None = None

    def live_worker(self, notes_lines: bool = False) -> Worker:
        """The worker with all tests collected, for mutants that can be put into loaded functions."""
        if self._live_worker is None:
            self._live_worker = self._start_worker(self.copy, True, notes_lines)
        return self._live_worker

    def fresh_worker(self) -> Worker:
        """The worker that collects again for each job, for mutants that need the code to be loaded again."""
        if self._fresh_worker is None:
            self._fresh_worker = self._start_worker(self.copy, False, False)
        return self._fresh_worker

    def run_job(self, job: MutantJob) -> tuple[object, object]:
        """Run a job in one of the workers; the slot is then ready for the next one.

        Returns:
            The outcome, as the worker names it, or ``lost`` without one, and the test that failed.
        """
        worker = self.live_worker() if job.is_live else self.fresh_worker()
        worker.send_request(job.as_request())
        deadline = self._clock.now() + job.seconds + _ANSWER_GRACE_SECONDS
        answer = worker.receive_answer(deadline)
        # A worker that replaces a lost one first reports on loading the tests.
        while answer is not None and answer.get("number") != job.number:
            answer = worker.receive_answer(deadline)
        if answer is None:
            self.give_up_worker(job.is_live)
        self.forget_run()
        if not self._is_clean:
            return "survived", ""
        return ("lost", "") if answer is None else (answer.get("outcome", "lost"), answer.get("test", ""))

    def give_up_worker(self, is_live: bool) -> None:
        """End one of the workers; another is started when needed."""
        if is_live:
            worker, self._live_worker = self._live_worker, None
        else:
            worker, self._fresh_worker = self._fresh_worker, None
        if worker is not None:
            worker.end_process()

    def forget_run(self) -> None:
        """Remove all that a run left behind, processes and files, before the next one."""
        workers = (self._live_worker, self._fresh_worker)
        has_ended_all = self._strays.kill_strays([worker.process_id for worker in workers if worker is not None])
        self.copy.restore()
        self._is_clean = self._is_clean and has_ended_all and self.copy.is_clean

    def end_workers(self) -> None:
        """End all workers of this slot."""
        self.give_up_worker(is_live=False)
        self.give_up_worker(is_live=True)
