"""A dialog with a few choices, such as the form of an export."""

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
"""A form's key, the dialog's answer, and the form's description."""


def keys_of(forms: Sequence[Form], name: str) -> list[BindingType]:
    """Return the bindings of a dialog that asks for a form, with ids that begin with a name."""
    return [
        *(
            Binding(key, f"dismiss('{kind}')", kind, show=False, priority=True, id=f"{name}.{kind}")
            for key, kind, _ in forms
        ),
        Binding("escape", "dismiss('')", "cancel", id=f"{name}.close"),
    ]


class ChooseScreen(Dialog[str]):
    """Asks for a form; the answer is the form, or None.

    Args:
        title: The question.
        forms: The choices.
        note: A remark below the choices.
        verb: The label of enter in the key bar.
    """

    CSS_PATH = Path(__file__).with_name("choose.tcss")
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, title: str, forms: Sequence[Form], note: str, verb: str = "export") -> None:
        super().__init__(title)
        self._forms, self._note, self._verb = forms, note, verb

    def body(self) -> Iterable[Widget]:
        """Compose the question and the choices."""
        yield Rows(self._verb, id="forms")
        yield Prose(styled((self._note, "dim")))

    def on_mount(self) -> None:
        """List the choices."""
        forms = self.query_one(Rows)
        forms.show([choice(kind, key, description) for key, kind, description in self._forms])
        forms.focus()

    @on(Rows.Opened)
    def _dismiss_with_choice(self, event: Rows.Opened) -> None:
        self.dismiss(event.key)
