"""Notes the answers of the player's functions, or changes those of one function."""

from __future__ import annotations

import atexit
import inspect
import json
import os
import sys
from collections.abc import Callable
from types import GeneratorType
from typing import Any

from . import effects
from .other_values import known_words, other_value, words_of

NOTES_FILE = ".evalforge-answers.json"
"""The file in the working directory with the notes of a run."""
CHANGE_FILE = "evalforge-change.json"
"""The file beside this package with the number of the function whose answers are changed, and likely answers.

Without it, answers are noted.
"""
_generator: Any = GeneratorType  # typed as ``Any``, because the types of its items are unknown
_MAX_TRIES = 3
_MAX_TEXTS = 400
_MAX_CHARS = 4000


class _Answers:
    """What one function answered."""

    def __init__(self) -> None:
        self.count = 0
        self.is_changeable = False
        self.is_asked_inside = False
        self.has_read = False
        self.texts: list[str] = []
        self.words: list[Any] = []

    def add(self, value: Any) -> None:
        self.count += 1
        self.has_read = self.has_read or effects.seen.has_read
        if self.count <= _MAX_TRIES and other_value(value) is not None:
            self.is_changeable = True
            self.words += words_of(value)
        if self.count <= _MAX_TRIES:
            self.is_asked_inside = self.is_asked_inside or _has_caller()
        lines = [value] if type(value) is str else value if type(value) in (list, tuple) else []
        if len(self.texts) < _MAX_TEXTS:
            self.texts += [line[:_MAX_CHARS] for line in lines[:_MAX_TEXTS] if type(line) is str]


_answers: dict[int, _Answers] = {}
_changed: int | None = None
"""The number of the function whose answers are changed; None if answers are noted."""


def answer(number: int, value: Any) -> Any:
    """Pass on the answer of a function, or another value of its type if that function's answers are changed."""
    if type(value) is _generator:
        return (answer(number, item) for item in value)
    if number == _changed:
        other = other_value(value)
        return value if other is None else other
    if _changed is None and value is not None:
        _answers.setdefault(number, _Answers()).add(value)
    return value


def answers_of(number: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """A callable that passes on what another one answers, such as a bound method of a text."""
    return lambda *args, **kwargs: answer(number, function(*args, **kwargs))


def _has_caller() -> bool:
    """Whether the function that answers was called by the player's code, not by a trial."""
    count = 0
    frame = inspect.currentframe()
    while frame is not None and count <= 1:
        count += effects.is_players(frame.f_code.co_filename)
        frame = frame.f_back
    return count > 1


def _write_notes(folder: str) -> None:
    answers = {number: list(vars(answers).values()) for number, answers in _answers.items()}
    notes = {"answers": answers, "effects": sorted(effects.seen.effects), "has_read": effects.seen.has_read}
    with open(os.path.join(folder, NOTES_FILE), "w", encoding="utf-8") as file:
        json.dump(notes, file)


def start() -> None:
    """Start noting, or read which function's answers to change. Only the copy beside a submission calls this."""
    global _changed
    try:
        with open(os.path.join(effects.FOLDER, CHANGE_FILE), encoding="ascii") as file:
            _changed, known_words[:] = json.load(file)
    except FileNotFoundError:
        effects.watch_streams()
        sys.addaudithook(effects.note_event)
        atexit.register(_write_notes, os.getcwd())
