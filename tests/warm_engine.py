"""A warm engine for all tests of a session that only need one: to start another for each costs more than to judge."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from typing import Any, TypeVar

from evalforge.evidence.engine import Engine
from evalforge.model.events import Event

_Result = TypeVar("_Result")


class EnginePool:
    """Real engines that stay warm from one test to the next, in a thread whose event loop outlives those of tests."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._engines: list[Engine] = []
        self._idle: list[Engine] = []

    def lend(self, layer: str = "") -> "LentEngine | Engine":
        """Stands in for the class ``Engine``; one with an isolation of its own is nobody else's."""
        return Engine(layer) if layer else LentEngine(self)

    def take(self) -> Engine:
        """An engine that nobody uses."""
        if not self._idle:
            self._idle.append(Engine())
            self._engines.append(self._idle[-1])
        return self._idle.pop()

    def give_back(self, engine: Engine) -> None:
        """Let others use it."""
        self._idle.append(engine)

    async def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Do something in the engines' own event loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """End the engines and the thread."""
        for engine in self._engines:
            asyncio.run_coroutine_threadsafe(engine.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class LentEngine:
    """An engine as a test sees it; where ``Engine`` would end, this one goes back to the pool."""

    def __init__(self, pool: EnginePool) -> None:
        self._pool = pool
        self._engine: Engine | None = None
        self._is_gathering = False
        self.layer = self.isolation_note = ""

    async def warm(self) -> None:
        """See ``Engine.warm``."""
        if self._engine is None:
            self._engine = self._pool.take()
        await self._pool.run(self._engine.warm())
        self.layer, self.isolation_note = self._engine.layer, self._engine.isolation_note

    async def gather(self, *arguments: Any, **options: Any) -> AsyncGenerator[Event]:
        """See ``Engine.gather``."""
        await self.warm()
        self._is_gathering = True
        engine, loop = self._engine, asyncio.get_running_loop()
        assert engine is not None
        events = asyncio.Queue[Event | None]()

        async def gathering() -> None:
            try:
                async with aclosing(engine.gather(*arguments, **options)) as stream:
                    async for event in stream:
                        loop.call_soon_threadsafe(events.put_nowait, event)
            finally:
                loop.call_soon_threadsafe(events.put_nowait, None)

        task = await self._pool.run(_started(gathering()))
        is_complete = False
        try:
            while (event := await events.get()) is not None:
                yield event
            is_complete = True
        finally:
            error = await self._pool.run(_ended(task, cancelled=not is_complete))
            self._is_gathering = False
        if error is not None:
            raise error

    async def close(self) -> None:
        """Give it back, unless its stream was dropped before its end: then it may still be at work."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        if self._is_gathering:
            await self._pool.run(engine.close())
        else:
            self._pool.give_back(engine)


async def _started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.create_task(work)


async def _ended(task: asyncio.Task[None], *, cancelled: bool) -> BaseException | None:
    """Wait for a task's end; gives what it failed with."""
    if cancelled:
        task.cancel()
    await asyncio.wait({task})
    return None if task.cancelled() else task.exception()
