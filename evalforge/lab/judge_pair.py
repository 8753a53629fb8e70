"""Two judges on one submission: parse their names, ask both, and pair their judgements by criterion."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from evalforge.judges.base import Case
from evalforge.judges.registry import JUDGES, make_judge
from evalforge.lab.submissions import LabSubmission
from evalforge.llm.model_options import ModelOptions
from evalforge.model.cost import Cost
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Event, Judged, Spent, Ungraded
from evalforge.model.result import JudgeInfo, Judgement
from evalforge.model.rubric import Criterion
from evalforge.packs.pack import BossPack

BEFORE, AFTER = "before", "after"
"""Names for the forge judging by the saved rubric, and by the drafted one."""


@dataclass(frozen=True)
class JudgeChoice:
    """One judge and the rubric it judges by.

    Attributes:
        judge: ``forge``, ``claude`` or ``panel``.
        models: The models it asks; empty for the configured ones.
        by_draft: Whether it judges by the drafted rubric instead of the saved one.
        name: Its name as the user wrote it, such as ``claude:MODEL``.
    """

    judge: str
    models: tuple[str, ...] = ()
    by_draft: bool = False
    name: str = ""

    @property
    def is_free(self) -> bool:
        """Whether asking costs nothing and takes no time."""
        return self.judge == "forge"

    def options(self, configured: ModelOptions) -> ModelOptions:
        """The model options to ask it with: the configured ones, but its own models if it names any."""
        return replace(configured, models=self.models) if self.models else configured


def parse_judge(text: str) -> JudgeChoice:
    """Parse the name of a judge: ``forge``, ``claude``, ``panel``, ``claude:MODEL``, ``before``, ``after``.

    Raises:
        UsageError: There is no judge of that name.
    """
    text = text.strip()
    if text in (BEFORE, AFTER):
        return JudgeChoice("forge", by_draft=text == AFTER, name=f"forge, {text}")
    judge, _, models = text.partition(":")
    if judge not in JUDGES or (judge == "forge" and models):
        raise UsageError(
            f"There is no judge called {text!r}.",
            "Judges: forge, claude, panel, claude:MODEL, panel:MODEL+MODEL, before, after.",
        )
    return JudgeChoice(judge, tuple(name for part in models.split("+") if (name := part.strip())), name=text)


def parse_judge_pair(text: str) -> tuple[JudgeChoice, JudgeChoice]:
    """Parse the names of two judges, separated by a comma.

    Raises:
        UsageError: There are not exactly two, or one is unknown.
    """
    names = [part for part in text.split(",") if part.strip()]
    if len(names) != 2:
        raise UsageError(f"--judges names two judges, not {len(names)}.", "For instance: --judges forge,claude")
    return parse_judge(names[0]), parse_judge(names[1])


@dataclass(frozen=True)
class JudgeAnswer:
    """One judge's answer. ``judged`` is None if it could not judge, and ``failure`` says why."""

    choice: JudgeChoice
    info: JudgeInfo | None = None
    judged: Judged | None = None
    failure: str = ""
    cost: Cost = field(default_factory=Cost)

    def judgement(self, criterion_id: str) -> Judgement | None:
        """Its judgement of one criterion, if there is one."""
        judgements = self.judged.judgements if self.judged else ()
        return next((judgement for judgement in judgements if judgement.criterion_id == criterion_id), None)


AskJudge = Callable[[str, ModelOptions, Case], AsyncGenerator[Event]]
"""Asks a judge, by its name, about a case; yields its events."""


async def judge_submission(
    choice: JudgeChoice,
    submission: LabSubmission,
    packs: tuple[BossPack, BossPack],
    models: ModelOptions,
    ask: AskJudge,
) -> JudgeAnswer:
    """Have one judge judge a submission. An unavailable judge is an answer with a ``failure``, not an error.

    Args:
        choice: The judge.
        submission: The submission with its evidence; no code is run.
        packs: The saved pack and the drafted one.
        models: The models to ask unless the choice names others.
        ask: Sends the case to the judge.
    """
    pack = packs[1] if choice.by_draft else packs[0]
    models_asked = choice.options(models)
    answer = JudgeAnswer(choice)
    try:
        info = make_judge(choice.judge, models_asked).info
        answer = replace(answer, info=info)
        async with aclosing(
            ask(choice.judge, models_asked, Case(pack, submission.submission, submission.evidence))
        ) as events:
            async for event in events:
                if isinstance(event, Spent):
                    answer = replace(answer, cost=event.cost)
                elif isinstance(event, Judged):
                    answer = replace(answer, judged=event)
                elif isinstance(event, Ungraded):
                    answer = replace(answer, failure=f"{event.reason} {event.advice}".strip())
    except EvalForgeError as error:
        return replace(answer, failure=str(error))
    if answer.judged is None and not answer.failure:
        return replace(answer, failure="It ended without a result.")
    return answer


@dataclass(frozen=True)
class CriterionPair:
    """One criterion and each judge's judgement of it, None if it gave none."""

    criterion: Criterion
    judgements: tuple[Judgement | None, Judgement | None]

    @property
    def differs(self) -> bool:
        """Whether both judged it, and gave it different levels."""
        first, other = self.judgements
        return first is not None and other is not None and first.score != other.score


def pair_criteria(
    packs: tuple[BossPack, BossPack], answers: tuple[JudgeAnswer, JudgeAnswer]
) -> tuple[CriterionPair, ...]:
    """Pair the criteria of both judges' rubrics, in the rubrics' order, each with both judgements."""
    criteria: dict[str, Criterion] = {}
    for answer in answers:
        for criterion in packs[answer.choice.by_draft].rubric.criteria:
            criteria.setdefault(criterion.id, criterion)
    return tuple(
        CriterionPair(criterion, (answers[0].judgement(name), answers[1].judgement(name)))
        for name, criterion in criteria.items()
    )
