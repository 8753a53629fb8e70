"""The result of an evaluation: its figures, every item's fields, and how they were obtained."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from evalforge.evaluate.fields import AMBIGUOUS, Direction, Metric, Value, direction_sign
from evalforge.evaluate.gates import GateResult, MeasuredValue
from evalforge.model.base import Frozen

MAX_AMBIGUOUS_RATE = 0.3
"""The highest share of items the judge may be unsure of; above it the evaluation is inconclusive."""


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
        item_id: Its id, as it was given.
        ambiguous: Whether the judge called it a best guess.
        by_judge: What each of several judges reported; empty if there is only one.
    """

    item_id: str | int | float
    bucket: str = ""
    state: ItemState
    fields: dict[str, Value] = Field(default_factory=dict)
    ambiguous: bool = False
    reason: str = ""
    by_judge: dict[str, dict[str, Value]] = Field(default_factory=dict)

    def value_for(self, metric: Metric) -> float | None:
        """The value it contributes to a figure, where ``ambiguous`` is a field like any other; None without a score."""
        if self.state is not ItemState.SCORED:
            return None
        return metric.value_for({**self.fields, AMBIGUOUS: self.ambiguous})


class StratumResult(Frozen):
    """One stratum: its size, how many items were wanted, drawn and scored, and the mean of the primary figure."""

    bucket: str
    population: int
    wanted: int
    drawn: int
    scored: int
    mean: float | None


class JudgeFingerprint(Frozen):
    """Everything that decided the scores. Only figures with the same ``rubric_hash`` can be compared.

    Attributes:
        rubric_hash: Hash of the rubrics and the fields they ask for.
        prompt_hash: Hash of our own text around them.
        answered_by: The models that answered, as the server named them.
        server: The server; empty for Anthropic's.
    """

    rubric_hash: str
    prompt_hash: str
    model: str
    answered_by: tuple[str, ...] = ()
    server: str = ""


class Spending(Frozen):
    """The cost in dollars; None if the price is unknown.

    Attributes:
        usd: This evaluation; a call with unknown outcome counts as the most it can cost.
        total_usd: All evaluations of the spec.
        cap_usd: The most they may cost together; None for no limit.
    """

    usd: float | None
    total_usd: float | None
    cap_usd: float | None


class Evaluation(Frozen):
    """A stored evaluation: its spec, its results and what they cost.

    Attributes:
        id: Its id, for ``compare``.
        rubric_hash: The hash of rubrics and fields; every record has it.
        reason: Why its outcome isn't ``judged``.
        minimum_improvement: A change must exceed this to count.
        noise_threshold: A change must also exceed this, because repeated measuring alone changes the figure as much.
        metrics: Every figure by name; None if it is unknown.
        coverage: The share of the sample that has a score.
        diagnostics: Measured values that are only reported.
        final: Whether running it again would change nothing, because everything was answered.
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

    def value_of(self, item: ItemResult) -> float | None:
        """The value that one of its items contributes to the primary metric; None without a score."""
        return item.value_for(Metric.from_name(self.primary))

    def disagreement(self, item: ItemResult) -> float:
        """The distance between several judges in the primary metric; 0 for one judge."""
        metric = Metric.from_name(self.primary)
        values = [value for fields in item.by_judge.values() if (value := metric.value_for(fields)) is not None]
        return max(values) - min(values) if values else 0.0

    def items_to_review(self) -> list[ItemResult]:
        """Its items by how much they need review: disagreement, doubt, no score, then from the worst to the best."""

        def rank(item: ItemResult) -> tuple[float, bool, bool, float]:
            value = direction_sign(self.direction) * (self.value_of(item) or 0.0)
            return -self.disagreement(item), not item.ambiguous, item.state is ItemState.SCORED, value

        return sorted(self.items, key=rank)
