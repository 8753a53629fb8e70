"""Makes one call for each job, concurrently: as many as the server accepts, within the cap."""

import asyncio
import functools
import math
import time
from dataclasses import dataclass, field

from evalforge.evaluate.engines.base import FailureAction, RunContext, action_for, may_retry
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.run_budget import CapReachedError
from evalforge.evaluate.steps import Job
from evalforge.evaluate.throttle import Throttle
from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.request import Request
from evalforge.llm.retry import ReplyStream, RetryPolicy, retry_call

DEFAULT_CONCURRENCY = 8
"""Concurrent calls, unless an option says otherwise."""
_MAX_PREPARED_CALLS = 8
"""Number of calls that are prepared while others are running."""
_MAX_FAILURES_IN_A_ROW = 6
_MAX_SILENCES_IN_A_ROW = 3
"""This many calls in a row that a server accepted but never answered end the run."""


@dataclass
class _PreparedCall:
    """A call that is ready to be sent."""

    job: Job
    request: Request
    max_usd: float
    stream: ReplyStream = field(default_factory=ReplyStream)
    _is_on_record: bool = False

    @property
    def is_charged(self) -> bool:
        """Whether the last attempt has used tokens."""
        return self.stream.charged_usage != Usage()

    async def put_on_record(self, context: RunContext) -> None:
        """Record the call just before its first byte is sent: once recorded, it counts as paid."""
        if context.queue.stop_reason is not None:
            raise CallFailedError(CallFailure(context.queue.stop_reason.reason, server_unreached=True))
        if not self._is_on_record:
            context.queue.record_asked(self.job, self.max_usd)
            await context.queue.wait_until_synced()
            self._is_on_record = True


@dataclass
class LiveEngine:
    """Asks through the Messages API, with one call for each job.

    Args:
        patience: Attempts, deadline and waits of one job; ``stall_seconds`` is for the client.
        longest_wait_seconds: The run stops after so many seconds without a reply, or if the server asks for more.
    """

    concurrency: int = DEFAULT_CONCURRENCY
    patience: RetryPolicy = field(default_factory=RetryPolicy)
    longest_wait_seconds: float = 900.0
    _failures_in_a_row: int = 0
    _silences_in_a_row: int = 0
    _last_reply_at: float = 0.0

    async def run(self, context: RunContext) -> None:
        """Do all jobs; when the run is stopped, running ones are awaited."""
        throttle = Throttle(self.concurrency)
        self._last_reply_at = time.monotonic()
        worker_count = self.concurrency + min(self.concurrency, _MAX_PREPARED_CALLS)
        async with asyncio.TaskGroup() as group:
            for _ in range(worker_count):
                group.create_task(self._work(context, throttle))
        context.queue.refused_calls += throttle.refusal_count

    async def _work(self, context: RunContext, throttle: Throttle) -> None:
        queue = context.queue
        while (job := await queue.next_job()) is not None:
            request = context.plan.request_for(job)
            ask = functools.partial(self._ask_once, context, throttle, job, request)
            try:
                await retry_call(ask, self.patience, math.inf, may_retry=functools.partial(self._may_retry, queue))
            except CallFailedError as error:
                self._drop_job(context, job, error.failure)
            except CapReachedError as error:
                queue.return_job(job)
                queue.stop(cap_failure(context, error))
            if queue.stop_reason is not None:
                throttle.open_for_good()

    async def _ask_once(self, context: RunContext, throttle: Throttle, job: Job, request: Request) -> None:
        """Make one call: its cost is reserved before, its outcome recorded after.

        Raises:
            CallFailedError: The server did not answer.
            CapReachedError: The call doesn't fit under the cap.
        """
        budget, queue = context.budget, context.queue
        usd = max_usd = budget.max_cost(request)
        ticket = await budget.reserve(max_usd)
        started_at = time.monotonic()
        call = _PreparedCall(job, request, max_usd)
        try:
            try:
                text = await self._get_reply(context, throttle, call)
            except CallFailedError as error:
                usd = _charge_of_failure(context, call, error.failure)
                if action_for(error.failure) is FailureAction.ASK_FOR_LESS:
                    queue.record_unusable(job, error.failure.reason, usd)
                    return
                queue.record_failure(job, error.failure.reason, usd)
                self._note_silence(context, error.failure, time.monotonic() - started_at)
                raise
            usd = budget.reply_cost(request, text, call.stream.charged_usage)
            queue.record_answer(job, call.stream, usd)
        finally:
            budget.settle_reservation(ticket, usd)
        await queue.wait_until_synced()
        self._failures_in_a_row = self._silences_in_a_row = 0
        self._last_reply_at = time.monotonic()

    def _may_retry(self, queue: JobQueue, failure: CallFailure) -> bool:
        is_wait_short = (failure.retry_after_seconds or 0.0) <= self.longest_wait_seconds
        return may_retry(failure) and is_wait_short and queue.stop_reason is None

    def _note_silence(self, context: RunContext, failure: CallFailure, seconds: float) -> None:
        """Stop a run whose server accepts calls but sends nothing, because each call would wait just as long."""
        stall_seconds = self.patience.stall_seconds
        if failure.status is not None or failure.server_unreached or seconds < stall_seconds:
            self._silences_in_a_row = 0
            return
        self._silences_in_a_row += 1
        if self._silences_in_a_row >= _MAX_SILENCES_IN_A_ROW:
            reason = f"{self._silences_in_a_row} calls in a row had no reply within {stall_seconds:g} s."
            context.queue.stop(CallFailure(f"{failure.reason} {reason}", "Is the model loaded? Run it again later."))

    async def _get_reply(self, context: RunContext, throttle: Throttle, call: _PreparedCall) -> str:
        """Return the reply to a call, retrying as long as the server has no room for it."""
        while True:
            await throttle.enter()
            try:
                await call.put_on_record(context)
                call.stream = ReplyStream()
                deadline = time.monotonic() + self.patience.total_seconds
                text = await call.stream.read(context.client, call.request, deadline)
            except CallFailedError as error:
                failure = error.failure
                has_no_room = action_for(failure) is FailureAction.WAIT_FOR_ROOM and not call.is_charged
                if not has_no_room:
                    throttle.record_failure()
                    raise
                is_too_long = self._is_wait_too_long(failure, context)
                # A wait that ends the run isn't passed on: other calls would be held back until it is over.
                throttle.record_refusal(None if is_too_long else failure.retry_after_seconds)
                if is_too_long:
                    seconds = failure.retry_after_seconds
                    reason = f"{failure.reason} It asks to wait {seconds:,.0f} s." if seconds else failure.reason
                    advice = "Run it again later: results so far are kept."
                    raise CallFailedError(CallFailure(reason, advice, server_unreached=True)) from None
                context.show_message(f"{failure.headline}: {int(throttle.limit)} calls at once")
            except BaseException:
                throttle.record_failure()
                raise
            else:
                throttle.record_reply()
                return text

    def _is_wait_too_long(self, failure: CallFailure, context: RunContext) -> bool:
        seconds_since_reply = time.monotonic() - self._last_reply_at
        longest_seconds = max(failure.retry_after_seconds or 0.0, seconds_since_reply)
        return longest_seconds > self.longest_wait_seconds or context.queue.stop_reason is not None

    def _drop_job(self, context: RunContext, job: Job, failure: CallFailure) -> None:
        self._failures_in_a_row += 1
        context.queue.drop_job(job, failure.reason)
        is_hopeless = action_for(failure) is FailureAction.STOP or failure.server_unreached
        if is_hopeless or self._failures_in_a_row >= _MAX_FAILURES_IN_A_ROW:
            context.queue.stop(failure)


def _charge_of_failure(context: RunContext, call: _PreparedCall, failure: CallFailure) -> float:
    """The cost of a failed call: nothing if it was refused outright, the count if known, else the most it can cost."""
    if failure.server_unreached or (failure.status is not None and not call.is_charged):
        return 0.0
    if failure.caused_by_model or failure.status is not None:
        return min(call.max_usd, context.budget.reply_cost(call.request, "", call.stream.charged_usage))
    return call.max_usd


def cap_failure(context: RunContext, error: CapReachedError) -> CallFailure:
    """Return the failure of a run that reached its cap."""
    return CallFailure(
        f"The cap is reached: ${context.budget.spent_usd:.4f} of ${context.budget.cap_usd or 0.0:g} are spent, "
        f"and the next call may cost ${error.amount_usd:.4f}.",
        "Allow more with max_total_cost_usd or --budget and run it again: results so far are kept.",
    )
