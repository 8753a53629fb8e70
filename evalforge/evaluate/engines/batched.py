"""Asks in message batches: half the price, results within a day, and a batch survives our restart.

A round creates one batch of all waiting jobs and waits for its results; follow-ups make the next round. Before a
batch is created, its calls are announced in the journal: if creation is interrupted, the next run looks for the batch.
"""

import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from evalforge.evaluate.engines.base import RunContext, is_outcome_unknown, may_retry
from evalforge.evaluate.engines.live import cap_failure
from evalforge.evaluate.journal import BatchAnnounced, BatchCollected, BatchCreated, CallFailed
from evalforge.evaluate.run_budget import CapReachedError
from evalforge.evaluate.steps import Job
from evalforge.llm import message_batches
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.message_batches import BatchResult, BatchState
from evalforge.llm.retry import ReplyStream, RetryPolicy, retry_call

_MAX_REQUESTS = 5_000
"""Requests in one batch; the server accepts twenty times as many, but the upload must stay manageable."""
_MAX_CHARACTERS = 60_000_000
_MAX_TRIES = 3
"""How often a request without a result is put into a batch."""
_NOT_FOUND = 404
POLLING = RetryPolicy(sys.maxsize, total_seconds=900.0, max_wait_seconds=60.0)
"""How often to ask for the state of a batch; a server that doesn't answer for so many seconds is given up."""
_ADVISE_LIVE_ENGINE = "Ask it one by one: --engine messages"
_ADVISE_FRESH_RUN = "Start over with --fresh."
T = TypeVar("T")


@dataclass
class BatchEngine:
    """Sends an evaluation's calls as message batches, whose state it asks for as often as ``polling`` says."""

    polling: RetryPolicy = POLLING
    _tickets: dict[str, int] = field(default_factory=dict[str, int])
    _failure_counts: dict[str, int] = field(default_factory=dict[str, int])

    async def run(self, context: RunContext) -> None:
        """Collect the batches of an earlier run, then create and collect batches one by one until no job is left."""
        queue, ledger = context.queue, context.queue.state.ledger
        try:
            await self._find_announced_batch(context)
            for batch_id in list(ledger.open_batches):
                await self._collect_batch(context, batch_id)
            while queue.waiting_count and queue.stop_reason is None:
                await self._create_next_batch(context)
                for batch_id in list(ledger.open_batches):
                    await self._collect_batch(context, batch_id)
        except CallFailedError as error:
            queue.stop(_batch_failure(context, error.failure))

    # A batch that may exist

    async def _find_announced_batch(self, context: RunContext) -> None:
        """Find the batch that an earlier run was creating when it ended, if it exists."""
        announced = context.queue.state.ledger.announced_batch
        if announced is None:
            return
        batch = await self._look_for_batch(context, announced)
        if batch is None:
            self._record_never_created(context, announced.calls, "the server never received it")
            return
        context.show_message(f"Found the message batch {batch.id} that was submitted before")
        context.queue.record(BatchCreated(batch=batch.id, calls=announced.calls))

    async def _look_for_batch(self, context: RunContext, announced: BatchAnnounced) -> BatchState | None:
        """Search the server for an announced batch."""
        names = frozenset(_request_name(context, call) for call in announced.calls)
        open_batches = context.queue.state.ledger.open_batches
        newer = await self._call_with_patience(
            context, lambda: message_batches.list_newest(context.client, announced.newest)
        )
        for batch in newer:
            if batch.id in open_batches or batch.requests not in (0, len(names)):
                continue
            if await self._has_our_results(context, batch, names):
                return batch
        return None

    def _record_never_created(self, context: RunContext, calls: Iterable[str], reason: str) -> None:
        """Record that an announced batch doesn't exist and cost nothing."""
        for call in calls:
            if call in context.queue.state.ledger.open_calls:
                context.queue.record(CallFailed(call=call, reason=reason, usd=0.0))
        context.queue.record(BatchCollected(batch=""))

    async def _has_our_results(self, context: RunContext, batch: BatchState, names: frozenset[str]) -> bool:
        """Whether a batch is ours. Only its results name their requests, so this waits for them."""
        await self._wait_for_end(context, batch.id)
        async with aclosing(message_batches.results(context.client, batch.id)) as results:
            async for result in results:
                return result.name in names
        return False

    # A round

    async def _create_next_batch(self, context: RunContext) -> None:
        """Create one batch of waiting jobs, as many as the budget allows."""
        # Polled first: if the server can't be reached, nothing has been reserved yet.
        existing = await self._call_with_patience(context, lambda: message_batches.list_newest(context.client))
        jobs = self._take_affordable_jobs(context)
        if not jobs:
            return
        context.show_message(f"Submitting {len(jobs)} requests as a message batch")
        calls = tuple(job.call for job in jobs)
        newest_id = existing[0].id if existing else ""
        announced = BatchAnnounced(calls=calls, newest=newest_id)
        batch = await self._create_batch(context, jobs, announced)
        context.queue.record(BatchCreated(batch=batch.id, calls=calls))
        await context.queue.wait_until_synced()

    def _take_affordable_jobs(self, context: RunContext) -> list[Job]:
        queue, budget = context.queue, context.budget
        jobs: list[Job] = []
        character_count = 0
        while queue.waiting_count and len(jobs) < _MAX_REQUESTS and character_count < _MAX_CHARACTERS:
            job = queue.take_job()
            request = context.plan.request_for(job)
            character_count += request.char_count
            max_usd = budget.max_cost(request)
            ticket = budget.try_reserve(max_usd)
            if ticket is None:
                queue.return_job(job)
                if not jobs:
                    queue.stop(cap_failure(context, CapReachedError(max_usd)))
                break
            self._tickets[job.call] = ticket
            queue.record_asked(job, max_usd)
            jobs.append(job)
        return jobs

    async def _create_batch(self, context: RunContext, jobs: list[Job], announced: BatchAnnounced) -> BatchState:
        """Create a batch. After an attempt with unknown outcome, search the server before trying again.

        Raises:
            CallFailedError: Creation failed, or its outcome is unknown: then the batch stays announced.
        """
        requests = {_request_name(context, job.call): context.plan.request_for(job) for job in jobs}
        context.queue.record(announced)
        await context.queue.wait_until_synced()
        may_exist = False

        async def create_unless_there() -> BatchState:
            nonlocal may_exist
            batch = await self._look_for_batch(context, announced) if may_exist else None
            if batch is not None:
                return batch
            may_exist = False
            try:
                return await message_batches.create(context.client, requests)
            except CallFailedError as error:
                may_exist = is_outcome_unknown(error.failure)
                raise

        try:
            return await self._call_with_patience(context, create_unless_there)
        except CallFailedError as error:
            if not may_exist:
                self._record_never_created(context, announced.calls, error.failure.reason)
            raise

    # Results

    async def _collect_batch(self, context: RunContext, batch_id: str) -> None:
        """Wait for a batch and record its results; already settled calls are skipped."""
        calls = context.queue.state.ledger.open_batches[batch_id]
        jobs = {_request_name(context, call): job for call, job in self._unsettled_jobs(context, calls).items()}
        await self._wait_for_end(context, batch_id)
        await self._call_with_patience(context, lambda: self._record_results(context, batch_id, jobs))
        for job in jobs.values():
            # The remaining jobs were in the batch, but its results don't mention them.
            self._record_missing_result(context, job, "the batch holds no result for it")
        context.queue.record(BatchCollected(batch=batch_id))
        await context.queue.wait_until_synced()

    def _unsettled_jobs(self, context: RunContext, calls: Iterable[str]) -> dict[str, Job]:
        """Return the unsettled jobs of a batch, including those of an earlier run."""
        jobs = context.queue.claim_jobs(calls)
        for call, job in jobs.items():
            if call not in self._tickets:
                ticket = context.budget.try_reserve(context.budget.max_cost(context.plan.request_for(job)))
                if ticket is not None:
                    self._tickets[call] = ticket
        return jobs

    async def _record_results(self, context: RunContext, batch_id: str, jobs: dict[str, Job]) -> None:
        """Record the results of a batch, and remove their jobs from ``jobs``."""
        async with aclosing(message_batches.results(context.client, batch_id)) as results:
            async for result in results:
                job = jobs.pop(result.name, None)
                if job is not None:
                    self._record_result(context, job, result)

    def _record_result(self, context: RunContext, job: Job, result: BatchResult) -> None:
        if result.outcome != "succeeded":
            details = f" ({result.error})" if result.error else ""
            self._record_missing_result(context, job, f"{result.outcome}{details}")
            return
        reply, problem = ReplyStream(), ""
        try:
            reply.read_whole(result.reply)
        except CallFailedError as error:
            problem = error.failure.reason
        usd = context.budget.reply_cost(context.plan.request_for(job), reply.text, reply.charged_usage)
        self._settle_reservation(context, job, usd)
        if problem:
            context.queue.record_unusable(job, problem, usd)
        else:
            context.queue.record_answer(job, reply, usd)

    def _record_missing_result(self, context: RunContext, job: Job, reason: str) -> None:
        """Put expired, cancelled and failed requests, which cost nothing, into the next batch, a few times."""
        self._settle_reservation(context, job, 0.0)
        context.queue.record_failure(job, reason, 0.0)
        self._failure_counts[job.call] = self._failure_counts.get(job.call, 0) + 1
        if self._failure_counts[job.call] < _MAX_TRIES:
            context.queue.return_job(job)
        else:
            context.queue.drop_job(job, f"three times {reason}")

    def _settle_reservation(self, context: RunContext, job: Job, usd: float) -> None:
        context.budget.settle_reservation(self._tickets.pop(job.call, None), usd)

    # Waiting

    async def _wait_for_end(self, context: RunContext, batch_id: str) -> None:
        """Wait until a batch has ended, however long that takes: the server ends it within a day."""
        done_count = -1
        for look in itertools.count(1):
            batch = await self._call_with_patience(context, lambda: message_batches.get_state(context.client, batch_id))
            if batch.ended:
                return
            if batch.done != done_count:
                done_count = batch.done
                context.show_message(f"Message batch {batch_id}: {done_count} of {batch.requests} done")
            await asyncio.sleep(self.polling.pause_seconds(look))

    async def _call_with_patience(self, context: RunContext, call: Callable[[], Awaitable[T]]) -> T:
        deadline = time.monotonic() + self.polling.total_seconds
        return await retry_call(
            call,
            self.polling,
            deadline,
            lambda failure, _: context.show_message(f"{failure.headline}: asking again"),
            may_retry,
        )


def _request_name(context: RunContext, call: str) -> str:
    """The name of a request at the server, made of the run's and the call's."""
    return f"{context.plan.secret[:12]}-{call}"


def _batch_failure(context: RunContext, failure: CallFailure) -> CallFailure:
    """Reword a failure for batches: here "not found" is about a batch, not about a model."""
    if failure.status != _NOT_FOUND:
        return failure
    quote = "".join(failure.reason.partition(" It said: ")[1:])
    batch_id = next(iter(context.queue.state.ledger.open_batches), "")
    if batch_id:
        return replace(failure, reason=f"The server has no message batch {batch_id}.{quote}", advice=_ADVISE_FRESH_RUN)
    return replace(failure, reason=f"The server has no message batches.{quote}", advice=_ADVISE_LIVE_ENGINE)
