"""A forge that judges programs by their stored runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from evalforge.fight import FightOptions, Forge
from evalforge.model.fight_record import FightRecord
from evalforge.packs.trial_key import PUBLIC_KEY
from tests.measured.engine import RecordedEngine
from tests.measured.programs import BY_FORGE, PROGRAMS, MeasuredProgram
from tests.rotation import is_due, turn

_POSITIONS = {program.name: position for position, program in enumerate(PROGRAMS)}


class RecordedForge:
    """Judges programs by their stored runs; those whose runs have changed are run again when it is their turn.

    Args:
        folder: Where what was run again is kept.
        place: Where programs are laid out.
        replays: Whether stored runs are replayed; else all are run again, whoever's turn it is.
    """

    def __init__(self, folder: Path, place: Path, *, replays: bool = True) -> None:
        self._runner = asyncio.Runner()
        self._engine = RecordedEngine(folder, replays=replays)
        self._forge = Forge(engine=self._engine, trial_key=PUBLIC_KEY)
        self._place = place
        self._replays = replays
        self._count = 0

    def fight(self, program: MeasuredProgram, options: FightOptions = BY_FORGE) -> FightRecord:
        """Let a program fight its boss; skips the test if it would have to be run and it isn't its turn."""
        self._count += 1
        self._engine.may_run = not self._replays or is_due(_POSITIONS[program.name], turn())
        return self._runner.run(program.fight(self._forge, self._place / str(self._count), options))

    def close(self) -> None:
        """End what was started."""
        self._runner.run(self._engine.close())
        self._runner.close()
