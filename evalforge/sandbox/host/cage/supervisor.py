"""The supervisors of a run in its own namespaces: they pass signals on, and end as the run ends.

One stays outside in place of the run; the other is process 1 inside. Through a pipe the inner one reports how the run
ended.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import struct
from collections.abc import Iterable
from typing import NoReturn

from . import syscalls

_PR_SET_PDEATHSIG = 1
_WAIT_STATUS = struct.Struct("=i")
_ENDED, _FAILED = b"=", b"!"
_MAX_FAILURE_BYTES = 500
_PIPE_READ_BYTES = 4096
_EXIT_UNREPORTED = 70
_RELAYED_SIGNALS = (
    *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP),
    *(signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2),
)
"""Signals that are meant for the run, and must not end its supervisors."""


def hold_signals() -> set[int]:
    """Block these signals until there is a process to pass them on to; returns the old mask."""
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, _RELAYED_SIGNALS))


def relay_signals(child: int, mask: Iterable[int]) -> None:
    """Start passing signals on to a child, and unblock them."""

    def pass_on(number: int, _frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    for number in _RELAYED_SIGNALS:
        signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def die_with_parent() -> None:
    """Make the kernel kill this process when its parent ends."""
    syscalls.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def die_with_reader(report_end: int) -> None:
    """Die with the parent, even if it has already ended, in which case its end of the pipe is closed."""
    die_with_parent()
    poll = select.poll()
    poll.register(report_end, 0)
    if poll.poll(0):
        os._exit(_EXIT_UNREPORTED)


def report_status(report_end: int, wait_status: int) -> None:
    """Report the wait status with which the run ended."""
    os.write(report_end, _ENDED + _WAIT_STATUS.pack(wait_status))


def report_failure(report_end: int, error: BaseException) -> None:
    """Report why the run could not be set up."""
    os.write(report_end, _FAILED + str(error).encode("utf-8", "replace")[:_MAX_FAILURE_BYTES])


def reap_all(child: int) -> int:
    """Wait for a child while reaping all others, kill everything it left, and return its wait status."""
    pid, wait_status = 0, 0
    while pid != child:
        pid, wait_status = os.waitpid(-1, 0)
    try:
        os.kill(-1, signal.SIGKILL)  # all of this process namespace except its init, which is this process
        while True:
            os.waitpid(-1, 0)
    except (ProcessLookupError, ChildProcessError):
        return wait_status


def wait_and_end_alike(init: int, read_end: int) -> NoReturn:
    """In the outer process, wait for the run and end like it; never returns.

    Raises:
        OSError: The inner process reported a failure.
    """
    report = b""
    data = os.read(read_end, _PIPE_READ_BYTES)
    while data:
        report += data
        data = os.read(read_end, _PIPE_READ_BYTES)
    init_status = os.waitpid(init, 0)[1]
    if report.startswith(_FAILED):
        raise OSError(errno.EPERM, report[1:].decode("utf-8", "replace"))
    if report.startswith(_ENDED):
        _end_like(_WAIT_STATUS.unpack(report[1:])[0])
    _end_like(init_status or _EXIT_UNREPORTED << 8)


def _end_like(wait_status: int) -> NoReturn:
    """End this process like a wait status: by the same signal, or with the same exit status."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if number != signal.SIGKILL and number in signal.valid_signals():  # the C library reserves some numbers
            signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(wait_status) & 0xFF)
