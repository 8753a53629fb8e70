"""A judge that says yes to everything raises no verdict: the chosen exemplars of all packs, over a real connection."""

from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.judges.verdict_bound import verdict_rank
from evalforge.llm.model_options import ModelOptions
from evalforge.model.events import Judged
from evalforge.packs.gold import read_gold
from evalforge.packs.pack import load_pack
from evalforge.packs.trial_key import PUBLIC_KEY
from tests.conftest import REPOSITORY
from tests.evidence_cache import CachedEngine, chosen_exemplars
from tests.judges.always_top import always_top
from tests.messages_server import MessagesServer

BOSSES = sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml"))


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
async def test_a_judge_that_says_yes_to_everything_raises_no_verdict(boss: Path, evidence_cache: Path) -> None:
    pack = load_pack(boss)
    raised: dict[str, str] = {}
    with MessagesServer(always_top) as server:
        options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url), save=False)
        async with Forge(trial_key=PUBLIC_KEY) as forge:
            forge.engine = CachedEngine(evidence_cache)
            for exemplar in chosen_exemplars(pack):
                async with aclosing(forge.fight(pack, exemplar, options)) as events:
                    end = [event async for event in events][-1]
                assert isinstance(end, Judged), (exemplar.name, end)
                gold = read_gold(exemplar).verdict
                if verdict_rank(end.result.verdict) > verdict_rank(gold):
                    raised[exemplar.name] = f"{gold} -> {end.result.verdict}"
        assert server.bodies()
    assert raised == {}
