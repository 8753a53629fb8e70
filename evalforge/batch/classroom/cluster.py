"""The code of a class run on a Dask cluster. Workers say which cage they have; one without is not used.

Only running code travels: a hand-in and the boss's trials go there, what was measured comes back. Judging and history
stay here. A worker needs EvalForge of the same version and nothing else.
"""

import asyncio
import importlib
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalforge import __version__
from evalforge.batch.classroom.there import Answer, Errand, Introduction, examine, introduce
from evalforge.evidence.engine import Engine
from evalforge.library.contents import files_below
from evalforge.model.errors import SandboxError, UsageError
from evalforge.model.events import Event
from evalforge.model.submission import Submission
from evalforge.sandbox.isolation import CAGED

_CONNECT_SECONDS = 15.0
_LOOK_SECONDS = 2.0
_PATIENCE_SECONDS = 900.0
_TRIES = 2
_EVENTS = TypeAdapter[list[Event]](list[Event])


class ClusterEngines:
    """Engines on the workers of a cluster.

    Args:
        scheduler: Its address, such as ``tcp://host:8786``.
    """

    def __init__(self, scheduler: str) -> None:
        self._scheduler = scheduler
        self._client: Any = None

    async def open(self, wanted: int) -> Sequence[tuple[Engine, str]]:
        """As many engines as are wanted, spread over the workers; else one for each thread of each.

        Raises:
            UsageError: There is no such cluster, or none of its workers shuts code in.
        """
        self._client = await _connect(self._scheduler)
        said: dict[str, Any] = await self._client.run(introduce, on_error="return")
        caged = {address: told for address, told in said.items() if not _why_not(told)}
        refused = " ".join(
            f"Not used: {address} ({_why_not(told)})." for address, told in said.items() if _why_not(told)
        )
        if not caged:
            await self.close()
            raise UsageError(f"No worker of {self._scheduler} may run this code. {refused}".strip())
        threads: dict[str, int] = await self._client.nthreads()
        places = [address for address in caged for _ in range(threads.get(address, 1))]
        places = [places[number % len(places)] for number in range(wanted or len(places))]
        engines = [ClusterEngine(self._client, caged, place) for place in places]
        engines[0].isolation_note = f"{engines[0].isolation_note} {refused}".strip()
        return list(zip(engines, places, strict=True))

    async def close(self) -> None:
        """Leave the cluster."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _why_not(told: Any) -> str:
    """Why a worker isn't used; empty if it is."""
    if not isinstance(told, Introduction):
        return f"it does not answer: {told}"
    if told.version != __version__:
        return f"EvalForge {told.version} there, {__version__} here"
    return "" if told.layer in CAGED else f"no cage: isolation {told.layer or 'none'}"


async def _connect(scheduler: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--engine dask needs Dask.", "Install it with: pip install 'evalforge[dask]'") from None
    try:
        return await distributed.Client(scheduler, asynchronous=True, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"There is no Dask scheduler at {scheduler} ({error}).") from None


class ClusterEngine(Engine):
    """An engine whose workshop stands at a worker of a cluster.

    Args:
        client: Connected to the cluster.
        caged: What each worker that may be used said of itself.
        place: The worker to use; another one if it is lost.
    """

    def __init__(self, client: Any, caged: dict[str, Introduction], place: str) -> None:
        super().__init__()
        self._client = client
        self._caged = caged
        self._place = place
        self._introduced(place)

    def _introduced(self, place: str) -> None:
        self._place = place
        self.layer = self._caged[place].layer
        self.isolation_note = self._caged[place].note

    async def warm(self) -> None:
        """Nothing is started ahead of a fight; a worker that was lost is replaced by another.

        Raises:
            SandboxError: No worker is left.
        """
        here = await self._workers()
        if self._place in here:
            return
        left = [place for place in self._caged if place in here]
        if not left:
            raise SandboxError("No worker of the cluster is left.", "Start one, then run the same command again.")
        self._introduced(left[0])

    async def _workers(self) -> dict[str, int]:
        return await self._client.nthreads()

    async def gather(
        self, boss_id: str, trials: Path, entry_files: tuple[str, ...], submission: Submission, python: str = ""
    ) -> AsyncGenerator[Event]:
        """Measure a submission there; its events come when all is known.

        Raises:
            SandboxError: Nothing can be said about the submission, and that is our fault.
        """
        files = {str(path.relative_to(trials)): path.read_bytes() for path in files_below(trials)}
        errand = Errand(boss_id, files, entry_files, submission.model_dump_json(), python)
        for event in _EVENTS.validate_json(await self._answer(errand)):
            yield event

    async def _answer(self, errand: Errand) -> bytes:
        for _ in range(_TRIES):
            await self.warm()
            answer = await self._run_there(errand)
            if answer is not None:
                if answer.fault:
                    raise SandboxError(answer.fault, answer.hint)
                return answer.events
        raise SandboxError("Workers of the cluster were lost while they ran this code.", "Try again.")

    async def _run_there(self, errand: Errand) -> Answer | None:
        """What a worker answers; None if it was lost."""
        future = self._client.submit(examine, errand, workers=[self._place], pure=False, retries=0)
        waiting = asyncio.ensure_future(future.result())
        deadline = time.monotonic() + _PATIENCE_SECONDS
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=_LOOK_SECONDS)
                # A task bound to a worker that is gone would wait for it for ever.
                if not waiting.done() and (time.monotonic() > deadline or self._place not in await self._workers()):
                    return None
            return waiting.result()
        except asyncio.CancelledError:
            if waiting.cancelled():
                return None  # the cluster gave it up; nobody stopped us
            raise
        except Exception as error:  # noqa: BLE001 - whatever the cluster's library raises is our side's fault
            raise SandboxError(f"The cluster failed ({type(error).__name__}: {error}).", "Try again.") from None
        finally:
            waiting.cancel()
            await self._client.cancel([future], force=True)

    async def close(self) -> None:
        """Nothing of it runs here."""
