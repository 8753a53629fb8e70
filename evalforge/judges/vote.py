"""One vote: asked, read strictly, mended once, its quotes checked, held to the evidence."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from evalforge.judges.base import Case, strike
from evalforge.judges.cache import ReplyCache, cache_key
from evalforge.judges.call import Hearer, Patience, ask
from evalforge.judges.failure import FORGE_ADVICE, CallFailedError, Failure
from evalforge.judges.ladder import Ladder, Rung
from evalforge.judges.meter import Meter
from evalforge.judges.money import expected_output
from evalforge.judges.options import ModelOptions
from evalforge.judges.partial import PartialReply
from evalforge.judges.prompt import Prompt, build, reask, repair
from evalforge.judges.quotes import QuoteBook
from evalforge.judges.reply import Reply, ReplyError, read, schema_for
from evalforge.judges.sdk import Client, Request
from evalforge.judges.trust import Weighed, capped, weigh
from evalforge.model.events import Event, Progress
from evalforge.model.result import Judgement

_MAX_TOKENS = 12_000
"""The longest reply, thinking included."""
_LOCAL_ROOM = 2
"""A small local model that has written more than this many times what is usual is going in circles."""
_TELLS = 40


@dataclass(frozen=True)
class Vote:
    """What one model says, after all checks. ``notes`` are for the result's raw notes."""

    model: str
    judgements: tuple[Judgement, ...]
    summary: str
    improvements: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Bench:
    """What all votes of one judging share."""

    options: ModelOptions
    client: Client
    meter: Meter
    patience: Patience
    ladder: Ladder
    cache: ReplyCache


@dataclass
class Voter:
    """Gets one vote.

    Args:
        case: What is judged.
        bench: What it is judged with.
        model: Who is asked.
        number: Which vote of this model it is, from 0.
        tell: Hears events while the reply comes.
        streamed: Whether each criterion is told the moment it is written.
    """

    case: Case
    bench: Bench
    model: str
    number: int
    tell: Callable[[Event], None]
    streamed: bool = True
    _prompt: Prompt = field(init=False)
    _partial: PartialReply = field(init=False)
    _turns: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _repaired: bool = False

    def __post_init__(self) -> None:
        self._prompt = build(self.case, secrets.token_hex(8))
        self._partial = PartialReply(self.case.pack.rubric)

    async def vote(self) -> Vote:
        """The vote: from the cache if it was given before, else from the model.

        Raises:
            CallFailedError: There is none. It says why and what to do.
        """
        key = cache_key(self.case, self.model, self.bench.options)
        reply = self.bench.cache.load(key, self.number, self.case.pack.rubric)
        if reply is not None:
            self.tell(Progress(message="The same hand-in was judged before: the judgement is taken from there, free"))
            return self._weighed(reply)
        if self._prompt.rendering.cut:
            self.tell(Progress(message=f"Too long to be read whole: {self._cut()}"))
        reply = await self._mended(await self._first())
        self.bench.cache.store(key, self.number, reply)
        return self._weighed(reply)

    def _cut(self) -> str:
        return f"not shown to the judge: {', '.join(self._prompt.rendering.cut[:_TELLS])}"

    # A reply of the right form

    async def _first(self) -> Reply:
        """A reply of the right form, down the ladder and with one repair at most."""
        server, ladder = self.bench.options.server, self.bench.ladder
        known = ladder.known(server, self.model)
        for rung in (known or Rung.OUTPUT_CONFIG).downwards:
            is_last = rung is Rung.PROMPT
            self._turns = [("user", self._prompt.user)]
            try:
                reply = await self._read(rung)
            except CallFailedError as error:
                if not error.failure.format_refused or is_last:
                    raise
                ladder.forget(server, self.model)
            except ReplyError as error:
                ladder.forget(server, self.model)
                # Where the form was kept before, or nothing is left to step down to, it is the model that fails.
                if rung is known or is_last:
                    reason = f"The model gave no judgement that can be used, twice ({error})."
                    raise CallFailedError(Failure(reason, "Another --model may do better. " + FORGE_ADVICE)) from None
            else:
                ladder.remember(server, self.model, rung)
                return reply
            self.tell(Progress(message="The server doesn't keep the form that was asked for: asking in another way"))
        raise AssertionError("the lowest rung returns or raises")

    async def _read(self, rung: Rung) -> Reply:
        """A reply by one rung. The first slip says nothing about the server, so the model is asked to mend it.

        Raises:
            ReplyError: It can't be used, or not even mended.
        """
        text = await self._ask(rung)
        try:
            return read(text, self.case.pack.rubric)
        except ReplyError as error:
            if self._repaired:
                raise
            self._repaired = True
            self.tell(Progress(message=f"The reply can't be used ({error}): asking for it once more"))
            return read(await self._ask(rung, repair(str(error))), self.case.pack.rubric)

    async def _ask(self, rung: Rung, words: str = "", ids: tuple[str, ...] = ()) -> str:
        """One question, and its answer as the next turn of the conversation."""
        if words:
            self._turns.append(("user", words))
        schema = schema_for(self.case.pack.rubric, ids) if ids else self._prompt.schema
        request = Request(
            model=self.model,
            system=(self._prompt.stable, self._prompt.case),
            messages=tuple(self._turns),
            max_tokens=self._room(),
            more=rung.arguments(schema),
        )
        self._restart()
        hearer = Hearer(self._hear, self._restart, lambda message: self.tell(Progress(message=message)))
        text = await ask(self.bench.client, request, self.bench.patience, self.bench.meter, hearer)
        # What was read leniently must be sent strictly: half a surrogate pair can't go over the wire.
        self._turns.append(("assistant", text.encode("utf-8", "replace").decode() or "(nothing)"))
        return text

    def _room(self) -> int:
        usual = expected_output(len(self.case.pack.rubric.criteria))
        return min(_MAX_TOKENS, _LOCAL_ROOM * usual) if self.bench.options.is_local else _MAX_TOKENS

    def _restart(self) -> None:
        self._partial = PartialReply(self.case.pack.rubric)

    def _hear(self, piece: str) -> None:
        for choice in self._partial.feed(piece):
            if self.streamed:
                self.tell(strike(self.case.pack.rubric, capped(self.case, choice), provisional=True))

    # Quotes that exist

    async def _mended(self, reply: Reply) -> Reply:
        """The reply, after asking once more about levels that rest on no line of the submission."""
        problems = {name: weighed.unsupported for name, weighed in self._weigh(reply).items() if weighed.unsupported}
        if not problems:
            return reply
        self.tell(
            Progress(message=f"Quotes not found for {len(problems)} of {len(reply.choices)} criteria: asking once more")
        )
        told = [f"{name}: {problem}" for name, problem in problems.items()]
        rung = self.bench.ladder.known(self.bench.options.server, self.model) or Rung.PROMPT
        ids = tuple(problems)
        text = await self._ask(rung, reask(told, ids), ids)
        try:
            again = read(text, self.case.pack.rubric, ids)
        except ReplyError:
            return reply
        # Asking again is for better evidence: it can keep or lower a level, never raise one.
        better = {name: choice for name, choice in again.choices.items() if choice.score <= reply.choices[name].score}
        return replace(reply, choices={**reply.choices, **better})

    def _weigh(self, reply: Reply) -> dict[str, Weighed]:
        book = QuoteBook(self._prompt.rendering.shown)
        return {name: weigh(self.case, choice, book) for name, choice in reply.choices.items()}

    def _weighed(self, reply: Reply) -> Vote:
        weighed = self._weigh(reply)
        notes = [reply.notes] if reply.notes else []
        if reply.unknown:
            notes.append(f"The reply named criteria the rubric doesn't have ({', '.join(reply.unknown[:5])}): ignored.")
        if self._prompt.rendering.cut:
            notes.append(f"Too long to be read whole; {self._cut()}.")
        return Vote(
            model=self.model,
            judgements=tuple(weighed[c.id].judgement for c in self.case.pack.rubric.criteria),
            summary=reply.summary,
            improvements=reply.improvements,
            notes=tuple(notes),
        )
