"""What a rubric asks judges to report, and the figures that are named after it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from evalforge.model.numbers import is_finite
from evalforge.model.text import clean_line

Value = bool | int | float | str | None
Direction = Literal["maximize", "minimize"]
"""Whether more or less of a figure is better."""
SCORE = "score"
AMBIGUOUS = "ambiguous"
_USUAL_SCALE = (1.0, 5.0)
_TEXT_CAP = 400

_SCALE = re.compile(
    r"\b(?:rate|rating|score|scored|scale|grade|judge)\b[^.\n]{0,100}?(?<![\w.])(-?\d+(?:\.\d+)?)\s*(?:-|\u2013|\u2014|to|\.\.+)\s*"
    r"(\d+(?:\.\d+)?)(?![\w.]*\d)",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"^[ \t*-]*also[ \t]+(?:report|return|include|give)\b[ \t]*:?[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE
)
_NAME = re.compile(r"^[\s*`-]*(?:and\s+)?`?([A-Za-z_][A-Za-z0-9_]*)`?\s*(?:\(([^)]*)\))?")
_BULLET = re.compile(r"\A[ \t]*[-*][ \t]+(.+)(?:\n|\Z)")
_AT_LEAST = re.compile(r"^pct_(\w+?)_(\d+(?:\.\d+)?)plus$")


class Kind(StrEnum):
    """What a field holds."""

    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    ANY = "any"


class FieldError(ValueError):
    """A value that isn't what its field holds. Its message is written for the judge that will mend it."""


@dataclass(frozen=True)
class Field:
    """One field of a reply, and the range its value must lie in."""

    name: str
    kind: Kind = Kind.ANY
    low: float | None = None
    high: float | None = None

    def read(self, given: object) -> Value:
        """The value, if it is one of this field's; nothing is rounded, clamped or converted.

        Raises:
            FieldError: It isn't.
        """
        if isinstance(given, str):
            value: Value = clean_line(given, cap=_TEXT_CAP)
        elif given is None or isinstance(given, bool | int | float):
            value = given
        else:
            raise FieldError(f"{self.name} must be a plain value")
        if not self._fits(value):
            raise FieldError(f"{self.name} must be {self.words}, not {clean_line(repr(given), cap=40)}")
        return value

    def _fits(self, value: Value) -> bool:
        if self.kind is Kind.ANY:
            return value is not None and (isinstance(value, str) or is_finite(value))
        if self.kind is Kind.BOOLEAN:
            return isinstance(value, bool)
        if self.kind is Kind.TEXT:
            return isinstance(value, str)
        if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
            return False
        if self.kind is Kind.INTEGER and value != int(value):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def words(self) -> str:
        """What it must be, as one says it."""
        if self.kind is Kind.ANY:
            return "given"
        kind = {Kind.BOOLEAN: "true or false", Kind.TEXT: "a text", Kind.INTEGER: "a whole number"}.get(self.kind)
        if self.low is not None and self.high is not None:
            return f"{kind or 'a number'} from {self.low:g} to {self.high:g}"
        return kind or "a number"


class Figure(StrEnum):
    """How a figure comes from a field: each is the mean of something one item gives."""

    MEAN = "mean"
    RATE = "rate"
    SHARE = "share"


@dataclass(frozen=True)
class Metric:
    """A figure with a name such as ``mean_score``, ``ambiguous_rate`` or ``pct_scoring_4plus``."""

    name: str
    field: str
    figure: Figure
    at_least: float = 0.0

    @classmethod
    def named(cls, name: str) -> "Metric":
        """The figure with this name; a name of no special form is the mean of the field of that name.

        Raises:
            ValueError: No field can have such a name.
        """
        share = _AT_LEAST.match(name)
        if share:
            field = SCORE if share[1] == "scoring" else share[1]
            return cls(name, field, Figure.SHARE, float(share[2]))
        if name.endswith("_rate") and len(name) > 5:
            return cls(name, name.removesuffix("_rate"), Figure.RATE)
        field = name.removeprefix("mean_") if len(name) > 5 else name
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", field):
            raise ValueError(f"{name!r} names no field: use mean_FIELD, FIELD_rate, pct_FIELD_4plus or FIELD")
        return cls(name, field, Figure.MEAN)

    def of(self, values: Mapping[str, Value]) -> float | None:
        """What one item gives to the figure; None if it has no such value."""
        value = values.get(self.field)
        if not isinstance(value, bool | int | float):
            return None
        if self.figure is Figure.SHARE:
            return 100.0 * (value >= self.at_least)
        return float(value)


def sign_of(direction: Direction) -> float:
    """1 where more is better, -1 where less is: times it, the greater of two is always the better."""
    return 1.0 if direction == "maximize" else -1.0


BUILT_IN = frozenset({"singleton_false_negative_pct", "judge_cost_usd", "total_judge_cost_usd", "sample_seed"})
"""Figures that don't come from the fields of an item."""


def scale_of(rubric: str) -> tuple[float, float]:
    """The lowest and highest score a rubric speaks of; 1 to 5 if it speaks of none."""
    for match in _SCALE.finditer(rubric):
        low, high = float(match[1]), float(match[2])
        if low < high:
            return low, high
    return _USUAL_SCALE


def reported(rubric: str) -> tuple[Field, ...]:
    """The fields after "Also report:", on its line or as bullets below it."""
    found: dict[str, Field] = {}
    for match in _ALSO.finditer(rubric):
        parts = _split(match[1]) if match[1].strip() else _bullets(rubric[match.end() + 1 :])
        for part in parts:
            named = _NAME.match(part)
            if named:
                found.setdefault(named[1], Field(named[1], _kind(named[2] or "")))
    return tuple(found.values())


def _split(words: str) -> list[str]:
    """A list of words as its parts; commas within brackets part nothing."""
    return re.split(r"[,;](?![^(]*\))|\s+and\s+", words)


def _bullets(text: str) -> list[str]:
    parts: list[str] = []
    while bullet := _BULLET.match(text):
        parts.append(bullet[1])
        text = text[bullet.end() :]
    return parts


def _kind(words: str) -> Kind:
    words = words.lower()
    for kind, signs in (
        (Kind.BOOLEAN, ("bool", "true", "false", "yes")),
        (Kind.INTEGER, ("int", "count", "whole")),
        (Kind.NUMBER, ("num", "float", "decimal", "percent", "0-1", "0..1")),
        (Kind.TEXT, ("text", "string", "str", "word", "sentence", "list")),
    ):
        if any(sign in words for sign in signs):
            return kind
    return Kind.ANY


def item_fields(
    rubric: str, primary: str, secondary: tuple[str, ...], scale: tuple[float, float] | None
) -> tuple[Field, ...]:
    """Every field an item's element must have besides its id and ``ambiguous``, the score first."""
    low, high = scale or scale_of(rubric)
    main = Metric.named(primary)
    found = {main.field: _needed(main, low, high)}
    if SCORE not in found and any(Metric.named(name).field == SCORE for name in secondary):
        found[SCORE] = Field(SCORE, Kind.NUMBER, low, high)
    for field in reported(rubric):
        found.setdefault(field.name, field)
    for name in secondary:
        metric = Metric.named(name)
        if name not in BUILT_IN and found.get(metric.field, Field("")).kind in (Kind.ANY, Kind.TEXT):
            found[metric.field] = _needed(metric, None, None)
    found.pop(AMBIGUOUS, None)
    return tuple(found.values())


def _needed(metric: Metric, low: float | None, high: float | None) -> Field:
    if metric.figure is Figure.RATE:
        return Field(metric.field, Kind.BOOLEAN)
    return Field(metric.field, Kind.NUMBER, low, high)
