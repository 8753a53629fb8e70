"""Detection of hidden code: code without a line in any Python file of the submission, which nobody can read.

Python announces to audit hooks that code is about to be executed, created or replaced. If the player's code does that,
the line is noted in memory that all runs share.
"""

from __future__ import annotations

import dis
import inspect
import mmap
import opcode
import os
import struct
import zlib
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, Callable, NamedTuple

from .line_map import RAN, LineMap
from .outside_world import TOUCHING_EVENTS, mark_touching_line

KINDS = ("text", "data", "bytes", "native", "record", "process")
"""The kinds of hidden code: text, a file that isn't Python, bytes, a native library, ``record``, or another process.

The kind ``record`` is code that looks at the record of execution, or hides from it.
"""
_MARKS = (*KINDS, "part", "making")
"""Kinds of notes; ``part`` is a part of code made from a text, and ``making`` a line that made such code."""
_NOTE = struct.Struct("<IHIBB")
_MAX_NOTES = 1024
_MAX_RUNS = 255
_MIN_PROGRAM_BYTES = 160
"""Evaluated expressions are shorter than this: ``(a > 3 and b <= 2) or not c`` takes about 60 bytes."""
_MIN_RUNS = 2
_MIN_RUNS_OF_PART = 3
_PART_INSTRUCTIONS = 24
_MAX_INSTRUCTIONS = 4000
_MAX_PARTS = 16
_MAX_WORD_CHARS = 80
_MAX_TEXTS = 40
"""The most texts per run whose parts are compared; each costs about a millisecond."""
_STORES = frozenset(
    opcode.opmap[name]
    for name in ("STORE_NAME", "STORE_GLOBAL", "IMPORT_NAME", "MAKE_FUNCTION", "LOAD_BUILD_CLASS")
    if name in opcode.opmap
)
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_GENERATORS = frozenset(("dataclasses.py", "collections/__init__.py", "enum.py", "functools.py", "unittest/mock.py"))
"""Python's modules that generate code themselves, if used as intended. All others run code that callers pass in."""
_IMPORTER = "<frozen importlib"
_LOOKS_AT_RECORD = frozenset(
    "sys.settrace sys.setprofile sys.monitoring.register_callback gc.get_objects gc.get_referrers gc.get_referents "
    "sys.addaudithook".split()
)
_MAKES_CODE = frozenset(("marshal.loads", "code.__new__"))
_STARTS_PROGRAM = frozenset(("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system"))
_Examine = Callable[[FrameType, tuple[Any, ...]], object]


class HiddenCode(NamedTuple):
    """A line of the player's that runs unreadable code; ``kind`` is one of ``KINDS``."""

    path: str
    line: int
    kind: str


class HiddenCodeLog:
    """Notes of the places that run unreadable code, each counted once per run.

    A text counts if several runs made the same code from it, wholly or in part: code made from input differs between
    runs, but code that the author wrote doesn't.
    """

    def __init__(self, paths: list[str]) -> None:
        self._paths = paths
        self._notes = mmap.mmap(-1, _MAX_NOTES * _NOTE.size)
        self._noted: set[int] = set()

    def places(self) -> list[HiddenCode]:
        """The places found so far."""
        notes = list(self._read_notes())
        making = {(index, line): runs for index, line, mark, runs in notes if mark == "making"}
        hidden_code: set[HiddenCode] = set()
        for index, line, mark, runs in notes:
            min_runs = {"text": _MIN_RUNS, "part": max(_MIN_RUNS_OF_PART, making.get((index, line), 0) // 2)}
            if mark != "making" and runs >= min_runs.get(mark, 1):
                path = self._paths[index] if index < len(self._paths) else ""
                hidden_code.add(HiddenCode(path, line, "text" if mark == "part" else mark))
        return sorted(hidden_code)

    def _read_notes(self) -> Iterator[tuple[int, int, str, int]]:
        """The path's index, line, mark and number of runs of each note; a child may have written anything."""
        for _, index, line, mark, runs in _NOTE.iter_unpack(self._notes[:]):
            yield int(index), int(line), _MARKS[mark] if mark < len(_MARKS) else "record", int(runs)

    def record(self, path: str, line: int, kind: str, code: CodeType | None) -> None:
        """Note a place, and the code that it runs if that was made from a text."""
        index = self._paths.index(path) if path in self._paths else len(self._paths)
        text = b"" if code is None else code.co_code + repr(code.co_names).encode("utf-8", "replace")
        is_new = self._count(text, index, line, kind)
        if code is not None and is_new and len(self._noted) < _MAX_TEXTS * _MAX_PARTS:
            self._count(b"", index, line, "making")
            for part in sorted(set(_parts(code)))[:_MAX_PARTS]:  # the smallest, so that all runs choose the same ones
                self._count(part.to_bytes(4, "big"), index, line, "part")

    def _count(self, text: bytes, index: int, line: int, kind: str) -> bool:
        """Count a run once for a note, and return whether it is new; a later note replaces one in the same slot."""
        key = zlib.crc32(text + f"{index} {line} {kind}".encode())
        if key in self._noted:
            return False
        self._noted.add(key)
        start = key % _MAX_NOTES * _NOTE.size
        stored_key, _, _, _, runs = _NOTE.unpack_from(self._notes, start)
        count = min(runs + 1, _MAX_RUNS) if stored_key == key else 1
        _NOTE.pack_into(self._notes, start, key, index, line, _MARKS.index(kind), count)
        return True


def _parts(code: CodeType) -> Iterator[int]:
    """Yield a hash of each stretch of instructions, including those in inner functions."""
    words = [_word(instruction) for instruction in dis.get_instructions(code)][:_MAX_INSTRUCTIONS]
    for start in range(max(1, len(words) - _PART_INSTRUCTIONS + 1)):
        yield zlib.crc32("\n".join(words[start : start + _PART_INSTRUCTIONS]).encode("utf-8", "replace"))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)


def _word(instruction: dis.Instruction) -> str:
    """An instruction without its position: jump targets are left out, and long values cut."""
    value = instruction.argval
    if instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs:
        return instruction.opname
    if type(value) is str:
        return f"{instruction.opname} {value[:_MAX_WORD_CHARS]}"
    return f"{instruction.opname} {hash(value) if type(value) is int else type(value).__name__}"


class AuditHook:
    """An audit hook that notes when the player's code executes or creates code, or looks at the record."""

    def __init__(self, prefix: str, lines: LineMap, log: HiddenCodeLog) -> None:
        self._prefix = prefix
        self._lines = lines
        self._note = log.record
        self._examine_by_event: dict[str, _Examine] = {
            "exec": lambda frame, args: self._hear_execution(args[0], frame),
            "function.__new__": lambda frame, args: self._hear_new_function(args[0], frame),
            "object.__setattr__": self._hear_attribute,
            "ctypes.dlopen": lambda frame, args: self._hear_library(args[0], frame),
            "import": lambda frame, args: self._hear_library(args[1], frame),
            **dict.fromkeys(_MAKES_CODE, lambda frame, args: self._note_own(frame, "bytes")),
            **dict.fromkeys(_LOOKS_AT_RECORD, lambda frame, args: self._note_own(frame, "record")),
            **dict.fromkeys(TOUCHING_EVENTS, lambda frame, args: mark_touching_line(lines, frame, args)),
            **dict.fromkeys(_STARTS_PROGRAM, lambda frame, args: self._note_caller(frame, "process", None)),
        }

    def examine_event(self, event: str, args: tuple[Any, ...]) -> None:
        """Handle one audit event: note hidden code, and mark lines that touch the outside world."""
        examine = self._examine_by_event.get(event)
        if examine is not None:  # most events, such as each look at a frame's code, are nothing to it
            frame: Any = inspect.currentframe()
            examine(frame.f_back, args)

    def _hear_attribute(self, frame: FrameType, args: tuple[Any, ...]) -> None:
        if args[1] == "__code__":
            self._hear_new_function(args[2], frame)

    def _hear_library(self, path: object, frame: FrameType) -> None:
        if isinstance(path, str) and path.startswith(self._prefix):
            self._note_caller(frame, "native", None)

    def _note_own(self, frame: FrameType, kind: str) -> None:
        """Note a line of the player's own; what a library does there is its affair."""
        if frame.f_code.co_filename.startswith(self._prefix):
            self._note_frame(frame, kind, None)

    def _hear_execution(self, code: CodeType, frame: FrameType) -> None:
        caller = frame.f_code.co_filename
        is_players = caller.startswith(self._prefix)
        file = self._lines.files.get(code.co_filename)
        if file is not None and not is_players:
            self._lines.marks[file.start] |= RAN
        elif code.co_filename.startswith(self._prefix) and file is None:
            self._note_caller(frame, "data", None)
        elif _is_program(code) and (is_players or _runs_for_others(frame, code)):
            self._note_caller(frame, "text", code)

    def _hear_new_function(self, code: CodeType, frame: FrameType) -> None:
        """Note code that becomes a function, because calls of it aren't announced as executed code."""
        if frame.f_code.co_filename.startswith(self._prefix) and _is_program(code) and not _is_written(code):
            self._note_frame(frame, "text", code)

    def _note_caller(self, frame: FrameType | None, kind: str, code: CodeType | None) -> None:
        """Note the player's innermost line in the stack."""
        while frame is not None and not frame.f_code.co_filename.startswith(self._prefix):
            frame = frame.f_back
        self._note_frame(frame, kind, code)

    def _note_frame(self, frame: FrameType | None, kind: str, code: CodeType | None) -> None:
        if frame is None:
            self._note("", 0, kind, code)
        else:
            self._note(frame.f_code.co_filename[len(self._prefix) :], frame.f_lineno or 0, kind, code)


def _is_written(code: CodeType) -> bool:
    """Whether code is in the file that it names, such as that of a copied function."""
    try:
        with open(code.co_filename, "rb") as file:
            codes = [compile(file.read(), code.co_filename, "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for nested_code in codes:  # the list grows during the loop
        codes += [constant for constant in nested_code.co_consts if isinstance(constant, CodeType)]
    return code in codes[1:]


def _runs_for_others(frame: FrameType, code: CodeType) -> bool:
    """Whether one of Python's modules runs code from elsewhere that isn't in a file of a library."""
    caller = frame.f_code.co_filename
    if caller.startswith(_IMPORTER):
        return not os.path.isfile(code.co_filename) and not code.co_filename.startswith("<frozen")
    module = caller[len(_LIBRARY) :] if caller.startswith(_LIBRARY) else ""
    # A mock or a dispatcher may call exec without naming it, if it is passed in.
    is_its_own = not {"exec", "eval"}.isdisjoint(frame.f_code.co_names)
    is_generator = module in _GENERATORS and is_its_own and not _is_private(_entry_function_name(frame))
    is_library = not module or is_generator or module.startswith(("site-packages", "dist-packages"))
    return not is_library and not os.path.isfile(code.co_filename)


def _entry_function_name(frame: FrameType) -> str:
    """The name of the function by which the running module was entered."""
    while frame.f_back is not None and frame.f_back.f_code.co_filename == frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_name


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _is_program(code: CodeType) -> bool:
    """Whether code does more than evaluate a short expression: it defines, assigns or imports, or is long."""
    operations = code.co_code
    if len(operations) > _MIN_PROGRAM_BYTES:
        return True
    return any(operations[index] in _STORES for index in range(0, len(operations), 2))
