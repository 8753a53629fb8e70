"""The state of a run: what is still to be asked, what is settled. It is a fold over the log, and nothing besides."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields

from evalforge.batch.evaluate.journal import Answered, Asked, Failed, Journal, Record, Unusable
from evalforge.batch.evaluate.ledger import Ledger
from evalforge.batch.evaluate.plan import Plan
from evalforge.batch.evaluate.reconcile import Scored
from evalforge.batch.evaluate.steps import Job, Kind, Step, answered, unusable
from evalforge.judges.failure import FORGE_ADVICE, Failure


@dataclass
class Counts:
    """What happened on the way.

    Attributes:
        replies: Replies that came.
        asked_again: Items asked about once more.
        mended: Replies that had to be given again.
        halved: Batches that were parted.
        invalid: Elements that were unusable.
        doubled: Elements that said what another had said.
        differing: Items judged twice in one reply, differently.
        unknown: Elements about something nobody asked for.
        failures: Calls that came to nothing.
        refusals: Times the server had no room.
    """

    replies: int = 0
    asked_again: int = 0
    mended: int = 0
    halved: int = 0
    invalid: int = 0
    doubled: int = 0
    differing: int = 0
    unknown: int = 0
    failures: int = 0
    refusals: int = 0

    def as_dict(self) -> dict[str, int]:
        """By name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass
class Desk:
    """Hands out jobs and takes in what came of them.

    Args:
        plan: The run.
        journal: Its log.
        tell: Hears after every change.
    """

    plan: Plan
    journal: Journal
    tell: Callable[["Desk"], None] = lambda _: None
    ledger: Ledger = field(default_factory=Ledger)
    scored: dict[Kind, dict[str, Scored]] = field(default_factory=lambda: {kind: {} for kind in Kind})
    given_up: dict[str, str] = field(default_factory=dict[str, str])
    dropped: dict[str, str] = field(default_factory=dict[str, str])
    counts: Counts = field(default_factory=Counts)
    models: set[str] = field(default_factory=set[str])
    stopped: Failure | None = None
    _pending: deque[Job] = field(default_factory=deque[Job])
    _under_way: dict[str, Job] = field(default_factory=dict[str, Job])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._pending.extend(self.plan.jobs)

    def replay(self, records: Iterable[Record]) -> None:
        """Take in what a log says was done before."""
        known = {job.call: job for job in self._pending}
        for record in records:
            self.ledger.take(record)
            job = known.get(record.call) if isinstance(record, Answered | Unusable) else None
            if job is None:
                continue
            del known[job.call]
            step = self._step(job, record)  # pyright: ignore[reportArgumentType] - it is one of the two
            self._settle(step)
            known |= {follow.call: follow for follow in step.next}
        self._pending = deque(known.values())

    # Handing out

    async def next(self) -> Job | None:
        """The next job, waiting for what those under way lead to; None when all is done or stopped."""
        while self.stopped is None:
            if self._pending:
                return self.take()
            if not self._under_way:
                break
            await self._changed.wait()
        return None

    def take(self) -> Job:
        """The next job of those that can be had at once."""
        job = self._pending.popleft()
        self._under_way[job.call] = job
        return job

    def give_back(self, job: Job) -> None:
        """A job wasn't asked after all, and comes first when there is time for it."""
        del self._under_way[job.call]
        self._pending.appendleft(job)
        self._notify()

    def claim(self, calls: Iterable[str]) -> dict[str, Job]:
        """Jobs that somebody is known to work on already; a call that is settled isn't among them."""
        wanted = frozenset(calls)
        claimed = {job.call: job for job in self._pending if job.call in wanted}
        self._pending = deque(job for job in self._pending if job.call not in claimed)
        self._under_way |= claimed
        return claimed

    def under_way(self, calls: Iterable[str]) -> dict[str, Job]:
        """Those of the calls that are being worked on."""
        return {call: self._under_way[call] for call in calls if call in self._under_way}

    @property
    def waiting(self) -> int:
        """How many jobs can be had at once."""
        return len(self._pending)

    @property
    def open(self) -> int:
        """How many jobs are not settled."""
        return len(self._pending) + len(self._under_way)

    # Taking in

    def asked(self, job: Job, reserved: float) -> None:
        """A call is about to go out."""
        self._write(Asked(rubric=self.plan.rubric, call=job.call, keys=job.keys, reserved=reserved))

    def answered(self, job: Job, record: Answered) -> None:
        """A reply came."""
        self._done(job, record)

    def unusable(self, job: Job, reason: str, usd: float) -> None:
        """The server had its say, and it is no reply."""
        self._done(job, Unusable(rubric=self.plan.rubric, call=job.call, reason=reason, usd=usd))

    def failed(self, job: Job, reason: str, usd: float) -> None:
        """A call came to nothing. The job is still under way: it is asked again, given back or dropped."""
        self._write(Failed(rubric=self.plan.rubric, call=job.call, reason=reason, usd=usd))
        self.counts.failures += 1
        self.tell(self)

    def drop(self, job: Job, reason: str) -> None:
        """A job can't be had this time. Another run may ask it again."""
        del self._under_way[job.call]
        self.dropped |= dict.fromkeys(job.keys, reason)
        self._notify()

    def stop(self, failure: Failure) -> None:
        """Nothing more is handed out; the first reason stands."""
        if self.stopped is None:
            advice = failure.advice.replace(FORGE_ADVICE, "").strip()
            self.stopped = Failure(failure.reason, advice)
        self._notify()

    def note(self, record: Record) -> None:
        """Something about message batches happened."""
        self._write(record)

    def _write(self, record: Record) -> None:
        self.journal.write(record)
        self.ledger.take(record)

    def _done(self, job: Job, record: Answered | Unusable) -> None:
        self._write(record)
        step = self._step(job, record)
        self._settle(step)
        del self._under_way[job.call]
        # What follows goes first: a batch that is nearly done is worth more than one not begun.
        self._pending.extendleft(reversed(step.next))
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
        self.tell(self)

    # The fold

    def _step(self, job: Job, record: Answered | Unusable) -> Step:
        if isinstance(record, Unusable):
            step = unusable(job, record.reason)
        else:
            step = answered(job, record.text, self.plan.readers[job.kind])
            self.counts.replies += 1
            if record.model:
                self.models.add(record.model)
        self.scored[job.kind] |= step.scored
        self._count(step)
        return step

    def _settle(self, step: Step) -> None:
        self.given_up |= step.given_up

    def _count(self, step: Step) -> None:
        for job in step.next:
            self.counts.asked_again += len(job.keys) if job.call.endswith("a") else 0
            self.counts.mended += job.call.endswith("r")
            self.counts.halved += job.call.endswith("1")
        if step.reply is not None:
            self.counts.invalid += len(step.reply.invalid)
            self.counts.doubled += step.reply.doubled
            self.counts.differing += len(step.reply.differing)
            self.counts.unknown += step.reply.unknown
