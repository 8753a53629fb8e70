"""Effects: what is read or written while the player's functions run, on the standard streams or in files."""

from __future__ import annotations

import gc
import inspect
import io
import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

_LOGS = os.path.join(os.path.dirname(os.__file__), "logging", "")
_FILE_EVENTS = frozenset("open os.listdir os.scandir os.mkdir os.remove os.rename os.rmdir sqlite3.connect".split())
_STREAM_EVENTS = frozenset(("builtins.input", "os.fork", "socket.connect"))
_generator: Any = GeneratorType  # typed as ``Any``, because the types of its items are unknown
_MAX_REACHED = 300
_UNFOLLOWED = (type, ModuleType, FunctionType, CodeType, FrameType)


def frames(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame, and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def arguments(frame: FrameType) -> list[Any]:
    """The values of a call's parameters."""
    code, values = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [values[name] for name in names if name in values]


class Effects:
    """What has been seen so far: effects by kind and function, lines that use a stream, whether anything was read.

    Of the body of a module all lines count that have an effect, also through what they call.
    """

    def __init__(self, root: str) -> None:
        self._prefix = os.path.join(root, "")
        self.noted: set[tuple[str, str, int, str]] = set()
        self.stream_lines: set[tuple[str, int]] = set()
        self.body_lines: set[tuple[str, int]] = set()
        self.has_read = False

    def is_players(self, frame: FrameType) -> bool:
        """Whether a frame is of the player's code."""
        return frame.f_code.co_filename.startswith(self._prefix)

    def relative(self, file: object) -> str | None:
        """The path of a file of the player's, relative to the submission; None for other files."""
        return file[len(self._prefix) :] if isinstance(file, str) and file.startswith(self._prefix) else None

    def path_of(self, frame: FrameType) -> str:
        """The path of a frame's file, relative to the submission."""
        return frame.f_code.co_filename[len(self._prefix) :]

    def note_effect(self, kind: str, iterator: Any = None) -> None:
        """Note an effect for each of the player's functions in the stack; ``log`` is noted instead if logging has it.

        What an iterator, such as a stream read line by line, does belongs to its maker, not to a function handed it.
        """
        is_innermost = True
        source = iterator
        for frame in frames(inspect.currentframe()):
            code = frame.f_code
            if code.co_filename.startswith("<frozen importlib"):
                return
            if code.co_filename.startswith(_LOGS):
                kind = "log"
            if self.is_players(frame) and not _was_handed(frame, source):
                if is_innermost and kind in ("input", "output"):
                    self.stream_lines.add((self.path_of(frame), frame.f_lineno))
                if code.co_name == "<module>":
                    self.body_lines.add((self.path_of(frame), frame.f_lineno))
                is_innermost = False
                self.has_read = self.has_read or kind in ("input", "file")
                self.noted.add((kind, self.path_of(frame), code.co_firstlineno, code.co_name))
                if code.co_flags & inspect.CO_GENERATOR:
                    source = frame  # for its callers, the generator is what does the effect

    def _note_event(self, event: str, args: tuple[Any, ...]) -> None:
        is_stream = event in _STREAM_EVENTS or (event == "open" and isinstance(args[0], int))
        if is_stream or event in _FILE_EVENTS:
            self.note_effect("output" if is_stream else "file")

    def watch(self) -> None:
        """Watch what is opened, and put noting streams in the place of the standard ones."""
        sys.addaudithook(self._note_event)
        _NotedOutput.effects = _NotedInput.effects = self
        for name in ("stdin", "stdout", "stderr"):
            old: Any = getattr(sys, name)
            raw, settings = old.buffer.raw, (old.encoding, old.errors, None, old.line_buffering)
            if name == "stdin":
                stream: Any = _NotedInput(io.BufferedReader(raw), *settings)
            else:
                stream = io.TextIOWrapper(_NotedOutput(raw), *settings, write_through=True)
            stream.mode, stream.replaced = old.mode, old  # an old stream that goes would close its file
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


class _NotedOutput(io.BufferedWriter):
    effects: Effects

    def write(self, data: Any) -> int:
        self.effects.note_effect("output")
        return super().write(data)


class _NotedInput(io.TextIOWrapper):
    effects: Effects

    def read(self, size: int | None = -1) -> str:
        self.effects.note_effect("input")
        return super().read(size)

    def readline(self, size: int = -1) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.effects.note_effect("input")
        return super().readline(size)

    def __next__(self) -> str:
        self.effects.note_effect("input", self)
        return super().__next__()


def _was_handed(frame: FrameType, iterator: Any) -> bool:
    """Whether an iterator (a stream, or a generator given by its frame) can be reached from a call's arguments."""
    waiting: list[Any] = arguments(frame) if iterator is not None else []
    reached: set[int] = set()
    while waiting and len(reached) < _MAX_REACHED:
        value: Any = waiting.pop(0)
        if value is iterator or (type(value) is _generator and value.gi_frame is iterator):
            return True
        if id(value) not in reached and not isinstance(value, _UNFOLLOWED):
            reached.add(id(value))
            waiting += gc.get_referents(value)
    return False
