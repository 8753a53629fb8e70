"""Notes the answers of the player's functions, or changes those of one function, or raises an error in one block."""

from __future__ import annotations

import atexit
import builtins
import copy
import inspect
import json
import numbers
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from types import FrameType, GeneratorType
from typing import Any

from protocol.run_messages import AnswerMarks

from .effects import Effects, arguments, frames
from .marking import first_mark
from .shared_state import SharedState

# Built-ins typed as ``Any``, because the types of the values are unknown.
_generator: Any = GeneratorType
_type: Any = type
_tuple: Any = tuple
_FAULTS = (NameError, BufferError, ReferenceError, SystemError)
"""Kinds of errors that nobody expects, so that a handler of every kind by name takes ours, too."""
_DRIVER = "<driver>"
_HOST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_SESSION = os.path.join(_HOST, "runs", "session.py")
_MAX_TRIES = 3
_MAX_LINES = 400
_MAX_CHARS = 400
_MAX_WORDS = 20
_MAX_WORD_CHARS = 200
_words: list[Any] = []
"""Texts and whole numbers in the answers of a function: another of these is likelier than one that is made up."""


class _Answers:
    """What one function answered; ``evidence/effects`` says what each value means."""

    def __init__(self) -> None:
        self.times = 0
        self.counts = self.has_read = False
        self.lines: list[str] = []
        self.words: list[Any] = []


class AnswerNotes:
    """Called in each marked place: takes an answer, and passes on the same or another one."""

    def __init__(self, effects: Effects, marks: AnswerMarks, *, in_session: bool) -> None:
        self._effects = effects
        self.state = SharedState(effects, marks.put_back)
        self._in_session = in_session
        self._key = first_mark(marks.name)
        self._noted, self._changed = marks.noted, marks.changed
        self._raised = marks.raised
        self._error_class = type(marks.error, (KeyboardInterrupt,) if marks.is_interrupt else _FAULTS, {})
        self._error: BaseException | None = None
        self._answers: dict[int, _Answers] = {}
        self._reached: dict[int, list[tuple[str, int] | None]] = {}
        self._left: set[tuple[str, int]] = set()

    def __call__(self, mark: int, value: Any) -> Any:
        """Pass on an answer of a function; one of a function without that mark is none."""
        frame: Any = getattr(inspect.currentframe(), "f_back", None)
        return self._pass_on(mark - self._key, value, frame) if mark in frame.f_code.co_consts else value

    def _pass_on(self, number: int, value: Any, frame: Any) -> Any:
        if type(value) is _generator:
            items: Any = value
            return (self._pass_on(number, item, inspect.currentframe()) for item in items)
        if self._noted == "answers" and value is not None:
            self._note_answer(self._answers.setdefault(number, _Answers()), frame, value)
        other = _other_value(value) if number == self._changed else None
        return value if other is None else other

    def reach(self, number: int) -> None:
        """Begin a block, and end it with an error if this one is to be raised there."""
        if number == self._raised:
            error = self._error_class()
            self._error = self._error or error
            raise error
        if self._noted == "blocks" and number not in self._reached:
            self._reached[number] = [*map(self._place_or_library, frames(inspect.currentframe()))][::-1]

    def _places(self, stack: Iterable[tuple[FrameType, int]]) -> list[tuple[str, int]]:
        """The player's files and lines in a stack, in its order."""
        return [(self._effects.path_of(frame), line) for frame, line in stack if self._effects.is_players(frame)]

    def _place_or_library(self, frame: FrameType) -> tuple[str, int] | None:
        """The file and line of a frame; an empty one for ours and for imports, None for other libraries."""
        if self._effects.is_players(frame):
            return self._effects.path_of(frame), frame.f_lineno
        is_ours = frame.f_code.co_filename.startswith((_HOST, _DRIVER, "<frozen "))
        return ("", 0) if is_ours else None

    def note_call(self, frame: FrameType, event: str, _: object) -> None:
        """Note from which lines the player's code calls code of a trial; a function for ``sys.setprofile``."""
        file = frame.f_code.co_filename
        if event == "call" and (file == _DRIVER or (file == _SESSION and frame.f_code.co_name == "call")):
            self._left.update(self._places((outer, outer.f_lineno) for outer in frames(frame)))

    def of(self, mark: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """A callable that passes on what another one answers, such as a bound method of a text."""
        frame: Any = getattr(inspect.currentframe(), "f_back", None)
        if mark not in frame.f_code.co_consts:
            return function
        number = mark - self._key
        return lambda *args, **kwargs: self._pass_on(number, function(*args, **kwargs), inspect.currentframe())

    def _note_answer(self, answers: _Answers, frame: Any, value: Any) -> None:
        answers.times += 1
        answers.has_read |= self._effects.has_read
        _words.clear()
        if answers.times <= _MAX_TRIES and _other_value(value) is not None:
            is_new = not any(value is argument for argument in arguments(frame))
            answers.counts = answers.counts or (is_new and sum(map(self._effects.is_players, frames(frame))) > 1)
            answers.words += _words
        texts: list[Any] = [value] if type(value) is str else list(value) if type(value) in (list, tuple) else []
        if len(answers.lines) < _MAX_LINES:
            strings: list[str] = [text for text in texts[:_MAX_LINES] if type(text) is str]
            answers.lines += [line[:_MAX_CHARS] for text in strings for line in text.splitlines()]

    def write(self, path: str) -> None:
        """Write all notes to a file."""
        answers = {number: list(vars(answers).values()) for number, answers in self._answers.items()}
        caught = self._error and self._caught_at(list(traceback.walk_tb(self._error.__traceback__)))
        lines = [sorted(self._effects.stream_lines), sorted(self._effects.body_lines)]
        effects = [sorted(self._effects.noted), *lines, self._effects.has_read]
        places = [self._reached, sorted(self._left), caught, [*self.state.changed]]
        with open(path, "w", encoding="utf-8") as file:
            json.dump([answers, *effects, *places], file)

    def _caught_at(self, stack: list[tuple[FrameType, int]]) -> list[tuple[str, int] | None]:
        """The player's lines in an error's stack; before them a trial's code or a library, if that caught it."""
        places: list[tuple[str, int] | None] = [*self._places(stack)]
        if stack and not self._effects.is_players(stack[0][0]):
            is_trials = self._in_session and stack[0][0].f_code.co_filename in (_DRIVER, _SESSION)
            places.insert(0, ("", 0) if is_trials else None)
        return places


def start(root: str, marks: AnswerMarks, *, in_session: bool) -> None:
    """Stand ready for the code of a submission in ``root``."""
    _words[:] = marks.likely
    effects = Effects(root)
    notes = AnswerNotes(effects, marks, in_session=in_session)
    setattr(builtins, marks.name, notes)
    if marks.noted or marks.raised is not None:
        atexit.register(notes.write, os.path.join(os.getcwd(), marks.name))
    if marks.noted == "answers":
        effects.watch()
    if marks.noted == "calls":
        threading.setprofile(notes.note_call)
        sys.setprofile(notes.note_call)
    if marks.noted == "blocks":
        threading.settrace(notes.state.note_call)
        sys.settrace(notes.state.note_call)


def _other_value(value: Any) -> Any:
    """Another value of the same type; None if the type is unknown."""
    try:
        return _other(value)
    except Exception:  # noqa: BLE001 - it may be one of the player's objects
        return None


def _other(value: Any) -> Any:
    kind = _type(value)
    members = list(getattr(kind, "__members__", {}).values())
    if isinstance(value, bool):
        return not value
    word = value.value if members else value
    if type(word) is int or (type(word) is str and len(word) <= _MAX_WORD_CHARS):
        _words.extend([word] if len(_words) < _MAX_WORDS else [])
        others = [other for other in _words if type(other) is type(word) and other != word]
        others = [member for other in others for member in members if member.value == other] if members else others
        if others:
            return others[0]
    if members:
        return members[(members.index(value) + 1) % len(members)]
    if isinstance(value, numbers.Number):
        return value + 1  # pyright: ignore[reportOperatorIssue, reportUnknownVariableType] - numbers can be added
    if isinstance(value, (str, bytes)):
        turned = value[::-1]
        return turned if turned != value else value * 2 or (b"x" if kind is bytes else "x")
    return _other_collection(value, kind)


def _other_collection(value: Any, kind: Any) -> Any:
    if issubclass(kind, _tuple) and value:
        others = [_other_value(item) for item in value]
        items = [item if other is None else other for item, other in zip(value, others)]
        is_other = any(other is not None for other in others)
        return None if not is_other else kind(*items) if hasattr(kind, "_fields") else _tuple(items)
    if issubclass(kind, (list, _tuple)):
        return value[:-1] or kind([0])
    result = copy.copy(value)
    if issubclass(kind, dict):
        result.popitem() if result else result.update({"": 0})
        return result
    others = {name: _other_value(getattr(value, name, None)) for name in getattr(kind, "__dataclass_fields__", ())}
    changed = {name: other for name, other in others.items() if other is not None}
    for name, other in changed.items():
        object.__setattr__(result, name, other)
    return result if changed else None
