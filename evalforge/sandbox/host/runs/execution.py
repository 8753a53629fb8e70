"""A record of what a submission executes during its trials: lines, functions, and code that isn't written in its files.

Readers should judge the code that really runs. So the host records executed lines in memory that all its children
share, and each child adds lines that are new. If Python can disable each place after its first hit (``sys.monitoring``,
since 3.12), that is exact and costs nothing. In older versions a tracer watches the first calls of each function, and
every exception, in the first part of a run. Once all functions were called and all handlers have caught something,
tracing ends. After a few runs without news, only one run in three is traced.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable, NamedTuple, Optional

from .hidden_code import AuditHook, HiddenCode, HiddenCodeLog
from .line_map import ENTERED, LINE_END, RAN, TOUCHED, FileLines, LineMap

_MAX_TRACED_LINES = 3000
_MAX_TRACED_CALLS = 6000
_LINE_TRACED_CALLS = 3
_MAX_FRUITLESS_RUNS, _SAMPLE_EVERY = 8, 3
_TOOL_NUMBER = 4  # 0, 1, 2 and 5 are reserved for debuggers, coverage, profilers and optimizers

_PLACE = re.compile(rb"[ \t]*(?:(?P<decorated>@)|(?:async[ \t]+)?def[ \t]|(?P<caught>except\b))")

_Tracer = Callable[[FrameType, str, Any], Optional[Callable[..., Any]]]


class _Place(NamedTuple):
    """A byte of the map, and the mark that it should get."""

    offset: int
    mark: int


class ExecutionRecord:
    """Records what the runs of one submission execute; the paths are relative to its folder."""

    def __init__(self, root: str, paths: list[str]) -> None:
        self.root = root
        self._prefix = os.path.join(root, "")
        self._lines = LineMap(root, paths, _read_file)
        self._hidden = HiddenCodeLog([file.path for file in self._lines.files.values()])
        self._places = {file: _places(path, file) for path, file in self._lines.files.items()}
        self._runs = self._marked = self._fruitless_runs = 0
        self._is_traced = False

    def watch(self) -> None:
        """Start recording in this process and in those it forks."""
        sys.addaudithook(AuditHook(self._prefix, self._lines, self._hidden).examine_event)
        if sys.version_info >= (3, 12):
            _monitor(self._lines)
        elif self._is_traced:
            _LineTracer(self._lines).start()

    def begin_run(self) -> None:
        """Decide in the host whether to trace the next run: all at first, then only some, until all has been seen."""
        marked = self._lines.count_marked()
        if self._is_traced:
            self._fruitless_runs = 0 if marked > self._marked else self._fruitless_runs + 1
        self._marked = marked
        self._runs += 1
        is_sampled = self._fruitless_runs < _MAX_FRUITLESS_RUNS or self._runs % _SAMPLE_EVERY == 0
        self._is_traced = is_sampled and not self._has_seen_all()

    def _has_seen_all(self) -> bool:
        """Whether every function in the executed files was called, and every handler has caught something."""
        marks = self._lines.marks
        executed = [places for file, places in self._places.items() if marks[file.start] & RAN]
        return bool(executed) and all(marks[place.offset] & place.mark for places in executed for place in places)

    def lines(self) -> dict[str, list[int]]:
        """The lines that ran, by path; line 0 is included if the file was executed."""
        return self._lines.marked_lines(RAN)

    def entered(self) -> dict[str, list[int]]:
        """The first lines of functions that were called, by path."""
        return self._lines.marked_lines(ENTERED)

    def touched(self) -> dict[str, list[int]]:
        """The lines that opened a file or the like, by path."""
        return self._lines.marked_lines(TOUCHED)

    def hidden(self) -> list[HiddenCode]:
        """The lines of the player's code that run unreadable code."""
        return self._hidden.places()


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _places(path: str, file: FileLines) -> list[_Place]:
    """The places of functions and handlers, found by their text: superfluous places only cost time."""
    places: list[_Place] = []
    is_decorated = False
    for number, line in enumerate(LINE_END.split(_read_file(path)), start=1):
        place = _PLACE.match(line)
        if not place:
            continue
        if place["caught"]:  # it may be the last line: ``except KeyError: pass``
            places.append(_Place(file.start + min(number + 1, file.line_count - 1), RAN))
        elif not is_decorated:
            places.append(_Place(file.start + number, ENTERED))
        is_decorated = bool(place["decorated"])
    return places


def _entry_mark(code: CodeType) -> int:
    """The mark for the first line of entered code; a module gets another one, as a function may begin on that line."""
    return RAN if code.co_name == "<module>" else ENTERED


def _monitor(lines: LineMap) -> None:
    """Record each line and each called function once with ``sys.monitoring``."""
    monitoring: Any = vars(sys)["monitoring"]
    files, marks = lines.files, lines.marks
    disable, events = monitoring.DISABLE, monitoring.events

    def enter(code: CodeType, _offset: int) -> object:
        file = files.get(code.co_filename)
        if file is not None and code.co_firstlineno < file.line_count:
            marks[file.start + code.co_firstlineno] |= _entry_mark(code)
            monitoring.set_local_events(_TOOL_NUMBER, code, events.LINE)
        return disable

    def run(code: CodeType, line: int) -> object:
        file = files.get(code.co_filename)
        if file is not None and line < file.line_count:
            marks[file.start + line] |= RAN
        return disable

    monitoring.use_tool_id(_TOOL_NUMBER, "record")
    monitoring.register_callback(_TOOL_NUMBER, events.PY_START, enter)
    monitoring.register_callback(_TOOL_NUMBER, events.LINE, run)
    monitoring.set_events(_TOOL_NUMBER, events.PY_START)


class _LineTracer:
    """Records lines with a trace function, which stops after a while because it costs more than most lines."""

    def __init__(self, lines: LineMap) -> None:
        self._marks = lines.marks
        self._tracers = {file.path: self._make_tracer(file) for file in lines.files.values()}
        self._lines = lines
        self._calls_by_code: dict[int, int] = {}
        self._lines_left = _MAX_TRACED_LINES
        self._calls_left = _MAX_TRACED_CALLS

    def start(self) -> None:
        """Trace this thread and those that it starts."""
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def _stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)  # pyright: ignore[reportArgumentType] - None ends it

    def _trace_call(self, frame: FrameType, event: str, _: Any) -> _Tracer | None:
        self._calls_left -= 1
        if self._calls_left < 0:
            self._stop()
            return None
        file = self._lines.file_of(frame)
        if file is None:
            return None
        code = frame.f_code
        if code.co_firstlineno < file.line_count:
            self._marks[file.start + code.co_firstlineno] |= _entry_mark(code)
        calls = self._calls_by_code.get(id(code), 0)
        self._calls_by_code[id(code)] = calls + 1
        if calls >= _LINE_TRACED_CALLS or self._lines_left < 0:
            frame.f_trace_lines = False  # an exception that reaches it turns tracing on for the handler
        return self._tracers[file.path]

    def _make_tracer(self, file: FileLines) -> _Tracer:
        marks, (_, start, line_count) = self._marks, file

        def trace(frame: FrameType, event: str, _: Any) -> _Tracer:
            if event == "line":
                if frame.f_lineno < line_count:
                    marks[start + frame.f_lineno] |= RAN
                self._lines_left -= 1
                if self._lines_left < 0:
                    frame.f_trace_lines = False
            elif event == "exception" and self._lines_left > -_MAX_TRACED_LINES:
                frame.f_trace_lines = True
            return trace

        return trace
