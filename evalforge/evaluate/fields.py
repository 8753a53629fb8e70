"""The fields a rubric asks judges to report, and the figures named after them, such as ``mean_score``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from evalforge.model.exact_numbers import is_finite
from evalforge.model.text import clean_line

Value = bool | int | float | str | None
Direction = Literal["maximize", "minimize"]
"""Whether more or less of a figure is better."""
SCORE = "score"
AMBIGUOUS = "ambiguous"
_HIGHEST_LOW_END = 1.0
"""A scale begins at 0, at 1 or below 0; other ranges in prose are years, ages or lengths."""
_MAX_TEXT_CHARS = 400

# As in: Rate each text from 1-5 for clarity; 1 (poor) to 10 (perfect); between 0 % and 100 %.
_SCALE_WORD = re.compile(
    r"\b(?:rat(?:e|ed|ing)|scor(?:e|ed|ing)s?|scale|graded?|marks?|points?|stars?)\b", re.IGNORECASE
)
_RANGE = re.compile(
    r"(?<![\w.])([-\u2212]?\d+(?:\.\d+)?)(?:\s*%)?(?:\s*\([^)]*\))?\s*(?:-|\u2013|\u2014|to\b|and\b|\.\.+)\s*"
    r"(\d+(?:\.\d+)?)(?![\w.]*\d)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n\s*(?:\n|[-*]\s)")
# As in: Also report: off_topic (boolean), word_count (int).
_ALSO = re.compile(
    r"^[ \t*-]*also[ \t]+(?:report|return|include|give)\b[ \t]*:?[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE
)
# As in: `off_topic` (boolean)
_NAME = re.compile(r"^[\s*`-]*(?:and\s+)?`?([A-Za-z_][A-Za-z0-9_]*)`?\s*(?:\(([^)]*)\))?")
# As in: - off_topic (boolean)
_BULLET = re.compile(r"\A[ \t]*[-*][ \t]+(.+)(?:\n|\Z)")
_SEPARATOR = re.compile(r"[,;](?![^(]*\))|\s+and\s+")
# As in: pct_scoring_4plus
_AT_LEAST = re.compile(r"^pct_(\w+?)_(\d+(?:\.\d+)?)plus$")


class FieldType(StrEnum):
    """The type of a field's value."""

    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    ANY = "any"


class FieldError(ValueError):
    """A value that its field doesn't allow. The message is sent to the judge, who is asked again."""


class ScaleError(ValueError):
    """A rubric whose words don't say from where to where scores go."""


@dataclass(frozen=True)
class Field:
    """One field of a reply: its type, and the allowed range of its value."""

    name: str
    type: FieldType = FieldType.ANY
    low: float | None = None
    high: float | None = None

    def read(self, raw: object) -> Value:
        """Check a value; nothing is rounded, clamped or converted.

        Raises:
            FieldError: The field doesn't allow it.
        """
        if isinstance(raw, str):
            value: Value = clean_line(raw, cap=_MAX_TEXT_CHARS)
        elif raw is None or isinstance(raw, bool | int | float):
            value = raw
        else:
            raise FieldError(f"{self.name} must be a plain value")
        if not self._fits(value):
            raise FieldError(f"{self.name} must be {self.requirement}, not {clean_line(repr(raw), cap=40)}")
        return value

    def _fits(self, value: Value) -> bool:
        if self.type is FieldType.ANY:
            return value is not None and (isinstance(value, str) or is_finite(value))
        if self.type is FieldType.BOOLEAN:
            return isinstance(value, bool)
        if self.type is FieldType.TEXT:
            return isinstance(value, str)
        if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
            return False
        if self.type is FieldType.INTEGER and value != int(value):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    @property
    def requirement(self) -> str:
        """A description of the allowed value: ``a whole number from 1 to 5``."""
        if self.type is FieldType.ANY:
            return "given"
        noun = {FieldType.BOOLEAN: "true or false", FieldType.TEXT: "a text", FieldType.INTEGER: "a whole number"}.get(
            self.type
        )
        if self.low is not None and self.high is not None:
            return f"{noun or 'a number'} from {self.low:g} to {self.high:g}"
        return noun or "a number"


class Statistic(StrEnum):
    """How a figure is computed from a field: each is the mean of something over the items."""

    MEAN = "mean"
    RATE = "rate"
    SHARE = "share"


@dataclass(frozen=True)
class Metric:
    """A figure with a name such as ``mean_score``, ``ambiguous_rate`` or ``pct_scoring_4plus``."""

    name: str
    field: str
    statistic: Statistic
    at_least: float = 0.0

    @classmethod
    def from_name(cls, name: str) -> "Metric":
        """Parse the name of a figure; a name without an affix is the mean of the field of that name.

        Raises:
            ValueError: It can't be the name of a field.
        """
        share = _AT_LEAST.match(name)
        if share:
            field = SCORE if share[1] == "scoring" else share[1]
            return cls(name, field, Statistic.SHARE, float(share[2]))
        if name.endswith("_rate") and len(name) > 5:
            return cls(name, name.removesuffix("_rate"), Statistic.RATE)
        field = name.removeprefix("mean_") if len(name) > 5 else name
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", field):
            raise ValueError(f"{name!r} is not a field: use mean_FIELD, FIELD_rate, pct_FIELD_4plus or FIELD")
        return cls(name, field, Statistic.MEAN)

    def value_for(self, values: Mapping[str, Value]) -> float | None:
        """The value one item contributes to the figure; None if it has no such value."""
        value = values.get(self.field)
        if not isinstance(value, bool | int | float):
            return None
        if self.statistic is Statistic.SHARE:
            return 100.0 * (value >= self.at_least)
        return float(value)


def direction_sign(direction: Direction) -> float:
    """1 if more is better, -1 if less is: multiplied by it, the greater of two figures is the better one."""
    return 1.0 if direction == "maximize" else -1.0


BUILT_IN = frozenset({"singleton_false_negative_pct", "judge_cost_usd", "total_judge_cost_usd", "sample_seed"})
"""Figures that are not computed from a field of the items."""


def scale_of(rubric: str) -> tuple[float, float]:
    """The lowest and highest score of a rubric: its one range, such as 1-5, in a sentence about scores.

    Raises:
        ScaleError: There is no such range, or several.
    """
    sentences = _SENTENCE_END.split(_ALSO.sub("", rubric))
    ranges = {
        (_number(match[1]), _number(match[2]))
        for sentence in sentences
        if _SCALE_WORD.search(sentence)
        for match in _RANGE.finditer(sentence)
    }
    scales = sorted((low, high) for low, high in ranges if low < high and low <= _HIGHEST_LOW_END)
    if len(scales) != 1:
        several = " and ".join(f"{low:g} to {high:g}" for low, high in scales)
        raise ScaleError(
            f"several scales could be meant: {several}" if scales else "the rubric names no scale of scores"
        )
    return scales[0]


def _number(digits: str) -> float:
    return float(digits.replace("\N{MINUS SIGN}", "-"))


def reported_fields(rubric: str) -> tuple[Field, ...]:
    """The fields after "Also report:", on the same line or as bullets below it."""
    fields: dict[str, Field] = {}
    for match in _ALSO.finditer(rubric):
        # In a sentence, commas within brackets don't separate.
        is_sentence = bool(match[1].strip())
        parts = _SEPARATOR.split(match[1]) if is_sentence else _bullets(rubric[match.end() + 1 :])
        for part in parts:
            match_of_name = _NAME.match(part)
            if match_of_name:
                name, description = match_of_name.groups()
                fields.setdefault(name, Field(name, _field_type(description or "")))
    return tuple(fields.values())


def _bullets(text: str) -> list[str]:
    parts: list[str] = []
    while bullet := _BULLET.match(text):
        parts.append(bullet[1])
        text = text[bullet.end() :]
    return parts


def _field_type(description: str) -> FieldType:
    description = description.lower()
    for field_type, keywords in (
        (FieldType.BOOLEAN, ("bool", "true", "false", "yes")),
        (FieldType.INTEGER, ("int", "count", "whole")),
        (FieldType.NUMBER, ("num", "float", "decimal", "percent", "0-1", "0..1")),
        (FieldType.TEXT, ("text", "string", "str", "word", "sentence", "list")),
    ):
        if any(keyword in description for keyword in keywords):
            return field_type
    return FieldType.ANY


def item_fields(
    rubric: str, primary: str, secondary: tuple[str, ...], scale: tuple[float, float] | None
) -> tuple[Field, ...]:
    """Return every field an item's element must have besides its id and ``ambiguous``, the score first.

    Raises:
        ScaleError: A score is asked for, no ``scale`` is given, and the rubric's words don't say one.
    """
    primary_metric = Metric.from_name(primary)
    has_score = any(Metric.from_name(name).field == SCORE for name in secondary)
    if primary_metric.statistic is Statistic.RATE and not has_score:
        low = high = None
    else:
        low, high = scale or scale_of(rubric)
    fields = {primary_metric.field: _field_for(primary_metric, low, high)}
    if SCORE not in fields and has_score:
        fields[SCORE] = Field(SCORE, FieldType.NUMBER, low, high)
    for field in reported_fields(rubric):
        fields.setdefault(field.name, field)
    for name in secondary:
        metric = Metric.from_name(name)
        if name not in BUILT_IN and fields.get(metric.field, Field("")).type in (FieldType.ANY, FieldType.TEXT):
            fields[metric.field] = _field_for(metric, None, None)
    fields.pop(AMBIGUOUS, None)
    return tuple(fields.values())


def _field_for(metric: Metric, low: float | None, high: float | None) -> Field:
    if metric.statistic is Statistic.RATE:
        return Field(metric.field, FieldType.BOOLEAN)
    return Field(metric.field, FieldType.NUMBER, low, high)
