"""Help for the screen one is on: what it is, and every key."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.look import app_of
from evalforge.app.prose import told
from evalforge.app.widgets.panel import Panel

if TYPE_CHECKING:
    from evalforge.app.screens.base import GameScreen


class HelpScreen(ModalScreen[None]):
    """Lies over the screen it explains."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,enter", "dismiss", "close", id="help.close"),
    ]

    def __init__(self, about: "GameScreen") -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        """What it is, then its keys."""
        with Vertical(id="help-box") as box:
            box.border_title = Content(self._about.NAME)
            box.border_subtitle = Content("esc closes")
            yield Panel(Content.assemble(told(self._about.HELP_TEXT), "\n", self._keys()))

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one(Panel).focus()

    def _keys(self) -> Content:
        parts: list[tuple[str, str]] = []
        seen: set[str] = set()
        for active in self._about.active_bindings.values():
            binding = active.binding
            if binding.id and binding.description and binding.action not in seen:
                seen.add(binding.action)
                shown = app_of(self).get_key_display(binding)
                parts += [(f"{shown:>10}  ", "bold $ember"), (f"{binding.description}\n", "$ash")]
        return Content.assemble(*parts)
