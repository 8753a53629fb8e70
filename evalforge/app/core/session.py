"""The state of a running game: history, bosses, the engine, settings. Independent of screens."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from evalforge.app.core.services import Services
from evalforge.app.ui.text.paths import problem, short
from evalforge.model.errors import EvalForgeError, HistoryError, PackError
from evalforge.model.text import clean_line
from evalforge.progress.records import PASSING_VERDICTS

if TYPE_CHECKING:
    from evalforge.fight import Forge
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History
    from evalforge.model.attempt import Attempt
    from evalforge.model.strike_call import StrikeCall
    from evalforge.model.voice import Moment, Voice
    from evalforge.packs.pack import BossPack
    from evalforge.packs.summary import BossSummary

Value = TypeVar("Value")
Report = Callable[[str, str, str], None]
"""Shows a message to the player: its text, its title, and its severity as Textual names it."""


class Session:
    """One run of the game.

    Args:
        services: What the layers below provide.
        report: Shows a message; called with text, title and severity.
    """

    def __init__(self, services: Services, report: Report) -> None:
        self.services = services
        self._report = report
        self._engine: asyncio.Future[Forge] | None = None
        self._engine_task: asyncio.Task[None] | None = None
        self._history: History | None = None
        self._history_failed = False
        self._progress: dict[str, BossProgress] | None = None
        self._versions: dict[Path, Path] = {}

    # Settings

    def change_setting(self, name: str, value: str | bool) -> None:
        """Use a setting's value from now on and keep it in ``config.toml``; show a message if it can't be kept."""
        from evalforge.packs.config_file import write_setting

        self.services = self.services.with_setting(name, value)
        try:
            write_setting(self.services.config_file, name, value)
        except EvalForgeError as error:
            self._report(problem(error), "Not kept", "warning")

    # Bosses

    def load_pack(self, path: Path) -> "BossPack | None":
        """Load a boss in its newest version; None, with a message, if the pack is broken."""
        from evalforge.packs.pack import load_pack

        try:
            return load_pack(self._versions.get(path, path))
        except PackError as error:
            self._report(problem(error), "Broken pack", "error")
            return None

    def find_boss(self, boss_id: str) -> "BossSummary | None":
        """The roster's entry of a boss; None if it doesn't exist or its pack is broken."""
        return next((boss for boss in self.services.find_bosses() if boss.slug == boss_id and not boss.error), None)

    def load_boss(self, boss_id: str) -> "BossPack | None":
        """Load a boss by its id; None if it doesn't exist."""
        boss = self.find_boss(boss_id)
        return self.load_pack(boss.path) if boss else None

    def require_boss(self, boss_id: str) -> "BossPack | None":
        """Load a boss by its id; None, with a message, if it doesn't exist."""
        boss = self.find_boss(boss_id)
        if boss is None:
            self._report("Its boss no longer exists here.", "", "warning")
            return None
        return self.load_pack(boss.path)

    def use_version(self, old: Path, pack: "BossPack") -> None:
        """From now on, load a boss's new version for the old version's path."""
        self._versions[old] = pack.path

    def make_starter(self, pack: "BossPack", directory: Path | None = None) -> Path | None:
        """Create a boss's starter folder, or reuse an earlier one, and say which; None if it can't be created.

        Nothing is ever overwritten.
        """
        from evalforge.packs.atomic_files import is_missing_or_empty
        from evalforge.packs.new_folders import create_starter

        target = directory or self.services.starter_folder.absolute() / pack.boss_id
        try:
            if directory is None and target.is_dir() and not is_missing_or_empty(target):
                self._report(clean_line(f"{short(target)} already exists, with your files. Nothing was changed."),
                             "Opened", "information")  # fmt: skip
                return target
            create_starter(pack, target)
            if history := self.history():
                history.record_starter(pack.boss_id, target)
        except EvalForgeError as error:
            self._report(problem(error), "No folder created", "warning")
            return None
        self._report(clean_line(f"{short(target)}. Edit it in your editor, then strike."), "Made", "information")
        return target

    # Judges

    def switch_judge(self) -> None:
        """Switch to the next judge that is available here."""
        self.services = self.services._replace(judge=self.next_judge(self.services.judge))

    def next_judge(self, judge: str) -> str:
        """The next judge that is available here; if there is no other, say what one needs."""
        offers = self.services.offers()
        names = [offer.name for offer in offers]
        at = names.index(judge) + 1 if judge in names else 0
        others = [offer for offer in (*offers[at:], *offers[:at]) if offer.name != judge]
        for offer in others:
            if offer.is_available:
                return offer.name
        needs = "".join(f"{offer.name}: {offer.description}." for offer in others[:1])
        self._report(clean_line(needs), "No other judge", "warning")
        return judge

    # The engine

    def start_engine(self) -> "asyncio.Future[Forge]":
        """Start warming the engine, unless it is ready or starting. An engine that failed to start is replaced."""
        if self._engine is None or (self._engine.done() and self._engine.exception() is not None):
            self._engine = asyncio.get_running_loop().create_future()
            self._engine_task = asyncio.create_task(self._keep_engine_open(self._engine), name="engine")
        return self._engine

    async def engine(self) -> "Forge":
        """Return the engine, starting it if necessary.

        Raises:
            EvalForgeError: The engine does not start.
        """
        return await asyncio.shield(self.start_engine())

    async def stop_engine(self) -> None:
        """Close the engine and wait for that, because the event loop ends next and allows no later cleanup."""
        if self._engine_task is not None:
            self._engine_task.cancel()
            # If it failed to start, the caller that asked for it has got the error.
            with suppress(asyncio.CancelledError, Exception):
                await self._engine_task

    async def _keep_engine_open(self, engine: "asyncio.Future[Forge]") -> None:
        try:
            async with self.services.open_engine(self.services.history) as opened:
                engine.set_result(opened)
                await opened.warm()
                await asyncio.Event().wait()
        except Exception as error:
            if not engine.done():
                engine.set_exception(error)
            raise

    # History

    def history(self) -> "History | None":
        """The history of attempts; None, with a message the first time, if it can't be read."""
        if self._history is None and not self._history_failed:
            try:
                self._history = history = self.services.open_history()
                # Read at once: damage should be found here, not by a screen that depends on it.
                self._progress = history.progress.by_boss()
                history.page(limit=1)
            except HistoryError as error:
                self._go_on_without_history(error)
        return self._history

    def _go_on_without_history(self, error: HistoryError) -> None:
        self.close_history()
        self._history_failed = True
        self._progress = {}
        self._report(problem(error), "No history", "warning")

    def read_attempt(self, attempt_id: str) -> "Attempt | None":
        """Read an attempt; None, with a message, if it can't be read."""
        return self._read(lambda history: history.get(attempt_id))

    def previous_attempt(self, attempt_id: str) -> "Attempt | None":
        """Read the last judged attempt on a boss before an attempt; None, with a message, if it can't be read."""
        return self._read(lambda history: history.previous(attempt_id))

    def latest_attempt(self, boss_id: str) -> "Attempt | None":
        """Read the player's last judged attempt on a boss; None, with a message, if it can't be read."""
        return self._read(lambda history: history.latest(boss_id))

    def _read(self, query: "Callable[[History], Value | None]") -> "Value | None":
        """Return what history answers; None, with a message, if it can't be read or written."""
        history = self.history()
        try:
            return query(history) if history is not None else None
        except EvalForgeError as error:
            self._report(problem(error), "", "error")
            return None

    def voice(self, boss_id: str, attempt_id: str = "") -> "Voice | None":
        """The boss's voice in one of the player's attempts, or in the next one; None if it says nothing there."""
        if self.services.tone == "plain":
            return None
        return self._read(lambda history: history.progress.voice(boss_id, attempt_id))

    def boss_line(self, boss_id: str, moment: "Moment") -> str:
        """What the boss says before the player's next attempt; empty if it says nothing."""
        voice = self.voice(boss_id)
        return voice.pick_line(moment) if voice else ""

    def boss_progress(self) -> "dict[str, BossProgress]":
        """The player's progress by boss id; cached until `forget_progress` is called."""
        history = self.history()
        if self._progress is None:
            try:
                self._progress = history.progress.by_boss() if history else {}
            except HistoryError as error:
                self._go_on_without_history(error)
        return self._progress or {}

    def next_boss(self) -> "BossSummary | None":
        """The first boss of the roster that isn't beaten yet; None if all are."""
        return next((boss for boss in self._sound_bosses() if not self._is_beaten(boss)), None)

    def count_beaten(self) -> tuple[int, int]:
        """The numbers of beaten bosses and of all bosses in the roster."""
        bosses = self._sound_bosses()
        return sum(map(self._is_beaten, bosses)), len(bosses)

    def _sound_bosses(self) -> "list[BossSummary]":
        return [boss for boss in self.services.find_bosses() if not boss.error]

    def _is_beaten(self, boss: "BossSummary") -> bool:
        progress = self.boss_progress().get(boss.slug)
        return progress is not None and progress.best_verdict in PASSING_VERDICTS

    def thresholds(self) -> dict[str, float]:
        """The score at which each boss of the roster falls, by boss id."""
        return {boss.slug: boss.threshold for boss in self._sound_bosses() if boss.threshold is not None}

    def tries(self, boss_id: str) -> int:
        """How often the player was judged on a boss."""
        progress = self.boss_progress().get(boss_id)
        return progress.attempt_count if progress else 0

    def forget_progress(self) -> None:
        """Discard the cached progress, because a fight changed it."""
        self._progress = None

    def hints_taken(self, boss_id: str, criterion_id: str) -> int:
        """The number of steps of a criterion's hint that the player has read."""
        hints = self._read(lambda history: history.hints_read()) or []
        return max((h.step for h in hints if (h.boss_id, h.criterion_id) == (boss_id, criterion_id)), default=0)

    def count_hint(self, boss_id: str, criterion_id: str, step: int) -> None:
        """Record that a step of a hint was read; it costs nothing."""
        self._read(lambda history: history.record_hint(boss_id, criterion_id, step))

    def keep_call(self, attempt_id: str, call: "StrikeCall") -> None:
        """Keep what the player expected of an attempt."""
        self._read(lambda history: history.record_call(attempt_id, call))

    def close_history(self) -> None:
        """Close the history, if it was opened."""
        if self._history is not None:
            self._history.close()
            self._history = None
