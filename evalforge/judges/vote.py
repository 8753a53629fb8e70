"""One vote: call a model, parse its reply, repair it at most once, check its quotes, limit its levels."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from evalforge.judges.base import Case, criterion_event
from evalforge.judges.evidence_bounds import BoundedChoice, bound_choice, provisional_judgement
from evalforge.judges.prompt import Prompt, build_prompt, quotes_turn, repair_turn
from evalforge.judges.quote_check import QuoteFinder
from evalforge.judges.reply import (
    Improvement,
    LevelChoice,
    Reply,
    ReplyError,
    parse_json_object,
    read_choice,
    read_reply,
)
from evalforge.judges.reply_cache import ReplyCache, cache_key
from evalforge.judges.reply_schema import schema_for
from evalforge.llm.budget import expected_output_tokens
from evalforge.llm.failure import FORGE_ADVICE, CallFailedError, CallFailure
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.request import Request
from evalforge.llm.response_format import FormatNegotiation, ResponseFormat
from evalforge.llm.retry import RetryPolicy, StreamObserver, ask_model
from evalforge.llm.sdk_client import Client
from evalforge.llm.usage_recorder import UsageRecorder
from evalforge.model.claim import Claim
from evalforge.model.events import Event, Progress
from evalforge.model.result import Judgement
from evalforge.model.rubric import BossRubric

# Parsing of a reply while it is written: each criterion's object is parsed as soon as its last brace arrives.

_TOKEN = re.compile(r'[{}\[\]"\\]')
_ROOT, _CRITERIA_DEPTH, _CRITERION_DEPTH = 1, 2, 3


@dataclass
class PartialReply:
    """Parses the text piece by piece, and each character once.

    Its choices are provisional: the whole reply is parsed again, strictly, when it is complete.
    """

    rubric: BossRubric
    text: str = ""
    _position: int = 0
    _depth: int = 0
    _in_string: bool = False
    _string_begin: int = 0
    _last_string: str = ""
    _object_key: str = ""
    _object_begin: int = 0
    _section: str = ""
    _completed_ids: set[str] = field(default_factory=set[str])

    def feed(self, piece: str) -> list[LevelChoice]:
        """Parse the next piece of the reply.

        Returns:
            The criteria that became complete with it, each at most once, in the order in which they were written.
        """
        self.text += piece
        choices: list[LevelChoice] = []
        while match := _TOKEN.search(self.text, self._position):
            self._position = match.end()
            if match.group() == "\\" and self._in_string:
                if self._position == len(self.text):
                    # The escaped character is in the next piece.
                    self._position = match.start()
                    return choices
                self._position += 1
            elif match.group() == '"':
                self._toggle_string(match.start())
            elif not self._in_string:
                self._follow_bracket(match.group(), match.start(), choices)
        self._position = len(self.text)
        return choices

    def _toggle_string(self, position: int) -> None:
        if self._in_string:
            self._last_string = self.text[self._string_begin : position]
        else:
            self._string_begin = position + 1
        self._in_string = not self._in_string

    def _follow_bracket(self, bracket: str, position: int, choices: list[LevelChoice]) -> None:
        if bracket in "{[":
            self._depth += 1
            if self._depth == _CRITERIA_DEPTH:
                self._section = self._last_string
            elif self._depth == _CRITERION_DEPTH:
                self._object_key, self._object_begin = self._last_string, position
        elif self._depth:
            self._depth -= 1
            if bracket == "}" and self._depth == _CRITERIA_DEPTH and self._section == "criteria":
                self._complete_criterion(position + 1, choices)

    def _complete_criterion(self, end: int, choices: list[LevelChoice]) -> None:
        name = self._object_key
        if name in self._completed_ids:
            return
        try:
            criterion = self.rubric.criterion(name)
            choices.append(read_choice(criterion, parse_json_object(self.text[self._object_begin : end])))
        except (KeyError, ReplyError):
            return
        self._completed_ids.add(name)


_MAX_REPLY_TOKENS = 12_000
"""The longest allowed reply in tokens, thinking included."""
_LOCAL_LENGTH_FACTOR = 2
"""A small local model that writes more than this many times the usual length is repeating itself."""
_MAX_OMISSIONS_LISTED = 40
_MAX_UNKNOWN_LISTED = 5


def first_request(case: Case, prompt: Prompt, model: str, options: ModelOptions, form: ResponseFormat) -> Request:
    """The request that begins a vote."""
    return Request(
        model=model,
        system=(prompt.stable_part, prompt.case_part),
        messages=(("user", prompt.user_turn),),
        max_tokens=max_reply_tokens(case, options),
        extra_arguments=form.request_arguments(prompt.schema, model),
    )


def max_reply_tokens(case: Case, options: ModelOptions) -> int:
    """The longest allowed reply, in tokens."""
    usual_tokens = expected_output_tokens(len(case.pack.rubric.criteria))
    return min(_MAX_REPLY_TOKENS, _LOCAL_LENGTH_FACTOR * usual_tokens) if options.is_local else _MAX_REPLY_TOKENS


@dataclass(frozen=True)
class Vote:
    """One model's vote after all checks.

    ``notes`` are for the result's raw notes; ``claims`` are still to be run.
    """

    model: str
    judgements: tuple[Judgement, ...]
    summary: str
    improvements: tuple[Improvement, ...]
    notes: tuple[str, ...]
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class VoteContext:
    """What all votes of one judging share: options, connection, spending, retries, reply formats and stored replies.

    ``deadline`` is the time, by ``time.monotonic``, by which all replies must be complete. ``nonce`` marks the
    submission's borders. ``has_several_votes`` says whether the server should cache the submission for further votes.
    """

    options: ModelOptions
    client: Client
    usage_recorder: UsageRecorder
    retry_policy: RetryPolicy
    formats: FormatNegotiation
    reply_cache: ReplyCache
    deadline: float
    nonce: str
    has_several_votes: bool


@dataclass
class Voter:
    """Gets one vote of one model.

    Args:
        case: The submission and what was measured of it.
        context: What the judging's votes share.
        model: The model to call.
        vote_index: The index of this vote among the model's votes, from 0.
        emit: Called with events while the reply arrives.
        is_streamed: Whether each criterion is shown as soon as it is written.
    """

    case: Case
    context: VoteContext
    model: str
    vote_index: int
    emit: Callable[[Event], None]
    is_streamed: bool = True
    _prompt: Prompt = field(init=False)
    _partial_reply: PartialReply = field(init=False)
    _turns: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _was_repaired: bool = False
    _unusable_count: int = 0

    def __post_init__(self) -> None:
        self._prompt = build_prompt(self.case, self.context.nonce)
        self._partial_reply = PartialReply(self.case.pack.rubric)

    async def vote(self) -> Vote:
        """Get the vote from the cache if the same files were judged before, else from the model.

        Raises:
            CallFailedError: The model gave no usable reply.
        """
        key = cache_key(self.case, self.model, self.context.options)
        reply = self.context.reply_cache.load(key, self.vote_index, self.case.pack.rubric)
        if reply is not None:
            self._emit_progress("The same files were judged before: that judgement is used, at no cost")
            return self._vote_from(reply)
        if self._prompt.rendering.omissions:
            self._emit_progress(f"Too long to be read whole: {self._omission_words()}")
        reply = await self._with_better_quotes(await self._well_formed_reply())
        self._check_quotes(reply)
        self.context.reply_cache.store(key, self.vote_index, reply)
        return self._vote_from(reply)

    def _emit_progress(self, message: str) -> None:
        self.emit(Progress(message=message))

    def _omission_words(self) -> str:
        return f"not shown to the judge: {', '.join(self._prompt.rendering.omissions[:_MAX_OMISSIONS_LISTED])}"

    # Getting a well-formed reply

    async def _well_formed_reply(self) -> Reply:
        """Get a well-formed reply, in the strictest format that the server accepts, with one repair at most."""
        server, formats = self.context.options.server, self.context.formats
        last_working = formats.last_working(server, self.model)
        surest = ResponseFormat.surest(is_local=self.context.options.is_local)
        for response_format in (last_working or surest).with_fallbacks:
            is_last = response_format is ResponseFormat.PROMPT
            self._turns = [("user", self._prompt.user_turn)]
            try:
                reply = await self._reply_in_format(response_format)
            except CallFailedError as error:
                if not error.failure.format_refused or is_last:
                    raise
                formats.forget(server, self.model)
                if response_format is ResponseFormat.CHAT_COMPLETIONS and last_working is None:
                    continue  # most servers lack this API, and the refusal took no time
            except ReplyError as error:
                formats.forget(server, self.model)
                # If this format worked before, or no other is left, the fault is the model's, not the server's.
                if response_format is last_working or is_last:
                    reason = (
                        f"The model gave {self._unusable_count} replies, and no judgement that can be used: {error}."
                    )
                    advice = "Another --model may do better. " + FORGE_ADVICE
                    raise CallFailedError(CallFailure(reason, advice)) from None
            else:
                formats.remember(server, self.model, response_format)
                return reply
            self._emit_progress("The server doesn't keep the form that was asked for: asking in another way")
        raise AssertionError("the last format returns or raises")

    async def _reply_in_format(self, response_format: ResponseFormat) -> Reply:
        """Get a reply in one format. The first malformed reply proves nothing about the server: the model may fix it.

        Raises:
            ReplyError: The reply can't be used, even after a repair.
        """
        text = await self._ask_model(response_format)
        try:
            return self._read_whole_reply(text)
        except ReplyError as error:
            if self._was_repaired:
                raise
            self._was_repaired = True
            self._emit_progress(f"The reply can't be used ({error}): asking for it once more")
            return self._read_whole_reply(await self._ask_model(response_format, repair_turn(str(error))))

    def _read_whole_reply(self, text: str) -> Reply:
        try:
            return read_reply(text, self.case.pack.rubric)
        except ReplyError:
            self._unusable_count += 1
            raise

    async def _ask_model(
        self, response_format: ResponseFormat, question: str = "", criterion_ids: tuple[str, ...] = ()
    ) -> str:
        """Send the conversation so far and a further question, and add the answer to the conversation."""
        if question:
            self._turns.append(("user", question))
        schema = schema_for(self.case.pack.rubric, criterion_ids) if criterion_ids else self._prompt.schema
        first = first_request(self.case, self._prompt, self.model, self.context.options, response_format)
        request = replace(
            first,
            messages=tuple(self._turns),
            extra_arguments=response_format.request_arguments(schema, self.model),
            caches_first_turn=self.context.has_several_votes,
        )
        self._reset_partial_reply()
        context = self.context
        observer = StreamObserver(self._show_complete_criteria, self._reset_partial_reply, self._emit_progress)
        policy, deadline = context.retry_policy, context.deadline
        text = await ask_model(context.client, request, policy, deadline, context.usage_recorder, observer)
        # The reply was decoded leniently: half a surrogate pair in it could not be encoded for sending.
        self._turns.append(("assistant", text.encode("utf-8", "replace").decode() or "(nothing)"))
        return text

    def _reset_partial_reply(self) -> None:
        self._partial_reply = PartialReply(self.case.pack.rubric)

    def _show_complete_criteria(self, piece: str) -> None:
        for choice in self._partial_reply.feed(piece):
            if self.is_streamed:
                judgement = provisional_judgement(self.case, choice)
                self.emit(criterion_event(self.case.pack.rubric, judgement, provisional=True))

    # Checking that quotes exist

    async def _with_better_quotes(self, reply: Reply) -> Reply:
        """Ask once more about levels without a valid quote, and merge the answer into the reply."""
        problems = {
            criterion_id: bounded.unsupported_reason
            for criterion_id, bounded in self._bounded_choices(reply).items()
            if bounded.unsupported_reason
        }
        if not problems:
            return reply
        self._emit_progress(f"Quotes not found for {len(problems)} of {len(reply.choices)} criteria: asking once more")
        criterion_ids = tuple(problems)
        question = quotes_turn([f"{name}: {problem}" for name, problem in problems.items()], criterion_ids)
        working = self.context.formats.last_working(self.context.options.server, self.model) or ResponseFormat.PROMPT
        text = await self._ask_model(working, question, criterion_ids)
        try:
            second_reply = read_reply(text, self.case.pack.rubric, criterion_ids)
        except ReplyError:
            return reply
        # The second answer is for better evidence: it may keep or lower a level, never raise one.
        accepted = {
            criterion_id: choice
            for criterion_id, choice in second_reply.choices.items()
            if choice.score <= reply.choices[criterion_id].score
        }
        return replace(reply, choices={**reply.choices, **accepted})

    def _check_quotes(self, reply: Reply) -> None:
        """Refuse a reply whose quotes are mostly invented: that is the judge's fault, so the player isn't scored.

        Raises:
            CallFailedError: More than half of the quotes are nowhere in the files.
        """
        finder = QuoteFinder(self._prompt.rendering.shown_lines)
        quotes = [quote for choice in reply.choices.values() for quote in choice.quotes]
        invented = sum(map(finder.is_invented, quotes))
        if 2 * invented > len(quotes):
            counted = f"{invented} of {len(quotes)} quotes"
            reason = f"Most of the judge's quotes are not in the files ({counted}), so its levels aren't supported."
            raise CallFailedError(CallFailure(reason, "Another --model may do better. " + FORGE_ADVICE))

    def _bounded_choices(self, reply: Reply) -> dict[str, BoundedChoice]:
        finder = QuoteFinder(self._prompt.rendering.shown_lines)
        return {name: bound_choice(self.case, choice, finder) for name, choice in reply.choices.items()}

    def _vote_from(self, reply: Reply) -> Vote:
        bounded = self._bounded_choices(reply)
        notes = [reply.notes] if reply.notes else []
        if reply.unknown_criteria:
            unknown = ", ".join(reply.unknown_criteria[:_MAX_UNKNOWN_LISTED])
            notes.append(f"The reply named criteria the rubric doesn't have ({unknown}): ignored.")
        if self._prompt.rendering.omissions:
            notes.append(f"Too long to be read whole; {self._omission_words()}.")
        return Vote(
            model=self.model,
            judgements=tuple(bounded[criterion.id].judgement for criterion in self.case.pack.rubric.criteria),
            summary=reply.summary,
            improvements=reply.improvements,
            notes=tuple(notes),
            claims=tuple(claim for choice in reply.choices.values() for claim in choice.claims),
        )
