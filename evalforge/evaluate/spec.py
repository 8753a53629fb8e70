"""Reads a spec: what is evaluated, and how. It is a spec of the ce-optimize skill, or our short form of one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, FiniteFloat, ValidationInfo, field_validator, model_validator

from evalforge.evaluate.fields import Direction, Metric, ScaleError, item_fields
from evalforge.evaluate.measurement_spec import Gate, Measurement, Text
from evalforge.model.base import Open
from evalforge.model.errors import PackError
from evalforge.packs.document import Document, Location, read_document

ALIASES = {"haiku": "claude-haiku-5-5", "sonnet": "claude-sonnet-5-5", "opus": "claude-opus-5-5"}
"""Short names of models that the skill uses."""
_NOT_IN_A_SLUG = re.compile(r"[^a-z0-9]+")
# Sections of a ce-optimize spec that are about the search for improvements, not about measuring them.
_SEARCH_SECTIONS = frozenset({"scope", "execution", "parallel", "dependencies", "constraints", "stopping",
                     "max_runner_up_merges_per_batch", "description"})  # fmt: skip
Count = Annotated[int, Field(strict=True, ge=0)]
Positive = Annotated[int, Field(strict=True, ge=1)]


class Bucket(Open):
    """The number of items of one stratum to judge."""

    bucket: Text
    count: Count


class Scoring(Open):
    """The figures computed from the judges' fields: one that is compared, others that are only shown."""

    primary: Text = "mean_score"
    secondary: tuple[Text, ...] = ()

    @field_validator("primary", "secondary")
    @classmethod
    def _have_valid_names(cls, names: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for name in (names,) if isinstance(names, str) else names:
            Metric.from_name(name)
        return names


class JudgeSpec(Open):
    """The judge: its rubric, its models, its sample, and its budget.

    Attributes:
        model: ``haiku``, ``sonnet`` or any model's name.
        sample_size: How many items are judged; None for all. With strata, their counts decide.
        stratification: Strata and how many of each; None for a uniform sample.
        singleton_sample: How many singletons are judged; they don't count in the sample size.
        sample_seed: Determines which items are drawn.
        minimum_improvement: A change of the primary figure must exceed this to count.
        max_total_cost_usd: The most that all evaluations of this spec may cost together; None for no limit.
        scale: The lowest and highest score; None if the rubric names one clear range, such as 1-5.
        models: Several models that each judge the whole sample; empty for ``model`` alone.
        ladder: Models from the cheapest to the most expensive: each judges what the previous one was unsure of.
        prompt: ``evalforge`` for our own prompt around the rubric, ``original`` for the skill's template, verbatim.
    """

    rubric: Text
    scoring: Scoring = Scoring()
    model: Text = "haiku"
    sample_size: Positive | None = 10
    stratification: tuple[Bucket, ...] | None = None
    singleton_rubric: str | None = None
    singleton_sample: Count = 0
    sample_seed: Annotated[int, Field(strict=True)] = 42
    batch_size: Positive = 5
    minimum_improvement: Annotated[FiniteFloat, Field(ge=0)] = 0.3
    max_total_cost_usd: Annotated[FiniteFloat, Field(ge=0)] | None = 5.0
    scale: tuple[FiniteFloat, FiniteFloat] | None = None
    prompt: Literal["evalforge", "original"] = "evalforge"
    models: tuple[Text, ...] = ()
    ladder: tuple[Text, ...] = ()

    @field_validator("stratification")
    @classmethod
    def _are_unique(cls, buckets: tuple[Bucket, ...] | None) -> tuple[Bucket, ...] | None:
        names = [bucket.bucket for bucket in buckets or ()]
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            raise ValueError(f"the bucket {duplicate!r} appears twice")
        if buckets is not None and not sum(bucket.count for bucket in buckets):
            raise ValueError("no bucket has a count above 0: leave it out for a uniform sample")
        return buckets

    @field_validator("singleton_sample")
    @classmethod
    def _has_rubric(cls, count: int, info: ValidationInfo) -> int:
        if count and not (info.data.get("singleton_rubric") or "").strip():
            raise ValueError("singletons need a singleton_rubric")
        return count

    @field_validator("scale")
    @classmethod
    def _is_ascending(cls, scale: tuple[float, float] | None) -> tuple[float, float] | None:
        if scale is not None and scale[0] >= scale[1]:
            raise ValueError("a scale is [lowest, highest]")
        return scale

    @field_validator("models", "ladder")
    @classmethod
    def _are_different_models(cls, models: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if len(set(models)) != len(models) or len(models) == 1:
            raise ValueError("name two or more different models; use `model` for a single judge")
        if models and info.field_name == "ladder" and info.data.get("models"):
            raise ValueError("models and ladder can't be combined")
        return models

    @property
    def judges(self) -> tuple[str, ...]:
        """The models to ask, in this order: one, several or a ladder."""
        return self.ladder or self.models or (self.model,)

    @property
    def model_name(self) -> str:
        """The model's name at the server."""
        return ALIASES.get(self.model, self.model)

    @property
    def requested_sample_size(self) -> int | None:
        """How many items are requested; None for all."""
        return self.sample_size if self.stratification is None else sum(bucket.count for bucket in self.stratification)


class Diagnostic(Open):
    """A measured value that is shown but doesn't decide anything."""

    name: Text


class PrimaryMetric(Open):
    """The figure that is optimised."""

    type: Literal["hard", "judge"]
    name: str
    direction: Direction = "maximize"


class _MetricSection(Open):
    primary: PrimaryMetric
    degenerate_gates: tuple[Gate, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    judge: JudgeSpec | None = None

    @model_validator(mode="after")
    def _has_judge(self) -> Self:
        if self.primary.type == "judge" and self.judge is None:
            raise ValueError("metric.primary.type is judge, so metric.judge must say how to judge")
        return self


class _SpecFile(Open):
    name: str = ""
    measurement: Measurement | None = None
    items: str | list[Any] | dict[str, Any] | None = None


class _SkillSpec(_SpecFile):
    """A spec as the skill writes it."""

    metric: _MetricSection


class _ShortSpec(_SpecFile):
    """A spec in our own short form."""

    judge: JudgeSpec
    degenerate_gates: tuple[Gate, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    direction: Direction = "maximize"


@dataclass(frozen=True)
class Spec:
    """One evaluation, in whichever form it was written.

    Attributes:
        name: The name its evaluations are numbered under: lower case and dashes.
        direction: Whether more or less of the primary figure is better.
        items: A file, relative to ``folder``, or the items themselves.
        folder: The folder of the spec.
        warnings: Oddities that aren't errors.
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

    def with_model(self, model: str) -> "Spec":
        """The spec with this model as its only judge."""
        return replace(self, judge=self.judge.model_copy(update={"model": model, "models": (), "ladder": ()}))


def load_spec(path: Path, *, uncapped: bool = False) -> Spec:
    """Load a spec from a file, YAML or JSON; without a cap (``max_total_cost_usd: null``) only if ``uncapped``.

    Raises:
        PackError: The spec can't be used; the error names the line.
    """
    document = read_document(path)
    data = cast("object", document.data)
    if not isinstance(data, dict):
        raise PackError(path, 1, "a spec is a mapping with judge and items, or metric and measurement")
    is_short = "metric" not in data
    parsed = document.parse(_ShortSpec) if is_short else document.parse(_SkillSpec)
    sections = parsed if isinstance(parsed, _ShortSpec) else _judged_section(document, parsed)
    judge, place = sections.judge, ("judge",) if is_short else ("metric", "judge")
    assert judge is not None
    if judge.max_total_cost_usd is None and not uncapped:
        line = document.line_of((*place, "max_total_cost_usd"))
        raise PackError(path, line, "max_total_cost_usd: null lifts every limit on the cost.", "If so: --uncapped")
    _check_scale(document, (*place, "rubric"), judge)
    unknown_keys = [*_unknown_keys(document, (), parsed, _SEARCH_SECTIONS), *_unknown_keys(document, place, judge)]
    return Spec(
        name=_NOT_IN_A_SLUG.sub("-", (parsed.name or path.stem).lower()).strip("-")[:60] or "evaluation",
        judge=judge,
        gates=sections.degenerate_gates,
        diagnostics=tuple(diagnostic.name for diagnostic in sections.diagnostics),
        direction=sections.direction if isinstance(sections, _ShortSpec) else sections.primary.direction,
        measurement=parsed.measurement,
        items=parsed.items,
        folder=path.parent,
        warnings=(*unknown_keys, *_contradictions(sections, judge)),
    )


def _judged_section(document: Document, parsed: _SkillSpec) -> _MetricSection:
    if parsed.metric.judge is None or parsed.metric.primary.type == "hard":
        line = document.line_of(("metric", "primary", "type"))
        raise PackError(
            document.path, line, "the primary metric is measured (type: hard), so there is nothing for a judge to do"
        )
    return parsed.metric


def _check_scale(document: Document, place: Location, judge: JudgeSpec) -> None:
    """Refuse a rubric whose scale would be a guess: replies are checked against it, and figures depend on it."""
    try:
        item_fields(judge.rubric, judge.scoring.primary, judge.scoring.secondary, judge.scale)
    except ScaleError as error:
        hint = "Name the lowest and the highest score: judge.scale: [1, 5]"
        raise PackError(document.path, document.line_of(place), f"{error}.", hint) from None


def _contradictions(sections: _MetricSection | _ShortSpec, judge: JudgeSpec) -> Iterator[str]:
    primary, wanted = judge.scoring.primary, judge.requested_sample_size
    if isinstance(sections, _MetricSection) and sections.primary.name != primary:
        yield f"metric.primary.name is {sections.primary.name}, but judge.scoring.primary is {primary}: it counts"
    sample_size = judge.sample_size if "sample_size" in judge.model_fields_set else None
    if judge.stratification is not None and sample_size is not None and sample_size != wanted:
        yield f"sample_size is {sample_size}, but the buckets ask for {wanted}: the buckets count"


def _unknown_keys(
    document: Document, place: Location, section: Open, ignored: frozenset[str] = frozenset()
) -> list[str]:
    """Warn about unknown keys: the format allows them, but they are usually misspelt."""
    names = [name for name in section.model_extra or {} if name not in ignored]
    lines = [(document.line_of((*place, name)), name) for name in names]
    return [f"{document.path}:{line}: the key {name} is not allowed here" for line, name in lines]
