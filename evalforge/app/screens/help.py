"""Help for the current screen: its purpose, and every key."""

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.ui.text.key_hints import all_key_hints
from evalforge.app.ui.text.markup import render_markup
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.text_panel import Panel

if TYPE_CHECKING:
    from evalforge.app.screens.base import GameScreen


class HelpScreen(ModalScreen[None]):
    """The help over the screen that it explains."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,enter", "dismiss", "close", id="help.close"),
    ]

    def __init__(self, about: "GameScreen") -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        """Compose the purpose, then the keys."""
        with Vertical(id="help-box") as box:
            box.border_title = Content(self._about.NAME)
            box.border_subtitle = Content("esc closes")
            yield Panel(styled(render_markup(self._about.HELP_TEXT), "\n", self._keys()))

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one(Panel).focus()

    def _keys(self) -> Content:
        hints = all_key_hints(self._about)  # pyright: ignore[reportArgumentType]
        widest = max((cell_len(hint.display) for hint in hints), default=0)
        parts: list[Run] = []
        for hint in hints:
            padding = " " * (widest - cell_len(hint.display))
            parts += [(f"  {padding}{hint.display}  ", "bold ember"), (f"{hint.label}\n", "ash")]
        return styled(*parts)
