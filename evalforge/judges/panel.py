"""The panel: one vote where it is clear, three or five where it isn't; a majority or the lower middle decides."""

import asyncio
from collections import Counter
from fractions import Fraction

from evalforge.judges.base import Case
from evalforge.judges.bench import ModelJudge, Tell, opinion_of
from evalforge.judges.failure import CallFailedError, Failure
from evalforge.judges.vote import Bench, Vote, Voter
from evalforge.model.events import Progress
from evalforge.model.numbers import exact
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import verdict_of

_FIRST, _MORE, _MOST = 1, 3, 5
_CLOSE = 1
"""A total no farther than this from another verdict is close."""


class PanelJudge(ModelJudge):
    """Asks the chosen models in turn, as often as it takes."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        return JudgeInfo(name="panel", model=",".join(self.options.panel), version=self._version)

    async def _opinion(self, case: Case, bench: Bench, tell: Tell) -> Opinion:
        rubric = case.pack.rubric
        given: list[Vote | Failure] = []
        while (wanted := _wanted(rubric, given)) > len(given):
            given += await self._votes(case, bench, tell, range(len(given), wanted), wanted)
        votes = tuple(entry for entry in given if isinstance(entry, Vote))
        if len(votes) * 2 <= len(given):
            raise CallFailedError(next(entry for entry in given if isinstance(entry, Failure)))
        withheld = [f"A vote was withheld: {entry.reason}" for entry in given if isinstance(entry, Failure)]
        judgements = tuple(
            decide(tuple(vote.judgements[index] for vote in votes), len(given)) for index in range(len(rubric.criteria))
        )
        opinion = opinion_of(case, _nearest_first(rubric, votes, judgements), judgements)
        return opinion.model_copy(update={"raw_notes": " ".join((opinion.raw_notes, *withheld)).strip()})

    async def _votes(self, case: Case, bench: Bench, tell: Tell, numbers: range, wanted: int) -> list[Vote | Failure]:
        """Further votes, side by side. The first of all is told as it is written."""
        if wanted > _FIRST:
            tell(Progress(message=f"It is close: {wanted} votes are asked for"))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._vote(case, bench, tell, number)) for number in numbers]
        return [task.result() for task in tasks]

    async def _vote(self, case: Case, bench: Bench, tell: Tell, number: int) -> Vote | Failure:
        models = self.options.panel
        model = models[number % len(models)]
        try:
            return await Voter(case, bench, model, number // len(models), tell, streamed=number == 0).vote()
        except CallFailedError as error:
            tell(Progress(message=f"A vote of {model} is withheld: {error.failure.reason}"))
            return error.failure


def _wanted(rubric: BossRubric, given: list[Vote | Failure]) -> int:
    """How many votes are wanted after those that were given: one, then three, then five while it is split."""
    votes = [entry for entry in given if isinstance(entry, Vote)]
    if not given:
        return _FIRST
    if len(given) == _FIRST:
        if not votes:
            return _MORE
        (vote,) = votes
        uncertain = any(judgement.uncertain for judgement in vote.judgements)
        return _MORE if uncertain or is_close(rubric, vote.judgements) else _FIRST
    if len(given) < _MOST and votes and _is_split(rubric, votes, len(given)):
        return _MOST
    return len(given)


def _is_split(rubric: BossRubric, votes: list[Vote], asked: int) -> bool:
    decided = tuple(
        decide(tuple(vote.judgements[index] for vote in votes), asked) for index in range(len(rubric.criteria))
    )
    undecided = any(_majority([exact(vote) for vote in judgement.votes], asked) is None for judgement in decided)
    return undecided or (any(judgement.ambiguous for judgement in decided) and is_close(rubric, decided))


def is_close(rubric: BossRubric, judgements: tuple[Judgement, ...]) -> bool:
    """Whether the total is within one of a total with another verdict."""
    total = sum((exact(judgement.score) for judgement in judgements), Fraction(0))
    top, threshold = exact(rubric.max_score), exact(rubric.overall.pass_threshold)
    lowest = sum((exact(criterion.min_score) for criterion in rubric.criteria), Fraction(0))
    verdict = verdict_of(total, top, threshold)
    neighbours = (max(lowest, total - _CLOSE), min(top, total + _CLOSE))
    return any(verdict_of(neighbour, top, threshold) is not verdict for neighbour in neighbours)


def _majority(scores: list[Fraction], asked: int) -> Fraction | None:
    """The score more than half of all asked gave; a vote that was withheld is one against every score."""
    score, count = Counter(scores).most_common(1)[0]
    return score if count * 2 > asked else None


def decide(judgements: tuple[Judgement, ...], asked: int) -> Judgement:
    """One judgement of several on the same criterion: a strict majority's, else the lower median's.

    Args:
        judgements: In the order of votes, at least one.
        asked: How many votes were asked for, those withheld included.
    """
    scores = [exact(judgement.score) for judgement in judgements]
    chosen = _majority(scores, asked)
    if chosen is None:
        chosen = sorted(scores)[(len(scores) - 1) // 2]
    words = next(judgement for judgement in judgements if exact(judgement.score) == chosen)
    if asked == _FIRST:
        return words
    return words.model_copy(
        update={
            "votes": tuple(judgement.score for judgement in judgements),
            "ambiguous": len(set(scores)) > 1,
            "uncertain": any(judgement.uncertain for judgement in judgements),
        }
    )


def _nearest_first(rubric: BossRubric, votes: tuple[Vote, ...], judgements: tuple[Judgement, ...]) -> tuple[Vote, ...]:
    """The votes, the one that agrees best with the decision first: its summary speaks for all."""

    def distance(vote: Vote) -> Fraction:
        pairs = zip(vote.judgements, judgements, strict=True)
        return sum((abs(exact(mine.score) - exact(decided.score)) for mine, decided in pairs), Fraction(0))

    return tuple(sorted(votes, key=distance))
