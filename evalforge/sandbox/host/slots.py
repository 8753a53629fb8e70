"""Places in which examiners work: each has a copy of the submission, and one job at a time."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time

import wire

_LATE = 2.0
_open_lines = []


class Worker:
    """A forked examiner and the socket to it.

    Args:
        serve: Called in the fork with its end of the socket.
        private: Sockets the fork must not have.
    """

    def __init__(self, serve, private):
        self.line, theirs = socket.socketpair()
        self.pid = os.fork()
        if not self.pid:
            try:
                for line in (self.line, *private, *_open_lines):
                    line.close()
                serve(theirs)
            finally:
                os._exit(0)
        theirs.close()
        _open_lines.append(self.line)

    def ask(self, message):
        """Send a request; a worker that is gone shows when it is asked for the answer."""
        with contextlib.suppress(wire.WireError):
            wire.send_frame(self.line, message)

    def answer(self, until):
        """Its answer; None if it is gone or does not come in time."""
        try:
            answer = wire.receive_frame(self.line, until)
        except wire.WireError:
            return None
        return answer if isinstance(answer, dict) else None

    def end(self):
        """End it. Where it can't be killed it ends by itself: its socket is closed, and its children keep time."""
        _open_lines.remove(self.line)
        self.line.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        until = time.monotonic() + 0.5
        while time.monotonic() < until and not os.waitpid(self.pid, os.WNOHANG)[0]:
            time.sleep(0.0005)


class Slot:
    """One place.

    Args:
        copy: The submission as this place sees it.
        make: ``make(copy, collected, watched)`` gives a ``Worker``.
    """

    def __init__(self, copy, make):
        self.copy = copy
        self.job = None
        self.until = 0.0
        self._make = make
        self._workers = {}

    def live(self, watched=False):
        """The worker that has collected all tests."""
        if "live" not in self._workers:
            self._workers["live"] = self._make(self.copy, collected=True, watched=watched)
        return self._workers["live"]

    def fresh(self):
        """The worker that collects anew for each job."""
        if "fresh" not in self._workers:
            self._workers["fresh"] = self._make(self.copy, collected=False, watched=False)
        return self._workers["fresh"]

    def give(self, job):
        """Have a job done."""
        self.job = job
        self.until = time.monotonic() + job["seconds"] + _LATE
        self.worker.ask({"op": "judge", **job})

    @property
    def worker(self):
        """The worker for the job in hand."""
        return self.live() if self.job["live"] else self.fresh()

    def take(self):
        """The outcome of the job in hand, and a place as it was before."""
        answer = self.worker.answer(self.until)
        if answer is None:
            self.lose()
        self.job = None
        self.copy.restore()
        return "lost" if answer is None else answer.get("outcome", "lost")

    def lose(self):
        """Give up the worker for the job in hand."""
        kind = "live" if self.job["live"] else "fresh"
        self._workers.pop(kind).end()

    def end(self):
        """End all workers of this place."""
        while self._workers:
            self._workers.popitem()[1].end()
