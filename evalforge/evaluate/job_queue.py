"""The queue between a run and its engine: jobs go out, and come back with an outcome that is recorded first.

The path of an item from call to score::

    job = await queue.next_job()
    queue.record_asked(job, most_usd)           # the journal says that money may be spent
    await queue.wait_until_synced()             # and so does the disk, before the first byte goes out
    queue.record_answer(job, reply, usd)        # journal, then RunState.apply: items settled, follow-ups queued

A job without an answer is returned (asked again in this run) or dropped (left for another run). A journal that can't
be written raises ``JournalError`` from every method that records.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from evalforge.evaluate.item_prompt import sendable
from evalforge.evaluate.journal import CallAnswered, CallAsked, CallFailed, CallUnusable, Journal, JournalRecord
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.steps import Job
from evalforge.llm.failure import FORGE_ADVICE, CallFailure
from evalforge.llm.retry import ReplyStream


class JobQueue:
    """Issues the jobs of a run, and records their outcomes.

    Attributes:
        dropped: Why items had no answer in this run, by key.
        stop_reason: Why no more jobs are issued; None while jobs are issued.
        failed_calls: Number of calls of this run without an answer.
        refused_calls: Number of calls of this run that the server had no room for.
    """

    def __init__(
        self, state: RunState, journal: Journal, on_change: Callable[["JobQueue"], None] = lambda _: None
    ) -> None:
        self.state = state
        self.dropped: dict[str, str] = {}
        self.stop_reason: CallFailure | None = None
        self.failed_calls = 0
        self.refused_calls = 0
        self._journal = journal
        self._on_change = on_change
        self._waiting = deque(state.open_jobs.values())
        self._under_way: dict[str, Job] = {}
        self._changed = asyncio.Event()

    @property
    def waiting_count(self) -> int:
        """The number of jobs that can be taken at once."""
        return len(self._waiting)

    @property
    def unsettled_count(self) -> int:
        """The number of jobs that are waiting or running."""
        return len(self._waiting) + len(self._under_way)

    # Jobs going out

    async def next_job(self) -> Job | None:
        """Return the next job, waiting for follow-ups of running ones; None once all are settled or the run stops."""
        while self.stop_reason is None:
            if self._waiting:
                return self.take_job()
            if not self._under_way:
                break
            await self._changed.wait()
        return None

    def take_job(self) -> Job:
        """Return the next waiting job; one must be waiting."""
        job = self._waiting.popleft()
        self._under_way[job.call] = job
        return job

    def return_job(self, job: Job) -> None:
        """Put a job without an answer at the front of the waiting jobs."""
        del self._under_way[job.call]
        self._waiting.appendleft(job)
        self._notify()

    def drop_job(self, job: Job, reason: str) -> None:
        """Leave a job without an answer; another run may ask it again."""
        del self._under_way[job.call]
        self.dropped |= dict.fromkeys(job.keys, reason)
        self._notify()

    def claim_jobs(self, calls: Iterable[str]) -> dict[str, Job]:
        """Return the running jobs of calls, those included that have been at the server since an earlier run."""
        wanted_calls = dict.fromkeys(calls)
        self._under_way |= {job.call: job for job in self._waiting if job.call in wanted_calls}
        self._waiting = deque(job for job in self._waiting if job.call not in self._under_way)
        return {call: self._under_way[call] for call in wanted_calls if call in self._under_way}

    def stop(self, failure: CallFailure) -> None:
        """Stop issuing jobs; the first reason is kept."""
        if self.stop_reason is None:
            advice = failure.advice.replace(FORGE_ADVICE, "").strip()
            self.stop_reason = CallFailure(failure.reason, advice)
        self._notify()

    # Outcomes coming in

    def record_asked(self, job: Job, reserved_usd: float) -> None:
        """Record that a call is about to go out; it counts as spent until its outcome is recorded."""
        self.record(CallAsked(call=job.call, keys=job.keys, reserved=reserved_usd))

    def record_answer(self, job: Job, reply: ReplyStream, usd: float) -> None:
        """Record the reply to a job and its cost, and queue the follow-ups."""
        answer = CallAnswered(
            call=job.call,
            text=sendable(reply.text),
            usd=usd,
            usage=reply.charged_usage,
            model=reply.started.model,
            reply_id=reply.started.id,
        )
        self._settle_job(job, answer)

    def record_unusable(self, job: Job, reason: str, usd: float) -> None:
        """Record that the server answered without a reply, so that asking the same again won't help."""
        self._settle_job(job, CallUnusable(call=job.call, reason=reason, usd=usd))

    def record_failure(self, job: Job, reason: str, usd: float) -> None:
        """Record that a call had no answer. Its job stays open: it is asked again, returned or dropped."""
        self.record(CallFailed(call=job.call, reason=reason, usd=usd))
        self.failed_calls += 1
        self._on_change(self)

    def record(self, record: JournalRecord) -> tuple[Job, ...]:
        """Write a line of the journal, with rubric and judge, then apply it; returns the jobs that follow."""
        plan = self.state.plan
        stamped = record.model_copy(update={"rubric": plan.rubric_hash, "judge": plan.judge})
        self._journal.write(stamped)
        return self.state.apply(stamped)

    async def wait_until_synced(self) -> None:
        """Wait until everything that was recorded is on the disk."""
        await self._journal.wait_until_synced()

    def _settle_job(self, job: Job, record: CallAnswered | CallUnusable) -> None:
        follow_ups = self.record(record)
        del self._under_way[job.call]
        if self.state.useless.is_hopeless:
            self.stop(_hopeless_failure(self.state))
        # Follow-ups go first: finishing a batch is worth more than starting one.
        self._waiting.extendleft(reversed(follow_ups))
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
        self._on_change(self)


def _hopeless_failure(state: RunState) -> CallFailure:
    """Return why a run stops if its judge never gives a usable reply."""
    useless = state.useless
    which = "last" if any(state.scored.values()) else "first"
    return CallFailure(
        f"Nothing in the {which} {useless.replies} replies could be used: {useless.problem}.",
        "Look at the rubric, or try another --model. Run the same command to continue.",
    )
