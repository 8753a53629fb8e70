"""The pictures of the README: ``python -m tests.app.screenshots``. Real fights, in a folder called ``~/furnace``."""

import argparse
import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from evalforge.app import start_request
from evalforge.app.app import EvalForge
from evalforge.app.launch import open_engine
from evalforge.app.services import Services
from evalforge.app.start_request import ROSTER, StartRequest
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.packs.pack import load_pack
from tests.app.harness import phase, shown
from tests.app.picture import picture, rasterise

ROOT = Path(__file__).resolve().parents[2]
BOSSES = ROOT / "bosses"
PICTURES = ROOT / "assets" / "screenshots"
BOSS = "furnace-controller"
CAMPAIGN = (
    ("training-dummy", "weak"), ("training-dummy", "flawless"), ("data-crucible", "weak"),
    ("data-crucible", "borderline"), (BOSS, "broken"), (BOSS, "weak"), (BOSS, "beautiful-but-wrong"),
    (BOSS, "borderline"),
)  # fmt: skip
"""What was fought before the pictures are taken, a few hours apart: boss and strength of the solution."""
Act = Callable[[EvalForge, Pilot[None]], Awaitable[None]]


class Bench:
    """A home folder with a solution in it, and a game over the real floors."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.history = home / ".evalforge" / "attempts.sqlite3"
        self.history.parent.mkdir()
        (self.history.parent / "welcomed").touch()

    def game(self, opening: StartRequest | None = None) -> EvalForge:
        """A game without motion."""
        return EvalForge(
            Services(
                bosses=(BOSSES,), history=self.history, engine=lambda: open_engine(self.history), motion="none",
                start=opening or ROSTER, starter_folder=self.home,
            )
        )  # fmt: skip

    def write(self, strength: str, boss: str = BOSS) -> Path:
        """Put a solution of this strength into a folder named after the boss."""
        folder = self.home / boss.split("-", maxsplit=1)[0]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(BOSSES / boss / "exemplars" / strength, folder, ignore=shutil.ignore_patterns("gold.yaml"))
        return folder

    async def campaign(self) -> None:
        """Fight what was fought before, and spread it over the last days."""
        with History(self.history) as store:
            async with Forge(store) as forge:
                for boss, strength in CAMPAIGN:
                    stream = forge.fight(load_pack(BOSSES / boss), self.write(strength, boss), FightOptions())
                    async for _ in stream:
                        pass
        with sqlite3.connect(self.history) as database:
            for back, (seq,) in enumerate(database.execute("SELECT seq FROM attempts ORDER BY seq DESC").fetchall()):
                moment = datetime.now(UTC) - timedelta(minutes=25 + 170 * back)
                database.execute("UPDATE attempts SET started_at = ? WHERE seq = ?", (moment.isoformat(), seq))


async def until(pilot: Pilot[None], *words: str) -> None:
    """Let the game run until it shows all of these."""
    for _ in range(1200):
        if phase(pilot.app) != "JUDGING" and all(word in shown(pilot.app) for word in words):
            return
        await pilot.pause(0.1)
    raise TimeoutError(f"never shown: {words}")


async def shoot(name: str, app: EvalForge, act: Act, size: tuple[int, int] = (120, 40)) -> None:
    """Play until ``act`` is done, and take the picture."""
    async with app.run_test(size=size) as pilot:
        await act(app, pilot)
        await pilot.pause(0.3)
        path = PICTURES / f"{name}.svg"
        path.write_text(picture(app, "evalforge"), "utf-8")
    png = rasterise(path)
    print(f"{path.name:<14} {path.stat().st_size:>8} {png.stat().st_size if png else 'no PNG: no rasteriser':>8}")


async def fought(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "Do next")


async def evidence(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "Do next")
    await pilot.press("down", "down", "down", "enter")
    await until(pilot, "The next level")


async def roster(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "continues with", "defeated")


async def page(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "The contract")


async def arena(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "The contract")
    await pilot.press("f")
    await until(pilot, "Will be sent", "cage.")


async def attempts(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "defeated")
    await pilot.press("a")
    await until(pilot, "pass at")


async def take(names: list[str]) -> None:
    """Take all pictures, or those named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["HOME"] = temporary
        bench = Bench(Path(temporary))
        await bench.campaign()
        folder = bench.write("solid")
        acts: dict[str, tuple[StartRequest, Act]] = {
            "fight": (start_request.fight(BOSS, str(folder)), fought),
            "evidence": (start_request.fight(BOSS, str(folder)), evidence),
            "boss": (start_request.boss_page(BOSS), page),
            "arena": (start_request.boss_page(BOSS), arena),
            "attempts": (ROSTER, attempts),
            "roster": (ROSTER, roster),
        }
        for name, (opening, act) in acts.items():
            if name in (names or acts):
                await shoot(name, bench.game(opening), act)


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    asyncio.run(take(parser.parse_args().names))


if __name__ == "__main__":
    main()
