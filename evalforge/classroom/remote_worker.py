"""Runs on a worker of a cluster: reports its version and sandbox, and gathers one submission's evidence at a time.

Doesn't depend on the cluster's library.
"""

import tempfile
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from evalforge import __version__
from evalforge.evidence.engine import Engine
from evalforge.evidence.messages import GatheringEnded
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError
from evalforge.model.events import Event
from evalforge.model.submission import Submission
from evalforge.packs.fingerprint import framed, short_hash

_EVENTS = TypeAdapter[list[Event]](list[Event])


@dataclass(frozen=True)
class RemoteJob:
    """A submission to measure, with everything needed for that.

    Attributes:
        trial_seed: The seed of the trials' random numbers.
        files: The boss pack's files that measuring needs, by path within it.
        entry_files: The files that may be the entry script.
        submission: The submission, as JSON.
        python: The interpreter for its code; the worker's own if empty.
        tests_alone: Measure only how the tests do on the boss's impostors.
        hides_inputs: Hide the inputs of trials marked ``hidden``.
        claims: Check these claims of a model and measure nothing else.
    """

    trial_seed: str
    files: dict[str, bytes]
    entry_files: tuple[str, ...]
    submission: str
    python: str
    tests_alone: bool = False
    hides_inputs: bool = False
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class WorkerHello:
    """What a worker reports about itself.

    Attributes:
        version: Its version of EvalForge.
        layer: The sandbox layer it can start, such as ``full``; empty if it can start none.
        note: A remark on that, or the error.
    """

    version: str
    layer: str
    note: str


@dataclass(frozen=True)
class RemoteResult:
    """The events of the evidence as JSON, or why there are none.

    Attributes:
        events: The events; empty if the gathering failed.
        ended: How the gathering ended.
    """

    events: bytes = b""
    ended: GatheringEnded = field(default_factory=GatheringEnded)


class WorkerState:
    """Idle warm engines, and the unpacked bosses. Both live as long as the process."""

    def __init__(self) -> None:
        self.idle_engines: list[Engine] = []
        self._folder = tempfile.TemporaryDirectory(prefix="evalforge-bosses-", ignore_cleanup_errors=True)

    def unpack(self, files: dict[str, bytes]) -> Path:
        """Unpack these files of a boss once, and return their folder, which is named by a hash of their contents."""
        folder = Path(self._folder.name) / short_hash(*(framed(*file) for file in sorted(files.items())))
        for name, content in files.items():
            path = folder / name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise SandboxError(f"{name} is not a path inside the folder of a boss.")
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        return folder


@cache
def worker_state() -> WorkerState:
    """The state of this process, made when it is first needed."""
    return WorkerState()


async def say_hello() -> WorkerHello:
    """Report this worker's version, and the sandbox it can start, by starting it."""
    engine = Engine()
    try:
        await engine.warm()
        layer, note = engine.layer, engine.isolation_note
    except SandboxError as error:
        layer, note = "", str(error)
    finally:
        await engine.close()
    return WorkerHello(__version__, layer, note)


async def run_job(job: RemoteJob) -> RemoteResult:
    """Gather the evidence of a submission, in a warm engine if one is idle."""
    state = worker_state()
    engine = state.idle_engines.pop() if state.idle_engines else Engine()
    try:
        trials = state.unpack(job.files) / "trials"
        submission = Submission.model_validate_json(job.submission)
        gathering = engine.gather(
            *(job.trial_seed, trials, job.entry_files, submission, job.python),
            tests_alone=job.tests_alone,
            hides_inputs=job.hides_inputs,
            claims=job.claims,
        )
        async with aclosing(gathering) as stream:
            events = [event async for event in stream]
    except Exception as error:  # noqa: BLE001 - the cluster would hide whose fault it is
        await engine.close()
        return RemoteResult(ended=GatheringEnded.by(error))
    except BaseException:  # cancelled: otherwise nobody would close it
        await engine.close()
        raise
    state.idle_engines.append(engine)
    return RemoteResult(_EVENTS.dump_json(events))
