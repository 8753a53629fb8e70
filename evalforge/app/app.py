"""The game as an app: themes, the guard on every line, the forge it keeps, and its first screen."""

import asyncio
import signal
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.events import Unmount
from textual.filter import LineFilter
from textual.screen import Screen, SystemModalScreen
from textual.theme import Theme
from textual.worker import WorkerFailed

from evalforge.app.core.game_app import GameApp
from evalforge.app.core.navigation import Navigator
from evalforge.app.core.services import Services
from evalforge.app.core.session import Session
from evalforge.app.ui.text.line_filters import AsciiFilter, ControlFilter
from evalforge.app.ui.theme.themes import DEFAULT_THEME, PALETTES, css_variables, textual_themes
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean, clean_line

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from evalforge.app.command_palette import Commands


_END_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_SIGNAL_STATUS = 128
"""A shell's exit status for a program that a signal ended, less the signal's number."""


class FatalError(Exception):
    """An error that ends the game; its message is printed once the screen is gone."""

    def __init__(self, error: EvalForgeError) -> None:
        super().__init__(str(error))

    def __rich__(self) -> Text:
        """Return what Textual prints instead of a traceback."""
        return Text(f"evalforge: {clean(str(self))}")


def _palette() -> "type[Commands]":
    from evalforge.app.command_palette import Commands

    return Commands


class EvalForge(GameApp):
    """The terminal game: settings, themes and the screen it starts on.

    Args:
        services: What the layers below provide.
    """

    TITLE = "EvalForge"
    CSS_PATH: ClassVar = ["app.tcss", "home/roster.tcss"]
    NOTIFICATION_TIMEOUT = 4
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS: ClassVar = {_palette}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit", show=False, priority=True, id="quit"),
        Binding("ctrl+t", "next_theme", "next theme", show=False, id="theme"),
    ]

    def __init__(self, services: Services) -> None:
        self._guard = ControlFilter()
        self._own_themes: dict[str, Theme] = {}
        self._is_ending = False
        super().__init__()
        self.session = Session(services, self._show_message)
        self.navigator = Navigator(self)
        self._own_themes = textual_themes()
        self.adopt_settings()

    def _show_message(self, text: str, title: str, severity: str) -> None:
        self.notify(text, title=title, severity=cast("SeverityLevel", severity), markup=False)

    def _handle_exception(self, error: Exception) -> None:
        """End the game on an uncaught error: one of ours is printed as a message, any other as a traceback."""
        if self._is_ending:
            # A signal may come while a screen is being built, whose code then misses its widgets.
            self._close_messages_no_wait()
            return
        cause = error.error if isinstance(error, WorkerFailed) else error
        super()._handle_exception(FatalError(cause) if isinstance(cause, EvalForgeError) else error)

    # The look

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Our themes only, once there are any: other themes don't define our roles."""
        return self._own_themes or super().available_themes

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Define our roles even before a theme is set."""
        return css_variables(PALETTES[DEFAULT_THEME])

    def refresh_css(self, animate: bool = True) -> None:
        """Refresh system screens too. Textual leaves them out, so an open palette would keep its old theme."""
        if not self.screen_stack:
            # At startup there is nothing to style yet, and the first screen reads all rules once.
            self.stylesheet.set_variables(self.get_css_variables())
            return
        super().refresh_css(animate)
        for screen in self.screen_stack[-1:]:
            if isinstance(screen, SystemModalScreen):
                self.stylesheet.update(screen, animate=animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's filters, followed by the guard."""
        extra = [AsciiFilter()] if self.session.services.ascii_only else []
        return [*super().get_line_filters(), self._guard, *extra]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every command in the palette except screenshots, which would save foreign text to files."""
        from evalforge.app.command_palette import commands

        return commands(self, screen)

    def action_next_theme(self) -> None:
        """Switch to the next of our themes."""
        names = list(PALETTES)
        self.change_setting("theme", names[(names.index(self.theme) + 1) % len(names)])
        self.notify(self.theme, title="Theme", timeout=1.5, markup=False)

    # The first screen

    def get_default_screen(self) -> Screen[None]:
        """The roster. Textual's own empty screen below it would only cost time."""
        from evalforge.app.home.roster import RosterScreen

        return RosterScreen()

    def on_load(self) -> None:
        """Handle signals, before the terminal is changed: by default the process would end and leave it as it is."""
        for number in _END_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._end_by_signal, number)

    def on_mount(self) -> None:
        """Open the requested screen on top of the roster."""
        self.screen_change_signal.subscribe(self, self._clear_toasts, immediate=True)  # pyright: ignore[reportUnknownMemberType]
        if self.session.services.start.boss:
            self.call_after_refresh(self._open_start_screen)

    def _end_by_signal(self, number: int) -> None:
        self._is_ending = True
        self.exit(return_code=_SIGNAL_STATUS + number)

    def _clear_toasts(self, _: Screen[object]) -> None:
        """Clear messages when the screen changes, or they would hide what the next screen says."""
        self.clear_notifications()

    def _open_start_screen(self) -> None:
        request = self.session.services.start
        boss = self.session.find_boss(request.boss)
        if boss is None:
            self.notify(f"There is no boss called {clean_line(request.boss)}.", severity="warning", markup=False)
            return
        pack = self.session.load_pack(boss.path)
        if pack is not None:
            request.opener(self.navigator, pack)

    def action_attempts(self) -> None:
        """Open the list of all past attempts."""
        self.navigator.open_attempts()

    def action_settings(self) -> None:
        """Open the settings."""
        self.navigator.open_settings()

    def action_progress(self) -> None:
        """Open rank and achievements."""
        self.navigator.open_progress()

    @on(Unmount)
    async def _close_session(self) -> None:
        """Close history and engine before the event loop ends, which would prevent any later cleanup."""
        self.session.close_history()
        await self.session.stop_engine()
