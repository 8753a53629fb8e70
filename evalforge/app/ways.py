"""The ways between screens, and the history they read: everything a screen may ask the app to open."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from evalforge.app.memory import Memory
from evalforge.app.paths import problem
from evalforge.app.services import Services
from evalforge.model.errors import EvalForgeError, HistoryError, PackError
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.classes.opening import ClassOpening
    from evalforge.app.dossier import Dossier
    from evalforge.history.store import History, Standing
    from evalforge.library.pack import BossPack
    from evalforge.model.attempt import Attempt


class Ways(App[None]):
    """What screens call on the app.

    Args:
        services: What the game is given from the floors below.
    """

    def __init__(self, services: Services) -> None:
        super().__init__()
        self.services = services
        self.memory = Memory(services.memory)
        self._history: History | None = None
        self._history_failed = False
        self._standings: dict[str, Standing] | None = None
        self._renewed: dict[Path, Path] = {}

    def next_judge(self) -> None:
        """Take the next judge that can be had here; if there is only one, say what the others need."""
        offers = self.services.offers()
        able = [offer.name for offer in offers if offer.works]
        if len(able) == 1:
            missing = next(offer for offer in offers if not offer.works)
            words = clean_line(f"{missing.name}: {missing.words}.")
            self.notify(words, title="No other judge", severity="warning", markup=False)
        current = able.index(self.services.judge) if self.services.judge in able else -1
        self.services = replace(self.services, judge=able[(current + 1) % len(able)])

    def pack(self, path: Path) -> "BossPack | None":
        """A boss in full; a broken one is said, never fatal."""
        try:
            return self.services.load_pack(self._renewed.get(path, path))
        except PackError as error:
            self.notify(problem(error), title="Broken pack", severity="error", markup=False)
            return None

    def pack_of(self, boss_id: str) -> "BossPack | None":
        """A boss by its id; None, and said, if it isn't here."""
        boss = next((b for b in self.services.find_bosses() if b.slug == boss_id and not b.error), None)
        if boss is None:
            self.notify("Its boss is not here any more.", severity="warning", markup=False)
            return None
        return self.pack(boss.path)

    def open_boss(self, pack: "BossPack", tab: str = "briefing") -> None:
        """The boss's page, at one of its sides."""
        from evalforge.app.screens.boss import BossScreen

        self.push_screen(BossScreen(pack, tab))

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """Choose what to hand in."""
        from evalforge.app.screens.arena import ArenaScreen

        self.light_forge()
        self.push_screen(ArenaScreen(pack, directory))

    def fight(self, pack: "BossPack", directory: Path, notes: str = "", *, watch: bool = False) -> None:
        """Strike; or, watching, practise at every save until the player does."""
        from evalforge.app.screens.fight import FightScreen

        self.push_screen(FightScreen(pack, directory, notes, watch=watch))

    def open_attempt(self, attempt_id: str) -> None:
        """One past fight, whole."""
        from evalforge.app.screens.attempt import AttemptScreen

        history = self.chronicle()
        if history is None:
            return
        try:
            attempt, before = history.get(attempt_id), history.previous(attempt_id)
        except EvalForgeError as error:
            self.notify(problem(error), severity="error", markup=False)
            return
        boss = next((b for b in self.services.find_bosses() if b.slug == attempt.boss_id and not b.error), None)
        self.push_screen(AttemptScreen(attempt, before, self.pack(boss.path) if boss else None))

    def open_evidence(self, dossier: "Dossier", criterion_id: str) -> None:
        """Why a criterion was judged as it was."""
        from evalforge.app.screens.evidence import EvidenceScreen

        standing = self.standings().get(dossier.foe.boss_id)
        self.push_screen(EvidenceScreen(dossier, criterion_id, standing.tries if standing else 0))

    def open_comparison(self, before: "Attempt", after: "Attempt") -> None:
        """Two attempts side by side."""
        from evalforge.app.screens.comparison import ComparisonScreen

        self.push_screen(ComparisonScreen(before, after))

    def open_lab(self, pack: "BossPack") -> None:
        """Work on a boss's rubric."""
        from evalforge.app.lab_ways import lab

        screen = lab(self, pack)
        if screen is not None:
            self.push_screen(screen)

    def reopen_lab(self, pack: "BossPack") -> None:
        """Work on, on the version that was just saved."""
        from evalforge.app.lab_ways import lab

        screen = lab(self, pack)
        if screen is not None:
            self.pop_screen()
            self.push_screen(screen)

    def open_duel(self, pack: "BossPack") -> None:
        """Two judges on one hand-in."""
        from evalforge.app.lab_ways import duel

        self.push_screen(duel(self, pack))

    def renew(self, old: Path, pack: "BossPack") -> None:
        """A boss has a new version: whoever shows or fights it takes that one from now on."""
        self._renewed[old] = pack.path
        for screen in self.screen_stack:
            if hasattr(screen, "renew"):
                screen.renew(pack)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    def replay(self, attempt: "Attempt", pack: "BossPack | None") -> None:
        """A stored fight, once more."""
        from evalforge.app.screens.replay import ReplayScreen

        self.push_screen(ReplayScreen(attempt, pack))

    def export(self, attempt: "Attempt") -> None:
        """Ask in which form to hand an attempt out, write it, say where."""
        from evalforge.app.paths import short
        from evalforge.app.screens.export import ExportScreen

        folder = self.services.workshop.absolute()
        self.push_screen(ExportScreen(attempt, short(folder)), lambda kind: self._export(attempt, kind or ""))

    def _export(self, attempt: "Attempt", kind: str) -> None:
        from evalforge.app.export import export
        from evalforge.app.foe import foe_of_attempt
        from evalforge.app.paths import short

        history = self.chronicle()
        if not kind or history is None:
            return
        boss = next((b for b in self.services.find_bosses() if b.slug == attempt.boss_id and not b.error), None)
        foe = foe_of_attempt(attempt, self.pack(boss.path) if boss else None)
        try:
            row, receipt = history.row(attempt.id), history.receipt(attempt.id)
            folder = self.services.workshop.absolute()
            path = export(attempt, kind, folder, foe, row.own_number if row else 0, receipt)
        except (OSError, EvalForgeError) as error:
            self.notify(problem(error), title="Nothing was written", severity="error", markup=False)
            return
        self.notify(clean_line(short(path)), title="Written", markup=False)

    def make_starter(self, pack: "BossPack", directory: Path | None = None) -> Path | None:
        """Make a boss's starter folder; what stands in the way is said, and nothing is overwritten."""
        try:
            return self.services.create_starter(pack, directory or self.services.workshop / pack.boss_id)
        except EvalForgeError as error:
            self.notify(problem(error), title="No folder made", severity="warning", markup=False)
            return None

    def open_classes(self, pack: "BossPack | None" = None) -> None:
        """Classes judged before, and the way to a new one."""
        from evalforge.app.screens.classes import ClassesScreen

        self.push_screen(ClassesScreen(pack))

    def open_class(self, pack: "BossPack", place: Path, judge: str = "forge", label: str = "") -> None:
        """Judge a class, or go on with it."""
        from evalforge.app.class_ways import judge_class

        judge_class(self, pack, place, judge, label)

    def show_class(self, pack: "BossPack", opening: "ClassOpening") -> None:
        """A class as the command line asked for it."""
        from evalforge.app.screens.class_screen import ClassScreen

        self.push_screen(ClassScreen(pack, Path(opening.directory), opening.options))

    def action_attempts(self) -> None:
        """All past fights."""
        from evalforge.app.screens.attempts import AttemptsScreen

        self.push_screen(AttemptsScreen())

    def action_progress(self) -> None:
        """Rank and achievements."""
        from evalforge.app.screens.progress import ProgressScreen

        self.push_screen(ProgressScreen())

    def action_rush(self) -> None:
        """All bosses, one after the other."""
        from evalforge.app.screens.rush import RushScreen

        self.push_screen(RushScreen())

    def light_forge(self) -> None:
        """Begin to warm the forge."""

    # History

    def chronicle(self) -> "History | None":
        """The history of attempts; None, and said once, if it can't be read."""
        if self._history is None and not self._history_failed:
            try:
                history = self.services.open_history()
                # Read at once: what is damaged is better found here than by a screen that stands on it.
                self._standings, _ = history.standings(), history.page(limit=1)
                self._history = history
            except HistoryError as error:
                self._go_on_without(error)
        return self._history

    def _go_on_without(self, error: Exception) -> None:
        """The history can't be read: the game goes on as if there were none."""
        self._history, self._history_failed, self._standings = None, True, {}
        self.notify(problem(error), title="No history", severity="warning", markup=False)

    def standings(self) -> "dict[str, Standing]":
        """How the player stands with each boss; read once and again after every fight."""
        history = self.chronicle()
        if self._standings is None:
            try:
                self._standings = history.standings() if history else {}
            except HistoryError as error:
                self._go_on_without(error)
        return self._standings or {}

    def forget_standings(self) -> None:
        """A fight changed them."""
        self._standings = None

    def hints_taken(self, boss_id: str, criterion_id: str) -> int:
        """How many steps of a criterion's hint were read."""
        history = self.chronicle()
        try:
            hints = history.hints() if history else []
        except HistoryError:
            hints = []
        return max((h.step for h in hints if (h.boss_id, h.criterion_id) == (boss_id, criterion_id)), default=0)

    def take_hint(self, boss_id: str, criterion_id: str, step: int) -> None:
        """Count a step of a hint; it costs nothing."""
        history = self.chronicle()
        try:
            if history is not None:
                history.note_hint(boss_id, criterion_id, step)
        except HistoryError as error:
            self.notify(problem(error), title="Not counted", severity="warning", markup=False)

    def on_unmount(self) -> None:
        """Let go of the history."""
        if self._history is not None:
            self._history.close()
            self._history = None
