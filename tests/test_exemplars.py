"""Exemplars get their gold levels: the judge agrees with a careful reader.

Three of each boss, and its starter; all of them with ``EVALFORGE_EXEMPLARS=all``, as every night. What was measured of
one is kept: a change that touches neither it, nor the trials, nor the engine only scores it again.
"""

from contextlib import aclosing
from pathlib import Path

import pytest
import yaml

from evalforge.fight import FightOptions, Forge
from evalforge.model.events import Judged
from evalforge.model.result import BossEvalResult
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.trial_key import PUBLIC_KEY
from tests.conftest import REPOSITORY
from tests.evidence_cache import SOME_EXEMPLARS, CachedEngine, chosen_exemplars

BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))


async def judged(forge: Forge, pack: BossPack, directory: Path) -> BossEvalResult:
    async with aclosing(forge.fight(pack, directory, FightOptions(judge="forge"))) as events:
        end = [event async for event in events][-1]
    assert isinstance(end, Judged)
    return end.result


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
async def test_exemplars_get_their_gold_and_the_starter_fails(boss: Path, evidence_cache: Path) -> None:
    pack = load_pack(boss)
    chosen = chosen_exemplars(pack)
    assert len(pack.exemplars) >= 7
    assert len(chosen) >= len(SOME_EXEMPLARS)
    got: dict[str, object] = {}
    gold: dict[str, object] = {}
    async with Forge(trial_key=PUBLIC_KEY) as forge:
        forge.engine = CachedEngine(evidence_cache)
        for exemplar in chosen:
            words = yaml.safe_load((exemplar / "gold.yaml").read_text("utf-8"))
            gold[exemplar.name] = (words["levels"], words["verdict"])
            result = await judged(forge, pack, exemplar)
            got[exemplar.name] = ({c.id: c.score for c in result.criteria}, result.verdict)
            assert 2 <= len(result.improvements) <= 5
        assert not (await judged(forge, pack, pack.starter)).passed
    assert got == gold
