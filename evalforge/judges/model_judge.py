"""What all model judges share: checks before a model is called, the context of the votes, and the end of a judging."""

import asyncio
import io
import secrets
import time
import tokenize
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from fractions import Fraction

from evalforge.judges.base import Case, criterion_event, judged_event
from evalforge.judges.claim_charges import charge_claims, claim_notes, run_claims
from evalforge.judges.comments import as_sentence, summary_of_judgements
from evalforge.judges.expected_evidence import expected_case
from evalforge.judges.forge import forge_opinion
from evalforge.judges.injection_scan import find_suspicious_lines, suspicion_report
from evalforge.judges.lowering import contradiction_notes, lowering_notes
from evalforge.judges.plain_prose import plain_prose
from evalforge.judges.prompt import build_prompt, prompt_hash
from evalforge.judges.reply import Improvement, sentences
from evalforge.judges.reply_cache import ReplyCache, cache_key
from evalforge.judges.verdict_bound import hold_verdict
from evalforge.judges.vote import Vote, VoteContext, Voter, first_request
from evalforge.llm.budget import Budget, Usage, retirement_notes
from evalforge.llm.failure import CallFailedError
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.response_format import FormatNegotiation, ResponseFormat
from evalforge.llm.retry import LOCAL_RETRY_POLICY, RetryPolicy
from evalforge.llm.sdk_client import Client
from evalforge.llm.usage_recorder import UsageRecorder
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.model.events import Event, Progress, Spent, Ungraded
from evalforge.model.evidence import ClaimResult
from evalforge.model.exact_numbers import to_fraction
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.submission import Submission

MODEL_JUDGE_VERSION = "1"
_MIN_PROGRAM_TOKENS = 12
"""The fewest names, numbers and operators that count as a program to read."""
_FILLER_TOKENS = ("pass", "...", ":", ",")
_MIN_SENTENCES, _MAX_SENTENCES = 2, 4
_MIN_IMPROVEMENTS, _MAX_IMPROVEMENTS = 2, 5

EventSink = Callable[[Event], None]
"""Takes each event of a judging as it happens."""


class ModelJudge(ABC):
    """Base of the judges that call models.

    Args:
        options: Which models to call, on which server, at what cost.
        budget: What the session has spent; a new one if None.
        retry_policy: How often and how long to retry calls; by the kind of server if None.
        formats: Which reply formats work with which server; the stored ones if None.
        reply_cache: Replies given before; the stored ones if None.
    """

    def __init__(
        self,
        options: ModelOptions,
        budget: Budget | None = None,
        retry_policy: RetryPolicy | None = None,
        formats: FormatNegotiation | None = None,
        reply_cache: ReplyCache | None = None,
    ) -> None:
        self.options = options
        self._budget = budget or Budget()
        self._retry_policy = retry_policy or (LOCAL_RETRY_POLICY if options.is_local else RetryPolicy())
        self._formats = formats or FormatNegotiation()
        self._reply_cache = reply_cache or ReplyCache()
        self.cost = Cost()

    _has_several_votes = False

    @property
    @abstractmethod
    def info(self) -> JudgeInfo:
        """The judge's name, its models and its prompt."""

    @abstractmethod
    async def _collect_opinion(self, case: Case, context: VoteContext, emit: EventSink) -> Opinion:
        """Get the votes and combine them into one opinion.

        Raises:
            CallFailedError: Too few models gave a usable reply.
        """

    @property
    def _version(self) -> str:
        return f"{MODEL_JUDGE_VERSION}-{prompt_hash()}"

    async def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge a case: provisional judgements while the model writes, then final ones, then the end.

        Closing the stream cancels the call to the model.
        """
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._run(case, events.put_nowait))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def refusal(self, case: Case) -> Ungraded | None:
        """Why no model would be called, known before anything is measured: no price, or no room in the budget."""
        if is_too_small(case.submission):
            return None
        recorder = UsageRecorder(self.options, self._budget, lambda _: None)
        prompt = build_prompt(expected_case(case), "0" * 16)
        model = self.options.models_to_ask[0]
        if self._reply_cache.load(cache_key(case, model, self.options), 0, case.pack.rubric) is not None:
            return None
        try:
            request = first_request(case, prompt, model, self.options, ResponseFormat.OUTPUT_CONFIG)
            reservation_id = recorder.reserve_call(request)
        except CallFailedError as error:
            return Ungraded(reason=error.failure.reason, advice=error.failure.whole_advice)
        except UsageError as error:
            return Ungraded(reason=error.message, advice=error.hint)
        recorder.settle_call(reservation_id, Usage())
        return None

    async def _run(self, case: Case, emit: EventSink) -> None:
        suspicions = suspicion_report(find_suspicious_lines(case.submission))
        if suspicions:
            emit(Progress(message=suspicions))
        if is_too_small(case.submission):
            opinion = forge_opinion(case)
            notes = "There is too little code to read: judged from evidence alone, without a model."
            self._emit_opinion(case, _with_notes(opinion, notes, suspicions), emit)
            return
        try:
            for text in retirement_notes(self.options.models_to_ask):
                emit(Progress(message=text))
            async with self._vote_context(emit) as context:
                opinion = await self._collect_opinion(case, context, emit)
        except CallFailedError as error:
            emit(Ungraded(reason=error.failure.reason, advice=error.failure.whole_advice))
        except UsageError as error:
            emit(Ungraded(reason=error.message, advice=error.hint))
        else:
            notes = " ".join(case.evidence.notices)
            self._emit_opinion(case, _with_notes(opinion, notes, suspicions), emit)

    @asynccontextmanager
    async def _vote_context(self, emit: EventSink) -> AsyncGenerator[VoteContext]:
        client = Client(self.options, self._retry_policy.stall_seconds)

        def keep_cost(cost: Cost) -> None:
            # If the stream is closed early, no event reports what the cancelled call has cost.
            self.cost = cost
            emit(Spent(cost=cost))

        recorder = UsageRecorder(self.options, self._budget, keep_cost)
        try:
            yield VoteContext(
                self.options,
                client,
                recorder,
                self._retry_policy,
                self._formats,
                self._reply_cache,
                time.monotonic() + self._retry_policy.total_seconds,
                secrets.token_hex(8),
                self._has_several_votes,
            )
        finally:
            await client.close()

    def _emit_opinion(self, case: Case, opinion: Opinion, emit: EventSink) -> None:
        for judgement in opinion.judgements:
            emit(criterion_event(case.pack.rubric, judgement))
        emit(judged_event(case, opinion))


def combined_opinion(
    case: Case, votes: tuple[Vote, ...], judgements: tuple[Judgement, ...], claims: Sequence[ClaimResult] = ()
) -> Opinion:
    """Combine several votes into one opinion.

    If a model wrote too little for the result's contract, the forge judge's words fill the gaps.

    Args:
        case: The judged case.
        votes: All votes, first the one whose summary and improvements are used; the notes of all are kept.
        judgements: The judgements decided from the votes, one per criterion.
        claims: The results of the votes' claims.
    """
    forge = forge_opinion(case)
    charged = hold_verdict(case, charge_claims(case, judgements, claims))
    judgements = tuple(map(_with_cause, charged, forge.judgements))
    criteria = case.pack.rubric.criteria
    lowered = [lowering_notes(criterion, judgement) for criterion, judgement in zip(criteria, judgements, strict=True)]
    contradicted = map(contradiction_notes, criteria, judgements)
    proven = [note for criterion in criteria for note in claim_notes(criterion, claims)]
    summary = [as_sentence(text) for text in sentences(plain_prose(votes[0].summary))][:_MAX_SENTENCES]
    if any(lowered):
        summary = sentences(summary_of_judgements(case, judgements))
    elif len(summary) < _MIN_SENTENCES:
        summary = [*summary, *sentences(forge.summary)][:_MAX_SENTENCES]
    improvements = _improvements_by_impact(case, judgements, votes[0].improvements)
    if len(improvements) < _MIN_IMPROVEMENTS:
        improvements += [text for text in forge.improvements if text not in improvements]
        improvements = improvements[:_MIN_IMPROVEMENTS]
    model_notes = dict.fromkeys(note for vote in votes for note in vote.notes)
    notes = (*lowered, *contradicted, *proven, *map(plain_prose, model_notes))
    return Opinion(
        judgements=judgements,
        summary=" ".join(summary),
        improvements=tuple(improvements[:_MAX_IMPROVEMENTS]),
        raw_notes=" ".join(dict.fromkeys(filter(None, notes))),
        written="\n".join(
            (votes[0].summary, *(improvement.text for improvement in votes[0].improvements), *model_notes)
        ).strip(),
    )


def _with_cause(judgement: Judgement, forge: Judgement) -> Judgement:
    """A judgement that the evidence lowered to the forge judge's level, with the forge judge's cause and why."""
    is_lowered_by_trials = judgement.chosen is not None and judgement.bounded and forge.reason and forge.reason.failed
    if not is_lowered_by_trials or judgement.score != forge.score or judgement.chosen == judgement.score:
        return judgement
    return judgement.model_copy(update={"comment": forge.comment, "reason": forge.reason})


def _improvements_by_impact(
    case: Case, judgements: tuple[Judgement, ...], improvements: tuple[Improvement, ...]
) -> list[str]:
    """Suggestions in plain words, those for the criterion with most to gain first, then for the nearest level."""
    rubric = case.pack.rubric
    scores = {judgement.criterion_id: judgement.score for judgement in judgements}

    def rank(improvement: Improvement) -> tuple[Fraction, Fraction]:
        if improvement.criterion_id not in scores:
            return Fraction(0), Fraction(0)
        criterion, score = rubric.criterion(improvement.criterion_id), to_fraction(scores[improvement.criterion_id])
        following = criterion.next_level(scores[improvement.criterion_id])
        return score - to_fraction(criterion.max_score), to_fraction(following.score) - score if following else score

    texts = (as_sentence(plain_prose(improvement.text)) for improvement in sorted(improvements, key=rank))
    return list(dict.fromkeys(text for text in texts if text))


def _with_notes(opinion: Opinion, *notes: str) -> Opinion:
    raw_notes = " ".join(text for text in (*notes, opinion.raw_notes) if text)
    return opinion.model_copy(update={"raw_notes": raw_notes})


def is_too_small(submission: Submission) -> bool:
    """Whether there is no program to read: no Python, a few characters of it, or only comments and strings."""
    count = 0
    for file in submission.files:
        if file.path.endswith(".py"):
            count += _count_tokens(file.content, _MIN_PROGRAM_TOKENS - count)
            if count >= _MIN_PROGRAM_TOKENS:
                return False
    return True


def _count_tokens(source: str, stop_at: int) -> int:
    """Count the names, numbers and operators that mean something, up to ``stop_at``."""
    counted_types = (tokenize.NAME, tokenize.NUMBER, tokenize.OP)
    count = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            count += token.type in counted_types and token.string not in _FILLER_TOKENS
            if count >= stop_at:
                break
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return count


class ClaudeJudge(ModelJudge):
    """Calls the first of the chosen models."""

    @property
    def info(self) -> JudgeInfo:
        """The judge's name, its model and its prompt."""
        return JudgeInfo(name="claude", model=self.options.models_to_ask[0], version=self._version)

    async def _collect_opinion(self, case: Case, context: VoteContext, emit: EventSink) -> Opinion:
        vote = await Voter(case, context, self.options.models_to_ask[0], 0, emit).vote()
        return combined_opinion(case, (vote,), vote.judgements, await run_claims(case, vote.claims, emit))
