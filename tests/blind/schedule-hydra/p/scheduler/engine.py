"""Runs a graph on the event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any

from .graph import TaskGraph, Walk
from .ledger import Ledger
from .model import Outcome, Status, TaskSpec
from .protocols import SlotPolicy


class Engine:
    """Starts what is ready, as long as the policy has room."""

    def __init__(self, graph: TaskGraph, policy: SlotPolicy) -> None:
        self._graph = graph
        self._policy = policy
        self._ledger = Ledger(graph)

    async def execute(self) -> dict[str, tuple[str, Any]]:
        """Run everything once and report what became of it."""
        self._graph.order()
        self._ledger.clear()
        walk = Walk(self._graph)
        under_way: dict[asyncio.Task[Outcome], TaskSpec] = {}
        try:
            self._start_ready(walk, under_way)
            while under_way:
                ended, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    self._settle(walk, under_way.pop(task), task.result())
                self._start_ready(walk, under_way)
        finally:
            await self._abandon(under_way)
        return self._ledger.report()

    def _start_ready(self, walk: Walk, under_way: dict[asyncio.Task[Outcome], TaskSpec]) -> None:
        while walk.ready and self._policy.has_room(len(under_way)):
            spec = walk.ready.pop()
            causes = self._ledger.blame(spec)
            if causes:
                self._settle(walk, spec, Outcome(Status.SKIPPED, causes))
                continue
            started = self._call(spec)
            if isinstance(started, Outcome):
                self._settle(walk, spec, started)
            else:
                under_way[asyncio.create_task(_await(started))] = spec

    def _call(self, spec: TaskSpec) -> Outcome | Awaitable[Any]:
        try:
            result = spec.work(self._ledger.inputs(spec))
        except (Exception, asyncio.CancelledError) as error:
            return Outcome(Status.FAILED, error)
        return result if inspect.isawaitable(result) else Outcome(Status.DONE, result)

    def _settle(self, walk: Walk, spec: TaskSpec, outcome: Outcome) -> None:
        self._ledger.record(spec, outcome)
        walk.settle(spec)

    @staticmethod
    async def _abandon(under_way: dict[asyncio.Task[Outcome], TaskSpec]) -> None:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _await(awaitable: Awaitable[Any]) -> Outcome:
    try:
        return Outcome(Status.DONE, await awaitable)
    except (Exception, asyncio.CancelledError) as error:
        return Outcome(Status.FAILED, error)
