"""One run of a graph."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from .graph import Frontier
from .model import Kind, Outcome, TaskSpec

FAILURES = (Exception, asyncio.CancelledError)


class Engine:
    """Runs every task of a checked graph once. Make a new one for each run."""

    def __init__(self, tasks: Mapping[str, TaskSpec], limit: int | None) -> None:
        self._tasks = tasks
        self._limit = limit
        self._frontier = Frontier(tasks)
        self._outcomes: dict[str, Outcome] = {}
        self._active: dict[asyncio.Task[Outcome], str] = {}

    async def run(self) -> dict[str, Outcome]:
        """Run until nothing is left to start; the outcomes of all tasks that were called."""
        try:
            self._fill()
            while self._active:
                finished, _ = await asyncio.wait(self._active, return_when=asyncio.FIRST_COMPLETED)
                for task in finished:
                    self._record(self._active.pop(task), task.result())
                self._fill()
        finally:
            await self._shut_down()
        return self._outcomes

    def _fill(self) -> None:
        while self._frontier.has_ready() and self._has_place():
            self._start(self._frontier.next())

    def _has_place(self) -> bool:
        return self._limit is None or len(self._active) < self._limit

    def _start(self, name: str) -> None:
        spec = self._tasks[name]
        inputs = {dependency: self._outcomes[dependency].value for dependency in spec.after}
        try:
            answer = spec.work(inputs)
        except FAILURES as error:
            self._record(name, Outcome(Kind.FAILED, error))
            return
        if inspect.isawaitable(answer):
            self._active[asyncio.create_task(_settle(answer), name=name)] = name
        else:
            self._record(name, Outcome(Kind.DONE, answer))

    def _record(self, name: str, outcome: Outcome) -> None:
        self._outcomes[name] = outcome
        if outcome.kind is Kind.DONE:
            self._frontier.mark_done(name)

    async def _shut_down(self) -> None:
        for task in self._active:
            task.cancel()
        await asyncio.gather(*self._active, return_exceptions=True)


async def _settle(answer: Awaitable[Any]) -> Outcome:
    try:
        return Outcome(Kind.DONE, await answer)
    except FAILURES as error:
        return Outcome(Kind.FAILED, error)


def with_skipped(
    tasks: Mapping[str, TaskSpec], order: Sequence[str], outcomes: Mapping[str, Outcome]
) -> dict[str, Outcome]:
    """All outcomes in the order of adding, with those of the tasks that were never called."""
    place = {name: number for number, name in enumerate(tasks)}
    complete = dict(outcomes)
    blame: dict[str, frozenset[str]] = {}
    for name in order:
        if name in outcomes:
            failed = outcomes[name].kind is Kind.FAILED
            blame[name] = frozenset([name] if failed else [])
        else:
            blame[name] = frozenset().union(*(blame[dependency] for dependency in tasks[name].after))
            complete[name] = Outcome(Kind.SKIPPED, sorted(blame[name], key=place.__getitem__))
    return {name: complete[name] for name in tasks}
