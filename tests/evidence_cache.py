"""An engine that measures a submission once, and again only when what was measured, or what measures, has changed."""

import fcntl
import hashlib
import json
import os
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from evalforge.evidence.engine import Engine
from evalforge.model.claim import Claim
from evalforge.model.errors import SandboxError
from evalforge.model.events import (
    ClaimChecked,
    Event,
    FactMeasured,
    ImpostorMet,
    Progress,
    TrialFinished,
    TrialsPlanned,
)
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.fingerprint import engine_version
from evalforge.packs.pack import BossPack
from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_MESSAGE
from tests.conftest import REPOSITORY

_Measured = TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured | ClaimChecked | Progress
_EVENTS = TypeAdapter[list[_Measured]](list[_Measured])
# What describes a submission. ``engine_version`` covers evidence/, sandbox/, submissions/ and the interpreter.
_BESIDE_THE_ENGINE = ("model", "packs")


ALL_EXEMPLARS = os.environ.get("EVALFORGE_EXEMPLARS") == "all"
"""Whether a test of exemplars takes all of them, as every night."""
SOME_EXEMPLARS = frozenset({"flawless", "borderline", "beautiful-but-wrong"})


def chosen_exemplars(pack: BossPack) -> list[Path]:
    """The exemplars of a boss that a test takes."""
    return [exemplar for exemplar in pack.exemplars if ALL_EXEMPLARS or exemplar.name in SOME_EXEMPLARS]


class CachedEngine(Engine):
    """Starts nothing as long as all it is asked for is known.

    Args:
        folder: Where measurements are kept; a file each. What is broken in it is measured anew.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    async def warm(self) -> None:
        """Wait with that for a submission which isn't known."""
        self.layer = self.layer or "full"

    async def gather(
        self,
        boss_id: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        python: str = "",
        *,
        tests_alone: bool = False,
        hides_inputs: bool = False,
        claims: tuple[Claim, ...] = (),
    ) -> AsyncGenerator[Event]:
        """The events of measuring a submission, now or some time ago."""
        key = _digest(
            *(word.encode() for word in (_code(), boss_id, *entry_files, submission.content_hash, python)),
            *_contents(trials.parent),
            b"tests alone" if tests_alone else b"",
            b"hidden inputs" if hides_inputs else b"",
            *(claim.model_dump_json().encode() for claim in claims),
        )
        file = self._folder / f"{key[:32]}.json"
        with _measured_by_one(file):
            events = _read(file)
            if events is None:
                await super().warm()
                if self.layer not in CAGED_LAYERS:
                    raise SandboxError(NO_ISOLATION_MESSAGE)
                gathering = super().gather(
                    *(boss_id, trials, entry_files, submission, python),
                    tests_alone=tests_alone,
                    hides_inputs=hides_inputs,
                    claims=claims,
                )
                events = [event async for event in gathering if isinstance(event, _Measured)]
                write_atomically(file, _EVENTS.dump_json(events))
        for event in events:
            yield event


@contextmanager
def _measured_by_one(file: Path) -> Generator[None]:
    """Have whoever asks for the same measurement wait until the first has made it; tests run side by side."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _read(file: Path) -> list[_Measured] | None:
    try:
        return _EVENTS.validate_python(json.loads(file.read_bytes()))
    except (OSError, ValueError):
        return None


@cache
def _code() -> str:
    package = REPOSITORY / "evalforge"
    return _digest(
        engine_version().encode(), *(part for name in _BESIDE_THE_ENGINE for part in _contents(package / name))
    )


def _contents(place: Path) -> Iterator[bytes]:
    """Name and content of each Python file and each file of data in a folder; or of the one file."""
    files = [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    for path in files:
        if "__pycache__" not in path.parts:
            yield f"{path.relative_to(place)}".encode()
            yield path.read_bytes()


def _digest(*parts: bytes) -> str:
    """SHA-256 of parts, each told from the next."""
    found = hashlib.sha256()
    for part in parts:
        found.update(f"{len(part)}:".encode() + part)
    return found.hexdigest()
