"""What every model judge does the same way: guards, the bench, telling, and the end of a judging."""

import asyncio
import io
import tokenize
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from evalforge.judges.base import Case, conclude, strike
from evalforge.judges.cache import ReplyCache
from evalforge.judges.call import FOR_LOCAL, Patience
from evalforge.judges.failure import CallFailedError
from evalforge.judges.forge import opine
from evalforge.judges.ladder import Ladder
from evalforge.judges.meter import Meter
from evalforge.judges.money import Purse, price_of
from evalforge.judges.options import ModelOptions
from evalforge.judges.prompt import prompt_hash
from evalforge.judges.reply import sentences
from evalforge.judges.screen import report, suspicions
from evalforge.judges.sdk import Client
from evalforge.judges.vote import Bench, Vote
from evalforge.judges.words import sentence
from evalforge.model.cost import Cost
from evalforge.model.errors import UsageError
from evalforge.model.events import Event, Progress, Spent, Ungraded
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.submission import Submission

VERSION = "1"
_FEWEST_TOKENS = 12
"""Names, numbers and operators below which there is no program to read."""
_FEWEST_SENTENCES, _MOST_SENTENCES = 2, 4
_FEWEST_IMPROVEMENTS, _MOST_IMPROVEMENTS = 2, 5

Tell = Callable[[Event], None]


class ModelJudge(ABC):
    """A judge that asks models.

    Args:
        options: Which models, where, for how much.
        purse: What the session has spent.
        patience: How long servers are waited for.
        ladder: What is known about servers.
        cache: Replies given before.
    """

    def __init__(
        self,
        options: ModelOptions,
        purse: Purse | None = None,
        patience: Patience | None = None,
        ladder: Ladder | None = None,
        cache: ReplyCache | None = None,
    ) -> None:
        self.options = options
        self._purse = purse or Purse()
        self._patience = patience or (FOR_LOCAL if options.is_local else Patience())
        self._ladder = ladder or Ladder()
        self._cache = cache or ReplyCache()
        self.cost = Cost()

    @property
    @abstractmethod
    def info(self) -> JudgeInfo:
        """Which judge it is."""

    @abstractmethod
    async def _opinion(self, case: Case, bench: Bench, tell: Tell) -> Opinion:
        """Get the votes and make one opinion of them.

        Raises:
            CallFailedError: There aren't enough votes.
        """

    @property
    def _version(self) -> str:
        return f"{VERSION}-{prompt_hash()}"

    async def judge(self, case: Case) -> AsyncGenerator[Event]:
        """Judge a case: provisional strikes while the model writes, then final ones, then the end.

        Leaving early cancels the call.
        """
        told: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self._judge(case, told.put_nowait))
        task.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (event := await told.get()) is not None:
                yield event
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _judge(self, case: Case, tell: Tell) -> None:
        suspicious = report(suspicions(case.submission))
        if suspicious:
            tell(Progress(message=suspicious))
        if is_tiny(case.submission):
            opinion = opine(case)
            notes = "There is too little code to read: judged from evidence alone, without a model."
            self._end(case, _with_notes(opinion, notes, suspicious), tell)
            return
        try:
            for model in self.options.panel:
                price_of(model, self.options)
            async with self._bench(tell) as bench:
                opinion = await self._opinion(case, bench, tell)
        except CallFailedError as error:
            tell(Ungraded(reason=error.failure.reason, advice=error.failure.advice))
        except UsageError as error:
            tell(Ungraded(reason=error.message, advice=error.hint))
        else:
            notes = " ".join(case.evidence.notices)
            self._end(case, _with_notes(opinion, notes, suspicious), tell)

    @asynccontextmanager
    async def _bench(self, tell: Tell) -> AsyncGenerator[Bench]:
        client = Client(self.options, self._patience.stall)

        def spent(cost: Cost) -> None:
            # Whoever leaves early doesn't hear what the call that was cut off has cost.
            self.cost = cost
            tell(Spent(cost=cost))

        meter = Meter(self.options, self._purse, spent)
        try:
            yield Bench(self.options, client, meter, self._patience, self._ladder, self._cache)
        finally:
            await client.close()

    def _end(self, case: Case, opinion: Opinion, tell: Tell) -> None:
        for judgement in opinion.judgements:
            tell(strike(case.pack.rubric, judgement))
        tell(conclude(case, opinion))


def opinion_of(case: Case, votes: tuple[Vote, ...], judgements: tuple[Judgement, ...]) -> Opinion:
    """One opinion: given judgements, and words from the votes, the first vote's first.

    Where a model said too little, the forge's words fill up to what the result's contract asks for.
    """
    forged = opine(case)
    summary = [sentence(words) for words in sentences(votes[0].summary)][:_MOST_SENTENCES]
    if len(summary) < _FEWEST_SENTENCES:
        summary = [*summary, *sentences(forged.summary)][:_MOST_SENTENCES]
    improvements = list(votes[0].improvements)
    if len(improvements) < _FEWEST_IMPROVEMENTS:
        improvements += [words for words in forged.improvements if words not in improvements]
        improvements = improvements[:_FEWEST_IMPROVEMENTS]
    notes = dict.fromkeys(note for vote in votes for note in vote.notes)
    return Opinion(
        judgements=judgements,
        summary=" ".join(summary),
        improvements=tuple(improvements[:_MOST_IMPROVEMENTS]),
        raw_notes=" ".join(notes),
    )


def _with_notes(opinion: Opinion, *notes: str) -> Opinion:
    told = " ".join(words for words in (*notes, opinion.raw_notes) if words)
    return opinion.model_copy(update={"raw_notes": told})


def is_tiny(submission: Submission) -> bool:
    """Whether there is no program to read: nothing, a few signs, or only comments and strings."""
    count = 0
    for file in submission.files:
        if file.path.endswith(".py"):
            count += _tokens(file.content, _FEWEST_TOKENS - count)
            if count >= _FEWEST_TOKENS:
                return False
    return True


def _tokens(source: str, enough: int) -> int:
    telling = (tokenize.NAME, tokenize.NUMBER, tokenize.OP)
    count = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            count += token.type in telling and token.string not in ("pass", "...", ":", ",")
            if count >= enough:
                break
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return count
