"""Keeps one fight engine open while the game runs: started once it is wanted, closed before the game ends."""

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from evalforge.app.services import FightEngine


class EngineKeeper:
    """Starts the one engine of the game, and ends it.

    Args:
        open_engine: Makes an engine; leaving its context closes it.
    """

    def __init__(self, open_engine: Callable[[], AbstractAsyncContextManager[FightEngine]]) -> None:
        self._open_engine = open_engine
        self._engine: asyncio.Future[FightEngine] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to warm the engine, unless one is there or on its way. One that failed to start is replaced."""
        if self._engine is None or (self._engine.done() and self._engine.exception() is not None):
            self._engine = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._keep_open(self._engine), name="engine")

    async def engine(self) -> FightEngine:
        """The engine, started if need be.

        Raises:
            EvalForgeError: It does not start.
        """
        self.start()
        assert self._engine is not None
        return await asyncio.shield(self._engine)

    async def stop(self) -> None:
        """Close the engine and wait for it: the event loop ends next, and with it whatever would still clean up."""
        if self._task is not None:
            self._task.cancel()
            # Why it failed, if it did, was the business of whoever asked for the engine.
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
