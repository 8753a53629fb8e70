"""The game as an app: themes, the guard on every line, the forge it keeps, and which screen comes first."""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme

from evalforge.app import motion
from evalforge.app.glyphs import ASCII, UNICODE
from evalforge.app.guard import AsciiFilter, ControlFilter
from evalforge.app.look import Look
from evalforge.app.services import Fighter, Services
from evalforge.app.themes import DEFAULT_THEME, PALETTES, css_variables, textual_themes
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.store import History, Standing
    from evalforge.library.pack import BossPack


class EvalForge(App[None]):
    """The terminal game.

    Args:
        services: What it is given from the floors below.
    """

    TITLE = "EvalForge"
    CSS_PATH: ClassVar = ["game.tcss", "screens/roster.tcss"]
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True, id="quit"),
    ]

    def __init__(self, services: Services) -> None:
        self._guard = ControlFilter()
        self._themes: dict[str, Theme] = {}
        super().__init__()
        self._themes = textual_themes()
        self.services = services
        self.motion = motion.choose(services.motion, self.animation_level)
        self.animation_level = self.motion.level
        self._forge: asyncio.Future[Fighter] | None = None
        self._history: History | None = None
        self._history_failed = False
        self._standings: dict[str, Standing] | None = None
        self.theme = services.theme if services.theme in PALETTES else DEFAULT_THEME

    # The look

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Ours alone, once there are any: the others know nothing of our roles."""
        return self._themes or super().available_themes

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our roles are there even before a theme is."""
        return css_variables(PALETTES[DEFAULT_THEME])

    @property
    def look(self) -> Look:
        """Palette, signs and motion in force."""
        palette = PALETTES.get(self.theme, PALETTES[DEFAULT_THEME])
        return Look(palette, ASCII if self.services.ascii_only else UNICODE, self.motion)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's filters, and the guard after them."""
        extra = [AsciiFilter()] if self.services.ascii_only else []
        return [*super().get_line_filters(), self._guard, *extra]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers: no screenshots of strangers' text into files, no mazes."""
        yield SystemCommand("Theme", "Change the look", self.action_change_theme)
        yield SystemCommand("Attempts", "All past fights", self.action_attempts)
        yield SystemCommand("Quit", "Leave the forge", self.action_quit)

    # The first screen

    def get_default_screen(self) -> Screen[None]:
        """The roster: Textual's own empty screen below it would only cost time."""
        from evalforge.app.screens.roster import RosterScreen

        return RosterScreen()

    def on_mount(self) -> None:
        """On top of the roster, what was asked for."""
        if self.services.opening.boss:
            self.call_after_refresh(self._open_asked)

    def _open_asked(self) -> None:
        opening = self.services.opening
        wanted = next((boss for boss in self.services.find_bosses() if boss.slug == opening.boss), None)
        if wanted is None or wanted.error:
            self.notify(f"There is no boss called {clean_line(opening.boss)}.", severity="warning", markup=False)
            return
        pack = self.pack(wanted.path)
        if pack is not None and opening.directory:
            self.fight(pack, Path(opening.directory))
        elif pack is not None:
            self.open_boss(pack)

    # Ways between screens

    def pack(self, path: Path) -> "BossPack | None":
        """A boss in full; a broken one is said, never fatal."""
        from evalforge.model.errors import PackError

        try:
            return self.services.load_pack(path)
        except PackError as error:
            self.notify(clean_line(str(error)), title="Broken pack", severity="error", markup=False)
            return None

    def open_boss(self, pack: "BossPack") -> None:
        """The boss's page."""
        from evalforge.app.screens.boss import BossScreen

        self.push_screen(BossScreen(pack))

    def open_arena(self, pack: "BossPack", directory: str = "") -> None:
        """Choose what to hand in."""
        from evalforge.app.screens.arena import ArenaScreen

        self.light_forge()
        self.push_screen(ArenaScreen(pack, directory))

    def fight(self, pack: "BossPack", directory: Path, notes: str = "") -> None:
        """Strike."""
        from evalforge.app.screens.fight import FightScreen

        self.push_screen(FightScreen(pack, directory, notes))

    def open_attempt(self, attempt_id: str) -> None:
        """One past fight, whole."""
        from evalforge.app.screens.attempt import AttemptScreen
        from evalforge.model.errors import EvalForgeError

        history = self.chronicle()
        if history is None:
            return
        try:
            attempt, before = history.get(attempt_id), history.previous(attempt_id)
        except EvalForgeError as error:
            self.notify(clean_line(str(error)), severity="error", markup=False)
            return
        boss = next((b for b in self.services.find_bosses() if b.slug == attempt.boss_id and not b.error), None)
        self.push_screen(AttemptScreen(attempt, before, self.pack(boss.path) if boss else None))

    def make_starter(self, pack: "BossPack", directory: Path | None = None) -> Path | None:
        """Make a boss's starter folder; what stands in the way is said, and nothing is overwritten."""
        from evalforge.model.errors import EvalForgeError

        try:
            return self.services.create_starter(pack, directory or self.services.workshop / pack.boss_id)
        except EvalForgeError as error:
            self.notify(clean_line(str(error)), title="No folder made", severity="warning", markup=False)
            return None

    def action_attempts(self) -> None:
        """All past fights."""
        from evalforge.app.screens.attempts import AttemptsScreen

        self.push_screen(AttemptsScreen())

    # History

    def chronicle(self) -> "History | None":
        """The history of attempts; None, and said once, if it can't be read."""
        from evalforge.model.errors import EvalForgeError

        if self._history is None and not self._history_failed:
            try:
                self._history = self.services.open_history()
            except EvalForgeError as error:
                self._history_failed = True
                self.notify(clean_line(str(error)), title="No history", severity="warning", markup=False)
        return self._history

    def standings(self) -> "dict[str, Standing]":
        """How the player stands with each boss; read once and again after every fight."""
        if self._standings is None:
            history = self.chronicle()
            self._standings = history.standings() if history else {}
        return self._standings

    def forget_standings(self) -> None:
        """A fight changed them."""
        self._standings = None

    def on_unmount(self) -> None:
        """Let go of the history."""
        if self._history is not None:
            self._history.close()
            self._history = None

    # The forge

    def light_forge(self) -> None:
        """Begin to warm the forge, unless it is lit."""
        if self._forge is None or (self._forge.done() and self._forge.exception() is not None):
            self._forge = asyncio.get_running_loop().create_future()
            self._tend(self._forge)

    async def forge(self) -> Fighter:
        """The forge, once it is there."""
        self.light_forge()
        assert self._forge is not None
        return await asyncio.shield(self._forge)

    @work(group="forge", exit_on_error=False)
    async def _tend(self, lit: "asyncio.Future[Fighter]") -> None:
        """Keep the forge open until the game ends; leaving here is what closes it."""
        try:
            async with self.services.forge() as forge:
                lit.set_result(forge)
                await forge.warm()
                await asyncio.Event().wait()
        except Exception as error:
            if not lit.done():
                lit.set_exception(error)
            raise
