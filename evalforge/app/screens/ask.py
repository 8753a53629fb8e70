"""A dialog that asks for a line of text, such as the command of an editor."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.text_panel import Prose


class AnswerInput(Input):
    """An input whose enter is among the dialog's keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "keep", key_display="⏎", id="ask.keep")]


class AskScreen(Dialog[str | None]):
    """Asks over the current screen for a line of text; the answer is the line, or None.

    Args:
        title: The question.
        value: The line to begin with.
        note: A remark below the line.
    """

    CSS_PATH = "ask.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "cancel", id="ask.close")]

    def __init__(self, title: str, value: str, note: str) -> None:
        super().__init__(title)
        self._value, self._note = value, note

    def body(self) -> Iterable[Widget]:
        """Compose the line and the remark."""
        yield AnswerInput(self._value)
        yield Prose(styled((self._note, "dim")))

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
