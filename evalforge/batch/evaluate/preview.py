"""What a run would do and cost, without asking anybody."""

from evalforge.batch.evaluate.plan import Plan
from evalforge.batch.evaluate.till import Till
from evalforge.judges.rendering import CHARACTERS_PER_TOKEN
from evalforge.model.base import Frozen


class BatchPreview(Frozen):
    """One call: which items, how long its prompt is, and what it would cost; None where the price isn't known."""

    call: str
    kind: str
    item_ids: tuple[str | int | float, ...]
    characters: int
    tokens: int
    usd: float | None
    most_usd: float | None


class Preview(Frozen):
    """A run, before it begins.

    Attributes:
        spec: The spec's name.
        rubric_hash: Of the instrument.
        model: Who would be asked.
        sample: The items, by stratum.
        populations: How many items each stratum has.
        shortages: Strata with too few items: how many there are, and how many were wanted.
        batches: The calls.
        usd: What it would usually cost.
        most_usd: What the first questions can cost at most.
        spent_usd: What evaluations of the spec have cost before.
        cap_usd: What they may cost together.
        warnings: What is worth knowing.
    """

    spec: str
    rubric_hash: str
    model: str
    sample: dict[str, tuple[str | int | float, ...]]
    populations: dict[str, int]
    shortages: dict[str, tuple[int, int]]
    batches: tuple[BatchPreview, ...]
    usd: float | None
    most_usd: float | None
    spent_usd: float
    cap_usd: float | None
    warnings: tuple[str, ...] = ()


def preview(plan: Plan, till: Till, warnings: tuple[str, ...] = ()) -> Preview:
    """What a plan comes to."""
    batches = tuple(_batch(plan, till, index) for index in range(len(plan.jobs)))
    drawn = [*plan.strata, *([plan.singletons] if plan.singletons else [])]
    return Preview(
        spec=plan.spec.name,
        rubric_hash=plan.rubric,
        model=plan.spec.judge.model_name,
        sample={one.bucket: tuple(item.item_id for item in one.items) for one in drawn},
        populations={one.bucket: one.population for one in drawn},
        shortages=plan.shortages,
        batches=batches,
        usd=_sum([batch.usd for batch in batches]),
        most_usd=_sum([batch.most_usd for batch in batches]),
        spent_usd=till.spent,
        cap_usd=till.cap,
        warnings=warnings,
    )


def _batch(plan: Plan, till: Till, index: int) -> BatchPreview:
    job = plan.jobs[index]
    request = plan.request(job)
    return BatchPreview(
        call=job.call,
        kind=job.kind.value,
        item_ids=tuple(plan.items[key].item_id for key in job.keys),
        characters=request.characters,
        tokens=int(request.characters / CHARACTERS_PER_TOKEN),
        usd=till.typical(request, len(job.keys)),
        most_usd=None if till.price is None else till.most(request),
    )


def _sum(amounts: list[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None
