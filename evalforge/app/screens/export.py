"""Hand an attempt out: which form, and where it went."""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evalforge.app.widgets.key_bar import KeyBar
from evalforge.app.widgets.panel import Prose
from evalforge.app.widgets.rows import Rows, choice
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt

_CARD = "card"
_FORMS = (
    ("m", "markdown", "a report in words"),
    ("j", "json", "everything, as JSON"),
    ("c", _CARD, "a card to show, with its receipt"),
)


class ExportScreen(ModalScreen[str]):
    """Lies over the screen that asks; answers with a kind of file, or nothing."""

    CSS_PATH = "export.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"take('{kind}')", kind, show=False, priority=True, id=f"export.{kind}")
            for key, kind, _ in _FORMS
        ),
        Binding("escape", "dismiss('')", "never mind", id="export.close"),
    ]

    def __init__(self, attempt: "Attempt", folder: str) -> None:
        super().__init__()
        self._attempt, self._folder = attempt, folder

    def compose(self) -> ComposeResult:
        """The choice in a box."""
        with Vertical(id="export-box") as box:
            box.border_title = Content("Hand it out as")
            yield Rows("hand out", id="forms")
            told = f"It goes to {clean(self._folder)}; nothing there is overwritten."
            yield Prose(Content.assemble((told, "$dim")))
            yield KeyBar()

    def on_mount(self) -> None:
        """Offer them; only what was judged has a card."""
        forms = self.query_one(Rows)
        judged = self._attempt.result is not None
        forms.show([choice(kind, key, words) for key, kind, words in _FORMS if judged or kind != _CARD])
        forms.focus()

    @on(Rows.Opened)
    def _take(self, event: Rows.Opened) -> None:
        self.dismiss(event.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what was judged has a card."""
        return self._attempt.result is not None if parameters == (_CARD,) else True

    def action_take(self, kind: str) -> None:
        """This form."""
        self.dismiss(kind)
