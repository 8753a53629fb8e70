"""Coverage of the player's code by line, in memory shared with every process that a test forks.

``sys.settrace`` is used on every version: forks inherit it, it works however a process ends, and tests are few. Only
frames of the player's own files are traced by line.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any, Callable, Optional

from runs.line_map import FileLines, LineMap

_MAX_TRACED_LINES = 20_000

_LineTracer = Callable[[FrameType, str, Any], Optional[Callable[..., Any]]]


class LineCoverage:
    """Records which lines of some files ran."""

    def __init__(self, root: str, paths: Sequence[str], read: Callable[[str], bytes]) -> None:
        self._map = LineMap(root, paths, read)
        self._tracers = {file.path: self._make_tracer(file) for file in self._map.files.values()}
        self._lines_left = _MAX_TRACED_LINES

    def _make_tracer(self, file: FileLines) -> _LineTracer:
        marks, (_, start, line_count) = self._map.marks, file

        def trace_line(frame: FrameType, event: str, _: Any) -> _LineTracer:
            if event == "line" and frame.f_lineno < line_count:
                marks[start + frame.f_lineno] = 1
                self._lines_left -= 1
                if self._lines_left < 0:
                    self._give_up()
            return trace_line

        return trace_line

    def _give_up(self) -> None:
        """Stop tracing a test that runs too many lines, and mark all lines, because it may reach every one."""
        self._map.mark_all()
        self.stop()

    def _trace_call(self, frame: FrameType, event: str, _: Any) -> _LineTracer | None:
        file = self._map.file_of(frame)
        return None if file is None else self._tracers[file.path]

    def covers(self, path: str) -> bool:
        """Whether it records the lines of the file at this full path."""
        return path in self._map.files

    def start(self) -> None:
        """Trace from here on: this thread, those it starts, and processes that they fork."""
        self._lines_left = _MAX_TRACED_LINES
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def stop(self) -> None:
        """Stop tracing executed lines."""
        sys.settrace(None)
        threading.settrace(None)  # pyright: ignore[reportArgumentType] - None ends it

    def take_lines(self) -> dict[str, list[int]]:
        """Return the lines that ran since the last call, by path."""
        lines = self._map.marked_lines(1)
        self._map.clear()
        return lines
