"""What stands beside the boss: the trials as they come, the verdict, or a text to read."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from evalforge.app.fight.stage.trial_log import TrialView
from evalforge.app.fight.stage.verdict_panel import VerdictPanel
from evalforge.app.ui.widgets.text_panel import Panel

_SCROLLED = {"log-view": "#log", "verdict": "#verdict-next", "story": "#story"}
"""Each view by its name, and what scrolls in it."""


class SidePanel(Vertical):
    """One of three sides is shown at a time: ``log-view``, ``verdict`` or ``story``."""

    def compose(self) -> ComposeResult:
        """Compose the trials, the impostors and the verdict; one of them is seen."""
        yield TrialView(id="log-view")
        yield VerdictPanel(id="verdict")
        yield Panel(id="story")

    @property
    def trials(self) -> TrialView:
        """What is told of the trials."""
        return self.query_one(TrialView)

    @property
    def verdict(self) -> VerdictPanel:
        """The panel that says how the fight ended."""
        return self.query_one(VerdictPanel)

    @property
    def view(self) -> str:
        """Name of the view that is shown."""
        return next(name for name in _SCROLLED if self.query_one(f"#{name}").display)

    def show_view(self, view: str) -> None:
        """Show one view, and hide the others."""
        for name in _SCROLLED:
            self.query_one(f"#{name}").display = name == view

    def needs(self, width: int) -> int:
        """How many lines the verdict takes; trials and stories would have all below them move whenever they change."""
        return self.verdict.needs(width - self.styles.gutter.width)

    def read(self, content: Content) -> None:
        """Show a text of the screen's own."""
        self.query_one("#story", Panel).set_text(content)
        self.show_view("story")

    def scroll_pages(self, pages: int) -> None:
        """Scroll the view that is shown."""
        scrolled = self.query_one(_SCROLLED[self.view])
        scrolled.scroll_relative(y=pages * max(1, scrolled.size.height - 1), animate=False)
