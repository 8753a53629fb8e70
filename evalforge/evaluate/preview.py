"""A preview of a run: what it would ask and cost. No judge is asked."""

from collections.abc import Sequence

from evalforge.evaluate.fields import Direction
from evalforge.evaluate.plan import Plan, fields_of
from evalforge.evaluate.run_budget import RunBudget
from evalforge.evaluate.steps import Job
from evalforge.llm.submission_rendering import CHARS_PER_TOKEN
from evalforge.model.base import Frozen


class BatchPreview(Frozen):
    """One call: its items, the length of its prompt, and its cost; None if the price is unknown."""

    call: str
    kind: str
    item_ids: tuple[str | int | float, ...]
    characters: int
    tokens: int
    usd: float | None
    most_usd: float | None


class Preview(Frozen):
    """A run before it begins.

    Attributes:
        primary: The figure that is compared.
        scale: The lowest and highest value of its field; None for a share of items.
        direction: Whether more or less of it is better.
        shortages: Strata with too few items: how many there are, and how many were requested.
        most_usd: The most that the first questions can cost.
    """

    spec: str
    rubric_hash: str
    model: str
    primary: str
    scale: tuple[float, float] | None
    direction: Direction
    sample: dict[str, tuple[str | int | float, ...]]
    populations: dict[str, int]
    shortages: dict[str, tuple[int, int]]
    batches: tuple[BatchPreview, ...]
    usd: float | None
    most_usd: float | None
    spent_usd: float
    cap_usd: float | None
    warnings: tuple[str, ...] = ()


def make_preview(plans: Sequence[Plan], budget: RunBudget, warnings: tuple[str, ...] = ()) -> Preview:
    """Describe what plans would send, one for each judge, and what that would cost."""
    batches = tuple(_batch_preview(plan, budget, job) for plan in plans for job in plan.jobs)
    plan = plans[0]  # all judges have the same sample
    score = fields_of(plan.spec.judge)[0]
    samples = (*plan.strata, *plan.singletons)
    return Preview(
        spec=plan.spec.name,
        rubric_hash=plan.rubric_hash,
        model=" + ".join(each.spec.judge.model_name for each in plans),
        primary=plan.spec.judge.scoring.primary,
        scale=None if score.low is None or score.high is None else (score.low, score.high),
        direction=plan.spec.direction,
        sample={sample.bucket: tuple(item.item_id for item in sample.items) for sample in samples},
        populations={sample.bucket: sample.population for sample in samples},
        shortages=plan.shortages,
        batches=batches,
        usd=_sum([batch.usd for batch in batches]),
        most_usd=_sum([batch.most_usd for batch in batches]),
        spent_usd=budget.spent_before_usd,
        cap_usd=budget.cap_usd,
        warnings=warnings,
    )


def _batch_preview(plan: Plan, budget: RunBudget, job: Job) -> BatchPreview:
    request = plan.request_for(job)
    return BatchPreview(
        call=job.call,
        kind=job.kind.value,
        item_ids=tuple(plan.items[key].item_id for key in job.keys),
        characters=request.char_count,
        tokens=int(request.char_count / CHARS_PER_TOKEN),
        usd=budget.typical_cost(request, len(job.keys)),
        most_usd=None if budget.prices[request.model] is None else budget.max_cost(request),
    )


def _sum(amounts: list[float | None]) -> float | None:
    return None if None in amounts else sum(amount or 0.0 for amount in amounts)
