"""What runs at a worker of a cluster: who it is, and one hand-in examined. Knows nothing of the cluster's library."""

import hashlib
import tempfile
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from evalforge import __version__
from evalforge.evidence.engine import Engine
from evalforge.model.errors import SandboxError
from evalforge.model.events import Event
from evalforge.model.submission import Submission

_EVENTS = TypeAdapter[list[Event]](list[Event])


@dataclass(frozen=True)
class Errand:
    """One hand-in to examine, with all that is needed for it.

    Attributes:
        boss_id: The boss.
        trials: Its trials, by path within their folder.
        entry_files: What may be run.
        submission: The hand-in, as JSON.
        python: The interpreter for its code; the worker's own if empty.
    """

    boss_id: str
    trials: dict[str, bytes]
    entry_files: tuple[str, ...]
    submission: str
    python: str


@dataclass(frozen=True)
class Introduction:
    """What a worker says of itself: its EvalForge, the cage it built, and a word on that."""

    version: str
    layer: str
    note: str


@dataclass(frozen=True)
class Answer:
    """The events of an examination as JSON, or whose fault it is that there are none."""

    events: bytes = b""
    fault: str = ""
    hint: str = ""


class _Bench:
    """Warm engines that are free, and trials laid down once. Both go with the process."""

    def __init__(self) -> None:
        self.free: list[Engine] = []
        self._folder = tempfile.TemporaryDirectory(prefix="evalforge-trials-", ignore_cleanup_errors=True)

    def lay(self, files: dict[str, bytes]) -> Path:
        """The folder that holds these trials."""
        digest = hashlib.sha256()
        for name, content in sorted(files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        folder = Path(self._folder.name) / digest.hexdigest()[:16]
        for name, content in files.items():
            path = folder / name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise SandboxError(f"{name} is no path within a folder of trials.")
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        return folder


_bench: list[_Bench] = []


def _here() -> _Bench:
    if not _bench:
        _bench.append(_Bench())
    return _bench[0]


async def introduce() -> Introduction:
    """Which cage this worker has, found out by building it."""
    engine = Engine()
    try:
        await engine.warm()
        layer, note = engine.layer, engine.isolation_note
    except SandboxError as error:
        layer, note = "", str(error)
    finally:
        await engine.close()
    return Introduction(__version__, layer, note)


async def examine(errand: Errand) -> Answer:
    """Examine a hand-in in a warm engine."""
    bench = _here()
    engine = bench.free.pop() if bench.free else Engine()
    try:
        trials = bench.lay(errand.trials)
        submission = Submission.model_validate_json(errand.submission)
        gathering = engine.gather(errand.boss_id, trials, errand.entry_files, submission, errand.python)
        async with aclosing(gathering) as found:
            events = [event async for event in found]
    except SandboxError as error:
        await engine.close()
        return Answer(fault=error.message, hint=error.hint)
    except BaseException:  # cancelled: nobody would find it again
        await engine.close()
        raise
    bench.free.append(engine)
    return Answer(_EVENTS.dump_json(events))
