"""Which lines of the player's code ran: a map in memory shared with every process that a test forks.

``sys.settrace`` is used on every version: it is inherited by forks, it does not care how a process ends, and tests are
few. Only frames of the player's own files are traced by line.
"""

from __future__ import annotations

import mmap
import os
import re
import sys
import threading
from types import FrameType
from typing import Any, Callable, NamedTuple, Optional

_RAN = re.compile(b"\x01")
_LINE_END = re.compile(rb"\r\n?|\n")
_MAX_LINES = 200_000
_MAX_TRACED_LINES = 20_000

_LineTracer = Callable[[FrameType, str, Any], Optional[Callable[..., Any]]]


class _FileLines(NamedTuple):
    """Where the lines of a file are in the map: that of line 1 is at ``start + 1``."""

    path: str
    start: int
    line_count: int


class LineCoverage:
    """Lines of some files, each with a byte that says whether it ran.

    Args:
        root: The folder the paths are relative to.
        paths: Files to look at.
        read: Reads the file at a full path.
    """

    def __init__(self, root: str, paths: list[str], read: Callable[[str], bytes]) -> None:
        self._files: list[_FileLines] = []
        self._tracers: dict[str, _LineTracer] = {}
        self._foreign_files: set[str] = set()
        total = 0
        for path in paths:
            full_path = os.path.join(root, path)
            try:
                line_count = len(_LINE_END.split(read(full_path))) + 1
            except OSError:
                continue
            if total + line_count > _MAX_LINES:
                break
            self._files.append(_FileLines(path, total, line_count))
            self._tracers[full_path] = self._make_tracer(total, line_count)
            total += line_count
        self._size = max(total, 1)
        self._lines_left = _MAX_TRACED_LINES
        self._map = mmap.mmap(-1, self._size)

    def _make_tracer(self, start: int, line_count: int) -> _LineTracer:
        def trace_line(frame: FrameType, event: str, _: Any) -> _LineTracer:
            if event == "line" and frame.f_lineno < line_count:
                self._map[start + frame.f_lineno] = 1
                self._lines_left -= 1
                if self._lines_left < 0:
                    self._give_up()
            return trace_line

        return trace_line

    def _give_up(self) -> None:
        """Trace this test no more: tracing costs more than the test, and one that long may reach every line."""
        self._map[:] = b"\x01" * self._size
        self.stop()

    def _trace_call(self, frame: FrameType, event: str, _: Any) -> _LineTracer | None:
        # Where audit events are watched, each look at a frame's code costs ten times what a look at its globals does.
        module_file = frame.f_globals.get("__file__")
        if type(module_file) is str and module_file in self._foreign_files:
            return None
        path = frame.f_code.co_filename
        tracer = self._tracers.get(path)
        if tracer is None and type(module_file) is str and (path == module_file or path.startswith("<frozen")):
            self._foreign_files.add(module_file)
        return tracer

    def start(self) -> None:
        """Trace from here, in this thread, those it starts, and processes they fork."""
        self._lines_left = _MAX_TRACED_LINES
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def stop(self) -> None:
        """Trace no more."""
        sys.settrace(None)
        threading.settrace(None)  # pyright: ignore[reportArgumentType] - None is what ends it

    def take_lines(self) -> dict[str, list[int]]:
        """The lines that ran since they were last taken, by path."""
        content = self._map[:]
        self._map[:] = bytes(self._size)
        indices = [match.start() for match in _RAN.finditer(content)]
        lines_by_path: dict[str, list[int]] = {}
        for path, start, line_count in self._files:
            lines = [index - start for index in indices if start <= index < start + line_count]
            if lines:
                lines_by_path[path] = lines
        return lines_by_path
