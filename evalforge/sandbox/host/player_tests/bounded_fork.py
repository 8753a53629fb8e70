"""Work in a forked child, in bounded time: its output, and how it ended."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

from runs import interpreter
from runs.run_clock import RunClock

_POLL_SECONDS = 0.02
_PAUSE_SECONDS = 0.0005
_GRACE_SECONDS = 0.1
_KILL_SECONDS = 10.0
_MIN_CPU_SECONDS = 0.15
_MAX_OUTPUT_BYTES = 4 * 1024 * 1024
_READ_BYTES = 64 * 1024
_TRACE_SECONDS = 0.25
_OWN_CLOCK_FACTOR = 60.0
"""By its own clock, which doesn't pause for others, a child gets this much longer; its parent ends it sooner."""
END_SIGNAL: int = getattr(signal, "SIGRTMAX", signal.SIGUSR1)
"""The signal that asks a child to write where it is and to end. No test uses it."""
_TIMEOUT_SIGNALS = (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU, END_SIGNAL)
_FINISHED = b"\nfinished\n"
"""The last thing that a child writes, once it has finished its work."""


class ForkLimits(NamedTuple):
    """The time limits of a child.

    Attributes:
        seconds: The limit for all of its work, by the run's clock.
        cpu_seconds: Its processor time; unlimited by default.
        line_seconds: The limit between two lines of output, by the run's clock; unlimited by default.
    """

    seconds: float
    cpu_seconds: float | None = None
    line_seconds: float = float("inf")


class ForkResult:
    """How a child ended.

    Attributes:
        output: What the child wrote.
        is_finished: Whether it finished its work.
        is_late: Whether it ran out of time.
        ending: How it ended, in words, if it did not finish.
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

    def parsed_lines(self) -> list[dict[str, Any]]:
        """The JSON objects in its output, one per line, up to the first line that isn't one."""
        parsed: list[dict[str, Any]] = []
        with contextlib.suppress(ValueError):
            for line in self.output.splitlines():
                parsed.append(json.loads(line))  # noqa: PERF401 - the lines before a broken one must be kept
        return parsed


def run_in_fork(work: Callable[[int], object], limits: ForkLimits, clock: RunClock) -> ForkResult:
    """Run ``work(descriptor)`` in a child whose output is what it writes to the descriptor.

    The child watches its own time as well, because not every sandbox allows killing it.
    """
    own_seconds = own_clock_seconds(limits.seconds + _GRACE_SECONDS)
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(read_end)
            _start_timers(own_seconds, limits.cpu_seconds)
            work(write_end)
            os.write(write_end, _FINISHED)
        finally:
            os._exit(0)
    os.close(write_end)
    own_end = time.monotonic() + own_seconds
    line_start = clock.now()
    deadline = line_start + limits.seconds + _GRACE_SECONDS
    output = bytearray()
    wait_status: int | None = None
    while wait_status is None and not output.endswith(_FINISHED):
        if clock.now() > min(deadline, line_start + limits.line_seconds):
            break
        byte_count = len(output)
        is_open = _read_available(read_end, output, _POLL_SECONDS)
        if len(output) > byte_count:
            line_start = clock.now()
        pid, ended = os.waitpid(child, os.WNOHANG)
        wait_status = ended if pid else None
        if not is_open and not pid:
            time.sleep(_PAUSE_SECONDS)
    if wait_status is None:
        if not output.endswith(_FINISHED):
            _ask_to_end(child)
        _kill_and_reap(child, own_end)
    else:  # its own children may have outlived it
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    _read_available(read_end, output, 0)
    os.close(read_end)
    return ForkResult(bytes(output), wait_status)


def own_clock_seconds(seconds: float) -> float:
    """The limit by a process's own clock that corresponds to a limit by the run's clock.

    If signals are forbidden, nobody can end the process sooner, so both limits are the same.
    """
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return seconds
    return seconds * _OWN_CLOCK_FACTOR


def write_place_when_ended(trace: TextIO) -> None:
    """Make this process write a traceback to a file when it is asked to end. The file must stay open."""
    faulthandler.register(END_SIGNAL, file=trace, all_threads=True, chain=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all data, even if a pipe takes only a little at a time."""
    while data:
        data = data[os.write(descriptor, data) :]


def _start_timers(seconds: float, cpu_seconds: float | None) -> None:
    """Start timers whose signals end this process, in a group of its own that can be killed as a whole if allowed."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGALRM, signal.SIGPROF):
        interpreter.set_signal_handler(number, interpreter.SIGNAL_DEFAULT)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if cpu_seconds is not None:
        signal.setitimer(signal.ITIMER_PROF, max(_MIN_CPU_SECONDS, cpu_seconds))


def _read_available(read_end: int, output: bytearray, wait_seconds: float) -> bool:
    """Read the available data; False once the other end is closed."""
    while select.select([read_end], [], [], wait_seconds)[0]:
        data = os.read(read_end, _READ_BYTES)
        if not data:
            return False
        if len(output) < _MAX_OUTPUT_BYTES:
            output += data
        wait_seconds = 0
    return True


def _ask_to_end(child: int) -> None:
    """Ask a child to write where it is, and give it a moment to do so."""
    with contextlib.suppress(OSError):
        os.kill(child, END_SIGNAL)
        deadline = time.monotonic() + _TRACE_SECONDS
        while time.monotonic() < deadline and not _has_ended(child):
            time.sleep(_PAUSE_SECONDS)


def _kill_and_reap(child: int, own_end: float) -> None:
    """Kill a child and its group, and reap it; if it can't be killed, its own timers end it."""
    deadline = own_end + _KILL_SECONDS
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
            deadline = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(ChildProcessError):
            if not os.waitpid(child, os.WNOHANG)[0]:
                time.sleep(_PAUSE_SECONDS)
                continue
        return


def _has_ended(child: int) -> bool:
    """Whether a child is a zombie. It isn't reaped, so that its id can't be reused."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
