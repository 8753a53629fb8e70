"""Two judges on one hand-in: who they are, what each says, and why one may not."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from evalforge.judges.base import Case
from evalforge.judges.choice import JUDGES, make_judge
from evalforge.judges.money import Purse
from evalforge.judges.options import ModelOptions
from evalforge.lab.exhibits import Exhibit
from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Event, Judged, Spent, Ungraded
from evalforge.model.result import JudgeInfo, Judgement
from evalforge.model.rubric import Criterion

BEFORE, AFTER = "before", "after"
"""The forge by the rubric as it is saved, and as it is drafted."""


@dataclass(frozen=True)
class Contender:
    """One judge and the models it asks; ``by_draft`` says which rubric it judges by."""

    judge: str
    models: tuple[str, ...] = ()
    by_draft: bool = False
    name: str = ""

    @property
    def is_free(self) -> bool:
        """Whether asking costs nothing and takes no time."""
        return self.judge == "forge"


def contender(told: str) -> Contender:
    """A judge by its name: ``forge``, ``claude``, ``panel``, ``claude:MODEL``, ``before``, ``after``.

    Raises:
        UsageError: There is none called so.
    """
    told = told.strip()
    if told in (BEFORE, AFTER):
        return Contender("forge", by_draft=told == AFTER, name=f"forge, {told}")
    judge, _, models = told.partition(":")
    if judge not in JUDGES or (judge == "forge" and models):
        raise UsageError(
            f"There is no judge called {told!r}.",
            "Judges: forge, claude, panel, claude:MODEL, panel:MODEL+MODEL, before, after.",
        )
    return Contender(judge, tuple(name for part in models.split("+") if (name := part.strip())), name=told)


def contenders(told: str) -> tuple[Contender, Contender]:
    """Two judges, with a comma between them.

    Raises:
        UsageError: They aren't two, or one isn't known.
    """
    names = [part for part in told.split(",") if part.strip()]
    if len(names) != 2:
        raise UsageError(f"--judges names two judges, not {len(names)}.", "For instance: --judges forge,claude")
    return contender(names[0]), contender(names[1])


@dataclass(frozen=True)
class Side:
    """What one judge says. ``judged`` is None where it could not; ``why_not`` tells why."""

    contender: Contender
    info: JudgeInfo | None = None
    judged: Judged | None = None
    why_not: str = ""
    cost: Cost = field(default_factory=Cost)

    def judgement(self, criterion_id: str) -> Judgement | None:
        """Its word on one criterion."""
        judgements = self.judged.judgements if self.judged else ()
        return next((one for one in judgements if one.criterion_id == criterion_id), None)


Ask = Callable[[str, ModelOptions, Case], AsyncGenerator[Event]]
"""Asks a judge by its name about a case."""


def asking(purse: Purse) -> Ask:
    """The plain way to ask: whatever it costs comes out of this purse."""

    async def ask(name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
        async with aclosing(make_judge(name, models, purse).judge(case)) as events:
            async for event in events:
                yield event

    return ask


async def judge_side(
    who: Contender, exhibit: Exhibit, packs: tuple[BossPack, BossPack], models: ModelOptions, ask: Ask
) -> Side:
    """Have one judge judge an exhibit; never raises for one that can't be had.

    Args:
        who: The judge.
        exhibit: What is judged, with its evidence: no code is run.
        packs: The pack as it is saved, and as it is drafted.
        models: Which models are asked unless the contender names others.
        ask: How it is asked.
    """
    pack = packs[1] if who.by_draft else packs[0]
    chosen = replace(models, models=who.models) if who.models else models
    side = Side(who)
    try:
        info = make_judge(who.judge, chosen).info
        side = replace(side, info=info)
        async with aclosing(ask(who.judge, chosen, Case(pack, exhibit.submission, exhibit.evidence))) as events:
            async for event in events:
                if isinstance(event, Spent):
                    side = replace(side, cost=event.cost)
                elif isinstance(event, Judged):
                    side = replace(side, judged=event)
                elif isinstance(event, Ungraded):
                    side = replace(side, why_not=f"{event.reason} {event.advice}".strip())
    except EvalForgeError as error:
        return replace(side, why_not=str(error))
    if side.judged is None and not side.why_not:
        return replace(side, why_not="It ended without a word.")
    return side


@dataclass(frozen=True)
class Pairing:
    """One criterion as both judges see it. ``differs`` only where both have judged it."""

    criterion: Criterion
    sides: tuple[Judgement | None, Judgement | None]

    @property
    def differs(self) -> bool:
        """Whether they give different levels."""
        one, other = self.sides
        return one is not None and other is not None and one.score != other.score


def pairings(packs: tuple[BossPack, BossPack], sides: tuple[Side, Side]) -> tuple[Pairing, ...]:
    """All criteria of both sides' rubrics, in order."""
    known: dict[str, Criterion] = {}
    for side in sides:
        for criterion in packs[side.contender.by_draft].rubric.criteria:
            known.setdefault(criterion.id, criterion)
    return tuple(
        Pairing(criterion, (sides[0].judgement(name), sides[1].judgement(name))) for name, criterion in known.items()
    )
