"""Keeps one fight engine open while the game runs: started on demand, closed before the game ends."""

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from evalforge.app.core.services import FightEngine


class EngineKeeper:
    """Starts the game's single engine, and closes it.

    Args:
        open_engine: Opens an engine; leaving its context closes it.
    """

    def __init__(self, open_engine: Callable[[], AbstractAsyncContextManager[FightEngine]]) -> None:
        self._open_engine = open_engine
        self._engine: asyncio.Future[FightEngine] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start warming the engine, unless it is ready or starting. An engine that failed to start is replaced."""
        if self._engine is None or (self._engine.done() and self._engine.exception() is not None):
            self._engine = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._keep_open(self._engine), name="engine")

    async def engine(self) -> FightEngine:
        """Return the engine, starting it if necessary.

        Raises:
            EvalForgeError: The engine does not start.
        """
        self.start()
        assert self._engine is not None
        return await asyncio.shield(self._engine)

    async def stop(self) -> None:
        """Close the engine and wait for that, because the event loop ends next and allows no later cleanup."""
        if self._task is not None:
            self._task.cancel()
            # If it failed to start, the caller that asked for it has got the error.
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await self._task

    async def _keep_open(self, engine: "asyncio.Future[FightEngine]") -> None:
        try:
            async with self._open_engine() as opened:
                engine.set_result(opened)
                await opened.warm()
                await asyncio.Event().wait()
        except Exception as error:
            if not engine.done():
                engine.set_exception(error)
            raise
