"""The arena of the attacks: one world and one warm forge for all of them, so that what one leaves meets the next.

It ends with the attacks: other tests may leave files where everybody's temporary files lie.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.model.errors import SubmissionError
from evalforge.model.events import Event, Judged, TrialFinished, Ungraded
from evalforge.model.evidence import TrialOutcome
from evalforge.packs.pack import load_pack
from tests.attacks.attack import BOSS, HERE, Attack
from tests.attacks.world import KEY_NAME, World
from tests.processes import parents

REPOSITORY = Path(__file__).resolve().parents[2]
_TRIES = 3
HONEST = HERE / "boss/exemplars/honest"


@dataclass(frozen=True)
class Refusal:
    """A hand-in that is no attempt: nothing is run, judged or kept. What is said of it, and the lowest levels."""

    words: str
    levels: dict[str, float]


@dataclass(frozen=True)
class Fought:
    """One fight: what was handed in, its events and how long it took; or why there was none."""

    directory: Path
    events: tuple[Event, ...]
    seconds: float
    refusal: Refusal | None = None

    @property
    def was_disturbed(self) -> bool:
        """Whether it could not be judged because of what else runs on this machine."""
        end = self.events[-1] if self.events else None
        return isinstance(end, Ungraded) and end.reason.startswith("Another program filled the disk")

    @property
    def levels(self) -> dict[str, float]:
        if self.refusal:
            return self.refusal.levels
        end = self.events[-1]
        assert isinstance(end, Judged), f"not judged: {end!r}"
        return {judgement.criterion_id: judgement.score for judgement in end.judgements}

    @property
    def passed(self) -> bool:
        if self.refusal:
            return False
        end = self.events[-1]
        assert isinstance(end, Judged)
        return end.result.passed

    @property
    def outcomes(self) -> dict[str, TrialOutcome]:
        return {event.trial.id: event.trial.outcome for event in self.events if isinstance(event, TrialFinished)}

    @property
    def texts(self) -> list[str]:
        """Every piece of text in every event."""
        words = [self.refusal.words] if self.refusal else []
        return [*words, *(text for event in self.events for text in _texts(event.model_dump()))]

    @property
    def strange_places(self) -> set[str]:
        """Paths to which a reader is sent though nothing of the kind was handed in."""
        named = {path for event in self.events for path in _paths(event.model_dump()) if path}
        return {path for path in named if path[0] == "/" or ".." in path or not (self.directory / path).is_file()}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _paths(value: Any) -> Iterator[str]:
    """What stands under ``path`` anywhere in a value."""
    if isinstance(value, dict):
        yield from [value["path"]] if isinstance(value.get("path"), str) else []
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _paths(inner)


class Arena:
    """The world, and a forge in it that stays warm from one fight to the next."""

    def __init__(self, world: World, runner: asyncio.Runner) -> None:
        self.world = world
        self._runner = runner
        self._forge = Forge()
        self._count = 0
        self._fight(HONEST, BOSS)  # the first fight waits for the first hosts, later ones find them warm

    def lay_out(self, attack: Attack) -> Path:
        """A folder with what the attack hands in."""
        self._count += 1
        return attack.lay_out(self.world.folder / f"hand-in-{self._count}", self.world.places(attack.boss))

    def fight(self, attack: Attack) -> Fought:
        """Let it fight its boss."""
        return self.fight_with(self.lay_out(attack), attack.boss)

    def fight_with(self, directory: Path, boss: str) -> Fought:
        """Fight; once more if other programs filled the disk meanwhile, but not for ever: an attack may claim that."""
        fought = self._fight(directory, boss)
        for _ in range(_TRIES - 1):
            if not fought.was_disturbed:
                break
            fought = self._fight(directory, boss)
        return fought

    def _fight(self, directory: Path, boss: str) -> Fought:
        pack = load_pack(self.world.bosses / boss)
        began = time.monotonic()
        with _temporary_files_in(self.world.scratch):
            try:
                events = self._runner.run(self._collect(pack, directory))
            except SubmissionError as error:
                lowest = {criterion.id: criterion.min_score for criterion in pack.rubric.criteria}
                return Fought(directory, (), 0.0, Refusal(f"{error.message} {error.hint}", lowest))
            fought = Fought(directory, tuple(events), time.monotonic() - began)
            self._runner.run(self._forge.engine.wait_until_warm())
        return fought

    async def _collect(self, pack: Any, directory: Path) -> list[Event]:
        fight = self._forge.fight(pack, directory, FightOptions(save=False))
        async with aclosing(fight) as events:
            return [event async for event in events]

    def processes(self) -> set[int]:
        """The trial worker, and its hosts, which may have been replaced."""
        worker = self._forge.engine._process
        if worker is None:
            return set()
        return {worker.pid, *(pid for pid, parent in parents().items() if parent == worker.pid)}

    def close(self) -> None:
        """End the forge; nothing of it may be left."""
        ours = self.processes()
        self._runner.run(self._forge.engine.close())
        end = time.monotonic() + 10
        while (left := ours & parents().keys()) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left, "somebody outlived the forge"


@contextmanager
def _temporary_files_in(folder: Path) -> Iterator[None]:
    """Let this process make its temporary files there: only while the arena fights, as others have engines, too."""
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    world = World(tmp_path_factory.mktemp("world"), REPOSITORY / "bosses")
    os.environ[KEY_NAME] = world.key
    try:
        with asyncio.Runner() as runner:
            arena = Arena(world, runner)
            yield arena
            assert arena.fight_with(HONEST, BOSS).passed, "the attacks have left their mark on the forge"
            arena.close()
        assert list(world.scratch.rglob("*")) == [], "the forge left files behind"
    finally:
        del os.environ[KEY_NAME]
        world.close()
