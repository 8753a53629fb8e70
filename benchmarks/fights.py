"""One fight, cold and warm, beside ``python -m pytest`` over the same trials."""

import asyncio
import os
import shutil
import sys
import tempfile
import time
from contextlib import aclosing
from pathlib import Path

from benchmarks.measure import Contender, Options, race, run_program, table
from benchmarks.memory import peak_bytes
from evalforge.fight import FightOptions, Forge
from evalforge.model.events import TrialFinished
from evalforge.packs.pack import BossPack, load_pack

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT / "bosses/furnace-controller"
FLAWLESS = "exemplars/flawless"
_SMALLEST = ROOT / "bosses/training-dummy/exemplars/right-but-badly-built"


def plain_pytest(pack: BossPack, exemplar: Path) -> None:
    """The ordinary way."""
    options = ["-p", "benchmarks.plain_trials", "-p", "no:cacheprovider", "--disable-plugin-autoload"]
    trials = str(pack.path / "trials")
    places = ["-c", os.devnull, "--rootdir", trials, trials]
    variables = {**os.environ, "EVALFORGE_BENCH_SCRIPT": str(exemplar / pack.entry_file)}
    run_program([sys.executable, "-B", "-m", "pytest", "-q", *options, *places], ROOT, variables)


async def one(forge: Forge, pack: BossPack, directory: Path) -> tuple[float, float]:
    """Seconds of a fight's trials, and of the whole fight.

    Raises:
        RuntimeError: It ended ungraded.
    """
    began = time.perf_counter()
    trials = 0.0
    async with aclosing(forge.fight(pack, directory, FightOptions(save=False, again=True))) as events:
        async for event in events:
            if isinstance(event, TrialFinished):
                trials = time.perf_counter() - began
            if event.kind == "ungraded":
                raise RuntimeError(event.reason)
    return trials, time.perf_counter() - began


def main(options: Options) -> None:
    """Print the table."""
    exemplar = options.size(PACK / FLAWLESS, _SMALLEST)
    pack = load_pack(exemplar.parent.parent)
    with asyncio.Runner() as runner:
        forge = Forge()
        runner.run(forge.warm())

        async def cold() -> None:
            async with Forge() as fresh:
                await one(fresh, pack, exemplar)

        hand_in = tempfile.TemporaryDirectory()
        untested = Path(hand_in.name) / "untested"
        shutil.copytree(exemplar, untested, ignore=shutil.ignore_patterns("test*", "__pycache__"))
        timings = race(
            [
                Contender("python -m pytest, an interpreter for each run", lambda: plain_pytest(pack, exemplar)),
                Contender("trials of a fight, warm", lambda: runner.run(one(forge, pack, exemplar))[0]),
                Contender("whole fight without tests, warm", lambda: runner.run(one(forge, pack, untested))[1]),
                Contender("whole fight, impostors, warm", lambda: runner.run(one(forge, pack, exemplar))[1]),
                Contender("whole fight, impostors, cold", lambda: runner.run(cold())),
            ],
            options,
        )
        peak = peak_bytes(lambda: runner.run(one(forge, pack, exemplar)))
        runner.run(forge.engine.close())
        hand_in.cleanup()
    table(f"One fight on {pack.definition.title}, {exemplar.name} exemplar", timings)
    print(f"memory of a whole fight, everything together, this benchmark included: {peak / 1e6:.0f} MB at most")
