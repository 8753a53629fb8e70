"""Notes on the running test: whether it uses inner names, looks at code, or could leave hidden traces."""

from __future__ import annotations

import _thread
import errno
import mmap
import os
import socket
import sys
import threading
from typing import Any

_INNER, _LOOKED, _EXECUTED, _REFUSAL = 0, 1, 2, 3
_REFUSAL_BYTES = 300
_SHARED_WITH_FORKS = frozenset({"mmap.__new__", "ctypes.dlopen"})
"""Audit events after which a process may share memory with its forks."""
_BESIDE_THE_TRACER = frozenset({"cpython.PyInterpreterState_New", "sys.settrace"})
"""Audit events after which untraced code may run on import, and could remember what a fault is to change."""
_NETWORK_EVENTS = frozenset({"socket.__new__", "socket.getaddrinfo", "socket.gethostbyname"})
_EXECUTING_EVENTS = frozenset({"os.exec", "os.posix_spawn"})
NOTED_EVENTS = _SHARED_WITH_FORKS | _BESIDE_THE_TRACER | _NETWORK_EVENTS | _EXECUTING_EVENTS
"""The audit events that ``TestNotes.note_event`` looks at."""
HOST_FILES = frozenset(
    os.path.join(folder, name)
    for folder, _, names in os.walk(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in names
)
"""The paths of the host's own files."""


class InnerNameUsedError(BaseException):
    """A test used a name that only the player's own program has. No handler for ``Exception`` catches this."""


class TestNotes:
    """The notes on the running test, in memory shared with every process that it forks."""

    def __init__(self) -> None:
        self._flags = mmap.mmap(-1, _REFUSAL + _REFUSAL_BYTES)
        self._has_network = _has_network()
        self._refused_errors: list[tuple[BaseException, str]] = []
        self.is_collecting = True
        self.may_leave_hidden_traces = False
        self.is_watching = False
        self.is_launching = False

    def note_inner_name(self, name: str) -> None:
        """Note that a placeholder is used, or an inner name is set.

        Raises:
            InnerNameUsedError: A test is running, which can't go on.
        """
        self._flags[_INNER] = 1
        if not self.is_collecting:
            raise InnerNameUsedError(name)

    def note_missing_part(self) -> None:
        """Note that a test starts a program, or seeks examples, that only the player's program has."""
        self._flags[_INNER] = 1

    def note_look(self) -> None:
        """Note that code of the laid-out program is looked at."""
        self._flags[_LOOKED] = 1

    def note_execution(self) -> None:
        """Note that another program than Python is started, of whose needs nothing is known."""
        self._flags[_EXECUTED] = 1

    def note_refusal(self, reason: str) -> None:
        """Note what the sandbox refuses to the test, or to a program that it started; the first reason stays."""
        if not self._flags[_REFUSAL]:
            text = reason.encode("utf-8", "replace")[:_REFUSAL_BYTES]
            self._flags[_REFUSAL : _REFUSAL + len(text)] = text

    def note_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note whether an audit event may leave hidden traces, or needs what the sandbox refuses.

        Raises:
            PermissionError: The process would execute another program in its place.
        """
        if self.is_launching:
            return
        if event in _NETWORK_EVENTS and not self._has_network:
            is_local = event == "socket.__new__" and arguments[1] == socket.AF_UNIX  # as asyncio's own pair
            if not is_local:
                self.note_refusal("the sandbox has no network")
        if event in _EXECUTING_EVENTS:
            self.note_refusal(f"the sandbox starts programs only by subprocess ({event})")
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), event)
        if event in _SHARED_WITH_FORKS or (
            event in _BESIDE_THE_TRACER and vars(sys)["_getframe"](2).f_code.co_filename not in HOST_FILES
        ):
            self.may_leave_hidden_traces = True

    def watch_threads(self) -> None:
        """Note each thread that starts: low-level ones aren't traced, and old versions don't audit them."""
        start = _thread.start_new_thread

        def start_new_thread(*arguments: Any, **options: Any) -> int:
            self.may_leave_hidden_traces = True
            return start(*arguments, **options)

        _thread.__dict__.update(start_new_thread=start_new_thread, start_new=start_new_thread)
        threading.__dict__["_start_new_thread"] = start_new_thread

    def read_once(self) -> dict[str, Any]:
        """Return the notes since the last call, and reset them."""
        notes = {
            "inner": bool(self._flags[_INNER]),
            "looked": bool(self._flags[_LOOKED]),
            "executed": bool(self._flags[_EXECUTED]),
            "refused": self.read_refusal(),
        }
        self._flags[:] = bytes(len(self._flags))
        return notes

    def read_refusal(self) -> str:
        """Return what was refused since the last call, and forget it; empty if nothing was."""
        refused = self._flags[_REFUSAL:].rstrip(b"\0").decode("utf-8", "replace")
        self._flags[_REFUSAL:] = bytes(_REFUSAL_BYTES)
        return refused

    def refusal_behind(self, error: BaseException, refusal: str) -> str:
        """What the sandbox refused when a test failed with this error; empty if nothing.

        A fixture that several tests share fails once, and raises the same error for the others.
        """
        refusal = refusal or next((reason for earlier, reason in self._refused_errors if earlier is error), "")
        if refusal:
            self._refused_errors.append((error, refusal))
        return refusal


def _has_network() -> bool:
    """Whether the sandbox lets a process listen on this machine."""
    try:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
    except OSError as error:
        return not isinstance(error, PermissionError)
    return True
