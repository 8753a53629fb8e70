"""No trick gets a level that a careful reader wouldn't give; those that still do are marked, and no others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.model.events import Judged
from evalforge.packs.pack import load_pack
from evalforge.packs.trial_key import PUBLIC_KEY
from tests.attacks.trick import TRICKS, Trick
from tests.evidence_cache import CachedEngine

FAMILIES = {
    *("hiding", "unreadable", "decoys", "renaming", "dilution"),
    *("memory", "looking", "crashing", "knowing", "words"),
}

Levels = dict[str, float]
Judge = Callable[[Trick, Path], Levels]


@pytest.fixture(scope="module")
def judge(evidence_cache: Path) -> Iterator[Judge]:
    """The levels of a trick, from one warm forge for all of them."""
    with asyncio.Runner() as runner:
        forge = Forge(trial_key=PUBLIC_KEY)
        forge.engine = CachedEngine(evidence_cache)
        yield lambda trick, folder: runner.run(_levels(forge, trick, folder))
        runner.run(forge.engine.close())


async def _levels(forge: Forge, trick: Trick, folder: Path) -> Levels:
    directory = trick.lay_out(folder)
    async with aclosing(forge.fight(load_pack(trick.boss), directory, FightOptions(judge="forge"))) as events:
        end = [event async for event in events][-1]
    assert isinstance(end, Judged), end
    return {judgement.criterion_id: judgement.score for judgement in end.judgements}


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.name)
def test_a_trick_gains_no_level(judge: Judge, trick: Trick, tmp_path: Path) -> None:
    levels, honest = judge(trick, tmp_path / "hand-in"), trick.honest_levels
    bought = {name: level for name, level in levels.items() if level > honest[name]}
    worse = {name: level for name, level in bought.items() if level > trick.still_works.get(name, honest[name])}
    assert not worse, f"the judge gives {levels}, a careful reader {honest}"
    assert bought == trick.still_works, "this trick gains less than it did: change or remove its `still_works`"


def test_every_trick_says_what_it_does_and_costs() -> None:
    for trick in TRICKS:
        assert trick.trick.endswith("."), trick.name
        assert trick.lines > 0, trick.name


def test_there_are_tricks_of_every_family_on_many_bosses() -> None:
    families = Counter(trick.family for trick in TRICKS)
    assert set(families) == FAMILIES
    assert sum(families.values()) >= 40
    assert len({trick.boss for trick in TRICKS}) >= 6
