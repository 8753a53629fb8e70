"""Exemplars get their gold levels: the judge agrees with a careful reader."""

from pathlib import Path

import pytest

from evalforge.packs.gold import read_gold
from tests.measured.forge import RecordedForge
from tests.measured.programs import BOSSES, EXEMPLARS, STARTERS, MeasuredProgram, boss_pack, given_levels, judged

MISSES = {
    "bosses/cache-wraith/exemplars/late-burial": {"tests": 1},
    "bosses/schedule-hydra/exemplars/unswept": {"tests": 1},
}
"""Levels that the judge gives today where the readers' are others; what is mended loses its row."""


@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda program: program.name)
def test_an_exemplar_gets_its_gold(exemplar: MeasuredProgram, recorded_forge: RecordedForge) -> None:
    record = recorded_forge.fight(exemplar)
    gold, result = read_gold(exemplar.folder), judged(record).result
    assert (given_levels(record), result.verdict) == ({**gold.levels, **MISSES.get(exemplar.name, {})}, gold.verdict)
    assert 2 <= len(result.improvements) <= 5


@pytest.mark.parametrize("starter", STARTERS, ids=lambda program: program.name)
def test_a_starter_fails(starter: MeasuredProgram, recorded_forge: RecordedForge) -> None:
    assert not judged(recorded_forge.fight(starter)).result.passed


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_boss_has_exemplars_of_many_kinds(boss: Path) -> None:
    assert len(boss_pack(boss).exemplars) >= 7
