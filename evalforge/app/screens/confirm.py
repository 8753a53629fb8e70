"""Asks for confirmation before something that can't be undone."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.text import clean, clean_line


class ConfirmScreen(Dialog[bool]):
    """Asks over the current screen for yes or no. Enter doesn't answer."""

    CSS_PATH = "confirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes"),
        Binding("escape,n", "dismiss(False)", "cancel", key_display="esc"),
        Binding("ctrl+c", "dismiss(False)", "cancel", show=False),
    ]

    def __init__(self, question: str, text: str, yes: str) -> None:
        super().__init__(question)
        self._words, self._yes = text, clean_line(yes)

    def binding_label(self, binding: Binding) -> str:
        """Label a key: for "y", what will be done."""
        return self._yes if binding.key == "y" else binding.description

    def body(self) -> Iterable[Widget]:
        """Compose the consequences of a yes."""
        yield Prose(styled((clean(self._words), "ash")))
