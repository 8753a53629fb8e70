"""What is to be evaluated, and how. A spec of the ce-optimize skill is taken as it is, and so is a short form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, FiniteFloat, ValidationInfo, field_validator, model_validator

from evalforge.batch.evaluate.fields import Direction, Metric
from evalforge.library.document import Document, Location, read_document
from evalforge.model.base import Open
from evalforge.model.errors import PackError
from evalforge.model.rules import Check

ALIASES = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
"""Short names of models, as the skill uses them."""
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")
# Sections of a ce-optimize spec that are about the search for improvements, not about measuring them.
_OTHERS = frozenset({"scope", "execution", "parallel", "dependencies", "constraints", "stopping",
                     "max_runner_up_merges_per_batch", "description"})  # fmt: skip
Count = Annotated[int, Field(strict=True, ge=0)]
Positive = Annotated[int, Field(strict=True, ge=1)]
Words = Annotated[str, Field(min_length=1, pattern=r"\S")]


class Bucket(Open):
    """How many items of one stratum are judged."""

    bucket: Words
    count: Count


class Scoring(Open):
    """Which figures are drawn from the judges' fields: one that is compared, others that are told."""

    primary: Words = "mean_score"
    secondary: tuple[Words, ...] = ()

    @field_validator("primary", "secondary")
    @classmethod
    def _known_form(cls, given: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for name in (given,) if isinstance(given, str) else given:
            Metric.named(name)
        return given


class JudgeSpec(Open):
    """The judge: its rubric, its model, what it is shown, what it may cost.

    Attributes:
        rubric: The words items are judged by.
        scoring: The figures drawn from the replies.
        model: ``haiku``, ``sonnet`` or any model's name.
        sample_size: How many items are judged; None for all. With strata, their counts decide.
        stratification: Strata and how many of each; None for a uniform sample.
        singleton_rubric: The words singletons are judged by.
        singleton_sample: How many singletons are judged; they are no part of the sample size.
        sample_seed: Fixes which items are drawn.
        batch_size: Items in one call.
        minimum_improvement: What a change of the primary figure must exceed to count.
        max_total_cost_usd: What all evaluations of this spec may cost together; None for no limit.
        scale: The lowest and highest score; None to read it from the rubric.
    """

    rubric: Words
    scoring: Scoring = Scoring()
    model: Words = "haiku"
    sample_size: Positive | None = 10
    stratification: tuple[Bucket, ...] | None = None
    singleton_rubric: str | None = None
    singleton_sample: Count = 0
    sample_seed: Annotated[int, Field(strict=True)] = 42
    batch_size: Positive = 5
    minimum_improvement: Annotated[FiniteFloat, Field(ge=0)] = 0.3
    max_total_cost_usd: Annotated[FiniteFloat, Field(ge=0)] | None = 5.0
    scale: tuple[FiniteFloat, FiniteFloat] | None = None

    @field_validator("stratification")
    @classmethod
    def _once_each(cls, given: tuple[Bucket, ...] | None) -> tuple[Bucket, ...] | None:
        names = [bucket.bucket for bucket in given or ()]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the bucket {twice!r} stands here twice")
        if given is not None and not sum(bucket.count for bucket in given):
            raise ValueError("no bucket has a count above 0: leave it out for a uniform sample")
        return given

    @field_validator("singleton_sample")
    @classmethod
    def _with_rubric(cls, given: int, info: ValidationInfo) -> int:
        if given and not (info.data.get("singleton_rubric") or "").strip():
            raise ValueError("singletons need a singleton_rubric")
        return given

    @field_validator("scale")
    @classmethod
    def _upwards(cls, given: tuple[float, float] | None) -> tuple[float, float] | None:
        if given is not None and given[0] >= given[1]:
            raise ValueError("a scale is [lowest, highest]")
        return given

    @property
    def model_name(self) -> str:
        """The model as a server knows it."""
        return ALIASES.get(self.model, self.model)

    @property
    def wanted(self) -> int | None:
        """How many items the sample is to have; None for all."""
        return self.sample_size if self.stratification is None else sum(bucket.count for bucket in self.stratification)


class Gate(Open):
    """A condition a measured value must meet before any judge is asked."""

    name: Words
    check: Check
    description: str = ""


class Measurement(Open):
    """The command that prints what is to be judged, as JSON."""

    command: Words
    timeout_seconds: Annotated[FiniteFloat, Field(gt=0)] = 600
    working_directory: str = "."


class Named(Open):
    """A measured value that is told and never gates."""

    name: Words


class Primary(Open):
    """The figure that is optimised."""

    type: Literal["hard", "judge"]
    name: str
    direction: Direction = "maximize"


class _Metric(Open):
    primary: Primary
    degenerate_gates: tuple[Gate, ...] = ()
    diagnostics: tuple[Named, ...] = ()
    judge: JudgeSpec | None = None

    @model_validator(mode="after")
    def _judged(self) -> Self:
        if self.primary.type == "judge" and self.judge is None:
            raise ValueError("metric.primary.type is judge, so metric.judge must say how to judge")
        return self


class _Whole(Open):
    name: str = ""
    metric: _Metric
    measurement: Measurement | None = None
    items: str | list[Any] | dict[str, Any] | None = None


class _Short(Open):
    name: str = ""
    judge: JudgeSpec
    degenerate_gates: tuple[Gate, ...] = ()
    diagnostics: tuple[Named, ...] = ()
    direction: Direction = "maximize"
    measurement: Measurement | None = None
    items: str | list[Any] | dict[str, Any] | None = None


@dataclass(frozen=True)
class Spec:
    """One evaluation, whichever form it was written in.

    Attributes:
        name: What evaluations of it are called; lower case and dashes.
        judge: How it is judged.
        gates: What must hold before.
        diagnostics: Names of measured values to tell.
        direction: Whether more or less of the primary figure is better.
        measurement: What prints the items, if a command does.
        items: A file, relative to ``folder``, or the items themselves.
        folder: Where the spec lies.
        warnings: What in it is odd but not wrong.
    """

    name: str
    judge: JudgeSpec
    gates: tuple[Gate, ...] = ()
    diagnostics: tuple[str, ...] = ()
    direction: Direction = "maximize"
    measurement: Measurement | None = None
    items: str | list[Any] | dict[str, Any] | None = None
    folder: Path = field(default_factory=Path)
    warnings: tuple[str, ...] = ()


def load_spec(path: Path, *, uncapped: bool = False) -> Spec:
    """Read a spec.

    Args:
        path: YAML or JSON.
        uncapped: Whether ``max_total_cost_usd: null`` is allowed.

    Raises:
        PackError: It can't be used; the error names the line.
    """
    document = read_document(path)
    data = cast("object", document.data)
    if not isinstance(data, dict):
        raise PackError(path, 1, "a spec is a mapping with judge and items, or metric and measurement")
    spec, place = _whole(document) if "metric" in data else _short(document)
    if spec.judge.max_total_cost_usd is None and not uncapped:
        line = document.line_of((*place, "max_total_cost_usd"))
        raise PackError(path, line, "max_total_cost_usd: null lifts every limit on the cost.", "If so: --uncapped")
    return spec


def _whole(document: Document) -> tuple[Spec, Location]:
    given = document.parse(_Whole)
    metric, place = given.metric, ("metric", "judge")
    if metric.judge is None or metric.primary.type == "hard":
        line = document.line_of(("metric", "primary", "type"))
        raise PackError(document.path, line, "the primary metric is hard, so there is nothing for a judge to evaluate")
    unknown = [*_unknown(document, (), given, _OTHERS), *_unknown(document, place, metric.judge)]
    primary = metric.judge.scoring.primary
    if metric.primary.name != primary:
        unknown.append(
            f"metric.primary.name is {metric.primary.name}, but judge.scoring.primary is {primary}: it counts"
        )
    spec = Spec(
        name=_slug(given.name or document.path.stem),
        judge=metric.judge,
        gates=metric.degenerate_gates,
        diagnostics=tuple(named.name for named in metric.diagnostics),
        direction=metric.primary.direction,
        measurement=given.measurement,
        items=given.items,
        folder=document.path.parent,
        warnings=(*unknown, *_oddities(metric.judge)),
    )
    return spec, place


def _short(document: Document) -> tuple[Spec, Location]:
    given = document.parse(_Short)
    unknown = [*_unknown(document, (), given, _OTHERS), *_unknown(document, ("judge",), given.judge)]
    spec = Spec(
        name=_slug(given.name or document.path.stem),
        judge=given.judge,
        gates=given.degenerate_gates,
        diagnostics=tuple(named.name for named in given.diagnostics),
        direction=given.direction,
        measurement=given.measurement,
        items=given.items,
        folder=document.path.parent,
        warnings=(*unknown, *_oddities(given.judge)),
    )
    return spec, ("judge",)


def _unknown(document: Document, place: Location, given: Open, besides: frozenset[str] = frozenset()) -> list[str]:
    """A key nobody knows is kept, as the format asks, but most often it is a misspelt one."""
    names = [name for name in given.model_extra or {} if name not in besides]
    lines = [(document.line_of((*place, name)), name) for name in names]
    return [f"{document.path}:{line}: the key {name} means nothing here" for line, name in lines]


def _oddities(judge: JudgeSpec) -> Sequence[str]:
    asked = judge.sample_size if "sample_size" in judge.model_fields_set else None
    if judge.stratification is not None and asked is not None and asked != judge.wanted:
        return (f"sample_size is {asked}, but the buckets ask for {judge.wanted}: the buckets count",)
    return ()


def _slug(name: str) -> str:
    return _NOT_IN_A_NAME.sub("-", name.lower()).strip("-")[:60] or "evaluation"
