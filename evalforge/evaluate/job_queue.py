"""The jobs of a run in the hands of its engine: handed out, and taken back with an outcome that is first put on record.

The way of an item, from call to score::

    job = await queue.next_job()
    queue.record_asked(job, most_usd)           # the journal says that money may be spent
    await queue.wait_until_synced()             # and so does the disk, before the first byte goes out
    queue.record_answer(job, answer)            # journal, then RunState.apply: items settled, follow-ups queued

A job that had no answer is returned (asked again in this run) or dropped (left for another run).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from evalforge.evaluate.journal import CallAnswered, CallAsked, CallFailed, CallUnusable, Journal, JournalRecord
from evalforge.evaluate.run_state import RunState
from evalforge.evaluate.steps import Job
from evalforge.llm.failure import FORGE_ADVICE, CallFailure


class JobQueue:
    """Hands out the jobs of a run, and records what came of them.

    Args:
        state: The run as its journal has it.
        journal: Where outcomes are recorded.
        on_change: Called after every change.

    Attributes:
        state: The run so far.
        dropped: Items that had no answer in this run, and why, by key.
        stop_reason: Why nothing more is handed out; None while jobs are handed out.
        failed_calls: Calls of this run that had no answer.
        refused_calls: Calls of this run that the server had no room for.
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
        """How many jobs can be taken at once."""
        return len(self._waiting)

    @property
    def unsettled_count(self) -> int:
        """How many jobs wait or are under way."""
        return len(self._waiting) + len(self._under_way)

    # Jobs out

    async def next_job(self) -> Job | None:
        """The next job, waiting for follow-ups of those under way; None when all are settled or the run is stopped."""
        while self.stop_reason is None:
            if self._waiting:
                return self.take_job()
            if not self._under_way:
                break
            await self._changed.wait()
        return None

    def take_job(self) -> Job:
        """The next of the waiting jobs.

        Raises:
            IndexError: None waits.
        """
        job = self._waiting.popleft()
        self._under_way[job.call] = job
        return job

    def return_job(self, job: Job) -> None:
        """Put a job that had no answer first among the waiting jobs."""
        del self._under_way[job.call]
        self._waiting.appendleft(job)
        self._notify()

    def drop_job(self, job: Job, reason: str) -> None:
        """Leave a job without an answer; another run may ask it again."""
        del self._under_way[job.call]
        self.dropped |= dict.fromkeys(job.keys, reason)
        self._notify()

    def claim_jobs(self, calls: Iterable[str]) -> dict[str, Job]:
        """Take the waiting jobs of these calls, which are under way at the server since an earlier run."""
        wanted_calls = frozenset(calls)
        claimed = {job.call: job for job in self._waiting if job.call in wanted_calls}
        self._waiting = deque(job for job in self._waiting if job.call not in claimed)
        self._under_way |= claimed
        return claimed

    def jobs_under_way(self, calls: Iterable[str]) -> dict[str, Job]:
        """Those of the calls that are under way, by call."""
        return {call: self._under_way[call] for call in calls if call in self._under_way}

    def stop(self, failure: CallFailure) -> None:
        """Hand out nothing more; the first reason is kept."""
        if self.stop_reason is None:
            advice = failure.advice.replace(FORGE_ADVICE, "").strip()
            self.stop_reason = CallFailure(failure.reason, advice)
        self._notify()

    # Outcomes in

    def record_asked(self, job: Job, reserved_usd: float) -> None:
        """A call is about to go out; it counts as spent until its outcome is recorded."""
        self.record(CallAsked(rubric=self.state.plan.rubric_hash, call=job.call, keys=job.keys, reserved=reserved_usd))

    def record_answer(self, job: Job, record: CallAnswered) -> None:
        """Record the reply to a job, and queue what it makes necessary."""
        self._settle_job(job, record)

    def record_unusable(self, job: Job, reason: str, usd: float) -> None:
        """The server answered without a reply; asking the same again won't help."""
        rubric = self.state.plan.rubric_hash
        self._settle_job(job, CallUnusable(rubric=rubric, call=job.call, reason=reason, usd=usd))

    def record_failure(self, job: Job, reason: str, usd: float) -> None:
        """A call had no answer. Its job stays under way: it is asked again, returned or dropped."""
        self.record(CallFailed(rubric=self.state.plan.rubric_hash, call=job.call, reason=reason, usd=usd))
        self.failed_calls += 1
        self._on_change(self)

    def record(self, record: JournalRecord) -> tuple[Job, ...]:
        """Write a line of the journal, then apply it to the state.

        Returns:
            The jobs that follow from it.

        Raises:
            JournalError: The disk doesn't take it.
        """
        self._journal.write(record)
        return self.state.apply(record)

    async def wait_until_synced(self) -> None:
        """Wait until all that was recorded is on the disk.

        Raises:
            JournalError: The disk doesn't take it.
        """
        await self._journal.wait_until_synced()

    def _settle_job(self, job: Job, record: CallAnswered | CallUnusable) -> None:
        follow_ups = self.record(record)
        del self._under_way[job.call]
        if self.state.useless.is_hopeless:
            self.stop(_hopeless_failure(self.state))
        # Follow-ups go first: a batch that is nearly done is worth more than one not begun.
        self._waiting.extendleft(reversed(follow_ups))
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
        self._on_change(self)


def _hopeless_failure(state: RunState) -> CallFailure:
    """Why a run stops whose judge gives nothing that can be used."""
    useless = state.useless
    which = "last" if any(state.scored.values()) else "first"
    return CallFailure(
        f"Nothing in the {which} {useless.replies} replies could be used: {useless.problem}.",
        "Look at the rubric, or try another --model. Run the same command to continue.",
    )
