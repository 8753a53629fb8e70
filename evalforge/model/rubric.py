"""The rubric: criteria, each with levels that say what a submission has to show."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from evalforge.model.base import Open
from evalforge.model.exact_numbers import Score, to_fraction, to_number


class Level(Open):
    """One level of a criterion.

    Attributes:
        score: Its points.
        description: What a submission at this level has.
        lacks: What it still lacks for a higher level; empty if the description says it.
    """

    score: Score
    label: str = Field(min_length=1)
    description: str = Field(min_length=1)
    lacks: str = Field(default="", exclude_if=lambda text: not text)

    @property
    def full_description(self) -> str:
        """What a submission at this level has and still lacks."""
        return f"{self.description.strip()} {self.lacks.strip()}".rstrip()

    @property
    def asked(self) -> str:
        """The level's description without its name, to say what the next level needs."""
        return f"{self.label}: {self.description}"


class Signals(Open):
    """Examples of strong evidence for or against a high level."""

    strong_positive: tuple[str, ...] = ()
    strong_negative: tuple[str, ...] = ()


class Criterion(Open):
    """One criterion of the rubric, with its levels."""

    id: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=80)
    label: str = Field(min_length=1)
    weight: float | None = Field(default=None, ge=0, le=1)
    description: str = ""
    levels: tuple[Level, ...]
    signals: Signals = Signals()

    @field_validator("levels")
    @classmethod
    def _levels_distinct_and_ordered(cls, levels: tuple[Level, ...]) -> tuple[Level, ...]:
        if not levels:
            raise ValueError("a criterion needs at least one level")
        scores = [to_fraction(level.score) for level in levels]
        if len(set(scores)) != len(scores):
            raise ValueError("two levels of this criterion have the same score")
        return tuple(sorted(levels, key=lambda level: to_fraction(level.score)))

    @property
    def max_score(self) -> int | float:
        """The score of the highest level."""
        return self.levels[-1].score

    @property
    def min_score(self) -> int | float:
        """The score of the lowest level."""
        return self.levels[0].score

    def level(self, score: float) -> Level:
        """The level with this score.

        Raises:
            KeyError: No level has it.
        """
        for level in self.levels:
            if to_fraction(level.score) == to_fraction(score):
                return level
        raise KeyError(f"criterion {self.id} has no level {score}")

    @property
    def halfway_levels(self) -> tuple[Level, ...]:
        """The levels halfway between two neighbours. A person may give one; a judge may not."""
        return tuple(_halfway_level(lower, upper) for lower, upper in pairwise(self.levels))

    def levels_with(self, scores: Iterable[float]) -> tuple[Level, ...]:
        """All levels, the lowest first, and those halfway levels that are among the scores."""
        exact_scores = {to_fraction(score) for score in scores}
        halfway = [level for level in self.halfway_levels if to_fraction(level.score) in exact_scores]
        return tuple(sorted((*self.levels, *halfway), key=lambda level: to_fraction(level.score)))

    def level_label(self, score: float) -> str:
        """The label of the level with this score, which may be a halfway level; empty if there is none."""
        return next((level.label for level in self.levels_with([score]) if level.score == score), "")

    def next_level(self, score: float) -> Level | None:
        """The level above this score, or None at the top."""
        return next((level for level in self.levels if to_fraction(level.score) > to_fraction(score)), None)


def _halfway_level(lower: Level, upper: Level) -> Level:
    return Level(
        score=to_number((to_fraction(lower.score) + to_fraction(upper.score)) / 2),
        label=f"between {lower.label} and {upper.label}",
        description=f"More than {lower.asked.rstrip('.')}. Not all of {upper.asked}",
    )


class Overall(Open):
    """How the total of all criteria is interpreted."""

    pass_threshold: Score
    max_score: Score | None = None
    notes: str = ""


def _error_at(location: tuple[str | int, ...], message: str) -> ValidationError:
    """The error for a validator of the whole rubric to raise about one place in it."""
    error = PydanticCustomError("unscorable", "{message}", {"message": message})
    return ValidationError.from_exception_data("rubric", [InitErrorDetails(type=error, loc=location, input=None)])


class BossRubric(Open):
    """A complete rubric. Validation refuses one that can't be scored."""

    rubric_id: str = Field(min_length=1)
    overall: Overall
    criteria: tuple[Criterion, ...]

    @model_validator(mode="after")
    def _can_be_scored(self) -> Self:
        if not self.criteria:
            raise ValueError("a rubric needs at least one criterion")
        ids = [criterion.id for criterion in self.criteria]
        for index, name in enumerate(ids):
            if name in ids[:index]:
                raise _error_at(("criteria", index, "id"), f"{name!r} is used more than once")
        if to_fraction(self.max_score) <= 0:
            raise ValueError("the highest levels add up to nothing: score_max must be above 0")
        if to_fraction(self.overall.pass_threshold) > to_fraction(self.max_score):
            message = f"{self.overall.pass_threshold} is above the highest possible total {self.max_score}"
            raise _error_at(("overall", "pass_threshold"), message)
        return self

    @property
    def max_score(self) -> int | float:
        """The sum of each criterion's highest level; the ``overall.max_score`` of the file is ignored."""
        return to_number(sum((to_fraction(c.max_score) for c in self.criteria), to_fraction(0)))

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the criteria by id."""
        return {criterion.id: criterion.label for criterion in self.criteria}

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion with this id.

        Raises:
            KeyError: The rubric has no such criterion.
        """
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(criterion_id)
