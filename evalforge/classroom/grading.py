"""The institution's points: a scale from scores to points, and the penalty for lateness. It changes no score."""

import math
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError, field_validator, model_validator

from evalforge.classroom.class_row import ClassRow, Grade
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.number_format import format_count, format_number
from evalforge.packs.yaml12 import Loader

_TIME_FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M")
_SECONDS_A_DAY = 86_400


class LateRule(Frozen):
    """The penalty for lateness, in percent of the highest grade.

    Attributes:
        deadline: The deadline, in the course platform's local time.
        grace_minutes: Minutes after the deadline that cost nothing.
        percent_per_day: The penalty for each day that has begun.
        at_most_percent: The highest penalty.
        percent_if_marked: The penalty for a submission that the platform marks as late without a time.
    """

    deadline: datetime
    grace_minutes: float = Field(default=0, ge=0)
    percent_per_day: float = Field(ge=0, le=100)
    at_most_percent: float = Field(default=100, ge=0, le=100)
    percent_if_marked: float = Field(default=0, ge=0, le=100)

    @field_validator("deadline")
    @classmethod
    def _without_zone(cls, value: datetime) -> datetime:
        if value.tzinfo is not None:
            raise ValueError("give it on the platform's own clock, without a time zone")
        return value

    def days_late(self, handed_in: str) -> int | None:
        """The number of days that have begun since the deadline; None if the time is unknown."""
        for time_format in _TIME_FORMATS:
            try:
                late = datetime.strptime(handed_in, time_format) - self.deadline  # noqa: DTZ007 - the platform's clock
            except ValueError:
                continue
            seconds = late.total_seconds() - self.grace_minutes * 60
            return max(0, math.ceil(seconds / _SECONDS_A_DAY))
        return None


class Grading(Frozen):
    """A grading scale, as its file declares it.

    Attributes:
        points: Grades for some scores of the rubric, the lowest first; grades in between are interpolated linearly.
        round_to: Grades are rounded to the nearest multiple of this, halves up; 0 for no rounding.
        late: None if lateness costs nothing.
    """

    points: dict[float, float]
    round_to: float = Field(default=0, ge=0)
    late: LateRule | None = None

    @model_validator(mode="after")
    def _checked(self) -> "Grading":
        scores = sorted(self.points)
        grades = [self.points[score] for score in scores]
        if len(scores) < 2:
            raise ValueError("points needs a grade for at least two scores")
        if grades != sorted(grades) or grades[0] < 0:
            raise ValueError("points must not fall as scores rise, and must be at least 0")
        return self

    @property
    def maximum(self) -> Fraction:
        """The highest grade."""
        return to_fraction(max(self.points.values()))

    def grade(self, row: ClassRow) -> Grade | None:
        """The grade of a row; None if it has no score."""
        if row.result is None:
            return None
        full = self._rounded(self._on_scale(to_fraction(row.result.score_total)))
        percent, reason = self._penalty(row)
        points = max(Fraction(0), self._rounded(full - self.maximum * percent / 100))
        return Grade(
            points=to_number(points),
            maximum=to_number(self.maximum),
            before_penalty=to_number(full),
            penalty_percent=to_number(percent),
            late=reason,
        )

    def _on_scale(self, score: Fraction) -> Fraction:
        steps = [(to_fraction(point), to_fraction(self.points[point])) for point in sorted(self.points)]
        if score <= steps[0][0]:
            return steps[0][1]
        for (low, low_grade), (high, high_grade) in pairwise(steps):
            if score <= high:
                return low_grade + (high_grade - low_grade) * (score - low) / (high - low)
        return steps[-1][1]

    def _rounded(self, grade: Fraction) -> Fraction:
        if not self.round_to:
            return grade
        step = to_fraction(self.round_to)
        return math.floor(grade / step + Fraction(1, 2)) * step

    def _penalty(self, row: ClassRow) -> tuple[Fraction, str]:
        """The penalty in percent of the highest grade, and its reason."""
        rule = self.late
        if rule is None:
            return Fraction(0), ""
        days = rule.days_late(row.handed_in)
        if days is None:
            if not row.is_late:
                return Fraction(0), ""
            return to_fraction(rule.percent_if_marked), "marked as late"
        if not days:
            return Fraction(0), ""
        percent = min(to_fraction(rule.percent_per_day) * days, to_fraction(rule.at_most_percent))
        return percent, f"{format_count(days, 'day')} late"


def read_grading(path: Path) -> Grading:
    """Read a grading scale (YAML).

    Raises:
        UsageError: It can't be read, or isn't one.
    """
    try:
        document: Any = yaml.load(path.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader of ours
        return Grading.model_validate(document)
    except OSError as error:
        raise UsageError(f"--grading {path} can't be read ({error.strerror}).") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"--grading {path} is not valid YAML: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        setting = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(f"--grading {path}: {setting}: {first['msg'].removeprefix('Value error, ')}.") from None


def grade_words(grade: Grade) -> str:
    """Describe a grade and how it is composed in a sentence."""
    text = f"Grade: {format_number(grade.points)} of {format_number(grade.maximum)}"
    if not grade.penalty_percent:
        return f"{text}."
    full, percent = format_number(grade.before_penalty), format_number(grade.penalty_percent)
    return f"{text} ({full} less {percent} % of {format_number(grade.maximum)}: {grade.late})."
