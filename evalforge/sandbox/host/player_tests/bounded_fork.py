"""A piece of work in a forked child: what it wrote, and how it ended, in bounded time."""

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
"""By its own clock, which others' work does not stop, a child may take so much longer: its parent ends it sooner."""
END_SIGNAL: int = getattr(signal, "SIGRTMAX", signal.SIGUSR1)
"""Asks a child to write where it is and to end. No test has a use for it."""
_TIMEOUT_SIGNALS = (signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU, END_SIGNAL)
_FINISHED = b"\nfinished\n"
"""What a child writes last, when it has done all it was to do."""


class ForkLimits(NamedTuple):
    """How much time a child has.

    Attributes:
        seconds: For all of its work, by the run's clock.
        cpu_seconds: Processor time; unlimited by default.
        line_seconds: Between one line of output and the next, by the run's clock; unlimited by default.
    """

    seconds: float
    cpu_seconds: float | None = None
    line_seconds: float = float("inf")


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

    def parsed_lines(self) -> list[dict[str, Any]]:
        """The JSON objects that it wrote, one on each line, up to the first that is none."""
        parsed: list[dict[str, Any]] = []
        with contextlib.suppress(ValueError):
            for line in self.output.splitlines():
                parsed.append(json.loads(line))  # noqa: PERF401 - what came before a broken line counts
        return parsed


def run_in_fork(work: Callable[[int], object], limits: ForkLimits, clock: RunClock) -> ForkResult:
    """Run ``work(descriptor)`` in a child whose output is what it writes to the descriptor.

    The child keeps its own clock as well, because it can't be killed in every cage.

    Args:
        work: What to do.
        limits: How much time it has.
        clock: The run's.
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
    else:  # what it started may have outlived it
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    _read_available(read_end, output, 0)
    os.close(read_end)
    return ForkResult(bytes(output), wait_status)


def own_clock_seconds(seconds: float) -> float:
    """How long a process may take by its own clock that has so many seconds by the run's.

    Where no signal may be sent, nobody ends it sooner, and both are the same.
    """
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return seconds
    return seconds * _OWN_CLOCK_FACTOR


def write_place_when_ended(trace: TextIO) -> None:
    """Have this process write where it is, to a file that is to stay open, when it is asked to end."""
    faulthandler.register(END_SIGNAL, file=trace, all_threads=True, chain=True)


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


def _ask_to_end(child: int) -> None:
    """Ask a child to write where it is, and give it a moment for that."""
    with contextlib.suppress(OSError):
        os.kill(child, END_SIGNAL)
        deadline = time.monotonic() + _TRACE_SECONDS
        while time.monotonic() < deadline and not _has_ended(child):
            time.sleep(_PAUSE_SECONDS)


def _kill_and_reap(child: int, own_end: float) -> None:
    """Kill a child and its group; one that can't be killed ends by its own clock."""
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
    """Whether a child is a zombie; it stays one, so that its number is nobody else's."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
