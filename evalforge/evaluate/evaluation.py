"""The result of an evaluation: its figures, every item's fields, and how it came about."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from evalforge.evaluate.fields import Direction, Value
from evalforge.evaluate.gates import GateResult, MeasuredValue
from evalforge.model.base import Frozen

MAX_AMBIGUOUS_RATE = 0.3
"""The share of items the judge may be unsure of; beyond it nothing is concluded."""


class EvaluationOutcome(StrEnum):
    """How an evaluation ended."""

    JUDGED = "judged"
    DEGENERATE = "degenerate"
    ERROR = "error"


class ItemState(StrEnum):
    """The state of an item. Only a scored one has fields; a missing score is never a 0."""

    SCORED = "scored"
    MISSING = "missing"
    NOT_ASKED = "not asked"


class ItemResult(Frozen):
    """One item of the sample.

    Attributes:
        item_id: As it was given.
        bucket: Its stratum.
        state: Whether it has a score.
        fields: What the judge reported.
        ambiguous: Whether that is a best guess.
        reason: Why it has no score.
        by_judge: What each of several judges reported; empty where there is one.
    """

    item_id: str | int | float
    bucket: str = ""
    state: ItemState
    fields: dict[str, Value] = Field(default_factory=dict)
    ambiguous: bool = False
    reason: str = ""
    by_judge: dict[str, dict[str, Value]] = Field(default_factory=dict)


class StratumResult(Frozen):
    """One stratum: its size, what was wanted of it, drawn and scored, and the mean of the primary figure."""

    bucket: str
    population: int
    wanted: int
    drawn: int
    scored: int
    mean: float | None


class JudgeFingerprint(Frozen):
    """What decided the scores. Only figures with the same ``rubric_hash`` can be compared.

    Attributes:
        rubric_hash: Hash of the rubrics and the fields they ask for.
        prompt_hash: Hash of our own words around them.
        model: The model that was asked.
        answered_by: The models that answered, as the server named them.
        server: The server; empty for Anthropic's.
    """

    rubric_hash: str
    prompt_hash: str
    model: str
    answered_by: tuple[str, ...] = ()
    server: str = ""


class Spending(Frozen):
    """What it cost in dollars; None where the price isn't known.

    Attributes:
        usd: This evaluation, calls whose end isn't known at their most.
        total_usd: All evaluations of the spec.
        cap_usd: What they may cost together; None for no limit.
    """

    usd: float | None
    total_usd: float | None
    cap_usd: float | None


class Evaluation(Frozen):
    """A stored evaluation: its spec, its results and what they cost.

    Attributes:
        id: Its name, for ``compare``.
        spec: The spec's name.
        rubric_hash: Of the instrument; it stands in every record.
        outcome: How it ended.
        reason: Why, if it isn't ``judged``.
        advice: What to do about it.
        primary: The name of the figure that is compared.
        direction: Whether more or less of it is better.
        minimum_improvement: What a change must exceed to count.
        noise_threshold: What it must exceed besides, since measuring alone moves the figure so much.
        sample_seed: What fixed the sample.
        metrics: Every figure by name; None where it can't be told.
        coverage: The share of the sample that has a score.
        gates: The gates and how they held.
        diagnostics: Measured values that are told.
        strata: The sample by strata.
        items: Every item of the sample.
        singletons: Every singleton of its sample.
        counts: What happened on the way.
        instrument: What was measured with.
        cost: What it cost.
        warnings: What is worth knowing.
        engine: How the judges were asked.
        started_at: When it began.
        finished_at: When it ended.
        final: Whether running it again would change nothing, since all that could be asked was answered.
    """

    kind: Literal["evaluation"] = "evaluation"
    id: str
    spec: str
    rubric_hash: str
    outcome: EvaluationOutcome
    reason: str = ""
    advice: str = ""
    primary: str
    direction: Direction = "maximize"
    minimum_improvement: float
    noise_threshold: float = 0.0
    sample_seed: int
    metrics: dict[str, float | None] = Field(default_factory=dict)
    coverage: float | None = None
    gates: tuple[GateResult, ...] = ()
    diagnostics: dict[str, MeasuredValue] = Field(default_factory=dict)
    strata: tuple[StratumResult, ...] = ()
    items: tuple[ItemResult, ...] = ()
    singletons: tuple[ItemResult, ...] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    instrument: JudgeFingerprint
    cost: Spending
    warnings: tuple[str, ...] = ()
    engine: str = "messages"
    started_at: str
    finished_at: str
    final: bool = True

    @property
    def primary_value(self) -> float | None:
        """The value of the primary metric."""
        return self.metrics.get(self.primary)
