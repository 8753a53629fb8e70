"""Those who wait while a run goes on in namespaces of its own: they pass signals on, and end as it ends."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
from collections.abc import Iterable

import syscalls

_SET_PDEATHSIG = 1
_STATUS = struct.Struct("=i")
_ENDED, _FAILED = b"=", b"!"
_UNREPORTED = 70
_FOR_THE_RUN = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
"""Signals that must not end those who only stand by."""


def hold_signals() -> set[int]:
    """Block the signals that are the run's business, until there is somebody to pass them on to; gives the old mask."""
    return signal.pthread_sigmask(signal.SIG_BLOCK, _FOR_THE_RUN)


def relay_to(child: int, mask: Iterable[int]) -> None:
    """Pass signals on to a child, and receive them again."""

    def pass_on(number: int, _frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)

    for number in _FOR_THE_RUN:
        signal.signal(number, pass_on)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    syscalls.prctl(_SET_PDEATHSIG, signal.SIGKILL)


def end_with_listener(telling: int) -> None:
    """The same, also if the parent, who reads what is told here, has ended already."""
    end_with_parent()
    poll = select.poll()
    poll.register(telling, 0)
    if poll.poll(0):
        os._exit(_UNREPORTED)


def tell_status(telling: int, status: int) -> None:
    """Say how the run ended, as a wait status."""
    os.write(telling, _ENDED + _STATUS.pack(status))


def tell_failure(telling: int, error: BaseException) -> None:
    """Say why the run could not be held as it should."""
    os.write(telling, _FAILED + str(error).encode("utf-8", "replace")[:500])


def reap(child: int) -> int:
    """Wait for a child among whatever else ends here, then end all that it left."""
    pid, status = 0, 0
    while pid != child:
        pid, status = os.waitpid(-1, 0)
    try:
        os.kill(-1, signal.SIGKILL)  # everything in this process namespace but its init, which is this process
        while True:
            os.waitpid(-1, 0)
    except (ProcessLookupError, ChildProcessError):
        return status


def stand_by(init: int, listening: int) -> None:
    """In the process that stays outside: never returns, unless there is a failure to raise."""
    told = b""
    piece = os.read(listening, 4096)
    while piece:
        told += piece
        piece = os.read(listening, 4096)
    ended = os.waitpid(init, 0)[1]
    if told.startswith(_FAILED):
        raise OSError(1, told[1:].decode("utf-8", "replace"))
    _end_as(_STATUS.unpack(told[1:])[0] if told.startswith(_ENDED) else ended or _UNREPORTED << 8)


def _end_as(status: int) -> None:
    """Leave as a wait status says: by the same signal or with the same code."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL and number in signal.valid_signals():  # some are the C library's own
            signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
