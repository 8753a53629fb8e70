"""All jobs of a round handed in together as message batches: half the price, within a day, across restarts."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from evalforge.batch.evaluate.engines.base import Shop, Trouble, is_unknown, trouble
from evalforge.batch.evaluate.engines.messages import over_cap
from evalforge.batch.evaluate.journal import Announced, Answered, Collected, Created, Failed
from evalforge.batch.evaluate.prompt import sendable
from evalforge.batch.evaluate.steps import Job
from evalforge.batch.evaluate.till import BATCH_DISCOUNT, SpentError
from evalforge.judges import batches
from evalforge.judges.batches import BatchResult, BatchState
from evalforge.judges.call import finished
from evalforge.judges.failure import CallFailedError, Failure

_MOST = 5_000
"""Requests in one batch; the server takes twenty times as many, but a batch must also fit through the wire."""
_MOST_CHARACTERS = 60_000_000
_TRIES = 3
_GROWTH = 1.5
_NOT_FOUND = 404
_WITHOUT, _ANEW = "Ask it one by one: --engine messages", "Begin anew with --fresh."
T = TypeVar("T")


@dataclass(frozen=True)
class Pace:
    """How a server is asked: seconds before the second look at a batch, the most between two, the most to be waited."""

    first: float = 0.5
    longest: float = 60.0
    patience: float = 900.0


@dataclass
class MessageBatches:
    """Message batches.

    Args:
        pace: How often the server is asked how it stands.
    """

    pace: Pace = field(default_factory=Pace)
    discount: float = BATCH_DISCOUNT
    _tickets: dict[str, int] = field(default_factory=dict[str, int])
    _failures: dict[str, int] = field(default_factory=dict[str, int])

    async def run(self, shop: Shop) -> None:
        """Collect what an earlier run handed in, then hand in round after round until nothing is left."""
        try:
            await self._adopt(shop)
            for batch in list(shop.desk.ledger.batches):
                await self._collect(shop, batch)
            while shop.desk.waiting and shop.desk.stopped is None:
                await self._hand_in(shop)
                for batch in list(shop.desk.ledger.batches):
                    await self._collect(shop, batch)
        except CallFailedError as error:
            shop.desk.stop(_told(shop, error.failure))

    # A batch nobody knows to exist

    async def _adopt(self, shop: Shop) -> None:
        """Find the batch that was about to be created when an earlier run ended, if it was."""
        announced = shop.desk.ledger.announced
        if announced is None:
            return
        batch = await self._created(shop, announced)
        if batch is None:
            self._never_came(shop, announced.calls, "the server never had it")
            return
        shop.word(f"Found the message batch {batch.id} that was handed in before")
        shop.desk.note(Created(rubric=shop.desk.plan.rubric, batch=batch.id, calls=announced.calls))

    async def _created(self, shop: Shop, announced: Announced) -> BatchState | None:
        """An announced batch, if the server has it."""
        wanted = frozenset(self._name(shop, call) for call in announced.calls)
        for batch in await self._patiently(shop, lambda: batches.newest(shop.client, announced.newest)):
            if batch.id in shop.desk.ledger.batches or batch.requests not in (0, len(wanted)):
                continue
            if await self._is_ours(shop, batch, wanted):
                return batch
        return None

    def _never_came(self, shop: Shop, calls: Iterable[str], reason: str) -> None:
        """An announced batch doesn't exist: it cost nothing."""
        rubric = shop.desk.plan.rubric
        for call in calls:
            if call in shop.desk.ledger.open:
                shop.desk.note(Failed(rubric=rubric, call=call, reason=reason, usd=0.0))
        shop.desk.note(Collected(rubric=rubric, batch=""))

    async def _is_ours(self, shop: Shop, batch: BatchState, wanted: frozenset[str]) -> bool:
        """Only results tell whose they are, so it is waited for."""
        await self._wait(shop, batch.id)
        async with aclosing(batches.results(shop.client, batch.id)) as results:
            async for result in results:
                return result.name in wanted
        return False

    # A round

    async def _hand_in(self, shop: Shop) -> None:
        """Create one batch out of jobs that wait, as many as can be paid."""
        # Asked first: a server that can't be reached then costs nothing that was set aside.
        before = await self._patiently(shop, lambda: batches.newest(shop.client))
        jobs = await self._affordable(shop)
        if not jobs:
            return
        shop.word(f"Handing in {len(jobs)} requests as a message batch")
        calls = tuple(job.call for job in jobs)
        newest = before[0].id if before else ""
        state = await self._create(shop, jobs, Announced(rubric=shop.desk.plan.rubric, calls=calls, newest=newest))
        shop.desk.note(Created(rubric=shop.desk.plan.rubric, batch=state.id, calls=calls))
        await shop.desk.journal.settle()

    async def _affordable(self, shop: Shop) -> list[Job]:
        jobs: list[Job] = []
        size = 0
        while shop.desk.waiting and len(jobs) < _MOST and size < _MOST_CHARACTERS:
            job = shop.desk.take()
            request = shop.desk.plan.request(job)
            size += request.characters
            most = shop.till.most(request)
            ticket = shop.till.try_reserve(most)
            if ticket is None:
                shop.desk.give_back(job)
                if not jobs:
                    shop.desk.stop(over_cap(shop, SpentError(most)))
                break
            self._tickets[job.call] = ticket
            shop.desk.asked(job, most)
            jobs.append(job)
        return jobs

    async def _create(self, shop: Shop, jobs: list[Job], announced: Announced) -> BatchState:
        """Create a batch; where nobody knows whether it came to be, look before it is tried again.

        Raises:
            CallFailedError: There is none, or nobody knows: then it stays announced, and the next run looks.
        """
        requests = {self._name(shop, job.call): shop.desk.plan.request(job) for job in jobs}
        shop.desk.note(announced)
        await shop.desk.journal.settle()
        began, pause = time.monotonic(), self.pace.first
        while True:
            try:
                return await batches.create(shop.client, requests)
            except CallFailedError as error:
                failure = error.failure
                if trouble(failure) not in (Trouble.NO_ROOM, Trouble.AGAIN) or self._is_over(began, failure):
                    if not is_unknown(failure):
                        self._never_came(shop, announced.calls, failure.reason)
                    raise
            await asyncio.sleep(max(pause, failure.wait or 0.0))
            pause = min(self.pace.longest, pause * _GROWTH)
            if is_unknown(failure) and (batch := await self._created(shop, announced)) is not None:
                return batch

    # Results

    async def _collect(self, shop: Shop, batch: str) -> None:
        """Wait for a batch and take in its results; what is there already is passed over."""
        calls = shop.desk.ledger.batches[batch]
        jobs = {self._name(shop, call): job for call, job in self._jobs(shop, calls).items()}
        await self._wait(shop, batch)
        await self._patiently(shop, lambda: self._results(shop, batch, jobs))
        for job in jobs.values():
            # It was in the batch, and there is no word about it.
            self._again(shop, job, "the batch holds no result for it")
        shop.desk.note(Collected(rubric=shop.desk.plan.rubric, batch=batch))
        await shop.desk.journal.settle()

    def _jobs(self, shop: Shop, calls: Iterable[str]) -> dict[str, Job]:
        """The jobs of a batch that are not settled, those of an earlier run among them."""
        claimed = shop.desk.claim(calls)
        for call, job in claimed.items():
            if call not in self._tickets:
                ticket = shop.till.try_reserve(shop.till.most(shop.desk.plan.request(job)))
                if ticket is not None:
                    self._tickets[call] = ticket
        return shop.desk.under_way(calls)

    async def _results(self, shop: Shop, batch: str, jobs: dict[str, Job]) -> None:
        async with aclosing(batches.results(shop.client, batch)) as results:
            async for result in results:
                job = jobs.pop(result.name, None)
                if job is not None:
                    self._take(shop, job, result)

    def _take(self, shop: Shop, job: Job, result: BatchResult) -> None:
        if result.outcome != "succeeded":
            told = f" ({result.error})" if result.error else ""
            self._again(shop, job, f"{result.outcome}{told}")
            return
        usd = shop.till.cost(shop.desk.plan.request(job), result.text, result.usage)
        self._pay(shop, job, usd)
        try:
            text = finished(result.text, result.stopped)
        except CallFailedError as error:
            shop.desk.unusable(job, error.failure.reason, usd)
            return
        shop.desk.answered(
            job,
            Answered(
                rubric=shop.desk.plan.rubric,
                call=job.call,
                text=sendable(text),
                usd=usd,
                usage=result.usage,
                model=result.model,
                reply_id=result.reply_id,
            ),
        )

    def _again(self, shop: Shop, job: Job, reason: str) -> None:
        """Expired, cancelled and failed requests cost nothing and are handed in again, a few times."""
        self._pay(shop, job, 0.0)
        shop.desk.failed(job, reason, 0.0)
        self._failures[job.call] = self._failures.get(job.call, 0) + 1
        if self._failures[job.call] < _TRIES:
            shop.desk.give_back(job)
        else:
            shop.desk.drop(job, f"three times {reason}")

    def _pay(self, shop: Shop, job: Job, usd: float) -> None:
        shop.till.settle(self._tickets.pop(job.call, None), usd)

    # Patience

    async def _wait(self, shop: Shop, batch: str) -> None:
        """Until a batch has ended, however long that takes: the server ends it within a day."""
        pause, done = self.pace.first, -1
        while True:
            state = await self._patiently(shop, lambda: batches.state(shop.client, batch))
            if state.ended:
                return
            if state.done != done:
                done = state.done
                shop.word(f"Message batch {batch}: {done} of {state.requests} done")
            await asyncio.sleep(pause)
            pause = min(self.pace.longest, pause * _GROWTH)

    async def _patiently(self, shop: Shop, make: Callable[[], Awaitable[T]]) -> T:
        """Ask until there is an answer, or it has taken too long.

        Raises:
            CallFailedError: There is none.
        """
        began, pause = time.monotonic(), self.pace.first
        while True:
            try:
                return await make()
            except CallFailedError as error:
                failure = error.failure
                if trouble(failure) not in (Trouble.NO_ROOM, Trouble.AGAIN) or self._is_over(began, failure):
                    raise
            shop.word(f"{failure.brief}: asking again")
            await asyncio.sleep(max(pause, failure.wait or 0.0))
            pause = min(self.pace.longest, pause * _GROWTH)

    def _is_over(self, began: float, failure: Failure) -> bool:
        return time.monotonic() - began + (failure.wait or 0.0) > self.pace.patience

    def _name(self, shop: Shop, call: str) -> str:
        """The name of a request at the server: this run's, and the call's."""
        return f"{shop.desk.plan.secret[:12]}-{call}"


def _told(shop: Shop, failure: Failure) -> Failure:
    """What is said of a failure: of a place that isn't there, that it is no model that is missing."""
    if failure.status != _NOT_FOUND:
        return failure
    said = "".join(failure.reason.partition(" It said: ")[1:])
    batch = next(iter(shop.desk.ledger.batches), "")
    if batch:
        return replace(failure, reason=f"The server has no message batch {batch}.{said}", advice=_ANEW)
    return replace(failure, reason=f"The server has no message batches.{said}", advice=_WITHOUT)
