"""The scheduler, and the dispatcher of one run."""

import asyncio
import inspect

from .blame import with_skipped
from .order import checked_limit, checked_order
from .track import Track, planned


class Scheduler:
    """Takes orders, and carries them out as often as it is asked to."""

    def __init__(self, limit=None):
        self._limit = checked_limit(limit)
        self._orders = {}

    def __len__(self):
        return len(self._orders)

    def add(self, name, work, after=()):
        """Take an order: a name, what to call, and the names of those it has to wait for."""
        self._orders[name] = checked_order(name, work, after, taken=self._orders)

    def plan(self):
        """The names in the order in which they start one at a time."""
        return planned(self._orders)

    async def run(self):
        """Carry out all orders, and say what became of each."""
        plan = self.plan()
        outcomes = await Dispatcher(self._orders, self._limit).outcomes()
        return with_skipped(outcomes, self._orders, plan)


class Dispatcher:
    """One run. Whoever arrives sends the next ones off, so nothing here loops; the last one to arrive ends the run."""

    def __init__(self, orders, limit):
        self._orders = orders
        self._limit = len(orders) if limit is None else limit
        self._track = Track(orders)
        self._arrived = {}
        self._travelling = {}
        self._closed = False
        self._all_home = asyncio.get_running_loop().create_future()

    async def outcomes(self):
        """What became of all that could be sent off."""
        try:
            self._send()
            await self._all_home
        finally:
            await self._close()
        return self._arrived

    def _send(self):
        """Send off whoever is ready, as long as there is room."""
        while len(self._travelling) < self._limit and (name := self._track.next()) is not None:
            order = self._orders[name]
            inputs = {each: self._arrived[each][1] for each in order.after}
            journey = asyncio.ensure_future(_carry_out(order.work, inputs))
            self._travelling[name] = journey
            journey.add_done_callback(lambda journey, name=name: self._arrive(name, journey))
        if not self._travelling and not self._all_home.done():
            self._all_home.set_result(None)

    def _arrive(self, name, journey):
        """Note what became of a task, and send off those for which it makes room."""
        del self._travelling[name]
        if self._closed:
            return
        self._arrived[name] = ("failed", asyncio.CancelledError()) if journey.cancelled() else journey.result()
        if self._arrived[name][0] == "done":
            self._track.done(name)
        self._send()

    async def _close(self):
        """Call back whoever still travels, and wait until all are here."""
        self._closed = True
        journeys = list(self._travelling.values())
        for journey in journeys:
            journey.cancel()
        if journeys:
            await asyncio.wait(journeys)


async def _carry_out(work, inputs):
    """The outcome of one call of the work, and of what it returns if that can be awaited."""
    try:
        result = work(inputs)
        if inspect.isawaitable(result):
            result = await result
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - what a task raises is its outcome
        return "failed", error
    return "done", result
