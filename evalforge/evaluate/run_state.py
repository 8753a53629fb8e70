"""The state of a run, as a pure fold over its journal: which jobs are open, which items are settled, what it cost.

Reading a journal again gives the state its run had, so a killed run goes on where it stopped.
"""

from dataclasses import dataclass, field, fields

from evalforge.evaluate.journal import CallAnswered, CallUnusable, JournalRecord
from evalforge.evaluate.ledger import Ledger
from evalforge.evaluate.plan import Plan
from evalforge.evaluate.reconcile import ReconciledReply, ScoredItem
from evalforge.evaluate.steps import CallOrigin, Job, JobKind, Step, step_after_reply, step_after_unusable_call


@dataclass
class ReplyCounts:
    """What the replies were like. The names are those of the result's ``counts``.

    Attributes:
        replies: Replies that came.
        asked_again: Items asked about once more.
        mended: Replies that had to be given again.
        halved: Batches that were halved.
        invalid: Elements that were unusable.
        doubled: Elements that repeated another one.
        differing: Items judged twice in one reply, differently.
        unknown: Elements about an item nobody asked for.
    """

    replies: int = 0
    asked_again: int = 0
    mended: int = 0
    halved: int = 0
    invalid: int = 0
    doubled: int = 0
    differing: int = 0
    unknown: int = 0

    def as_dict(self) -> dict[str, int]:
        """The counts by name."""
        return {count.name: getattr(self, count.name) for count in fields(self)}

    def add_reply(self, reply: ReconciledReply) -> None:
        """Count what one reply held."""
        self.invalid += len(reply.invalid)
        self.doubled += reply.duplicate_count
        self.differing += len(reply.differing)
        self.unknown += reply.unknown_count

    def add_follow_ups(self, jobs: tuple[Job, ...]) -> None:
        """Count what one reply made necessary."""
        for job in jobs:
            self.asked_again += len(job.keys) if job.origin is CallOrigin.SECOND_REQUEST else 0
            self.mended += job.origin is CallOrigin.REPAIR
        self.halved += any(job.origin is CallOrigin.HALF for job in jobs)


@dataclass
class RunState:
    """What the journal of a run says so far.

    Attributes:
        plan: The run.
        open_jobs: Jobs without an answer, by call; follow-ups after the jobs that led to them.
        ledger: Money and message batches.
        scored: Items settled with a score, by kind and key.
        given_up: Items settled without one, and why, by key.
        counts: What the replies were like.
        models: The models that answered, as the server named them.
    """

    plan: Plan
    open_jobs: dict[str, Job] = field(init=False)
    ledger: Ledger = field(default_factory=Ledger)
    scored: dict[JobKind, dict[str, ScoredItem]] = field(default_factory=lambda: {kind: {} for kind in JobKind})
    given_up: dict[str, str] = field(default_factory=dict[str, str])
    counts: ReplyCounts = field(default_factory=ReplyCounts)
    models: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.open_jobs = {job.call: job for job in self.plan.jobs}

    def apply(self, record: JournalRecord) -> tuple[Job, ...]:
        """Take in one line of the journal.

        Returns:
            The jobs that follow from it.
        """
        self.ledger.apply(record)
        if not isinstance(record, CallAnswered | CallUnusable):
            return ()
        job = self.open_jobs.pop(record.call, None)
        if job is None:
            return ()
        step = self._step(job, record)
        self.scored[job.kind] |= step.scored
        self.given_up |= step.given_up
        self.open_jobs |= {follow_up.call: follow_up for follow_up in step.follow_ups}
        self.counts.add_follow_ups(step.follow_ups)
        if step.reply is not None:
            self.counts.add_reply(step.reply)
        return step.follow_ups

    def _step(self, job: Job, record: CallAnswered | CallUnusable) -> Step:
        if isinstance(record, CallUnusable):
            return step_after_unusable_call(job, record.reason)
        self.counts.replies += 1
        if record.model:
            self.models.add(record.model)
        return step_after_reply(job, record.text, self.plan.readers[job.kind])
