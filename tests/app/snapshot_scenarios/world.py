"""A home that looks the same every time: packs, solutions, a past, and a day on which time stands still."""

import asyncio
import functools
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.app.core.services import Services
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.evidence.engine import Engine
from evalforge.fight import FightOptions
from evalforge.history.store import History
from evalforge.packs.calibrated import note_calibrated
from evalforge.packs.pack import BossPack, load_pack
from tests.app.snapshot_scenarios.engine import BOSSES, EXEMPLARS, RecordedEngines, recorded_engine

NOW = datetime(2031, 5, 14, 15, 9, 26, tzinfo=UTC)
DUMMY, FURNACE, WRAITH = "training-dummy", "furnace-controller", "cache-wraith"
_CAMPAIGN = (
    (DUMMY, "weak", 9 * 1440), (DUMMY, "first-win", 9 * 1440 - 18), (FURNACE, "broken", 6 * 1440),
    (FURNACE, "weak", 5 * 1440 + 77), (DUMMY, "flawless", 2 * 1440), (FURNACE, "borderline", 47),
)  # fmt: skip
"""What was fought before: boss, strength of the solution, minutes ago."""
_NOTES = {DUMMY: "", FURNACE: "Reads first, decides then; a file that can't be read is told on stderr."}
_CLASS = {
    "alder": "flawless", "ash": "weak", "birch": "first-win", "cedar": "borderline", "dogwood": "weak",
    "elder": "solid", "hawthorn": "beautiful-but-wrong", "hornbeam": "broken", "larch": "flawless",
    "medlar": "hollow-proof", "rowan": "right-but-badly-built", "whitebeam": "borderline",
}  # fmt: skip
_CLOCKED = (
    "evalforge.app.ui.text.formatting", "evalforge.app.teaching.speaker_notes", "evalforge.history.writer",
    "evalforge.history.class_book", "evalforge.history.overrides", "evalforge.classroom.report",
    "evalforge.lab.calibration_runs",
)  # fmt: skip
"""Modules that ask for the date."""


class _Today(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return NOW.astimezone(tz) if tz else NOW.replace(tzinfo=None)


class _Clock:
    """Every look at it is so many seconds later."""

    def __init__(self, step: float) -> None:
        self._step, self._at = step, 0.0

    def monotonic(self) -> float:
        self._at += self._step
        return self._at


class World:
    """The home folder, and games in it.

    Args:
        home: An empty folder.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.state = home / ".evalforge"
        self.theme = ""
        """What a game begins in."""
        self._packs: list[BossPack] = []
        """Those that have lost exemplars on the way here, and are as good as calibrated all the same."""

    # What lies there

    def build(self) -> None:
        """Lay everything out, and live through the past."""
        self._copy_packs()
        self.write("solid", FURNACE, "furnace")
        self.write("flawless", DUMMY, "training")
        self.write("weak", FURNACE, "drafts/furnace")
        self.write("late-burial", WRAITH, "drafts/wraith")
        (self.home / "drafts" / "furnace" / "__pycache__").mkdir()
        (self.home / "drafts" / "furnace" / "readings.bin").write_bytes(b"\0\1\2")
        for name, exemplar in _CLASS.items():
            self.write(exemplar, DUMMY, f"class/{name}")
        (self.home / "class" / "willow").mkdir()
        for past, live in (("player", self._play), ("teacher", self._teach)):
            self.state.mkdir()
            (self.state / "welcomed").touch()
            asyncio.run(live(self.state / "attempts.sqlite3"))
            self._date()
            self.state.rename(self._past(past))

    def _past(self, name: str) -> Path:
        return self.home / f".past-{name}"

    def _copy_packs(self) -> None:
        (self.home / "bosses").mkdir()
        for pack in sorted(path for path in BOSSES.iterdir() if path.is_dir()):
            there = self.home / "bosses" / pack.name
            if pack.name not in EXEMPLARS:
                there.symlink_to(pack)
                continue
            shutil.copytree(pack, there, ignore=shutil.ignore_patterns("__pycache__", "exemplars"))
            for name in EXEMPLARS[pack.name]:
                shutil.copytree(pack / "exemplars" / name, there / "exemplars" / name)
            self._packs.append(load_pack(there))

    def write(self, strength: str, boss: str, folder: str) -> Path:
        """Put an exemplar of a boss into a folder, as somebody's own work."""
        there, ignored = self.home / folder, shutil.ignore_patterns("gold.yaml", "__pycache__")
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(BOSSES / boss / "exemplars" / strength, there, ignore=ignored)
        return there

    async def _play(self, history: Path) -> None:
        async with recorded_engine(history) as forge:
            for boss, strength, _ in _CAMPAIGN:
                folder = self.write(strength, boss, f".{boss}")
                async for _ in forge.fight(load_pack(BOSSES / boss), folder, FightOptions(notes=_NOTES[boss])):
                    pass

    async def _teach(self, history: Path) -> None:
        for handed_in in ({}, {"birch": "flawless", "elder": "weak"}):
            for name, exemplar in handed_in.items():
                self.write(exemplar, DUMMY, f"class/{name}")
            with History(history) as store:
                options = ClassOptions(engines=RecordedEngines())
                async for _ in ClassRun(load_pack(BOSSES / DUMMY), self.home / "class", store, options).events():
                    pass

    def _date(self) -> None:
        """Spread the past over the days it took, and name its attempts."""
        moments = [timedelta(minutes=ago) for *_, ago in _CAMPAIGN]
        folders = {boss: self.home / boss.split("-", maxsplit=1)[0] for boss in EXEMPLARS}
        with closing(sqlite3.connect(self.state / "attempts.sqlite3", isolation_level=None)) as database:
            known = database.execute("SELECT seq, boss_id, of_class FROM attempts ORDER BY seq").fetchall()
            for seq, boss, of_class in known:
                moment = NOW - (timedelta(days=1) if of_class else moments.pop(0))
                change = "UPDATE attempts SET id = ?, started_at = ?, finished_at = ? WHERE seq = ?"
                database.execute(change, (f"a{seq:03}bcde", moment.isoformat(), moment.isoformat(), seq))
                if not of_class:
                    database.execute("UPDATE attempts SET directory = ? WHERE seq = ?", (str(folders[boss]), seq))
            moment = (NOW - timedelta(days=1)).isoformat()
            database.execute("UPDATE class_runs SET started_at = ?, finished_at = ?", (moment, moment))

    def begin(self, monkeypatch: pytest.MonkeyPatch, past: str) -> None:
        """Go back to how things stood, and stop the clocks.

        Args:
            monkeypatch: Stops them.
            past: What was before: ``none``, that of a ``player`` or of a ``teacher``.
        """
        shutil.rmtree(self.state, ignore_errors=True)
        if past != "none":
            shutil.copytree(self._past(past), self.state)
        for pack in self._packs:
            note_calibrated(pack)
        monkeypatch.chdir(self.home)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("TZ", "UTC")
        for name in ("VISUAL", "EDITOR", "COLORTERM", "TEXTUAL_ANIMATIONS"):
            monkeypatch.delenv(name, raising=False)
        time.tzset()
        # A draft's folder is named after the path of its pack, which pytest numbers anew; shipped packs share one name.
        monkeypatch.setattr("evalforge.lab.draft.shipped_bosses", lambda: self.home / "bosses")
        for module in _CLOCKED:
            monkeypatch.setattr(f"{module}.datetime", _Today)
        for module, step in (("fight", 0.031), ("classroom.class_run", 0.0)):
            monkeypatch.setattr(f"evalforge.{module}.time", SimpleNamespace(monotonic=_Clock(step).monotonic))

    # What is played there

    def game(self, opening: StartRequest | None = None, engine: Engine | None = None, **more: object) -> EvalForge:
        """A game without motion in this home.

        Args:
            opening: What it begins with.
            engine: What measures; a recorded engine that always comes to its end if None.
            more: Anything else it is given.
        """
        given = {
            "bosses": (self.home / "bosses",), "history": self.state / "attempts.sqlite3",
            "open_engine": functools.partial(recorded_engine, engine=engine), "motion": "none",
            "theme": self.theme, "start": opening or ROSTER, "starter_folder": self.home, **more,
        }  # fmt: skip
        return EvalForge(Services(**given))  # pyright: ignore[reportArgumentType]
