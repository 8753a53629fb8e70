"""A question over the screen that asks it: which of a few, such as the form of an export."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from evalforge.app.screens.base import Dialog
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.row_list import Rows, choice
from evalforge.app.ui.widgets.text_panel import Prose

Form = tuple[str, str, str]
"""The key that takes it, what the screen answers then, and what it is in words."""


def keys_of(forms: Sequence[Form], name: str) -> list[BindingType]:
    """The bindings of a screen that asks for a form, with ids that begin with a name."""
    return [
        *(
            Binding(key, f"dismiss('{kind}')", kind, show=False, priority=True, id=f"{name}.{kind}")
            for key, kind, _ in forms
        ),
        Binding("escape", "dismiss('')", "cancel", id=f"{name}.close"),
    ]


class ChooseScreen(Dialog[str]):
    """Answers with a form, or nothing.

    Args:
        title: What is asked.
        forms: What can be had.
        note: What else is to be known.
        verb: What enter does, in the words of the key bar.
    """

    CSS_PATH = Path(__file__).with_name("choose.tcss")
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, title: str, forms: Sequence[Form], note: str, verb: str = "export") -> None:
        super().__init__(title)
        self._forms, self._note, self._verb = forms, note, verb

    def body(self) -> Iterable[Widget]:
        """Compose the question and what there is to choose from."""
        yield Rows(self._verb, id="forms")
        yield Prose(styled((self._note, "dim")))

    def on_mount(self) -> None:
        """List what there is to choose from."""
        forms = self.query_one(Rows)
        forms.show([choice(kind, key, words) for key, kind, words in self._forms])
        forms.focus()

    @on(Rows.Opened)
    def _dismiss_with_choice(self, event: Rows.Opened) -> None:
        self.dismiss(event.key)
