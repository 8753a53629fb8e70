"""The state of a run's judge, as a pure fold over its journal: which jobs are open, which items settled, the cost.

Reading a journal again restores the state of its run, so a killed run resumes where it stopped.
"""

from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evaluate.journal import CallAnswered, CallUnusable, JournalRecord, read_journal
from evalforge.evaluate.ledger import Ledger
from evalforge.evaluate.plan import Plan
from evalforge.evaluate.reconcile import ScoredItem
from evalforge.evaluate.steps import (
    CallOrigin,
    Job,
    JobKind,
    ReplyConsequences,
    step_after_reply,
    step_after_unusable_call,
)

_MAX_USELESS_REPLIES, _MAX_USELESS_BATCHES = 8, 3
"""A run stops after this many replies in a row without a usable element, with this many first replies among them."""


@dataclass
class ReplyCounts:
    """Counts of replies. The names are those in the result's ``counts``.

    Attributes:
        asked_again: Items that were asked about again.
        mended: Malformed replies that had to be repeated.
        halved: Batches that were halved.
        invalid: Unusable elements.
        doubled: Elements that repeat another one.
        differing: Items judged twice in one reply, differently.
        unknown: Elements about items that weren't requested.
    """

    replies: int = 0
    asked_again: int = 0
    mended: int = 0
    halved: int = 0
    invalid: int = 0
    doubled: int = 0
    differing: int = 0
    unknown: int = 0

    def add(self, step: ReplyConsequences) -> None:
        """Count the contents of one reply, and its follow-ups."""
        if step.reply is not None:
            self.invalid += len(step.reply.invalid)
            self.doubled += step.reply.duplicate_count
            self.differing += len(step.reply.differing)
            self.unknown += step.reply.unknown_count
        for job in step.follow_ups:
            self.asked_again += len(job.keys) if job.origin is CallOrigin.SECOND_REQUEST else 0
            self.mended += job.origin is CallOrigin.REPAIR
        self.halved += any(job.origin is CallOrigin.HALF for job in step.follow_ups)


@dataclass(frozen=True)
class UselessReplies:
    """Consecutive replies without anything usable.

    Attributes:
        batches: The number of them that were first replies about a batch.
        problem: The problem of the first of them.
    """

    replies: int = 0
    batches: int = 0
    problem: str = ""

    def after(self, job: Job, step: ReplyConsequences, reason: str) -> "UselessReplies":
        """Return the count after one more reply; ``reason`` is why a call gave none."""
        reply = step.reply
        if step.scored or (reply is not None and reply.differing):
            return UselessReplies()
        problem = self.problem or reason or (reply.problem if reply else "")
        problem = problem or next(iter(reply.problems.values()), "") if reply else problem
        is_first = job.origin is CallOrigin.BATCH
        return UselessReplies(self.replies + 1, self.batches + is_first, problem)

    @property
    def is_hopeless(self) -> bool:
        """Whether to stop asking: one batch may fail on its own, several in a row don't."""
        return self.replies >= _MAX_USELESS_REPLIES and self.batches >= _MAX_USELESS_BATCHES


@dataclass
class RunState:
    """The state of one judge of a run so far, according to its journal.

    Attributes:
        open_jobs: Jobs without an answer, by call; follow-ups after the jobs that led to them.
        scored: Items settled with a score, by kind and key.
        given_up: Why items are settled without a score, by key.
        models: The models that answered, as the server named them.
        useless: The replies since the last useful one.
    """

    plan: Plan
    open_jobs: dict[str, Job] = field(init=False)
    ledger: Ledger = field(default_factory=Ledger)
    scored: dict[JobKind, dict[str, ScoredItem]] = field(default_factory=lambda: {kind: {} for kind in JobKind})
    given_up: dict[str, str] = field(default_factory=dict[str, str])
    counts: ReplyCounts = field(default_factory=ReplyCounts)
    models: set[str] = field(default_factory=set[str])
    useless: UselessReplies = field(default_factory=UselessReplies)

    def __post_init__(self) -> None:
        self.open_jobs = {job.call: job for job in self.plan.jobs}

    @classmethod
    def from_journal(cls, plan: Plan, path: Path) -> "RunState":
        """The state of a plan's judge at the end of a journal."""
        state = cls(plan)
        for record in read_journal(path):
            if record.judge == plan.judge:
                state.apply(record)
        return state

    def apply(self, record: JournalRecord) -> tuple[Job, ...]:
        """Apply one line of the journal; returns the jobs that follow from it."""
        self.ledger.apply(record)
        if not isinstance(record, CallAnswered | CallUnusable):
            return ()
        job = self.open_jobs.pop(record.call, None)
        if job is None:
            return ()
        step = self._step(job, record)
        self.useless = self.useless.after(job, step, record.reason if isinstance(record, CallUnusable) else "")
        self.scored[job.kind] |= step.scored
        self.given_up |= step.given_up
        self.open_jobs |= {follow_up.call: follow_up for follow_up in step.follow_ups}
        self.counts.add(step)
        return step.follow_ups

    def _step(self, job: Job, record: CallAnswered | CallUnusable) -> ReplyConsequences:
        if isinstance(record, CallUnusable):
            return step_after_unusable_call(job, record.reason)
        self.counts.replies += 1
        if record.model:
            self.models.add(record.model)
        return step_after_reply(job, record.text, self.plan.readers[job.kind])
