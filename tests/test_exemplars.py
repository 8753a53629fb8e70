"""Every exemplar gets its gold levels: the judge agrees with a careful reader."""

from contextlib import aclosing
from pathlib import Path

import pytest
import yaml

from evalforge.fight import FightOptions, Forge
from evalforge.library.pack import BossPack, load_pack
from evalforge.model.events import Judged
from evalforge.model.result import BossEvalResult
from tests.conftest import REPOSITORY

BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))


async def judged(forge: Forge, pack: BossPack, directory: Path) -> BossEvalResult:
    async with aclosing(forge.fight(pack, directory, FightOptions(judge="forge"))) as events:
        end = [event async for event in events][-1]
    assert isinstance(end, Judged)
    return end.result


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
async def test_every_exemplar_gets_its_gold_and_the_starter_does_not_pass(boss: Path) -> None:
    pack = load_pack(boss)
    assert len(pack.exemplars) >= 5
    got: dict[str, object] = {}
    gold: dict[str, object] = {}
    async with Forge() as forge:
        for exemplar in pack.exemplars:
            words = yaml.safe_load((exemplar / "gold.yaml").read_text("utf-8"))
            gold[exemplar.name] = (words["levels"], words["verdict"])
            result = await judged(forge, pack, exemplar)
            got[exemplar.name] = ({c.id: c.score for c in result.criteria}, result.verdict)
            assert 2 <= len(result.improvements) <= 5
        assert not (await judged(forge, pack, pack.starter)).passed
    assert got == gold
