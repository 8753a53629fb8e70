"""What is noted about the test that runs: what it uses, what it looks at, what it could leave behind unseen."""

from __future__ import annotations

import _thread
import mmap
import os
import sys
import threading
from typing import Any

_INNER, _LOOKED = 0, 1
_SHARED_WITH_FORKS = frozenset({"mmap.__new__", "ctypes.dlopen"})
"""Events after which there may be memory that a process shares with its forks."""
_BESIDE_THE_TRACER = frozenset({"cpython.PyInterpreterState_New", "sys.settrace"})
"""Events after which code may run on import without being seen to: it could remember what a fault is to change."""
HOST_FILES = frozenset(
    os.path.join(folder, name)
    for folder, _, names in os.walk(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in names
)
"""The host's own files."""


class InnerNameUsedError(BaseException):
    """A test used what only the player's own program has. No handler for ``Exception`` catches it."""


class TestNotes:
    """What is noted about the test that runs, in memory shared with every process that it forks."""

    def __init__(self) -> None:
        self._flags = mmap.mmap(-1, 2)
        self.is_collecting = True
        self.may_leave_hidden_traces = False
        self.is_watching = False

    def note_inner_name(self, name: str) -> None:
        """A placeholder is used, or an inner name is set.

        Raises:
            InnerNameUsedError: A test runs.
        """
        self._flags[_INNER] = 1
        if not self.is_collecting:
            raise InnerNameUsedError(name)

    def note_missing_program(self) -> None:
        """A test starts a program that isn't there."""
        self._flags[_INNER] = 1

    def note_look(self) -> None:
        """Somebody looks at the code of the laid-out program."""
        self._flags[_LOOKED] = 1

    def note_event(self, event: str, _arguments: tuple[Any, ...]) -> None:
        """Note what an audit event says about the tests."""
        if event in _SHARED_WITH_FORKS or (
            event in _BESIDE_THE_TRACER and vars(sys)["_getframe"](2).f_code.co_filename not in HOST_FILES
        ):
            self.may_leave_hidden_traces = True

    def watch_threads(self) -> None:
        """Note each thread that starts: those of the lowest level are not traced, and old versions don't audit them."""
        start = _thread.start_new_thread

        def start_new_thread(*arguments: Any, **options: Any) -> int:
            self.may_leave_hidden_traces = True
            return start(*arguments, **options)

        _thread.__dict__.update(start_new_thread=start_new_thread, start_new=start_new_thread)
        threading.__dict__["_start_new_thread"] = start_new_thread

    def read_once(self) -> dict[str, bool]:
        """What was noted since this was last asked."""
        notes = {"inner": bool(self._flags[_INNER]), "looked": bool(self._flags[_LOOKED])}
        self._flags[:] = b"\0\0"
        return notes
