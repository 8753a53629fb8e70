"""Effects: what is read or written while the player's functions run, on the standard streams or in files."""

from __future__ import annotations

import gc
import inspect
import io
import os
import sys
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

_OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
FOLDER = os.path.join(os.path.dirname(os.path.dirname(_OURS)), "")
"""The submission's folder, in which the copy of this package is."""
_LOGS = os.path.join(os.path.dirname(os.__file__), "logging", "")
_IMPORTS = "<frozen importlib"
_NO_DATA = (".py", ".pyc", ".so")
_LIBRARIES = (os.path.join(sys.prefix, ""), os.path.join(sys.base_prefix, ""), "/usr/", "/etc/")
_FILE_EVENTS = frozenset(
    "open os.listdir os.scandir os.mkdir os.remove os.rename os.rmdir os.truncate glob.glob sqlite3.connect".split()
)
_STREAM_EVENTS = frozenset(
    "builtins.input subprocess.Popen os.exec os.posix_spawn os.system os.fork socket.connect".split()
)
_MAX_REACHED = 300
_UNFOLLOWED = (type, ModuleType, FunctionType, CodeType, FrameType)


class Seen:
    """What has been seen so far: the functions with an effect, and whether anything was read."""

    def __init__(self) -> None:
        self.effects: set[tuple[str, str, int, str]] = set()
        self.has_read = False


seen = Seen()
_replaced: list[Any] = []
"""The streams that were replaced, kept because they close their files when they go."""


def is_players(path: str) -> bool:
    """Whether a file is one of the player's."""
    return path.startswith(FOLDER) and not path.startswith(_OURS)


def _note_effect(kind: str, iterator: Any = None) -> None:
    """Note an effect for each of the player's functions in the stack.

    What an iterator does belongs to its maker, not to a function that was handed it.

    Args:
        kind: ``stream`` or ``file``; if logging does it, ``log`` is noted instead.
        iterator: The stream that is read line by line, if one is.
    """
    frame = inspect.currentframe()
    frame = frame.f_back if frame is not None else None
    while frame is not None:
        code = frame.f_code
        path = code.co_filename
        if path.startswith(_IMPORTS):
            return
        if path.startswith(_LOGS):
            kind = "log"
        if is_players(path) and not _was_handed(frame, iterator):
            seen.has_read = seen.has_read or kind == "file"
            seen.effects.add((kind, path[len(FOLDER) :], code.co_firstlineno, code.co_name))
            if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
                iterator = frame
        frame = frame.f_back


def _was_handed(frame: FrameType, iterator: Any) -> bool:
    """Whether an iterator (a stream, or a generator given by its frame) can be reached from a call's arguments."""
    if iterator is None:
        return False
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    values = frame.f_locals
    waiting = [values[name] for name in code.co_varnames[:count] if name in values]
    reached: set[int] = set()
    while waiting and len(reached) < _MAX_REACHED:
        value = waiting.pop(0)
        if value is iterator or iterator in (getattr(value, "gi_frame", None), getattr(value, "ag_frame", None)):
            return True
        if id(value) not in reached and not isinstance(value, _UNFOLLOWED):
            reached.add(id(value))
            waiting += gc.get_referents(value)
    return False


def note_event(event: str, args: tuple[Any, ...]) -> None:
    """Handle an audit event."""
    if event in _STREAM_EVENTS:
        _note_effect("stream")
    elif event in _FILE_EVENTS:
        path = args[0] if args else None
        if isinstance(path, int):
            _note_effect("stream")
        elif not (isinstance(path, str) and (path.endswith(_NO_DATA) or path.startswith(_LIBRARIES))):
            _note_effect("file")


def _note_reading(iterator: Any = None) -> None:
    seen.has_read = True
    _note_effect("stream", iterator)


class _NotedOutput(io.TextIOWrapper):
    def write(self, text: str) -> int:
        _note_effect("stream")
        return super().write(text)


class _NotedOutputBytes(io.BufferedWriter):
    def write(self, data: Any) -> int:
        _note_effect("stream")
        return super().write(data)


class _NotedInput(io.TextIOWrapper):
    def read(self, size: int | None = -1) -> str:
        _note_reading()
        return super().read(size)

    def readline(self, size: int = -1) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        _note_reading()
        return super().readline(size)

    def __next__(self) -> str:
        _note_reading(self)
        return super().__next__()


def watch_streams() -> None:
    """Put noting streams in the place of the standard ones."""
    for name, kind, bytes_kind in (
        ("stdin", _NotedInput, io.BufferedReader),
        ("stdout", _NotedOutput, _NotedOutputBytes),
        ("stderr", _NotedOutput, _NotedOutputBytes),
    ):
        old: Any = getattr(sys, name)
        raw = getattr(old.buffer, "raw", old.buffer)
        _replaced.append(old)
        stream: Any = kind(bytes_kind(raw), old.encoding, old.errors, line_buffering=old.line_buffering)
        stream.mode = old.mode
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
