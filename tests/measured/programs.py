"""The programs of which runs are stored: exemplars, starters and tricks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evalforge.fight import FightOptions, Forge
from evalforge.model.events import Judged
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.packs.pack import load_pack
from tests.attacks.trick import TRICKS
from tests.conftest import REPOSITORY
from tests.measured.records import FactValue

BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))
BY_FORGE = FightOptions(judge="forge", again=True)
boss_pack = cache(load_pack)


@dataclass(frozen=True)
class MeasuredProgram:
    """A program of which runs are stored.

    Attributes:
        name: Where it comes from, such as ``bosses/training-dummy/exemplars/weak``.
        boss: The boss's folder.
        lay_out: Gives the folder to hand in; what has to be made first is made at the path that it is given.
    """

    name: str
    boss: Path
    lay_out: Callable[[Path], Path]

    @property
    def folder(self) -> Path:
        """Where it lies; a trick lies nowhere until it is laid out."""
        return REPOSITORY / self.name

    async def fight(self, forge: Forge, place: Path, options: FightOptions = BY_FORGE) -> FightRecord:
        """Let it fight its boss.

        Args:
            forge: With the public trial key.
            place: Where it may be laid out.
            options: The judge, and what it asks.
        """
        return await record_fight(forge.fight(boss_pack(self.boss), self.lay_out(place), options))


def fact_values(record: FightRecord) -> dict[str, FactValue]:
    """The value of each fact, by name."""
    return {fact.name: fact.value for fact in sorted(record.facts, key=lambda fact: fact.name)}


def judged(record: FightRecord) -> Judged:
    """The end of a fight. One that ended in another way fails the test."""
    assert isinstance(record.conclusion, Judged), record.conclusion
    return record.conclusion


def given_levels(record: FightRecord) -> dict[str, float]:
    """The level of each criterion."""
    return {judgement.criterion_id: judgement.score for judgement in judged(record).judgements}


def _folder_program(boss: Path, folder: Path) -> MeasuredProgram:
    return MeasuredProgram(str(folder.relative_to(REPOSITORY)), boss, lambda _: folder)


EXEMPLARS = [_folder_program(boss, folder) for boss in BOSSES for folder in boss_pack(boss).exemplars]
STARTERS = [_folder_program(boss, boss / "starter") for boss in BOSSES]
PROGRAMS = [
    *EXEMPLARS,
    *STARTERS,
    *(MeasuredProgram(f"tricks/{trick.name}", trick.boss, trick.lay_out) for trick in TRICKS),
]
"""All of them."""
PROGRAM_BY_NAME = {program.name: program for program in PROGRAMS}
