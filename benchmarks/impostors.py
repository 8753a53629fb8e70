"""What impostors add to a fight: beside the same fight on a boss without any, where tests meet mutants instead."""

import asyncio
import shutil
import tempfile
import time
from contextlib import aclosing
from pathlib import Path

from benchmarks.fights import FLAWLESS, ROOT, one
from benchmarks.measure import Contender, Options, race, table
from evalforge.fight import Forge
from evalforge.model.events import ImpostorMet
from evalforge.packs.pack import BossPack, load_pack

BOSSES = ("training-dummy", "ledger-lich", "furnace-controller")
"""Tests that start a few programs, none, and one each."""


async def tests_alone(forge: Forge, pack: BossPack, directory: Path) -> float:
    """Seconds in which a suite meets the boss's impostors."""
    began = time.perf_counter()
    met = 0
    async with aclosing(forge.meet_impostors(pack, directory)) as events:
        async for event in events:
            met += isinstance(event, ImpostorMet)
    assert met
    return time.perf_counter() - began


def main(options: Options) -> None:
    """Print a table for each boss."""
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory() as folder:
        forge = Forge()
        runner.run(forge.warm())
        for boss in options.size(BOSSES, BOSSES[1:2]):
            path = ROOT / "bosses" / boss
            bare = shutil.copytree(path, Path(folder) / boss, ignore=shutil.ignore_patterns("impostors"))
            _race(runner, forge, load_pack(path), load_pack(bare), options)
        runner.run(forge.engine.close())


def _race(runner: asyncio.Runner, forge: Forge, pack: BossPack, bare: BossPack, options: Options) -> None:
    suite = pack.path / options.size(FLAWLESS, "exemplars/borderline")
    contenders = [
        Contender("whole fight, 40 mutants, no impostors", lambda: runner.run(one(forge, bare, suite))[1]),
        Contender("whole fight, impostors", lambda: runner.run(one(forge, pack, suite))[1]),
        Contender("tests alone on impostors", lambda: runner.run(tests_alone(forge, pack, suite))),
    ]
    table(f"Impostors of {pack.definition.title}, {suite.name} exemplar, warm", race(contenders, options))
