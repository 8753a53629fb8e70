"""One call for each job, many at once: bounded, slowed by the server, paid within the cap."""

import asyncio
import random
import time
from dataclasses import dataclass, field

from evalforge.batch.evaluate.engines.base import Shop, Trouble, trouble
from evalforge.batch.evaluate.journal import Answered
from evalforge.batch.evaluate.prompt import sendable
from evalforge.batch.evaluate.steps import Job
from evalforge.batch.evaluate.throttle import Throttle
from evalforge.batch.evaluate.till import SpentError
from evalforge.judges.call import Hearer, Patience, ask
from evalforge.judges.failure import CallFailedError, Failure
from evalforge.judges.money import Usage
from evalforge.judges.sdk import Began, Request

CONCURRENCY = 8
"""Calls at once unless told otherwise."""
_AHEAD = 8
"""Calls that are made ready while others are under way."""
_FAILURES_IN_A_ROW = 6


@dataclass
class _Call:
    """One try, heard as it goes: what it used, who answered."""

    usage: Usage = field(default_factory=Usage)
    began: Began = field(default_factory=lambda: Began("", ""))

    def begin(self, request: Request) -> int:
        """The money is put aside already."""
        del request
        return 0

    def count(self, ticket: int, usage: Usage) -> None:
        """Only the end matters."""

    def end(self, ticket: int, usage: Usage) -> None:
        """It is over."""
        del ticket
        self.usage = usage

    def hear(self, began: Began) -> None:
        """It begins."""
        self.began = began

    @property
    def hearer(self) -> Hearer:
        """Nobody watches a reply come."""
        return Hearer(_nothing, lambda: None, _nothing, self.hear)


def _nothing(_: str) -> None: ...


@dataclass
class _Ready:
    """A call that is ready to go out."""

    job: Job
    request: Request
    most: float
    _is_on_record: bool = False

    async def put_on_record(self, shop: Shop) -> None:
        """Before its first byte goes out, and no sooner: what is on record as asked counts as paid for.

        Raises:
            CallFailedError: Nothing goes out any more.
        """
        if shop.desk.stopped is not None:
            raise CallFailedError(Failure(shop.desk.stopped.reason, unreached=True))
        if not self._is_on_record:
            shop.desk.asked(self.job, self.most)
            await shop.desk.journal.settle()
            self._is_on_record = True


@dataclass
class Messages:
    """Calls of the Messages API.

    Args:
        concurrency: The most at once.
        patience: Tries, deadline and waits of one job; ``stall`` is the client's.
        longest_wait: Seconds without any reply, or asked for by the server, after which the run is stopped.
    """

    concurrency: int = CONCURRENCY
    patience: Patience = field(default_factory=Patience)
    longest_wait: float = 900.0
    discount: float = 1.0
    _in_a_row: int = 0
    _last_reply: float = 0.0

    async def run(self, shop: Shop) -> None:
        """Have all jobs done; those under way when it stops are waited for."""
        throttle = Throttle(self.concurrency)
        self._last_reply = time.monotonic()
        hands = self.concurrency + min(self.concurrency, _AHEAD)
        async with asyncio.TaskGroup() as group:
            for _ in range(hands):
                group.create_task(self._work(shop, throttle))
        shop.desk.counts.refusals += throttle.refusals

    async def _work(self, shop: Shop, throttle: Throttle) -> None:
        while (job := await shop.desk.next()) is not None:
            request = shop.desk.plan.request(job)
            try:
                failure = await self._asked(shop, throttle, job, request)
                if failure is not None:
                    self._give_up(shop, job, failure)
            except SpentError as error:
                shop.desk.give_back(job)
                shop.desk.stop(over_cap(shop, error))
            if shop.desk.stopped is not None:
                throttle.end()

    async def _asked(self, shop: Shop, throttle: Throttle, job: Job, request: Request) -> Failure | None:
        """Ask until the server has had its say. Gives why it had none.

        Raises:
            SpentError: The next try doesn't fit under the cap.
        """
        failure: Failure | None = None
        for number in range(1, self.patience.tries + 1):
            failure = await self._try(shop, throttle, job, request)
            if failure is None or trouble(failure) not in (Trouble.AGAIN, Trouble.NO_ROOM):
                break
            if number == self.patience.tries or shop.desk.stopped is not None:
                break
            await asyncio.sleep(_pause(self.patience, number))
        return failure

    async def _try(self, shop: Shop, throttle: Throttle, job: Job, request: Request) -> Failure | None:
        """One call, with its money put aside before and its end on record."""
        most = shop.till.most(request)
        ticket = await shop.till.reserve(most)
        usd = most
        try:
            call = _Call()
            try:
                text = await self._served(shop, throttle, _Ready(job, request, most), call)
            except CallFailedError as error:
                usd = _charged(shop, request, error.failure, call.usage, most)
                if trouble(error.failure) is Trouble.SMALLER:
                    shop.desk.unusable(job, error.failure.reason, usd)
                    return None
                shop.desk.failed(job, error.failure.reason, usd)
                return error.failure
            usd = shop.till.cost(request, text, call.usage)
            shop.desk.answered(job, _record(shop, job, text, usd, call))
        finally:
            shop.till.settle(ticket, usd)
        await shop.desk.journal.settle()
        self._in_a_row, self._last_reply = 0, time.monotonic()
        return None

    async def _served(self, shop: Shop, throttle: Throttle, ready: "_Ready", call: _Call) -> str:
        """The reply to a call, however often the server had no room for it before.

        Raises:
            CallFailedError: It took the call, and gave no reply.
        """
        patience = Patience(1, self.patience.deadline, self.patience.stall)
        while True:
            await throttle.enter()
            try:
                await ready.put_on_record(shop)
                text = await ask(shop.client, ready.request, patience, call, call.hearer)
            except CallFailedError as error:
                failure = error.failure
                if trouble(failure) is not Trouble.NO_ROOM or call.usage != Usage():
                    throttle.left()
                    raise
                too_long = self._too_long(failure, shop)
                # A time nobody will wait for closes no gate: others would stand before it until then.
                throttle.refused(None if too_long else failure.wait)
                if too_long:
                    raise CallFailedError(_no_room(failure)) from None
                shop.word(f"{failure.brief}: {int(throttle.limit)} calls at once")
            except BaseException:
                throttle.left()
                raise
            else:
                throttle.served()
                return text

    def _too_long(self, failure: Failure, shop: Shop) -> bool:
        waited = time.monotonic() - self._last_reply
        return (failure.wait or 0.0) > self.longest_wait or waited > self.longest_wait or shop.desk.stopped is not None

    def _give_up(self, shop: Shop, job: Job, failure: Failure) -> None:
        self._in_a_row += 1
        shop.desk.drop(job, failure.reason)
        hopeless = trouble(failure) is Trouble.HOPELESS or failure.unreached
        if hopeless or self._in_a_row >= _FAILURES_IN_A_ROW:
            shop.desk.stop(failure)


def _no_room(failure: Failure) -> Failure:
    asks = f" It asks to wait {failure.wait:,.0f} s." if failure.wait else ""
    return Failure(f"{failure.reason}{asks}", "Run it again later: what was judged is kept.", unreached=True)


def _record(shop: Shop, job: Job, text: str, usd: float, call: _Call) -> Answered:
    return Answered(
        rubric=shop.desk.plan.rubric,
        call=job.call,
        text=sendable(text),
        usd=usd,
        usage=call.usage,
        model=call.began.model,
        reply_id=call.began.id,
    )


def _charged(shop: Shop, request: Request, failure: Failure, usage: Usage, most: float) -> float:
    """What a failed call cost: nothing if it was refused at the door, what was counted, else the most it can."""
    if failure.unreached or (failure.status is not None and usage == Usage()):
        return 0.0
    if failure.by_model or failure.status is not None:
        return min(most, shop.till.cost(request, "", usage))
    return most


def _pause(patience: Patience, number: int) -> float:
    longest = min(patience.first_wait * 2 ** (number - 1), patience.longest_wait)
    return longest * random.uniform(0.75, 1.0)  # noqa: S311 - so that many don't knock at the same moment


def over_cap(shop: Shop, error: SpentError) -> Failure:
    """Why nothing more is asked."""
    return Failure(
        f"The cap is reached: ${shop.till.total:.4f} of ${shop.till.cap or 0.0:g} are spent, "
        f"and the next call may cost ${error.amount:.4f}.",
        "Allow more with max_total_cost_usd or --budget and run it again: what was judged is kept.",
    )
