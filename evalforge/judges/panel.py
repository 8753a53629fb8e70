"""The panel: one vote if the case is clear, else three or five; the majority or the lower median decides."""

import asyncio
from collections import Counter
from fractions import Fraction

from evalforge.judges.base import Case
from evalforge.judges.claim_charges import run_claims
from evalforge.judges.model_judge import EventSink, ModelJudge, combined_opinion
from evalforge.judges.vote import Vote, VoteContext, Voter
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.model.events import Progress
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import verdict_of

_FIRST_VOTES, _MORE_VOTES, _MAX_VOTES = 1, 3, 5
_CLOSE_POINTS = 1
"""A total this close to another verdict, in points, needs more votes."""


class PanelJudge(ModelJudge):
    """Calls the chosen models in turn, for as many votes as needed."""

    _has_several_votes = True

    @property
    def info(self) -> JudgeInfo:
        """The judge's name, its models and its prompt."""
        return JudgeInfo(name="panel", model=",".join(self.options.models_to_ask), version=self._version)

    async def _collect_opinion(self, case: Case, context: VoteContext, emit: EventSink) -> Opinion:
        rubric = case.pack.rubric
        answers: list[Vote | CallFailure] = []
        while (vote_count := _votes_needed(rubric, answers)) > len(answers):
            answers += await self._ask_votes(case, context, emit, range(len(answers), vote_count))
        votes = tuple(answer for answer in answers if isinstance(answer, Vote))
        failures = [answer for answer in answers if isinstance(answer, CallFailure)]
        if len(votes) <= len(failures):
            raise CallFailedError(failures[0])
        judgements = _decisions(rubric, votes, len(answers))
        claims = await run_claims(case, (claim for vote in votes for claim in vote.claims), emit)
        opinion = combined_opinion(case, _nearest_first(votes, judgements), judgements, claims)
        withheld = [f"A vote was withheld: {failure.reason}" for failure in failures]
        return opinion.model_copy(update={"raw_notes": " ".join((opinion.raw_notes, *withheld)).strip()})

    async def _ask_votes(
        self, case: Case, context: VoteContext, emit: EventSink, vote_numbers: range
    ) -> list[Vote | CallFailure]:
        """Get further votes concurrently. Only the first vote of all is shown while it is written."""
        if vote_numbers.stop > _FIRST_VOTES:
            emit(Progress(message=f"It is close: {vote_numbers.stop} votes are asked for"))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._ask_vote(case, context, emit, number)) for number in vote_numbers]
        return [task.result() for task in tasks]

    async def _ask_vote(
        self, case: Case, context: VoteContext, emit: EventSink, vote_number: int
    ) -> Vote | CallFailure:
        models = self.options.models_to_ask
        model = models[vote_number % len(models)]
        voter = Voter(case, context, model, vote_number // len(models), emit, is_streamed=vote_number == 0)
        try:
            return await voter.vote()
        except CallFailedError as error:
            emit(Progress(message=f"A vote of {model} is withheld: {error.failure.reason}"))
            return error.failure


def _votes_needed(rubric: BossRubric, answers: list[Vote | CallFailure]) -> int:
    """How many votes are needed in all after these: one, then three, then five while they are split."""
    votes = tuple(answer for answer in answers if isinstance(answer, Vote))
    if not answers:
        return _FIRST_VOTES
    if len(answers) == _FIRST_VOTES:
        if not votes:
            return _MORE_VOTES
        (vote,) = votes
        is_uncertain = any(judgement.uncertain for judgement in vote.judgements)
        return _MORE_VOTES if is_uncertain or is_near_other_verdict(rubric, vote.judgements) else _FIRST_VOTES
    if len(answers) < _MAX_VOTES and votes and _is_split(rubric, votes, len(answers)):
        return _MAX_VOTES
    return len(answers)


def _is_split(rubric: BossRubric, votes: tuple[Vote, ...], votes_asked: int) -> bool:
    decisions = _decisions(rubric, votes, votes_asked)
    if any(
        _majority_score([to_fraction(score) for score in decision.votes], votes_asked) is None for decision in decisions
    ):
        return True
    return any(decision.ambiguous for decision in decisions) and is_near_other_verdict(rubric, decisions)


def _decisions(rubric: BossRubric, votes: tuple[Vote, ...], votes_asked: int) -> tuple[Judgement, ...]:
    """The decided judgement on each criterion, in the rubric's order."""
    return tuple(
        decide_by_votes(tuple(vote.judgements[index] for vote in votes), votes_asked)
        for index in range(len(rubric.criteria))
    )


def is_near_other_verdict(rubric: BossRubric, judgements: tuple[Judgement, ...]) -> bool:
    """Whether one point more or less would give another verdict."""
    total = sum((to_fraction(judgement.score) for judgement in judgements), Fraction(0))
    highest, threshold = to_fraction(rubric.max_score), to_fraction(rubric.overall.pass_threshold)
    lowest = sum((to_fraction(criterion.min_score) for criterion in rubric.criteria), Fraction(0))
    verdict = verdict_of(total, highest, threshold)
    neighbours = (max(lowest, total - _CLOSE_POINTS), min(highest, total + _CLOSE_POINTS))
    return any(verdict_of(neighbour, highest, threshold) is not verdict for neighbour in neighbours)


def _majority_score(scores: list[Fraction], votes_asked: int) -> Fraction | None:
    """The score that more than half of the votes asked for gave, if any; a withheld vote counts against every score."""
    score, count = Counter(scores).most_common(1)[0]
    return score if count * 2 > votes_asked else None


def decide_by_votes(judgements: tuple[Judgement, ...], votes_asked: int) -> Judgement:
    """Decide between judgements on one criterion: by strict majority, else by the lower median.

    Args:
        judgements: At least one, in the order of the votes.
        votes_asked: How many votes were asked for, including withheld ones.
    """
    scores = [to_fraction(judgement.score) for judgement in judgements]
    decided_score = _majority_score(scores, votes_asked)
    if decided_score is None:
        decided_score = sorted(scores)[(len(scores) - 1) // 2]
    decisive = next(judgement for judgement in judgements if to_fraction(judgement.score) == decided_score)
    if votes_asked == _FIRST_VOTES:
        return decisive
    return decisive.model_copy(
        update={
            "votes": tuple(judgement.score for judgement in judgements),
            "ambiguous": len(set(scores)) > 1,
            "uncertain": any(judgement.uncertain for judgement in judgements),
        }
    )


def _nearest_first(votes: tuple[Vote, ...], decisions: tuple[Judgement, ...]) -> tuple[Vote, ...]:
    """The votes, sorted by closeness to the decisions; the summary of the first is used for all."""

    def distance(vote: Vote) -> Fraction:
        pairs = zip(vote.judgements, decisions, strict=True)
        return sum((abs(to_fraction(own.score) - to_fraction(decided.score)) for own, decided in pairs), Fraction(0))

    return tuple(sorted(votes, key=distance))
