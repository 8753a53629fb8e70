"""What follows from a reply: what is settled by it, and what is asked next. The same reply always leads to the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from evalforge.batch.evaluate.reconcile import Reader, Reconciled, Scored, reconcile

_TOLD = 3


class Kind(StrEnum):
    """What is judged."""

    ITEMS = "items"
    SINGLETONS = "singletons"


@dataclass(frozen=True, slots=True)
class Job:
    """One question to a judge.

    Attributes:
        call: Its name, unique within a run: letters and digits, fit for a ``custom_id``.
        kind: What is judged.
        keys: The items it is about.
        again: Whether they are asked about for the second time, so that what is still missing stays so.
        problem: What was wrong before, for the judge.
        mends: The malformed reply that is to be given again; empty for a fresh question.
    """

    call: str
    kind: Kind
    keys: tuple[str, ...]
    again: bool = False
    problem: str = ""
    mends: str = ""


@dataclass(frozen=True)
class Step:
    """What one reply led to.

    Attributes:
        scored: Items settled with a score.
        given_up: Items settled without one, and why.
        next: What is asked now.
        reply: How the reply read; None if there was none that could be read.
    """

    scored: dict[str, Scored] = field(default_factory=dict[str, Scored])
    given_up: dict[str, str] = field(default_factory=dict[str, str])
    next: tuple[Job, ...] = ()
    reply: Reconciled | None = None


def answered(job: Job, text: str, reader: Reader) -> Step:
    """What follows from a reply.

    Missing, invalid and doubly judged items are asked for once more. A reply out of which nothing could be saved is
    mended once, then its batch is halved, down to single items. Every way ends: an item is asked about afresh at most
    twice for each halving of its batch.
    """
    reply = reconcile(text, job.keys, reader)
    if reply.problem and not reply.valid and not reply.differing:
        return replace(_malformed(job, text, reply.problem), reply=reply)
    if not reply.problems:
        return Step(reply.valid, reply=reply)
    if not job.again:
        return Step(reply.valid, next=(_again(job, reply),), reply=reply)
    # Who was asked twice and is torn both times gets the worse score, and a mark.
    torn = {key: replace(scored, ambiguous=True) for key, scored in reply.differing.items()}
    given_up = {key: told for key, told in reply.problems.items() if key not in torn}
    return Step({**reply.valid, **torn}, given_up, reply=reply)


def unusable(job: Job, reason: str) -> Step:
    """What follows from a call that gave no reply though the server had its say: refused, cut off, too long."""
    return _halved(job, reason)


def _again(job: Job, reply: Reconciled) -> Job:
    keys = tuple(key for key in job.keys if key in reply.problems)
    told = dict.fromkeys(reply.problems[key] for key in keys)
    return Job(f"{job.call}a", job.kind, keys, again=True, problem="; ".join(list(told)[:_TOLD]))


def _malformed(job: Job, text: str, problem: str) -> Step:
    if not job.mends:
        return Step(next=(replace(job, call=f"{job.call}r", problem=problem, mends=text or "(nothing)"),))
    return _halved(job, problem)


def _halved(job: Job, problem: str) -> Step:
    if len(job.keys) == 1:
        return Step(given_up={job.keys[0]: problem})
    middle = (len(job.keys) + 1) // 2
    halves = (job.keys[:middle], job.keys[middle:])
    return Step(
        next=tuple(Job(f"{job.call}{number}", job.kind, keys, job.again) for number, keys in enumerate(halves, start=1))
    )


def first_jobs(kind: Kind, batches: Sequence[tuple[str, ...]]) -> list[Job]:
    """The first question about each batch."""
    return [Job(f"{kind.value[0]}{number:05}-", kind, keys) for number, keys in enumerate(batches, start=1)]
