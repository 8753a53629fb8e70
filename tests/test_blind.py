"""The judge on code that the authors of its rules did not see: nothing is tuned to it, and it must not get worse."""

from pathlib import Path

import pytest

from evalforge.calibration.calibrate import calibrate
from evalforge.calibration.calibration_plan import CalibrationPlan
from evalforge.fight import FightOptions
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

BLIND = REPOSITORY / "tests" / "blind"
BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
async def test_the_judge_agrees_with_a_careful_reader_of_unknown_code(boss: Path) -> None:
    pack = load_pack(boss)
    plan = CalibrationPlan((pack,), FightOptions(save=False), submissions=BLIND)
    found = await calibrate(plan, lambda words: None)
    assert not found.not_judged
    overall = found.bosses[0].overall
    assert overall.submissions >= 3
    told = [f"{miss.exemplar} {miss.criterion_id}: gold {miss.gold}, judged {miss.judged}" for miss in found.misses]
    assert overall.adjacent.value is not None
    assert overall.adjacent.value >= 0.98, told
    assert overall.exact.value is not None
    assert overall.exact.value >= 0.85, told
