"""A class of submissions on two workers: submissions a second, and a second and core."""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from benchmarks.fights import PACK
from evalforge.fight import FightOptions, Forge
from evalforge.library.pack import BossPack, load_pack

_SIZE = 100
_WORKERS = 2


def lay_out(folder: Path, boss: Path, keep: Callable[[Path], bool] = lambda path: True) -> list[Path]:
    """A class of folders, in turn copies of the boss's exemplars, each with a comment of its own."""
    exemplars = [path for path in sorted((boss / "exemplars").iterdir()) if path.is_dir()]
    made: list[Path] = []
    for number in range(_SIZE):
        target = folder / f"student-{number:03}"
        shutil.copytree(exemplars[number % len(exemplars)], target, ignore=shutil.ignore_patterns("__pycache__"))
        for path in [*target.rglob("*.py"), *target.rglob("*.yaml")]:
            if not keep(path) or path.name == "gold.yaml":
                path.unlink()
        (target / "who.md").write_text(f"student {number}\n")
        made.append(target)
    return made


async def judge_all(pack: BossPack, folders: list[Path]) -> None:
    """Judge every folder, two at a time."""
    waiting = iter(folders)

    async def worker() -> None:
        async with Forge() as forge:
            for folder in waiting:
                async with aclosing(forge.fight(pack, folder, FightOptions(save=False))) as events:
                    async for _ in events:
                        pass

    await asyncio.gather(*(worker() for _ in range(_WORKERS)))


def main(rounds: int) -> None:
    """Print the figures; one round, however many are asked for."""
    print(f"\nA class of {_SIZE} on {_WORKERS} workers ({os.cpu_count()} cores)")
    for boss in ("training-dummy", PACK.name):
        pack = load_pack(PACK.parent / boss)
        for name, keep in (
            ("with player tests and mutation", lambda path: True),
            ("without player tests", lambda path: "test" not in path.name),
        ):
            with tempfile.TemporaryDirectory() as folder:
                folders = lay_out(Path(folder), PACK.parent / boss, keep)
                began = time.perf_counter()
                asyncio.run(judge_all(pack, folders))
                seconds = time.perf_counter() - began
            rate = _SIZE / seconds
            print(f"  {boss:<20} {name:<34} {seconds:6.1f} s  {rate:5.1f}/s  {rate / _WORKERS:5.1f}/s and core")
