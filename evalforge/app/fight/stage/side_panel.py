"""The panel beside the boss: the trials as they come, the verdict, or a text to read."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from evalforge.app.fight.stage.trial_log import TrialView
from evalforge.app.fight.stage.verdict_panel import VerdictPanel
from evalforge.app.ui.widgets.text_panel import Panel

_SCROLLED = {"log-view": "#log", "verdict": "#verdict-next", "story": "#story"}
"""Each view by its name, and the part of it that scrolls."""


class SidePanel(Vertical):
    """Shows one of three views at a time: ``log-view``, ``verdict`` or ``story``."""

    def compose(self) -> ComposeResult:
        """Compose the trials, the impostors and the verdict, only one of which is visible."""
        yield TrialView(id="log-view")
        yield VerdictPanel(id="verdict")
        yield Panel(id="story")

    @property
    def trials(self) -> TrialView:
        """The view of the trials."""
        return self.query_one(TrialView)

    @property
    def verdict(self) -> VerdictPanel:
        """The panel that says how the fight ended."""
        return self.query_one(VerdictPanel)

    @property
    def view(self) -> str:
        """The name of the visible view."""
        return next(name for name in _SCROLLED if self.query_one(f"#{name}").display)

    def show_view(self, view: str) -> None:
        """Show one view, and hide the others."""
        for name in _SCROLLED:
            self.query_one(f"#{name}").display = name == view

    def needs(self, width: int) -> int:
        """The lines the verdict needs. Trials and stories don't count, or everything below would keep moving."""
        return self.verdict.needs(width - self.styles.gutter.width)

    def read(self, content: Content) -> None:
        """Show a text supplied by the screen."""
        self.query_one("#story", Panel).set_text(content)
        self.show_view("story")

    def scroll_pages(self, pages: int) -> None:
        """Scroll the visible view."""
        scrolled = self.query_one(_SCROLLED[self.view])
        scrolled.scroll_relative(y=pages * max(1, scrolled.size.height - 1), animate=False)
