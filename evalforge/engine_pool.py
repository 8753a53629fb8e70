"""A pool of warm engines; each measures one submission at a time."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from evalforge.evidence.engine import Engine
from evalforge.model.errors import SandboxError

Result = TypeVar("Result")
_MAX_ENGINES = 4


class EnginePool:
    """Engines that share a list of jobs.

    Args:
        engines: The engines; whoever made them closes them.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        self.size = len(engines)
        self._idle_engines: asyncio.Queue[Engine] = asyncio.Queue()
        for engine in engines:
            self._idle_engines.put_nowait(engine)

    async def run_all(self, jobs: Sequence[Callable[[Engine], Awaitable[Result]]]) -> list[Result]:
        """Run jobs, as many at once as there are engines; returns their results in order.

        Raises:
            SandboxError: A job could not be run.
        """
        sandbox_errors: list[SandboxError] = []
        tasks: list[asyncio.Task[Result]] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._run(job)) for job in jobs]
        except* SandboxError as errors:
            sandbox_errors = [error for error in errors.exceptions if isinstance(error, SandboxError)]
        if sandbox_errors:
            raise sandbox_errors[0]
        return [task.result() for task in tasks]

    async def _run(self, job: Callable[[Engine], Awaitable[Result]]) -> Result:
        engine = await self._idle_engines.get()
        try:
            return await job(engine)
        finally:
            self._idle_engines.put_nowait(engine)


@asynccontextmanager
async def open_engines() -> AsyncGenerator[EnginePool]:
    """Open one engine per core, four at most, and close them at the end."""
    count = max(1, min(_MAX_ENGINES, os.cpu_count() or 1))
    engines = [Engine() for _ in range(count)]
    try:
        yield EnginePool(engines)
    finally:
        for engine in engines:
            await engine.close()
