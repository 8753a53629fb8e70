"""Ask before something that can't be undone."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.ui.widgets.key_bar import KeyBar
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.text import clean, clean_line


class ConfirmScreen(ModalScreen[bool]):
    """Lies over the screen that asks; answers yes or no. Enter is no answer."""

    CSS_PATH = "confirm.tcss"

    def __init__(self, question: str, words: str, yes: str) -> None:
        super().__init__()
        self._question, self._words = question, words
        self._bindings.bind("y", "dismiss(True)", clean_line(yes))
        self._bindings.bind("n,escape", "dismiss(False)", "never mind", key_display="n")

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "dismiss(False)", "never mind", show=False)]

    def compose(self) -> ComposeResult:
        """The question in a box."""
        with Vertical(id="confirm-box") as box:
            box.border_title = Content(clean_line(self._question))
            yield Prose(Content.assemble((clean(self._words), "$ash")))
            yield KeyBar()
