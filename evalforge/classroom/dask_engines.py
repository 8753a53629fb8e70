"""Runs the code of a class on a Dask cluster. Workers report their sandbox; a worker without one is not used.

Only code execution moves: a submission and the boss's trials go to a worker, and its evidence is returned. Judging
and history stay here. A worker needs only the same version of EvalForge.
"""

import asyncio
import importlib
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalforge import __version__
from evalforge.classroom.remote_worker import RemoteJob, RemoteResult, WorkerHello, run_job, say_hello
from evalforge.evidence.engine import Engine
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError, UsageError
from evalforge.model.events import Event
from evalforge.model.installation import install_command
from evalforge.model.submission import Submission
from evalforge.packs.impostors import measuring_files
from evalforge.sandbox.isolation import CAGED_LAYERS

CONNECT_SECONDS = 15.0
_POLL_SECONDS = 2.0
_MAX_JOB_SECONDS = 900.0
_MAX_TRIES = 2
_EVENTS = TypeAdapter[list[Event]](list[Event])


class ClusterEngines:
    """Provides engines on the workers of a cluster.

    Args:
        scheduler: The address of its scheduler, such as ``tcp://host:8786``.
    """

    def __init__(self, scheduler: str) -> None:
        self._scheduler = scheduler
        self._client: Any = None

    async def open(self, worker_count: int) -> Sequence[tuple[Engine, str]]:
        """Connect to the cluster; by default, use one engine for each thread of each worker.

        Raises:
            UsageError: There is no such cluster, or none of its workers has a sandbox.
        """
        self._client = await _connect(self._scheduler)
        hellos: dict[str, Any] = await self._client.run(say_hello, on_error="return")
        problems = {address: _why_unusable(hello) for address, hello in hellos.items()}
        usable = {address: hello for address, hello in hellos.items() if not problems[address]}
        note = " ".join(f"Not used: {address} ({problem})." for address, problem in problems.items() if problem)
        if not usable:
            await self.close()
            raise UsageError(f"No worker of {self._scheduler} can run this code. {note}".strip())
        threads: dict[str, int] = await self._client.nthreads()
        slots = [address for address in usable for _ in range(threads.get(address, 1))]
        addresses = [slots[number % len(slots)] for number in range(worker_count or len(slots))]
        engines = [ClusterEngine(self._client, usable, address) for address in addresses]
        engines[0].isolation_note = f"{engines[0].isolation_note} {note}".strip()
        return list(zip(engines, addresses, strict=True))

    async def close(self) -> None:
        """Disconnect from the cluster."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _why_unusable(hello: Any) -> str:
    """Return why a worker isn't used; empty if it is. ``hello`` is an exception if the worker raised one."""
    if not isinstance(hello, WorkerHello):
        return f"it does not answer: {hello}"
    if hello.version != __version__:
        return f"EvalForge {hello.version} there, {__version__} here"
    return "" if hello.layer in CAGED_LAYERS else f"no sandbox: isolation {hello.layer or 'none'}"


async def _connect(scheduler: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("--engine dask needs Dask.", f"Install it: {install_command('dask')}") from None
    try:
        return await distributed.Client(scheduler, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"There is no Dask scheduler at {scheduler} ({error}).") from None


class ClusterEngine(Engine):
    """An engine that runs code on a worker of a cluster.

    Args:
        client: A client that is connected to the cluster.
        workers: The usable workers, by address.
        address: The worker to use; another one replaces it if it is lost.
    """

    def __init__(self, client: Any, workers: dict[str, WorkerHello], address: str) -> None:
        super().__init__()
        self._client = client
        self._usable_workers = workers
        self._use_worker(address)

    def _use_worker(self, address: str) -> None:
        self._address = address
        self.layer = self._usable_workers[address].layer
        self.isolation_note = self._usable_workers[address].note

    async def warm(self) -> None:
        """Replace the worker if it was lost. Nothing is started ahead of a fight.

        Raises:
            SandboxError: No worker is left.
        """
        connected = await self._connected_workers()
        if self._address in connected:
            return
        address = next((address for address in self._usable_workers if address in connected), None)
        if address is None:
            raise SandboxError("The cluster has no workers left.", "Start one, then run the same command again.")
        self._use_worker(address)

    async def _connected_workers(self) -> dict[str, int]:
        return await self._client.nthreads()

    async def gather(
        self,
        trial_seed: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        python: str = "",
        *,
        tests_alone: bool = False,
        hides_inputs: bool = False,
        claims: tuple[Claim, ...] = (),
    ) -> AsyncGenerator[Event]:
        """Gather the evidence of a submission on the worker; all events arrive at the end.

        Raises:
            SandboxError: The cluster failed; the submission is not to blame.
        """
        files = {name: path.read_bytes() for name, path in measuring_files(trials.parent).items()}
        measured = submission.model_dump_json()
        job = RemoteJob(trial_seed, files, entry_files, measured, python, tests_alone, hides_inputs, claims)
        for event in _EVENTS.validate_json(await self._run_with_retries(job)):
            yield event

    async def _run_with_retries(self, job: RemoteJob) -> bytes:
        for _ in range(_MAX_TRIES):
            await self.warm()
            result = await self._run_remotely(job)
            if result is not None:
                result.ended.raise_error()
                return result.events
        raise SandboxError("Workers of the cluster were lost while they ran this code.", "Try again.")

    async def _run_remotely(self, job: RemoteJob) -> RemoteResult | None:
        """Return the worker's result; None if the worker was lost."""
        future = self._client.submit(run_job, job, workers=[self._address], pure=False, retries=0)
        waiting = asyncio.ensure_future(future.result())
        deadline = time.monotonic() + _MAX_JOB_SECONDS
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=_POLL_SECONDS)
                # A task that is bound to a lost worker would wait for it forever.
                if not waiting.done() and (
                    time.monotonic() > deadline or self._address not in await self._connected_workers()
                ):
                    return None
            return waiting.result()
        except asyncio.CancelledError:
            if waiting.cancelled():
                return None  # the cluster cancelled the task, not our caller
            raise
        except Exception as error:  # noqa: BLE001 - whatever Dask raises, the submission is not to blame
            raise SandboxError(f"The cluster failed ({type(error).__name__}: {error}).", "Try again.") from None
        finally:
            waiting.cancel()
            await self._client.cancel([future], force=True)

    async def close(self) -> None:
        """Does nothing: no code runs on this machine."""
