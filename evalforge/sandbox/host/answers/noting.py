"""Notes the answers of the player's functions, or changes those of one function."""

from __future__ import annotations

import atexit
import builtins
import copy
import inspect
import json
import numbers
import os
from collections.abc import Callable
from types import GeneratorType
from typing import Any

from .effects import Effects, arguments, frames

# Built-ins typed as ``Any``, because the types of the values are unknown.
_generator: Any = GeneratorType
_type: Any = type
_tuple: Any = tuple
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
    """Stands in each marked place: takes an answer, and passes on the same or another one."""

    def __init__(self, effects: Effects, changed: int | None) -> None:
        self._effects = effects
        self._changed = changed
        self._answers: dict[int, _Answers] = {}

    def __call__(self, number: int, value: Any) -> Any:
        """Pass on an answer of a function."""
        if type(value) is _generator:
            items: Any = value
            return (self(number, item) for item in items)
        if self._changed is None and value is not None:
            frame: Any = getattr(inspect.currentframe(), "f_back", None)
            self._note_answer(self._answers.setdefault(number, _Answers()), frame, value)
        other = _other_value(value) if number == self._changed else None
        return value if other is None else other

    def of(self, number: int, function: Callable[..., Any]) -> Callable[..., Any]:
        """A callable that passes on what another one answers, such as a bound method of a text."""
        return lambda *args, **kwargs: self(number, function(*args, **kwargs))

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
        notes = {number: list(vars(answers).values()) for number, answers in self._answers.items()}
        with open(path, "w", encoding="utf-8") as file:
            json.dump([notes, sorted(self._effects.noted), self._effects.has_read], file)


def start(root: str, name: str, changed: int | None, likely: list[Any]) -> None:
    """Stand ready for the code of a submission in ``root``; the rest is described in ``run_messages.AnswerMarks``."""
    _words[:] = likely
    effects = Effects(root)
    notes = AnswerNotes(effects, changed)
    setattr(builtins, name, notes)
    if changed is None:
        effects.watch()
        atexit.register(notes.write, os.path.join(os.getcwd(), name))


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
    if kind is int or (kind is str and len(value) <= _MAX_WORD_CHARS):
        _words.extend([value] if len(_words) < _MAX_WORDS else [])
        if other_words := [word for word in _words if type(word) is kind and word != value]:
            return other_words[0]
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
