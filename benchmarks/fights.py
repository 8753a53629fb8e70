"""One fight on Furnace Controller, cold and warm, beside ``python -m pytest`` over the same trials."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import aclosing
from pathlib import Path

from benchmarks.measure import Contender, race, table
from benchmarks.memory import peak_bytes
from evalforge.fight import FightOptions, Forge
from evalforge.model.events import FactMeasured, TrialFinished
from evalforge.packs.pack import BossPack, load_pack

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT / "bosses/furnace-controller"
EXEMPLAR = PACK / "exemplars/flawless"


def plain_pytest() -> None:
    """The ordinary way."""
    options = ["-p", "benchmarks.plain_trials", "-p", "no:cacheprovider", "--disable-plugin-autoload"]
    places = ["-c", os.devnull, "--rootdir", str(PACK / "trials"), str(PACK / "trials")]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, *places],
        cwd=ROOT,
        env={**os.environ, "EVALFORGE_BENCH_SCRIPT": str(EXEMPLAR / "furnace_controller.py")},
        stdout=subprocess.DEVNULL,
        check=True,
    )


async def one(forge: Forge, pack: BossPack, directory: Path = EXEMPLAR) -> tuple[float, float]:
    """Seconds of a fight's trials, and of the whole fight."""
    began = time.perf_counter()
    trials = 0.0
    async with aclosing(forge.fight(pack, directory, FightOptions(save=False, again=True))) as events:
        async for event in events:
            if isinstance(event, TrialFinished):
                trials = time.perf_counter() - began
            assert not isinstance(event, FactMeasured) or event.fact.name
    return trials, time.perf_counter() - began


def main(rounds: int) -> None:
    """Print the table."""
    pack = load_pack(PACK)
    with asyncio.Runner() as runner:
        forge = Forge()
        runner.run(forge.warm())

        async def cold() -> None:
            async with Forge() as fresh:
                await one(fresh, pack)

        hand_in = tempfile.TemporaryDirectory()
        untested = Path(hand_in.name) / "untested"
        shutil.copytree(EXEMPLAR, untested, ignore=shutil.ignore_patterns("test*", "__pycache__"))
        timings = race(
            [
                Contender("python -m pytest, an interpreter for each run", plain_pytest),
                Contender("trials of a fight, warm", lambda: runner.run(one(forge, pack))[0]),
                Contender("whole fight without tests, warm", lambda: runner.run(one(forge, pack, untested))[1]),
                Contender("whole fight, impostors, warm", lambda: runner.run(one(forge, pack))[1]),
                Contender("whole fight, impostors, cold", lambda: runner.run(cold())),
            ],
            rounds,
        )
        peak = peak_bytes(lambda: runner.run(one(forge, pack)))
        runner.run(forge.engine.close())
        hand_in.cleanup()
    table(f"One fight on {pack.definition.title}, flawless exemplar", timings)
    print(f"memory of a whole fight, everything together, this benchmark included: {peak / 1e6:.0f} MB at most")
