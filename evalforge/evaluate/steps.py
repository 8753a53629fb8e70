"""The step after a reply: which items it settles and what to ask next. A pure function of job and reply."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum

from evalforge.evaluate.reconcile import ElementReader, ReconciledReply, ScoredItem, reconcile

_PROBLEMS_QUOTED = 3
"""The most problems of an earlier reply that a judge is shown."""


class JobKind(StrEnum):
    """What a job asks about."""

    ITEMS = "items"
    SINGLETONS = "singletons"


class CallOrigin(Enum):
    """Why a call is made."""

    BATCH = "the first question about a batch"
    SECOND_REQUEST = "items that an earlier reply left open"
    REPAIR = "a malformed reply, to be given again"
    HALF = "half of a batch that had no usable reply"


@dataclass(frozen=True, slots=True)
class Job:
    """One question to a judge.

    Attributes:
        call: Its id, unique within a run and fit for a ``custom_id``, such as ``i00004-1ra``: batch 4 of the items, its
            first half, repaired, open items asked again. An id only names a call: nothing parses it.
        is_second_request: Whether an earlier reply left its items open; what is still missing now stays missing.
        problem: What was wrong with the earlier reply, worded for the judge.
        malformed_reply: The reply to be repeated in the right form; empty for a new question.
    """

    call: str
    kind: JobKind
    keys: tuple[str, ...]
    is_second_request: bool = False
    problem: str = ""
    malformed_reply: str = ""
    origin: CallOrigin = CallOrigin.BATCH


@dataclass(frozen=True)
class ReplyConsequences:
    """The consequences of one reply.

    Attributes:
        given_up: Why items are settled without a score, by key.
        reply: The parsed reply; None if the call gave none.
    """

    scored: dict[str, ScoredItem] = field(default_factory=dict[str, ScoredItem])
    given_up: dict[str, str] = field(default_factory=dict[str, str])
    follow_ups: tuple[Job, ...] = ()
    reply: ReconciledReply | None = None


def step_after_reply(job: Job, text: str, reader: ElementReader) -> ReplyConsequences:
    """Return the step after a reply.

    Missing, invalid and doubly judged items are requested once more. A reply without anything usable is
    repaired once, then its batch is halved, down to single items. This terminates: an item is asked about again at most
    twice for each halving of its batch.
    """
    reply = reconcile(text, job.keys, reader)
    is_useless = bool(reply.problem) and not reply.valid and not reply.differing
    if is_useless:
        return replace(_step_after_malformed_reply(job, text, reply.problem), reply=reply)
    if not reply.problems:
        return ReplyConsequences(reply.valid, reply=reply)
    if not job.is_second_request:
        return ReplyConsequences(reply.valid, follow_ups=(_second_request(job, reply),), reply=reply)
    # An item with differing judgements both times gets the worse score, and is marked ambiguous.
    marked = {key: replace(scored, ambiguous=True) for key, scored in reply.differing.items()}
    given_up = {key: problem for key, problem in reply.problems.items() if key not in marked}
    return ReplyConsequences({**reply.valid, **marked}, given_up, reply=reply)


def step_after_unusable_call(job: Job, reason: str) -> ReplyConsequences:
    """Return the step after a call that the server answered without a reply: its batch is halved."""
    if len(job.keys) == 1:
        return ReplyConsequences(given_up={job.keys[0]: reason})
    middle = (len(job.keys) + 1) // 2
    halves = (job.keys[:middle], job.keys[middle:])
    return ReplyConsequences(
        follow_ups=tuple(
            Job(f"{job.call}{number}", job.kind, keys, job.is_second_request, origin=CallOrigin.HALF)
            for number, keys in enumerate(halves, start=1)
        )
    )


def _second_request(job: Job, reply: ReconciledReply) -> Job:
    keys = tuple(key for key in job.keys if key in reply.problems)
    problems = dict.fromkeys(reply.problems[key] for key in keys)
    return Job(
        f"{job.call}a",
        job.kind,
        keys,
        is_second_request=True,
        problem="; ".join(list(problems)[:_PROBLEMS_QUOTED]),
        origin=CallOrigin.SECOND_REQUEST,
    )


def _step_after_malformed_reply(job: Job, text: str, problem: str) -> ReplyConsequences:
    if job.malformed_reply:
        return step_after_unusable_call(job, problem)
    repair = replace(
        job, call=f"{job.call}r", problem=problem, malformed_reply=text or "(nothing)", origin=CallOrigin.REPAIR
    )
    return ReplyConsequences(follow_ups=(repair,))


def first_jobs(kind: JobKind, batches: Sequence[tuple[str, ...]]) -> list[Job]:
    """Return the first question about each batch; their ids are ``i00001-``, ``i00002-`` and so on."""
    return [Job(f"{kind.value[0]}{number:05}-", kind, keys) for number, keys in enumerate(batches, start=1)]
