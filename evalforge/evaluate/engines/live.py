"""Makes one call for each job, concurrently: as many as the server accepts, within the cap."""

import asyncio
import time
from dataclasses import dataclass, field

from evalforge.evaluate.engines.base import RETRY_ACTIONS, FailureAction, RunContext, action_for
from evalforge.evaluate.item_prompt import sendable
from evalforge.evaluate.journal import CallAnswered
from evalforge.evaluate.run_budget import CapReachedError
from evalforge.evaluate.steps import Job
from evalforge.evaluate.throttle import Throttle
from evalforge.llm.budget import Usage
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.reply_pieces import ReplyStarted
from evalforge.llm.request import Request
from evalforge.llm.retry import RetryPolicy, StreamObserver, ask_model

DEFAULT_CONCURRENCY = 8
"""Concurrent calls, unless an option says otherwise."""
_MAX_PREPARED_CALLS = 8
"""Number of calls that are prepared while others are running."""
_MAX_FAILURES_IN_A_ROW = 6
_MAX_SILENCES_IN_A_ROW = 3
"""This many calls in a row that a server accepted but never answered end the run."""


@dataclass
class _CallUsage:
    """Records the usage of one call and which model answers. The money is reserved elsewhere."""

    usage: Usage = field(default_factory=Usage)
    started: ReplyStarted = field(default_factory=lambda: ReplyStarted("", ""))

    def reserve_call(self, request: Request) -> int:
        """Does nothing: the run's own budget has already reserved the call."""
        del request
        return 0

    def record_usage(self, reservation_id: int, usage: Usage) -> None:
        """Does nothing: only the final usage matters."""

    def settle_call(self, reservation_id: int, usage: Usage) -> None:
        """Store the usage of the call."""
        del reservation_id
        self.usage = usage

    def record_start(self, started: ReplyStarted) -> None:
        """Record the usage that the server reports when a reply begins."""
        self.started = started

    @property
    def observer(self) -> StreamObserver:
        """Forwards the beginning of a reply and nothing else."""
        return StreamObserver(_ignore, lambda: None, _ignore, self.record_start)


def _ignore(_: str) -> None: ...


@dataclass
class _PreparedCall:
    """A call that is ready to be sent."""

    job: Job
    request: Request
    max_usd: float
    _is_on_record: bool = False

    async def put_on_record(self, context: RunContext) -> None:
        """Record the call just before its first byte is sent: once recorded, it counts as paid.

        Raises:
            CallFailedError: The run is stopped.
        """
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
        concurrency: The most concurrent calls.
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
            try:
                failure = await self._ask_with_retries(context, throttle, job, request)
                if failure is not None:
                    self._drop_job(context, job, failure)
            except CapReachedError as error:
                queue.return_job(job)
                queue.stop(cap_failure(context, error))
            if queue.stop_reason is not None:
                throttle.open_for_good()

    async def _ask_with_retries(
        self, context: RunContext, throttle: Throttle, job: Job, request: Request
    ) -> CallFailure | None:
        """Ask until the server has answered.

        Returns:
            Why it did not answer; None if it did.

        Raises:
            CapReachedError: The next attempt doesn't fit under the cap.
        """
        failure: CallFailure | None = None
        for try_number in range(1, self.patience.max_attempts + 1):
            failure = await self._ask_once(context, throttle, job, request)
            if failure is None or action_for(failure) not in RETRY_ACTIONS:
                break
            if try_number == self.patience.max_attempts or context.queue.stop_reason is not None:
                break
            await asyncio.sleep(self.patience.pause_seconds(try_number))
        return failure

    async def _ask_once(
        self, context: RunContext, throttle: Throttle, job: Job, request: Request
    ) -> CallFailure | None:
        """Make one call: its cost is reserved before, its outcome recorded after."""
        budget, queue = context.budget, context.queue
        max_usd = budget.max_cost(request)
        ticket = await budget.reserve(max_usd)
        usd = max_usd
        started_at = time.monotonic()
        try:
            call = _CallUsage()
            try:
                text = await self._get_reply(context, throttle, _PreparedCall(job, request, max_usd), call)
            except CallFailedError as error:
                usd = _charge_of_failure(context, request, error.failure, call.usage, max_usd)
                if action_for(error.failure) is FailureAction.ASK_FOR_LESS:
                    queue.record_unusable(job, error.failure.reason, usd)
                    return None
                queue.record_failure(job, error.failure.reason, usd)
                self._note_silence(context, error.failure, time.monotonic() - started_at)
                return error.failure
            usd = budget.reply_cost(request, text, call.usage)
            queue.record_answer(job, _answer(job, text, usd, call))
        finally:
            budget.settle_reservation(ticket, usd)
        await queue.wait_until_synced()
        self._failures_in_a_row = self._silences_in_a_row = 0
        self._last_reply_at = time.monotonic()
        return None

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

    async def _get_reply(
        self, context: RunContext, throttle: Throttle, prepared: _PreparedCall, call: _CallUsage
    ) -> str:
        """Return the reply to a call, retrying as long as the server has no room for it.

        Raises:
            CallFailedError: The server accepted the call without replying, or has had no room for too long.
        """
        one_try = RetryPolicy(1, self.patience.total_seconds, self.patience.stall_seconds)
        while True:
            await throttle.enter()
            try:
                await prepared.put_on_record(context)
                text = await ask_model(context.client, prepared.request, one_try, call, call.observer)
            except CallFailedError as error:
                failure = error.failure
                has_no_room = action_for(failure) is FailureAction.WAIT_FOR_ROOM and call.usage == Usage()
                if not has_no_room:
                    throttle.record_failure()
                    raise
                is_too_long = self._is_wait_too_long(failure, context)
                # A wait that ends the run isn't passed on: other calls would be held back until it is over.
                throttle.record_refusal(None if is_too_long else failure.retry_after_seconds)
                if is_too_long:
                    raise CallFailedError(_no_room_failure(failure)) from None
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


def _no_room_failure(failure: CallFailure) -> CallFailure:
    asks = f" It asks to wait {failure.retry_after_seconds:,.0f} s." if failure.retry_after_seconds else ""
    return CallFailure(f"{failure.reason}{asks}", "Run it again later: results so far are kept.", server_unreached=True)


def _answer(job: Job, text: str, usd: float, call: _CallUsage) -> CallAnswered:
    return CallAnswered(
        call=job.call,
        text=sendable(text),
        usd=usd,
        usage=call.usage,
        model=call.started.model,
        reply_id=call.started.id,
    )


def _charge_of_failure(
    context: RunContext, request: Request, failure: CallFailure, usage: Usage, max_usd: float
) -> float:
    """The cost of a failed call: nothing if it was refused outright, the count if known, else the most it can cost."""
    was_refused_unread = failure.status is not None and usage == Usage()
    if failure.server_unreached or was_refused_unread:
        return 0.0
    if failure.caused_by_model or failure.status is not None:
        return min(max_usd, context.budget.reply_cost(request, "", usage))
    return max_usd


def cap_failure(context: RunContext, error: CapReachedError) -> CallFailure:
    """Return the failure of a run that reached its cap."""
    return CallFailure(
        f"The cap is reached: ${context.budget.spent_usd:.4f} of ${context.budget.cap_usd or 0.0:g} are spent, "
        f"and the next call may cost ${error.amount_usd:.4f}.",
        "Allow more with max_total_cost_usd or --budget and run it again: results so far are kept.",
    )
