"""A piece of work in a forked child: what it tells line by line, and how it ended, in bounded time."""

from __future__ import annotations

import _signal
import contextlib
import os
import select
import signal
import time

_POLL = 0.02
_CPU_FLOOR = 0.15
_GRACE = 0.1
_TOLD_MOST = 4 * 1024 * 1024
_OUT_OF_TIME = (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU)


_FINISHED = b"\nfinished\n"


class Ended:
    """How a child ended.

    Attributes:
        told: What it wrote.
        finished: It did all it was to do.
        late: It ran out of time.
        words: How it left, for a person, if it did not finish.
    """

    def __init__(self, told, status):
        self.finished = told.endswith(_FINISHED)
        self.told = told[: -len(_FINISHED)] if self.finished else told
        self.late = status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in _OUT_OF_TIME)
        self.words = "took too long"
        if status is not None and os.WIFSIGNALED(status):
            self.words = "was ended by signal %d" % os.WTERMSIG(status)
        elif status is not None:
            self.words = "ended its process (exit status %d)" % os.WEXITSTATUS(status)


def in_child(work, seconds, cpu_seconds=None):
    """Run ``work(descriptor)`` in a child that tells by writing to the descriptor.

    The child keeps its own clock as well, because it can't be killed in every cage.

    Args:
        work: What to do.
        seconds: Wall clock.
        cpu_seconds: Processor time; unlimited by default.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            _limit(seconds + _GRACE, cpu_seconds)
            work(writing)
            os.write(writing, _FINISHED)
        finally:
            os._exit(0)
    os.close(writing)
    deadline = time.monotonic() + seconds + _GRACE
    told, status = bytearray(), None
    while status is None and not told.endswith(_FINISHED) and time.monotonic() < deadline:
        is_open = _read(reading, told, _POLL)
        pid, ended = os.waitpid(child, os.WNOHANG)
        status = ended if pid else None
        if not is_open and not pid:
            time.sleep(0.0005)
    if status is None:
        _kill(child)
    _read(reading, told, 0)
    os.close(reading)
    return Ended(bytes(told), status)


def _limit(seconds, cpu_seconds):
    """Timers whose signals end the process; the group is there to be killed as a whole where that is allowed."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGALRM, signal.SIGPROF):
        _signal.signal(number, _signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if cpu_seconds is not None:
        signal.setitimer(signal.ITIMER_PROF, max(_CPU_FLOOR, cpu_seconds))


def _read(reading, told, wait):
    """Take what is there; False once the other end is closed."""
    while select.select([reading], [], [], wait)[0]:
        data = os.read(reading, 1 << 16)
        if not data:
            return False
        if len(told) < _TOLD_MOST:
            told += data
        wait = 0
    return True


def _kill(child):
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except OSError:
            continue
    deadline = time.monotonic() + 1.0
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(0.0003)
