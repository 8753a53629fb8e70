"""Every exemplar gets its gold levels: the judge agrees with a careful reader."""

from contextlib import aclosing
from pathlib import Path

import pytest
import yaml

from evalforge.fight import Forge
from evalforge.library.pack import load_pack
from evalforge.model.events import Judged
from tests.conftest import REPOSITORY

EXEMPLARS = sorted(path.parent for path in REPOSITORY.glob("bosses/*/exemplars/*/gold.yaml"))


@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
async def test_an_exemplar_gets_its_gold(exemplar: Path) -> None:
    pack = load_pack(exemplar.parent.parent)
    gold = yaml.safe_load((exemplar / "gold.yaml").read_text("utf-8"))
    async with Forge() as forge, aclosing(forge.fight(pack, exemplar)) as events:
        end = [event async for event in events][-1]
    assert isinstance(end, Judged)
    assert {c.id: c.score for c in end.result.criteria} == gold["levels"]
    assert end.result.verdict == gold["verdict"]
    assert 2 <= len(end.result.improvements) <= 5


@pytest.mark.parametrize("name", ["training-dummy", "furnace-controller", "data-crucible"])
async def test_a_starter_runs_and_does_not_pass_yet(name: str) -> None:
    pack = load_pack(REPOSITORY / "bosses" / name)
    async with Forge() as forge, aclosing(forge.fight(pack, pack.starter)) as events:
        end = [event async for event in events][-1]
    assert isinstance(end, Judged)
    assert not end.result.passed
