"""Long work beside the screen, in a thread that leaving the game does not wait for."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def run_in_thread(work: Callable[[], T]) -> T:
    """Do some work in a thread of its own and answer what it answers.

    Threads of a pool are waited for when a program ends; this one is not, so it must leave nothing half done.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def act() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            failed = error
        with suppress(RuntimeError):  # the game is over: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=act, daemon=True).start()
    return await done
