"""An engine that tells what was measured once: collecting, judging and keeping are real, and every machine agrees."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from evalforge.evidence.engine import Engine
from evalforge.fight import Forge
from evalforge.history.store import History
from evalforge.model.errors import SandboxError
from evalforge.model.events import Event, FactMeasured, ImpostorMet, TrialFinished, TrialsPlanned
from evalforge.model.submission import Submission
from evalforge.submissions.collect import collect
from tests.conftest import REPOSITORY

BOSSES = REPOSITORY / "bosses"
MEASURED = Path(__file__).with_name("measured")
EXEMPLARS = {
    "training-dummy": (
        "beautiful-but-wrong", "borderline", "broken", "first-win", "flawless", "hollow-proof",
        "right-but-badly-built", "solid", "weak",
    ),
    "furnace-controller": ("borderline", "broken", "flawless", "solid", "weak"),
    "cache-wraith": ("late-burial",),
}  # fmt: skip
"""Whose measuring is stored, by boss."""
SENDS_IMPOSTORS = frozenset({"cache-wraith"})
"""Bosses whose impostors are stored, too; the fights of the others are like those from before there were any."""
_EVENT = TypeAdapter[TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured](
    TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured
)


def is_about_impostors(event: Event) -> bool:
    """Whether an event says what the tests made of right programs and impostors."""
    names = ("contract", "impostors", "inner", "unmasked", "wavering", "wrong_expectations")
    return isinstance(event, ImpostorMet) or (
        isinstance(event, FactMeasured) and event.fact.name in {f"tests.{name}" for name in names}
    )


@lru_cache
def measured(boss_id: str, exemplar: str) -> tuple[Event, ...]:
    """What was measured of an exemplar."""
    lines = (MEASURED / f"{boss_id}-{exemplar}.jsonl").read_text("utf-8").splitlines()
    return tuple(_EVENT.validate_python({"kind": kind, **about}) for kind, about in map(json.loads, lines))


@lru_cache
def _files(boss_id: str, exemplar: str) -> frozenset[str]:
    return frozenset(file.sha256 for file in collect(BOSSES / boss_id / "exemplars" / exemplar).files)


def like(boss_id: str, submission: Submission) -> str:
    """The exemplar a submission shares most files with."""
    own = {file.sha256 for file in submission.files}
    return max(EXEMPLARS[boss_id], key=lambda name: len(_files(boss_id, name) & own))


class RecordedEngine(Engine):
    """Measures nothing.

    Args:
        stop_at: The fight, counted from 1, that is never done, and after how many things it says no more.
        breaks: Whether it breaks there.
    """

    def __init__(self, stop_at: tuple[int, int] = (0, 0), *, breaks: bool = False) -> None:
        super().__init__()
        self._stop_at, self._breaks = stop_at, breaks
        self._fights = 0

    async def warm(self) -> None:
        """There is nothing to start."""
        self.layer = "full"

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
    ) -> AsyncGenerator[Event]:
        """What was measured of the exemplar this is most like."""
        self._fights += 1
        boss_id = trials.parent.name
        story = measured(boss_id, like(boss_id, submission))
        for count, event in enumerate(filter(is_about_impostors, story) if tests_alone else story):
            if (self._fights, count) == self._stop_at:
                if self._breaks:
                    raise SandboxError("The process that runs the code is gone.", "Run: evalforge doctor")
                await asyncio.Event().wait()
            yield event


class RecordedEngines:
    """One such engine for a class, so that hand-ins come one after the other."""

    def __init__(self, stop_at: tuple[int, int] = (0, 0)) -> None:
        self._stop_at = stop_at

    async def open(self, wanted: int) -> Sequence[tuple[Engine, str]]:
        """One, whatever is wanted."""
        return [(RecordedEngine(self._stop_at), "")]

    async def close(self) -> None:
        """Nothing is held."""


@asynccontextmanager
async def recorded_engine(history: Path, engine: Engine | None = None) -> AsyncGenerator[Forge]:
    """The real forge as the game lights it, over a recorded engine."""
    with History(history) as store:
        async with Forge(store, engine=engine or RecordedEngine()) as forge:
            yield forge
