"""The pictures of the README: ``python -m tests.app.screenshots``. Real fights, in a folder called ``~/furnace``."""

import argparse
import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.pilot import Pilot

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.app.core.services import Services
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import phase, shown
from tests.app.picture import picture, rasterise
from tests.app.snapshot_scenarios.evaluations import keep_evaluations

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
CLASS = {
    "alder": "flawless", "ash": "weak", "birch": "solid", "cedar": "borderline", "elder": "beautiful-but-wrong",
    "hornbeam": "broken", "larch": "solid", "rowan": "weak",
}  # fmt: skip
"""Who handed in what."""
PAST = {"evidence", "comparison", "boss", "arena", "attempts", "roster"}
"""Pictures for which the campaign is fought first."""
Act = Callable[[EvalForge, Pilot[None]], Awaitable[None]]


class Bench:
    """A home folder with a solution in it, and a game over the real floors."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.history = home / ".evalforge" / "attempts.sqlite3"
        self.history.parent.mkdir()
        (self.history.parent / "welcomed").touch()

    def game(self, opening: StartRequest) -> EvalForge:
        """A game that opens something, without motion."""
        return EvalForge(
            Services(bosses=(BOSSES,), history=self.history, motion="none", start=opening, starter_folder=self.home)
        )

    def write(self, strength: str, boss: str = BOSS) -> Path:
        """Put a solution of this strength into a folder named after the boss."""
        folder = self.home / boss.split("-", maxsplit=1)[0]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(BOSSES / boss / "exemplars" / strength, folder, ignore=shutil.ignore_patterns("gold.yaml"))
        return folder

    def write_class(self) -> Path:
        """Put a class into a folder."""
        folder = self.home / "class"
        for student, strength in CLASS.items():
            exemplar = BOSSES / BOSS / "exemplars" / strength
            shutil.copytree(exemplar, folder / student, ignore=shutil.ignore_patterns("gold.yaml"))
        return folder

    async def campaign(self) -> None:
        """Fight what was fought before, and spread it over the last days."""
        with History(self.history) as store:
            async with Forge(store) as forge:
                for boss, strength in CAMPAIGN:
                    stream = forge.fight(load_pack(BOSSES / boss), self.write(strength, boss), FightOptions())
                    async for _ in stream:
                        pass
        with closing(sqlite3.connect(self.history, isolation_level=None)) as database:
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


async def judged(pilot: Pilot[None]) -> None:
    """Let a fight end; what it advises is called otherwise once the boss fell."""
    await until(pilot, "flawless")
    while phase(pilot.app) != "DONE" or not ("Do next" in shown(pilot.app) or "flawless win" in shown(pilot.app)):
        await pilot.pause(0.1)


async def fought(_: EvalForge, pilot: Pilot[None]) -> None:
    await judged(pilot)
    await settled(pilot, "FightScreen")


async def evidence(_: EvalForge, pilot: Pilot[None]) -> None:
    await judged(pilot)
    await pilot.press("down", "down", "down", "enter")
    await until(pilot, "The next level")


async def roster(_: EvalForge, pilot: Pilot[None]) -> None:
    await settled(pilot, "RosterScreen")


async def page(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "The contract")


async def arena(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, "The contract")
    await pilot.press("f")
    await until(pilot, "Will be judged", "sandbox.")


async def attempts(_: EvalForge, pilot: Pilot[None]) -> None:
    await settled(pilot, "RosterScreen")
    await pilot.press("a")
    await settled(pilot, "AttemptsScreen")


async def settled(pilot: Pilot[None], screen: str) -> None:
    """Let the game run until a screen of this class is in front and has not changed for a while."""
    before, still = "", 0
    while still < 15:
        await pilot.pause(0.1)
        now = shown(pilot.app)
        still = still + 1 if now == before and type(pilot.app.screen).__name__ == screen else 0
        before = now


async def comparison(_: EvalForge, pilot: Pilot[None]) -> None:
    await judged(pilot)
    await pilot.press("d")
    await settled(pilot, "ComparisonScreen")


async def lab(_: EvalForge, pilot: Pilot[None]) -> None:
    await settled(pilot, "LabScreen")
    while "Scoring" in shown(pilot.app):
        await pilot.pause(0.5)
    await settled(pilot, "LabScreen")


async def stage(_: EvalForge, pilot: Pilot[None]) -> None:
    await settled(pilot, "LessonScreen")
    await pilot.press(*["right"] * 4)
    await settled(pilot, "LessonScreen")


async def judged_class(_: EvalForge, pilot: Pilot[None]) -> None:
    await until(pilot, f"{len(CLASS)} of {len(CLASS)}")
    await settled(pilot, "ClassScreen")


async def evaluations(app: EvalForge, pilot: Pilot[None]) -> None:
    await settled(pilot, "RosterScreen")
    app.navigator.open_evaluations()
    await until(pilot, "cluster-quality-1")
    await pilot.press("enter")
    await settled(pilot, "EvaluationScreen")


async def take(names: list[str]) -> None:
    """Take all pictures, or those named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["HOME"] = temporary
        bench = Bench(Path(temporary))
        if set(names or PAST) & PAST:
            await bench.campaign()
        keep_evaluations(bench.history.parent)
        folder = bench.write("solid")
        fight = start_request.fight(BOSS, str(folder))
        acts: dict[str, tuple[StartRequest, Act]] = {
            "fight": (fight, fought),
            "evidence": (fight, evidence),
            "comparison": (fight, comparison),
            "boss": (start_request.boss_page(BOSS), page),
            "arena": (start_request.boss_page(BOSS), arena),
            "attempts": (ROSTER, attempts),
            "roster": (ROSTER, roster),
            "lab": (start_request.lab(BOSS), lab),
            "stage": (start_request.stage(BOSS), stage),
            "class": (start_request.class_judging(BOSS, bench.write_class()), judged_class),
            "evaluation": (ROSTER, evaluations),
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
