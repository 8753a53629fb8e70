"""A piece of work in a forked child: what it wrote, and how it ended, in bounded time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable

from runs import interpreter

_POLL_SECONDS = 0.02
_PAUSE_SECONDS = 0.0005
_GRACE_SECONDS = 0.1
_KILL_SECONDS = 1.0
_MIN_CPU_SECONDS = 0.15
_MAX_OUTPUT_BYTES = 4 * 1024 * 1024
_READ_BYTES = 64 * 1024
_TIMEOUT_SIGNALS = (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU)
_FINISHED = b"\nfinished\n"
"""What a child writes last, when it has done all it was to do."""


class ForkResult:
    """How a child ended.

    Attributes:
        output: What it wrote.
        is_finished: It did all it was to do.
        is_late: It ran out of time.
        ending: How it left, for a person, if it did not finish.
    """

    def __init__(self, output: bytes, wait_status: int | None) -> None:
        self.is_finished = output.endswith(_FINISHED)
        self.output = output[: -len(_FINISHED)] if self.is_finished else output
        if wait_status is None:
            self.is_late, self.ending = True, "took too long"
        elif os.WIFSIGNALED(wait_status):
            number = os.WTERMSIG(wait_status)
            self.is_late, self.ending = number in _TIMEOUT_SIGNALS, f"was ended by signal {number}"
        else:
            status = os.WEXITSTATUS(wait_status)
            self.is_late, self.ending = False, f"ended its process (exit status {status})"


def run_in_fork(work: Callable[[int], object], seconds: float, cpu_seconds: float | None = None) -> ForkResult:
    """Run ``work(descriptor)`` in a child whose output is what it writes to the descriptor.

    The child keeps its own clock as well, because it can't be killed in every cage.

    Args:
        work: What to do.
        seconds: Wall clock.
        cpu_seconds: Processor time; unlimited by default.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(read_end)
            _start_timers(seconds + _GRACE_SECONDS, cpu_seconds)
            work(write_end)
            os.write(write_end, _FINISHED)
        finally:
            os._exit(0)
    os.close(write_end)
    deadline = time.monotonic() + seconds + _GRACE_SECONDS
    output = bytearray()
    wait_status: int | None = None
    while wait_status is None and not output.endswith(_FINISHED) and time.monotonic() < deadline:
        is_open = _read_available(read_end, output, _POLL_SECONDS)
        pid, ended = os.waitpid(child, os.WNOHANG)
        wait_status = ended if pid else None
        if not is_open and not pid:
            time.sleep(_PAUSE_SECONDS)
    if wait_status is None:
        _kill_and_reap(child)
    else:  # what it started may have outlived it
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    _read_available(read_end, output, 0)
    os.close(read_end)
    return ForkResult(bytes(output), wait_status)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it, however little a pipe takes at a time."""
    while data:
        data = data[os.write(descriptor, data) :]


def _start_timers(seconds: float, cpu_seconds: float | None) -> None:
    """Timers whose signals end the process; the group is there to be killed as a whole where that is allowed."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGALRM, signal.SIGPROF):
        interpreter.set_signal_handler(number, interpreter.SIGNAL_DEFAULT)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if cpu_seconds is not None:
        signal.setitimer(signal.ITIMER_PROF, max(_MIN_CPU_SECONDS, cpu_seconds))


def _read_available(read_end: int, output: bytearray, wait_seconds: float) -> bool:
    """Read what is there; False once the other end is closed."""
    while select.select([read_end], [], [], wait_seconds)[0]:
        data = os.read(read_end, _READ_BYTES)
        if not data:
            return False
        if len(output) < _MAX_OUTPUT_BYTES:
            output += data
        wait_seconds = 0
    return True


def _kill_and_reap(child: int) -> None:
    """Kill a child and its group; gives up on one that can't be killed, for it ends by its own clock."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    deadline = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return
        time.sleep(_PAUSE_SECONDS)
