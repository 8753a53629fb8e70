"""The app as its screens see it: a session, a navigator, a look."""

from textual import constants
from textual.app import App
from textual.notifications import SeverityLevel

from evalforge.app.core.navigation import Navigator
from evalforge.app.core.session import Session
from evalforge.app.ui.theme.glyphs import ASCII, UNICODE
from evalforge.app.ui.theme.look import Look
from evalforge.app.ui.theme.motion import Motion
from evalforge.app.ui.theme.motion import choose as choose_motion
from evalforge.app.ui.theme.themes import DEFAULT_THEME, PALETTES


class GameApp(App[None]):
    """The interface of the app for its screens.

    Attributes:
        session: History, bosses, engine and settings.
        navigator: Opens screens.
        motion: How much is animated.
    """

    session: Session
    navigator: Navigator
    motion: Motion

    @property
    def look(self) -> Look:
        """The current palette, glyphs and motion."""
        palette = PALETTES.get(self.theme, PALETTES[DEFAULT_THEME])
        return Look(palette, ASCII if self.session.services.ascii_only else UNICODE, self.motion)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a message above the key bar: on one line if it fits, so that it hides nothing it is about.

        It is never parsed as markup, whatever the argument says.
        """
        del markup
        text = f"{title}: {message}" if title else message
        super().notify(text, severity=severity, timeout=timeout, markup=False)

    def change_setting(self, name: str, value: str | bool) -> None:
        """Change a setting, show it at once, and keep it for the next start."""
        self.session.change_setting(name, value)
        self.adopt_settings()

    def adopt_settings(self) -> None:
        """Show the theme and the motion that are set now; the environment may limit the motion."""
        services = self.session.services
        self.theme = services.theme if services.theme in PALETTES else DEFAULT_THEME
        self.motion = choose_motion(services.motion, constants.TEXTUAL_ANIMATIONS)
        self.animation_level = self.motion.level

    def ring_bell(self) -> None:
        """Ring the terminal's bell, if the player has enabled it."""
        if self.session.services.bell:
            self.bell()
