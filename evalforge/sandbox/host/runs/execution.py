"""What of a submission runs while its trials do: the lines that are executed, and code that isn't written there.

Readers judge the program, and the program is what runs. So the host notes lines as they are executed, in memory that
all its children share: each child adds what the ones before it haven't shown yet. Where Python can switch off each
place after its first hit (``sys.monitoring``, 3.12) that is exact and costs nothing. Before that a tracer looks at the
first calls of each function, and at every exception, for the first part of a run; and once all functions have been
called and all handlers have caught something, no run is traced any more.

Code that has no line in a Python file of the submission can't be read by anyone. Python announces to audit hooks that
code is about to be executed, made or replaced; what the player's own code does of that is noted with its line.
"""

from __future__ import annotations

import inspect
import mmap
import opcode
import os
import re
import struct
import sys
import threading
import zlib
from types import CodeType, FrameType
from typing import Any, Callable, NamedTuple, Optional

from .line_map import LINE_END, FileLines, LineMap

RAN, ENTERED = 1, 2
"""Marks of a line: it ran; a function that begins there was called."""
_MAX_TRACED_LINES = 3000
_MAX_TRACED_CALLS = 6000
_LINE_TRACED_CALLS = 3
_TOOL_NUMBER = 4  # debuggers, coverage, profilers and optimizers have agreed on 0, 1, 2 and 5

KINDS = ("text", "data", "bytes", "native", "record")
"""What code is hidden in: a text; a file that isn't Python; bytes; a library; or it is hidden from this record."""
_NOTE = struct.Struct("<IHIBB")
_MAX_NOTES = 512
_MIN_PROGRAM_BYTES = 160
"""An expression that is evaluated is shorter than that: ``(a > 3 and b <= 2) or not c`` takes about 60 bytes."""
_MIN_RUNS = 2
_STORES = frozenset(
    opcode.opmap[name]
    for name in ("STORE_NAME", "STORE_GLOBAL", "IMPORT_NAME", "MAKE_FUNCTION", "LOAD_BUILD_CLASS")
    if name in opcode.opmap
)
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_GENERATORS = frozenset(("dataclasses.py", "collections/__init__.py", "enum.py", "functools.py", "unittest/mock.py"))
"""Modules of Python that write code themselves. All others run what somebody gave them."""
_IMPORTER = "<frozen importlib"
_LOOKS_AT_RECORD = frozenset(
    "sys.settrace sys.setprofile sys.monitoring.register_callback gc.get_objects gc.get_referrers gc.get_referents "
    "sys.addaudithook".split()
)
_PLACE = re.compile(rb"[ \t]*(?:(?P<decorated>@)|(?:async[ \t]+)?def[ \t]|(?P<caught>except\b))")
_MAKES_CODE = frozenset(("marshal.loads", "code.__new__"))

_Tracer = Callable[[FrameType, str, Any], Optional[Callable[..., Any]]]


_Note = Callable[[str, int, str, Optional[CodeType]], None]


class HiddenCode(NamedTuple):
    """A line of the player's that runs what can't be read; ``kind`` is one of ``KINDS``."""

    path: str
    line: int
    kind: str


class _Place(NamedTuple):
    """A byte of the map, and the mark that it waits for."""

    offset: int
    mark: int


class ExecutionRecord:
    """What the runs of one submission have executed so far.

    Args:
        root: The submission's folder.
        paths: Its Python files, relative to it.
    """

    def __init__(self, root: str, paths: list[str]) -> None:
        self.root = root
        self._prefix = os.path.join(root, "")
        self._lines = LineMap(root, paths, _read_file)
        self._paths = [file.path for file in self._lines.files.values()]
        self._notes = mmap.mmap(-1, _MAX_NOTES * _NOTE.size)
        self._noted: set[int] = set()
        self._places = {file: _places(path, file) for path, file in self._lines.files.items()}

    def watch(self) -> None:
        """Note from here on what this process executes, and processes that it forks."""
        sys.addaudithook(_AuditHook(self._prefix, self._lines, self._note).hear)
        if sys.version_info >= (3, 12):
            _monitor(self._lines)
        elif not self._has_seen_all():
            _LineTracer(self._lines).start()

    def _has_seen_all(self) -> bool:
        """Whether every function of the files that ran was called, and every handler has caught something."""
        marks = self._lines.marks
        executed = [places for file, places in self._places.items() if marks[file.start] & RAN]
        return bool(executed) and all(marks[place.offset] & place.mark for places in executed for place in places)

    def lines(self) -> dict[str, list[int]]:
        """The lines that ran, by path; line 0 is there if the file was executed."""
        return self._lines.marked_lines(RAN)

    def entered(self) -> dict[str, list[int]]:
        """The first lines of functions that were called, by path."""
        return self._lines.marked_lines(ENTERED)

    def hidden(self) -> list[HiddenCode]:
        """Where the player's code runs what can't be read.

        Text counts if several runs made the same code of it: what a program makes of its input differs from run to run.
        """
        found: set[HiddenCode] = set()
        for entry in _NOTE.iter_unpack(self._notes[:]):
            _, index, line, kind, runs = map(int, entry)
            if runs >= (_MIN_RUNS if KINDS[kind % len(KINDS)] == "text" else 1):
                path = self._paths[index] if index < len(self._paths) else ""
                found.add(HiddenCode(path, line, KINDS[kind % len(KINDS)]))
        return sorted(found)

    def _note(self, path: str, line: int, kind: str, code: CodeType | None) -> None:
        """Note a place once for each run; of two that share a slot the later one stays."""
        index = self._paths.index(path) if path in self._paths else len(self._paths)
        text = b"" if code is None else code.co_code + repr(code.co_names).encode("utf-8", "replace")
        key = zlib.crc32(text + f"{index} {line} {kind}".encode())
        if key in self._noted:
            return
        self._noted.add(key)
        start = key % _MAX_NOTES * _NOTE.size
        known, _, _, _, runs = _NOTE.unpack_from(self._notes, start)
        count = min(runs + 1, _MIN_RUNS) if known == key else 1
        _NOTE.pack_into(self._notes, start, key, index, line, KINDS.index(kind), count)


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _places(path: str, file: FileLines) -> list[_Place]:
    """Where functions begin and handlers follow, as far as the text shows: too many places only cost time."""
    places: list[_Place] = []
    is_decorated = False
    for number, line in enumerate(LINE_END.split(_read_file(path)), start=1):
        found = _PLACE.match(line)
        if not found:
            continue
        if found["caught"]:
            places.append(_Place(file.start + number + 1, RAN))
        elif not is_decorated:
            places.append(_Place(file.start + number, ENTERED))
        is_decorated = bool(found["decorated"])
    return places


def _entry_mark(code: CodeType) -> int:
    """What marks the first line of code that is entered; a module's may be that of its first function as well."""
    return RAN if code.co_name == "<module>" else ENTERED


def _monitor(lines: LineMap) -> None:
    """Note each line and each called function once, by the interpreter's own means."""
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
    """Notes lines with a trace function, which has to stop somewhere: it costs more than most lines."""

    def __init__(self, lines: LineMap) -> None:
        self._marks = lines.marks
        self._tracers = {file.path: self._make_tracer(file) for file in lines.files.values()}
        self._lines = lines
        self._calls_by_code: dict[int, int] = {}
        self._lines_left = _MAX_TRACED_LINES
        self._calls_left = _MAX_TRACED_CALLS

    def start(self) -> None:
        """Trace this thread and those it starts."""
        threading.settrace(self._trace_call)
        sys.settrace(self._trace_call)

    def _stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)  # pyright: ignore[reportArgumentType] - None is what ends it

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
            frame.f_trace_lines = False  # an exception that reaches it has the handler's lines traced
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


class _AuditHook:
    """Hears what Python announces: that code is executed, made, or looked at."""

    def __init__(self, prefix: str, lines: LineMap, note: _Note) -> None:
        self._prefix = prefix
        self._lines = lines
        self._note = note

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """One event."""
        if event == "exec":
            self._hear_execution(args[0], _announcing_frame())
        elif event in _MAKES_CODE or event in _LOOKS_AT_RECORD:
            frame = _announcing_frame()
            if frame.f_code.co_filename.startswith(self._prefix):
                self._note_frame(frame, "bytes" if event in _MAKES_CODE else "record", None)
        elif event in ("ctypes.dlopen", "import"):
            name = args[0] if event == "ctypes.dlopen" else args[1]
            if isinstance(name, str) and name.startswith(self._prefix):
                self._note_caller(_announcing_frame(), "native", None)

    def _hear_execution(self, code: CodeType, frame: FrameType) -> None:
        caller = frame.f_code.co_filename
        is_players = caller.startswith(self._prefix)
        file = self._lines.files.get(code.co_filename)
        if file is not None and not is_players:
            self._lines.marks[file.start] |= RAN
        elif code.co_filename.startswith(self._prefix) and file is None:
            self._note_caller(frame, "data", None)
        elif _is_program(code) and (is_players or _runs_for_others(caller, code)):
            self._note_caller(frame, "text", code)

    def _note_caller(self, frame: FrameType | None, kind: str, code: CodeType | None) -> None:
        """Note the nearest of the player's lines."""
        while frame is not None and not frame.f_code.co_filename.startswith(self._prefix):
            frame = frame.f_back
        self._note_frame(frame, kind, code)

    def _note_frame(self, frame: FrameType | None, kind: str, code: CodeType | None) -> None:
        if frame is None:
            self._note("", 0, kind, code)
        else:
            self._note(frame.f_code.co_filename[len(self._prefix) :], frame.f_lineno or 0, kind, code)


def _announcing_frame() -> FrameType:
    """The frame that does what is announced; to be called by the hook itself."""
    frame: Any = inspect.currentframe()
    return frame.f_back.f_back


def _runs_for_others(caller: str, code: CodeType) -> bool:
    """Whether a module of Python's runs what somebody else gave it, and not a file of a library."""
    if caller.startswith(_IMPORTER):
        return not os.path.isfile(code.co_filename) and not code.co_filename.startswith("<frozen")
    module = caller[len(_LIBRARY) :] if caller.startswith(_LIBRARY) else ""
    is_library = not module or module in _GENERATORS or module.startswith(("site-packages", "dist-packages"))
    return not is_library and not os.path.isfile(code.co_filename)


def _is_program(code: CodeType) -> bool:
    """Whether code does more than to evaluate a short expression: it defines, assigns or imports, or is long."""
    operations = code.co_code
    if len(operations) > _MIN_PROGRAM_BYTES:
        return True
    return any(operations[index] in _STORES for index in range(0, len(operations), 2))
