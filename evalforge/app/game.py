"""The game as an app: themes, the guard on every line, the forge it keeps, and which screen comes first."""

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Unmount
from textual.filter import LineFilter
from textual.screen import Screen, SystemModalScreen
from textual.theme import Theme
from textual.worker import Worker, WorkerError, WorkerFailed

from evalforge.app import motion
from evalforge.app.classes.opening import ClassOpening
from evalforge.app.glyphs import ASCII, UNICODE
from evalforge.app.guard import AsciiFilter, ControlFilter
from evalforge.app.look import Look
from evalforge.app.parting import PartingError
from evalforge.app.services import Fighter, Services
from evalforge.app.showing import Showing
from evalforge.app.shows import Shows
from evalforge.app.themes import DEFAULT_THEME, PALETTES, css_variables, textual_themes
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.commands import Commands


def _palette() -> "type[Commands]":
    from evalforge.app.commands import Commands

    return Commands


class EvalForge(Shows):
    """The terminal game.

    Args:
        services: What it is given from the floors below.
    """

    TITLE = "EvalForge"
    CSS_PATH: ClassVar = ["game.tcss", "screens/roster.tcss"]
    NOTIFICATION_TIMEOUT = 4
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS: ClassVar = {_palette}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True, id="quit"),
        Binding("t", "next_theme", "next theme", show=False, id="theme"),
    ]

    def __init__(self, services: Services) -> None:
        self._guard = ControlFilter()
        self._themes: dict[str, Theme] = {}
        super().__init__(services)
        self._themes = textual_themes()
        self.motion = motion.choose(services.motion, self.animation_level)
        self.animation_level = self.motion.level
        self._forge: asyncio.Future[Fighter] | None = None
        self._tending: Worker[None] | None = None
        wanted = services.theme or self.memory.theme
        self.theme = wanted if wanted in PALETTES else DEFAULT_THEME

    def _handle_exception(self, error: Exception) -> None:
        """What nobody caught ends the game; an error of ours in its own words, and anything else as a traceback."""
        cause = error.error if isinstance(error, WorkerFailed) else error
        super()._handle_exception(PartingError(cause) if isinstance(cause, EvalForgeError) else error)

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

    def refresh_css(self, animate: bool = True) -> None:
        """Textual leaves out its own screens, so an open palette would keep the theme it was opened in."""
        super().refresh_css(animate)
        for screen in self.screen_stack[-1:]:
            if isinstance(screen, SystemModalScreen):
                self.stylesheet.update(screen, animate=animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's filters, and the guard after them."""
        extra = [AsciiFilter()] if self.services.ascii_only else []
        return [*super().get_line_filters(), self._guard, *extra]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the palette offers: everything, but no screenshots of strangers' text into files."""
        from evalforge.app.commands import commands

        return commands(self, screen)

    def wear(self, theme: str) -> None:
        """Put on a theme and remember it."""
        self.theme = self.memory.theme = theme

    def action_next_theme(self) -> None:
        """The next of our themes."""
        names = list(PALETTES)
        self.wear(names[(names.index(self.theme) + 1) % len(names)])
        self.notify(self.theme, title="Theme", timeout=1.5, markup=False)

    def chime(self) -> None:
        """Ring the terminal's bell, for those who asked for it."""
        if self.services.bell or self.memory.bell:
            self.bell()

    # The first screen

    def get_default_screen(self) -> Screen[None]:
        """The roster: Textual's own empty screen below it would only cost time."""
        from evalforge.app.screens.roster import RosterScreen

        return RosterScreen()

    def on_mount(self) -> None:
        """On top of the roster, what was asked for."""
        self.screen_change_signal.subscribe(self, self._take_toasts_away, immediate=True)  # pyright: ignore[reportUnknownMemberType]
        if self.services.opening.boss:
            self.call_after_refresh(self._open_asked)

    def _take_toasts_away(self, _: Screen[object]) -> None:
        """What was said stays where it was said, or it would hide what the next screen says."""
        self.clear_notifications()

    def _open_asked(self) -> None:
        opening = self.services.opening
        wanted = next((boss for boss in self.services.find_bosses() if boss.slug == opening.boss), None)
        if wanted is None or wanted.error:
            self.notify(f"There is no boss called {clean_line(opening.boss)}.", severity="warning", markup=False)
            return
        pack = self.pack(wanted.path)
        if pack is not None and isinstance(opening, Showing):
            self.show(opening, pack)
        elif pack is not None and isinstance(opening, ClassOpening):
            self.show_class(pack, opening)
        elif pack is not None and opening.lab:
            self.open_lab(pack)
        elif pack is not None and opening.directory:
            self.fight(pack, Path(opening.directory), watch=opening.watch)
        elif pack is not None:
            self.open_boss(pack)

    # The forge

    def light_forge(self) -> None:
        """Begin to warm the forge, unless it is lit."""
        if self._forge is None or (self._forge.done() and self._forge.exception() is not None):
            self._forge = asyncio.get_running_loop().create_future()
            self._tending = self._tend(self._forge)

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

    @on(Unmount)
    async def _see_the_forge_out(self) -> None:
        """See the forge go out: the event loop ends next, and with it whatever would still clean up behind a fight."""
        if self._tending is not None:
            if not self._tending.is_cancelled:
                self._tending.cancel()
            with contextlib.suppress(WorkerError):
                await self._tending.wait()
