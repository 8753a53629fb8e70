"""Outcomes of a claim's steps, and their comparison with what the claim says.

An outcome is written as a value in Python's syntax, as ``a NAME`` for an object of that class, as ``raises NAME``,
``exit status N``, ``hangs`` or ``crashes``.
"""

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evalforge.evidence.claims.data import plain_type
from evalforge.evidence.claims.expressions import data_value
from evalforge.evidence.trials.handles import Proxy, data_of, kind_of
from evalforge.evidence.trials.transcript import Transcript
from evalforge.model.text import clean_line

_RAISES = re.compile(r"raises\s+([A-Za-z_][\w.]*)", re.ASCII)
_EXIT_STATUS = re.compile(r"exit status\s+(\d{1,3})", re.ASCII)
_OBJECT = re.compile(r"an?\s+([A-Za-z_]\w*)", re.ASCII)
_MAX_CHARS = 300
_MAX_DEPTH = 60
_RELATIVE_ERROR = 1e-9


class OutcomeKind(StrEnum):
    """How the last step of a claim ended."""

    VALUE = "value"
    RAISES = "raises"
    EXIT_STATUS = "exit status"
    HANGS = "hangs"
    CRASHES = "crashes"
    OBJECT = "object"


@dataclass(frozen=True)
class Outcome:
    """The outcome of the last step.

    Attributes:
        kind: How it ended.
        value: The value, or the exit status.
        names: The classes of an exception, its own first, or the class of an object that isn't data.
    """

    kind: OutcomeKind
    value: Any = None
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The outcome as a claim would write it."""
        if self.kind is OutcomeKind.OBJECT:
            return clean_line(f"a {self.names[0]}", _MAX_CHARS)
        if self.kind is OutcomeKind.VALUE:
            shown = Transcript().literal(data_of(self.value))
            return clean_line(shown, _MAX_CHARS)
        if self.kind is OutcomeKind.RAISES:
            return clean_line(f"raises {self.names[0]}", _MAX_CHARS)
        return f"exit status {self.value}" if self.kind is OutcomeKind.EXIT_STATUS else self.kind.value

    def matches(self, other: "Outcome") -> bool:
        """Whether it is the same as another outcome; an exception also matches the name of one of its base classes."""
        if self.kind is not other.kind:
            return False
        if self.kind is OutcomeKind.RAISES:
            return other.names[0] in self.names
        if self.kind is OutcomeKind.OBJECT:
            return self.names == other.names
        return _is_same(self.value, other.value)


def value_outcome(value: Any) -> Outcome:
    """The outcome of a step that returned a value."""
    data = data_of(value)
    if isinstance(data, Proxy):
        return Outcome(OutcomeKind.OBJECT, names=(kind_of(data),))
    return Outcome(OutcomeKind.VALUE, data)


def parse_outcome(text: str) -> Outcome:
    """Parse an outcome as a claim writes it.

    Raises:
        ClaimError: The text isn't an outcome.
    """
    text = text.strip()
    if match := _RAISES.fullmatch(text):
        return Outcome(OutcomeKind.RAISES, names=(match[1].rpartition(".")[2],))
    if match := _EXIT_STATUS.fullmatch(text):
        return Outcome(OutcomeKind.EXIT_STATUS, int(match[1]))
    if text in (OutcomeKind.HANGS, OutcomeKind.CRASHES):
        return Outcome(OutcomeKind(text))
    if match := _OBJECT.fullmatch(text):
        return Outcome(OutcomeKind.OBJECT, names=(match[1],))
    return Outcome(OutcomeKind.VALUE, data_value(text))


def _is_same(left: Any, right: Any, depth: int = 0) -> bool:
    """Whether two values are the same data: numbers by value, floats within the tolerance that contracts ask for."""
    if depth > _MAX_DEPTH:
        return False
    left, right = data_of(left), data_of(right)
    if isinstance(left, Proxy) or isinstance(right, Proxy):
        return isinstance(left, Proxy) and isinstance(right, Proxy) and kind_of(left) == kind_of(right)
    if plain_type(left) is dict and plain_type(right) is dict:
        return left.keys() == right.keys() and all(
            _is_same(value, right[key], depth + 1) for key, value in left.items()
        )
    if plain_type(left) in (list, tuple) and plain_type(left) is plain_type(right):
        pairs = zip(left, right, strict=False)
        return len(left) == len(right) and all(_is_same(one, other, depth + 1) for one, other in pairs)
    if {plain_type(left), plain_type(right)} <= {int, float}:
        return _is_near(left, right)
    return plain_type(left) is plain_type(right) and bool(left == right)


def _is_near(left: float, right: float) -> bool:
    try:
        both_nan = left != left and right != right
        return both_nan or math.isclose(left, right, rel_tol=_RELATIVE_ERROR, abs_tol=0.0)
    except OverflowError:
        return left == right
